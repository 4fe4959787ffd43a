/** The user's subscriptions, with their own titles and folders, and OPML import. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { Address, SubscribeResult } from '../../crawl/index.ts'
import type { Feed, FeedId, FollowedFeedWithReaders, SourceId, UserId } from '../../model/index.ts'
import { strategyError } from '../../scheduling/index.ts'
import {
  followedFeedPages,
  followedFeedShape,
  pendingSubscriptionShapes,
  subscriptionDetails,
  visibleToUser,
} from '../../views/index.ts'
import { subscribingUserOf, userIdOf } from '../authorize.ts'
import { OPML_TYPES } from '../browser-security.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { importForUser } from '../import-for-user.ts'
import { reasonNotToChange, restrictedUserOf } from '../may-change-feed.ts'
import { Problem } from '../problem.ts'
import { readReaderFile } from '../read-reader-file.ts'
import { visibleParts } from '../request-visibility.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { parseAddresses, parseOpmlAddresses } from './addresses.ts'

export function subscriptionRoutes(parts: SharedParts): OpenAPIHono {
  const { catalogue, readerState, crawler, clock, addressSubscriber } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listSubscriptions, async (c) => {
    const { folder, details, cursor, limit = 50 } = c.req.valid('query')
    const [after] = decodeCursor<[number]>('subscriptions', cursor) ?? []
    const query = {
      ...(folder !== undefined && { folder }),
      ...(after !== undefined && { after: after as FeedId }),
      limit: limit + 1,
    }
    const followed: FollowedFeedWithReaders[] = []
    for await (const feeds of followedFeedPages(readerState, await userIdOf(c), query)) followed.push(...feeds)
    const { page, next } = cutPage(followed, limit, ({ feedId }) => encodeCursor('subscriptions', feedId))
    const mayChange = (feed: Feed, readers: number) => !restrictedUserOf(c) || !reasonNotToChange(feed, readers)
    const shown = details
      ? await subscriptionDetails(page, await visibleParts(c, parts), { now: clock.now(), mayChange })
      : []
    return c.json(
      { subscriptions: page.map((feed, i) => followedFeedShape(feed, shown[i])), ...(next && { next }) },
      200,
    )
  })

  app.openapi(OPERATIONS.addSubscriptions, async (c) => {
    const { feeds, addresses } = c.req.valid('json')
    const subscriber = await subscribingUserOf(c)
    if (feeds.length > 0 && feeds.length > (await addressSubscriber.countRemaining(subscriber)))
      throw new Problem(
        409,
        'this exceeds the feed limit',
        'unsubscribe from some first, or ask the operator of this server',
      )
    const parsed = parseAddresses(addresses)
    const results = withTitles(await addressSubscriber.add(parsed, subscriber), parsed)
    const { catalogue } = await visibleToUser(subscriber.userId, parts)
    const visibleIds = (await catalogue.feedsById(feeds as FeedId[])).flatMap((scheduled) => scheduled?.feed.id ?? [])
    const followed = await crawler.follow(subscriber.userId, visibleIds)
    return c.json({ results, feeds: visibleIds.filter((_, i) => followed[i]) }, 200)
  })

  app.openapi(OPERATIONS.importOpml, async (c) => {
    if (!OPML_TYPES.has(c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''))
      throw new Problem(415, 'the body is not OPML', 'send the file with the header content-type: text/x-opml')
    const { addresses, skipped } = await parseOpmlAddresses(await c.req.text())
    const results = await addressSubscriber.add(addresses, await subscribingUserOf(c))
    return c.json({ results: withTitles(results, addresses), skipped }, 200)
  })

  app.openapi(OPERATIONS.importReaderData, async (c) => {
    const { dryRun = false } = c.req.valid('query')
    const data = await readReaderFile(new Uint8Array(await c.req.arrayBuffer()))
    return c.json(await importForUser(data, await subscribingUserOf(c), dryRun, parts), 200)
  })

  app.openapi(OPERATIONS.editSubscription, async (c) => {
    const { title, folder } = c.req.valid('json')
    const [userId, feedId] = [await userIdOf(c), c.req.valid('param').id as FeedId]
    const change = {
      ...(title !== undefined && { title: title.trim() || null }),
      ...(folder !== undefined && { folder: folder.trim() || null }),
    }
    if (!(await crawler.editSubscription(userId, feedId, change))) throw notFollowed(feedId)
    return c.json(await loadShape(userId, feedId), 200)
  })

  app.openapi(OPERATIONS.editSubscriptions, async (c) => {
    const { feeds, folder, state, strategy } = c.req.valid('json')
    const problem = strategy === undefined ? undefined : strategyError(strategy)
    if (problem) throw new Problem(400, problem.message, problem.hint)
    const userId = await userIdOf(c)
    const ids = [...new Set(feeds)] as FeedId[]
    const reasons = await reasonsToRefuse(c, userId, ids, state !== undefined || strategy !== undefined)
    const changed = ids.filter((_, i) => reasons[i] === undefined)
    for (const id of changed) {
      if (folder !== undefined) await crawler.editSubscription(userId, id, { folder: folder.trim() || null })
      if (strategy !== undefined) await crawler.edit(id, { strategy })
      if (state !== undefined) await (state === 'paused' ? crawler.pause(id) : crawler.resume(id))
    }
    const refused = ids.flatMap((feedId, i) => (reasons[i] === undefined ? [] : [{ feedId, reason: reasons[i] }]))
    return c.json({ changed, refused }, 200)
  })

  app.openapi(OPERATIONS.removeSubscriptions, async (c) => {
    const ids = [...new Set(c.req.valid('json').feeds)] as FeedId[]
    const wereFollowed = await crawler.unsubscribe(
      await userIdOf(c),
      ids.map((feedId) => ({ feedId })),
    )
    return c.json({ removed: ids.filter((_, i) => wereFollowed[i]) }, 200)
  })

  app.openapi(OPERATIONS.removeSubscription, async (c) => {
    const feedId = c.req.valid('param').id as FeedId
    const [wasRemoved] = await crawler.unsubscribe(await userIdOf(c), [{ feedId }])
    if (!wasRemoved) throw notFollowed(feedId)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.listPendingSubscriptions, async (c) => {
    const { cursor, limit = 50 } = c.req.valid('query')
    const [after] = decodeCursor<[number]>('waiting', cursor) ?? []
    const pending = await readerState.pendingSubscriptions(await userIdOf(c), {
      ...(after !== undefined && { after: after as SourceId }),
      limit: limit + 1,
    })
    const { page: shown, next } = cutPage(pending, limit, ({ sourceId }) => encodeCursor('waiting', sourceId))
    return c.json({ pending: await pendingSubscriptionShapes(shown, parts), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.removePendingSubscription, async (c) => {
    const sourceId = c.req.valid('param').id as SourceId
    const [wasRemoved] = await crawler.unsubscribe(await userIdOf(c), [{ sourceId }])
    if (!wasRemoved)
      throw new Problem(404, `you have no pending subscription for source ${sourceId}`, 'it may have been found')
    return c.body(null, 204)
  })

  /** Why the user may not change each feed; undefined where they may. `isShared`: a setting that its followers share. */
  async function reasonsToRefuse(
    c: Context,
    userId: UserId,
    ids: FeedId[],
    isShared: boolean,
  ): Promise<(string | undefined)[]> {
    const [subscriptions, feeds, readers] = await Promise.all([
      readerState.subscriptionsTo(userId, ids),
      catalogue.feedsById(ids),
      readerState.followerCounts(ids.map((feedId) => ({ feedId }))),
    ])
    return ids.map((id, i) => {
      if (!subscriptions[i] || !feeds[i]) return `you do not follow feed ${id}`
      return isShared && restrictedUserOf(c) ? reasonNotToChange(feeds[i].feed, readers[i] ?? 0) : undefined
    })
  }

  async function loadShape(userId: UserId, feedId: FeedId) {
    const [next] = await readerState.followedFeeds(userId, { after: (feedId - 1) as FeedId, limit: 1 })
    if (next?.feedId !== feedId) throw notFollowed(feedId)
    return followedFeedShape(next)
  }
  return app
}

/** With the titles that the caller gave, for reports; results are in the order of the addresses. */
function withTitles(results: readonly SubscribeResult[], addresses: readonly Address[]) {
  return results.map((result, i) => {
    const title = addresses[i]?.title
    return title ? { ...result, title } : result
  })
}

function notFollowed(id: number): Problem {
  return new Problem(
    404,
    `you do not follow feed ${id}`,
    'subscribe first: POST /api/v1/subscriptions with {"feeds": [id]}',
  )
}
