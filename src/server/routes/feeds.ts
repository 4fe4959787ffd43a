/** The feeds, and what people may do to them. Reading asks the store; whatever changes something asks the crawl. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { AddressTaken, FeedEdit } from '../../crawl/index.ts'
import type { Feed, FeedId, PersonId, ScheduledFeed } from '../../model/index.ts'
import { addressTakenMessage, feedDetails, feedsWithHubs, omitUndefined, roundsOfFeed } from '../../views/index.ts'
import { callerOf, subscribingUserOf, userIdOf } from '../authorize.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound, Problem } from '../problem.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { visibleParts } from '../visible.ts'
import { parseAddresses } from './addresses.ts'
import { parseFeedEdit } from './feed-edits.ts'

/** Of the last polls, and of the newest entries. */
const SHOWN = 20

export function feedRoutes(parts: SharedParts): OpenAPIHono {
  const { catalogue, crawler, readership, people } = parts
  const app = validatedRoutes()

  /** As the caller sees it. */
  async function feedWith(c: Context, id: number): Promise<ScheduledFeed> {
    const { catalogue } = await visibleParts(c, parts)
    const [scheduled] = await catalogue.feedsById([id as FeedId])
    if (!scheduled) throw notFound('feed', id)
    return scheduled
  }

  const isFollowedBy = async (reader: PersonId, id: FeedId) =>
    (await readership.readingsOf(reader, [id]))[0] !== undefined

  /** What followers share is changed by admins, or by the only one who follows it. */
  async function onlyOwn(c: Context, { id, listed }: Feed): Promise<void> {
    const { allows, person } = callerOf(c)
    if (allows === 'admin' || !person) return
    const hint = `PATCH /api/v1/subscriptions/${id} changes your own title and folder; an admin may change the rest`
    if (!(await isFollowedBy(person.id, id))) throw new Problem(403, `you do not follow feed ${id}`, hint)
    if (listed) throw new Problem(403, `feed ${id} is listed in freshet.toml for everybody`, hint)
    const [readers = 0] = await readership.readersOf([{ feedId: id }])
    if (readers > 1) throw new Problem(403, `other users follow feed ${id}, too`, hint)
  }

  /** Title and folder are the user's own, where there are several. */
  async function withoutOwn(c: Context, id: FeedId, { title, folder, ...shared }: FeedEdit): Promise<FeedEdit> {
    const own = omitUndefined({ title, folder })
    if (Object.keys(own).length === 0 || (await people.people()).length <= 1) return { ...own, ...shared }
    const change = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, text || null]))
    if (!(await crawler.editReading(await userIdOf(c), id, change)))
      throw new Problem(
        403,
        `you do not follow feed ${id}`,
        'subscribe first: POST /api/v1/subscriptions with {"feeds": [id]}',
      )
    return shared
  }

  /** A login was given by who follows a feed, for its address: somebody else, who gives it another address, does not take it along. */
  async function withoutLoginOfOthers(c: Context, feed: Feed, edit: FeedEdit): Promise<FeedEdit> {
    const { person } = callerOf(c)
    const isMoved = edit.url !== undefined && edit.url !== feed.url
    if (!isMoved || !person || edit.credentials !== undefined || (await isFollowedBy(person.id, feed.id))) return edit
    return { ...edit, credentials: null }
  }

  /** Of a feed out of sight nothing is told but that it is there. */
  async function taken(c: Context, by: AddressTaken): Promise<Problem> {
    const { catalogue } = await visibleParts(c, parts)
    const [seen] = await catalogue.feedsById([by.by.id])
    return seen
      ? new Problem(409, ...addressTakenMessage({ ...by, by: seen.feed }))
      : new Problem(409, `another feed already has this ${by.name ? 'name' : 'address'}`, 'choose another')
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
    const seen = await visibleParts(c, parts)
    if (address !== undefined) {
      const id = await seen.catalogue.feedAt(address)
      const [feed] = id === undefined ? [] : await seen.catalogue.feedsById([id])
      return c.json({ feeds: await feedsWithHubs(feed ? [feed] : [], seen) }, 200)
    }
    const [id, dueAt] = decodeCursor<[number, number]>(order, cursor) ?? []
    const feeds = await seen.catalogue.feeds({
      ...omitUndefined({ state, folder, category, name, troubled, text }),
      ...(id !== undefined && dueAt !== undefined && { after: { id: id as FeedId, dueAt } }),
      order,
      limit: limit + 1,
    })
    const { shown, next } = cutPage(feeds, limit, ({ feed, schedule }) => encodeCursor(order, feed.id, schedule.dueAt))
    return c.json({ feeds: await feedsWithHubs(shown, seen), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getFeed, async (c) => {
    const scheduled = await feedWith(c, c.req.valid('param').id)
    return c.json(await feedDetails(scheduled, await visibleParts(c, parts), SHOWN), 200)
  })

  app.openapi(OPERATIONS.getRounds, async (c) => {
    const scheduled = await feedWith(c, c.req.valid('param').id)
    return c.json(await roundsOfFeed(scheduled, catalogue, c.req.valid('query')), 200)
  })

  app.openapi(OPERATIONS.addFeeds, async (c) => {
    const addresses = parseAddresses(c.req.valid('json').addresses)
    return c.json({ results: await parts.follow.add(addresses, await subscribingUserOf(c)) }, 200)
  })

  app.openapi(OPERATIONS.editFeed, async (c) => {
    const { state, edit: whole } = parseFeedEdit(c.req.valid('json'))
    const { id } = (await feedWith(c, c.req.valid('param').id)).feed
    const [held] = await catalogue.feedsById([id])
    if (!held) throw notFound('feed', id)
    const { title: _, folder: __, ...shared } = whole
    if (state || Object.keys(shared).length > 0) await onlyOwn(c, held.feed)
    const edit = await withoutLoginOfOthers(c, held.feed, await withoutOwn(c, id, whole))
    const edited = Object.keys(edit).length > 0 ? await crawler.edit(id, edit) : true
    if (typeof edited === 'object') throw await taken(c, edited)
    if (!edited) throw notFound('feed', id)
    if (state) await (state === 'paused' ? crawler.pause(id) : crawler.resume(id))
    const [shape] = await feedsWithHubs([await feedWith(c, id)], parts)
    return c.json(shape!, 200)
  })

  app.openapi(OPERATIONS.removeFeed, async (c) => {
    const { feed } = await feedWith(c, c.req.valid('param').id)
    await onlyOwn(c, feed)
    if (!(await crawler.remove(feed.id))) throw notFound('feed', feed.id)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.pollFeed, async (c) => {
    const { id } = (await feedWith(c, c.req.valid('param').id)).feed
    const answer = await crawler.pollNow(id)
    if (!answer) throw notFound('feed', id)
    return c.json({ ...answer, dueAt: new Date(answer.dueAt).toISOString() }, 202)
  })
  return app
}
