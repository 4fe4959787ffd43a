/** Feeds and their settings. Reads come from the store; changes go through the crawl. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { AddressTaken, FeedEdit } from '../../crawl/index.ts'
import type { Feed, FeedId, ScheduledFeed } from '../../model/index.ts'
import { addressTakenMessage, feedDetails, feedsWithHubs, omitUndefined, roundsOfFeed } from '../../views/index.ts'
import { callerOf, subscribingUserOf, userIdOf } from '../authorize.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { assertMayChange, isFollowedBy } from '../may-change-feed.ts'
import { notFound, Problem } from '../problem.ts'
import { visibleParts } from '../request-visibility.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { parseAddresses } from './addresses.ts'
import { parseFeedEdit } from './feed-edits.ts'

/** Polls and entries in the details of a feed. */
const MAX_SHOWN = 20

export function feedRoutes(parts: SharedParts): OpenAPIHono {
  const { catalogue, crawler, readerState, users } = parts
  const app = validatedRoutes()

  /** Restricted to the caller. */
  async function feedWith(c: Context, id: number): Promise<ScheduledFeed> {
    const { catalogue } = await visibleParts(c, parts)
    const [scheduled] = await catalogue.feedsById([id as FeedId])
    if (!scheduled) throw notFound('feed', id)
    return scheduled
  }

  /** With several users, title and folder are the caller's own. Returns the rest of the edit. */
  async function applyOwnSettings(c: Context, id: FeedId, { title, folder, ...shared }: FeedEdit): Promise<FeedEdit> {
    const ownFields = omitUndefined({ title, folder })
    if (Object.keys(ownFields).length === 0 || (await users.allUsers()).length <= 1) return { ...ownFields, ...shared }
    const change = Object.fromEntries(Object.entries(ownFields).map(([name, text]) => [name, text || null]))
    if (!(await crawler.editSubscription(await userIdOf(c), id, change)))
      throw new Problem(
        403,
        `you do not follow feed ${id}`,
        'subscribe first: POST /api/v1/subscriptions with {"feeds": [id]}',
      )
    return shared
  }

  /** A follower entered the login for this address only: if another user changes the address, the login is removed. */
  async function dropForeignLogin(c: Context, feed: Feed, edit: FeedEdit): Promise<FeedEdit> {
    const { user } = callerOf(c)
    const isMoved = edit.url !== undefined && edit.url !== feed.url
    if (!isMoved || !user || edit.credentials !== undefined || (await isFollowedBy(readerState, user.id, feed.id)))
      return edit
    return { ...edit, credentials: null }
  }

  /** Does not reveal details of a hidden feed. */
  async function addressConflict(c: Context, conflict: AddressTaken): Promise<Problem> {
    const { catalogue } = await visibleParts(c, parts)
    const [visible] = await catalogue.feedsById([conflict.by.id])
    return visible
      ? new Problem(409, ...addressTakenMessage({ ...conflict, by: visible.feed }))
      : new Problem(409, `another feed already has this ${conflict.name ? 'name' : 'address'}`, 'choose another')
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
      failing,
      text,
    } = c.req.valid('query')
    const visible = await visibleParts(c, parts)
    if (address !== undefined) {
      const id = await visible.catalogue.feedAt(address)
      const [feed] = id === undefined ? [] : await visible.catalogue.feedsById([id])
      return c.json({ feeds: await feedsWithHubs(feed ? [feed] : [], visible) }, 200)
    }
    const [id, dueAt] = decodeCursor<[number, number]>(order, cursor) ?? []
    const feeds = await visible.catalogue.feeds({
      ...omitUndefined({ state, folder, category, name, failing, text }),
      ...(id !== undefined && dueAt !== undefined && { after: { id: id as FeedId, dueAt } }),
      order,
      limit: limit + 1,
    })
    const { page: shown, next } = cutPage(feeds, limit, ({ feed, schedule }) =>
      encodeCursor(order, feed.id, schedule.dueAt),
    )
    return c.json({ feeds: await feedsWithHubs(shown, visible), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getFeed, async (c) => {
    const scheduled = await feedWith(c, c.req.valid('param').id)
    return c.json(await feedDetails(scheduled, await visibleParts(c, parts), MAX_SHOWN), 200)
  })

  app.openapi(OPERATIONS.getRounds, async (c) => {
    const scheduled = await feedWith(c, c.req.valid('param').id)
    return c.json(await roundsOfFeed(scheduled, catalogue, c.req.valid('query')), 200)
  })

  app.openapi(OPERATIONS.addFeeds, async (c) => {
    const addresses = parseAddresses(c.req.valid('json').addresses)
    return c.json({ results: await parts.addressSubscriber.add(addresses, await subscribingUserOf(c)) }, 200)
  })

  app.openapi(OPERATIONS.editFeed, async (c) => {
    const { state, edit: whole } = parseFeedEdit(c.req.valid('json'))
    const { id } = (await feedWith(c, c.req.valid('param').id)).feed
    const [stored] = await catalogue.feedsById([id])
    if (!stored) throw notFound('feed', id)
    const { title: _, folder: __, ...shared } = whole
    if (state || Object.keys(shared).length > 0) await assertMayChange(c, stored.feed, readerState)
    const edit = await dropForeignLogin(c, stored.feed, await applyOwnSettings(c, id, whole))
    const edited = Object.keys(edit).length > 0 ? await crawler.edit(id, edit) : true
    if (typeof edited === 'object') throw await addressConflict(c, edited)
    if (!edited) throw notFound('feed', id)
    if (state) await (state === 'paused' ? crawler.pause(id) : crawler.resume(id))
    const [shape] = await feedsWithHubs([await feedWith(c, id)], parts)
    return c.json(shape!, 200)
  })

  app.openapi(OPERATIONS.removeFeed, async (c) => {
    const { feed } = await feedWith(c, c.req.valid('param').id)
    await assertMayChange(c, feed, readerState)
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
