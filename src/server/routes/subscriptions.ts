/** What a person follows: each has his own titles and folders, and one crawl serves all. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedId, PersonId, SourceId } from '../../model/index.ts'
import { pendingSubscriptionShapes, subscriptionShapes, visibleToUser } from '../../views/index.ts'
import { subscribingUserOf, userIdOf } from '../authorize.ts'
import { OPML_TYPES } from '../browser-security.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { Problem } from '../problem.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { visibleParts } from '../visible.ts'
import { parseAddresses, parseOpmlAddresses } from './addresses.ts'

export function subscriptionRoutes(parts: SharedParts): OpenAPIHono {
  const { readership, crawler, follow } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listSubscriptions, async (c) => {
    const { folder, cursor, limit = 50 } = c.req.valid('query')
    const [after] = decodeCursor<[number]>('subscriptions', cursor) ?? []
    const readings = await readership.readings(await userIdOf(c), {
      ...(folder !== undefined && { folder }),
      ...(after !== undefined && { after: after as FeedId }),
      limit: limit + 1,
    })
    const { shown, next } = cutPage(readings, limit, ({ feedId }) => encodeCursor('subscriptions', feedId))
    return c.json(
      { subscriptions: await subscriptionShapes(shown, await visibleParts(c, parts)), ...(next && { next }) },
      200,
    )
  })

  app.openapi(OPERATIONS.addSubscriptions, async (c) => {
    const { feeds, addresses } = c.req.valid('json')
    const who = await subscribingUserOf(c)
    if (feeds.length > 0 && feeds.length > (await follow.remaining(who)))
      throw new Problem(
        409,
        'this exceeds the feed limit',
        'unsubscribe from some first, or ask the operator of this server',
      )
    const results = await follow.add(parseAddresses(addresses), who)
    const { catalogue } = await visibleToUser(who.personId, parts)
    const seen = (await catalogue.feedsById(feeds as FeedId[])).flatMap((held) => held?.feed.id ?? [])
    const followed = await crawler.follow(who.personId, seen)
    return c.json({ results, feeds: seen.filter((_, i) => followed[i]) }, 200)
  })

  app.openapi(OPERATIONS.importOpml, async (c) => {
    if (!OPML_TYPES.has(c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''))
      throw new Problem(415, 'the body is not OPML', 'send the file with the header content-type: text/x-opml')
    const { addresses, skipped } = await parseOpmlAddresses(await c.req.text())
    return c.json({ results: await follow.add(addresses, await subscribingUserOf(c)), skipped }, 200)
  })

  app.openapi(OPERATIONS.editSubscription, async (c) => {
    const { title, folder } = c.req.valid('json')
    const [personId, feedId] = [await userIdOf(c), c.req.valid('param').id as FeedId]
    const change = {
      ...(title !== undefined && { title: title.trim() || null }),
      ...(folder !== undefined && { folder: folder.trim() || null }),
    }
    if (!(await crawler.editReading(personId, feedId, change))) throw notFollowed(feedId)
    return c.json(await followedWith(personId, feedId), 200)
  })

  app.openapi(OPERATIONS.removeSubscription, async (c) => {
    const feedId = c.req.valid('param').id as FeedId
    const [was] = await crawler.unsubscribe(await userIdOf(c), [{ feedId }])
    if (!was) throw notFollowed(feedId)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.listWaitingSubscriptions, async (c) => {
    const { cursor, limit = 50 } = c.req.valid('query')
    const [after] = decodeCursor<[number]>('waiting', cursor) ?? []
    const waiting = await readership.waitingReadings(await userIdOf(c), {
      ...(after !== undefined && { after: after as SourceId }),
      limit: limit + 1,
    })
    const { shown, next } = cutPage(waiting, limit, ({ sourceId }) => encodeCursor('waiting', sourceId))
    return c.json({ waiting: await pendingSubscriptionShapes(shown, parts), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.removeWaitingSubscription, async (c) => {
    const sourceId = c.req.valid('param').id as SourceId
    const [was] = await crawler.unsubscribe(await userIdOf(c), [{ sourceId }])
    if (!was)
      throw new Problem(404, `you have no pending subscription for source ${sourceId}`, 'it may have been found')
    return c.body(null, 204)
  })

  async function followedWith(personId: PersonId, feedId: FeedId) {
    const [reading] = await readership.readingsOf(personId, [feedId])
    const [shape] = reading ? await subscriptionShapes([reading], parts) : []
    if (!shape) throw notFollowed(feedId)
    return shape
  }
  return app
}

function notFollowed(id: number): Problem {
  return new Problem(
    404,
    `you do not follow feed ${id}`,
    'subscribe first: POST /api/v1/subscriptions with {"feeds": [id]}',
  )
}
