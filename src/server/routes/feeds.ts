/** The feeds, and what people may do to them. Reading asks the store; whatever changes something asks the crawl. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedEdit } from '../../crawl/index.ts'
import type { FeedId, ScheduledFeed } from '../../model/index.ts'
import { pushedFeeds, roundsOfFeed, takenInWords, wholeFeed } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { cursorOf, cutAt, keysIn } from '../cursor.ts'
import { notThere, Problem } from '../problem.ts'
import type { MadeParts } from '../server-parts.ts'
import { askerOf, followerOf, readerOf } from '../who.ts'
import { addressesIn } from './addresses.ts'
import { editIn } from './edits.ts'

/** Of the last polls, and of the newest entries. */
const SHOWN = 20

export function feedRoutes(parts: MadeParts): OpenAPIHono {
  const { catalogue, crawler, readership, people } = parts
  const app = checkedRoutes()

  async function feedWith(id: number): Promise<ScheduledFeed> {
    const [scheduled] = await catalogue.feedsById([id as FeedId])
    if (!scheduled) throw notThere('feed', id)
    return scheduled
  }

  /** What others follow, only who may do everything removes for them. */
  async function othersDoNotMind(c: Context, id: FeedId): Promise<void> {
    if (askerOf(c).allows === 'admin') return
    const [own] = await readership.readingsOf(await readerOf(c), [id])
    const [readers = 0] = await readership.readersOf([id])
    if (readers > (own ? 1 : 0))
      throw new Problem(
        403,
        `others follow feed ${id}`,
        'DELETE /api/v1/subscriptions with its id takes it from your own',
      )
  }

  /** Title and folder of who may not do everything are his own, unless he is the first. */
  async function withoutOwn(c: Context, id: FeedId, { title, folder, ...shared }: FeedEdit): Promise<FeedEdit> {
    const own = { ...(title !== undefined && { title }), ...(folder !== undefined && { folder }) }
    const reader = await readerOf(c)
    if (askerOf(c).allows === 'admin' || reader === (await people.firstPerson()) || Object.keys(own).length === 0)
      return { ...own, ...shared }
    const change = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, text || null]))
    if (!(await crawler.editReading(reader, id, change)))
      throw new Problem(
        403,
        `you do not follow feed ${id}`,
        'POST /api/v1/subscriptions with {"feeds": [its id]} first',
      )
    return shared
  }

  app.openapi(OPERATIONS.listFeeds, async (c) => {
    const {
      order = 'id',
      limit = 50,
      cursor,
      state,
      folder,
      category,
      name,
      address,
      troubled,
      text,
    } = c.req.valid('query')
    if (address !== undefined) {
      const id = await catalogue.feedAt(address)
      const [feed] = id === undefined ? [] : await catalogue.feedsById([id])
      return c.json({ feeds: await pushedFeeds(feed ? [feed] : [], parts) }, 200)
    }
    const [id, dueAt] = keysIn<[number, number]>(order, cursor) ?? []
    const feeds = await catalogue.feeds({
      ...(state && { state }),
      ...(folder !== undefined && { folder }),
      ...(category !== undefined && { category }),
      ...(name !== undefined && { name }),
      ...(troubled !== undefined && { troubled }),
      ...(text !== undefined && { text }),
      ...(id !== undefined && dueAt !== undefined && { after: { id: id as FeedId, dueAt } }),
      order,
      limit: limit + 1,
    })
    const { shown, next } = cutAt(feeds, limit, ({ feed, schedule }) => cursorOf(order, feed.id, schedule.dueAt))
    return c.json({ feeds: await pushedFeeds(shown, parts), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getFeed, async (c) => {
    const scheduled = await feedWith(c.req.valid('param').id)
    return c.json(await wholeFeed(scheduled, parts, { most: SHOWN, withCopies: false }), 200)
  })

  app.openapi(OPERATIONS.getRounds, async (c) => {
    const scheduled = await feedWith(c.req.valid('param').id)
    return c.json(await roundsOfFeed(scheduled, catalogue, c.req.valid('query')), 200)
  })

  app.openapi(OPERATIONS.addFeeds, async (c) => {
    const addresses = addressesIn(c.req.valid('json').addresses)
    return c.json({ results: await parts.follow.add(addresses, await followerOf(c)) }, 200)
  })

  app.openapi(OPERATIONS.editFeed, async (c) => {
    const { state, edit: whole } = editIn(c.req.valid('json'))
    const { feed } = await feedWith(c.req.valid('param').id)
    const edit = await withoutOwn(c, feed.id, whole)
    const edited = Object.keys(edit).length > 0 ? await crawler.edit(feed.id, edit) : true
    if (typeof edited === 'object') throw new Problem(409, ...takenInWords(edited))
    if (!edited) throw notThere('feed', feed.id)
    if (state) await (state === 'paused' ? crawler.pause(feed.id) : crawler.resume(feed.id))
    const [shape] = await pushedFeeds([await feedWith(feed.id)], parts)
    return c.json(shape!, 200)
  })

  app.openapi(OPERATIONS.removeFeed, async (c) => {
    const { id } = c.req.valid('param')
    await othersDoNotMind(c, id as FeedId)
    if (!(await crawler.remove(id as FeedId))) throw notThere('feed', id)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.pollFeed, async (c) => {
    const { id } = c.req.valid('param')
    const answer = await crawler.pollNow(id as FeedId)
    if (!answer) throw notThere('feed', id)
    return c.json({ ...answer, dueAt: new Date(answer.dueAt).toISOString() }, 202)
  })
  return app
}
