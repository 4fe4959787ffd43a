/** Feeds and their settings. Reads come from the store; changes go through the crawl. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import type { AddressTaken, FeedEdit } from '../../crawl/index.ts'
import type { EntryId, FeedId, ScheduledFeed } from '../../model/index.ts'
import {
  addressTakenMessage,
  extractionPreview,
  feedDetails,
  feedsWithHubs,
  omitUndefined,
  roundsOfFeed,
} from '../../views/index.ts'
import { subscribingUserOf, userIdOf } from '../authorize.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { assertMayChange, mayChange, restrictedUserOf } from '../may-change-feed.ts'
import { notFound, Problem } from '../problem.ts'
import { visibleParts } from '../request-visibility.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'
import { parseAddresses } from './addresses.ts'
import { parseFeedEdit } from './feed-edits.ts'
import { createFeedMoves } from './feed-moves.ts'
import { changedFetchSettings, checkedExtraction } from './fetch-settings.ts'

/** Polls and entries in the details of a feed. */
const MAX_SHOWN = 20

export function feedRoutes(parts: SharedParts): OpenAPIHono {
  const { catalogue, crawler, readerState, users } = parts
  const app = validatedRoutes()
  const { dropForeignSecrets, fetchingAfterMove } = createFeedMoves(readerState)

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
    const canChange = await mayChange(c, scheduled.feed, readerState)
    return c.json(await feedDetails(scheduled, await visibleParts(c, parts), MAX_SHOWN, canChange), 200)
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
    const { fetching, ...fields } = c.req.valid('json')
    const { id } = (await feedWith(c, c.req.valid('param').id)).feed
    const [stored] = await catalogue.feedsById([id])
    if (!stored) throw notFound('feed', id)
    const { state, edit: whole } = parseFeedEdit(fields)
    const { title: _, folder: __, ...shared } = whole
    if (state || fetching !== undefined || Object.keys(shared).length > 0)
      await assertMayChange(c, stored.feed, readerState)
    if (fetching !== undefined)
      whole.fetching =
        fetching && changedFetchSettings(await fetchingAfterMove(c, stored.feed, whole), fetching, !restrictedUserOf(c))
    const edit = await dropForeignSecrets(c, stored.feed, await applyOwnSettings(c, id, whole))
    const edited = Object.keys(edit).length > 0 ? await crawler.edit(id, edit) : true
    if (typeof edited === 'object') throw await addressConflict(c, edited)
    if (!edited) throw notFound('feed', id)
    if (state) await (state === 'paused' ? crawler.pause(id) : crawler.resume(id))
    const [shape] = await feedsWithHubs([await feedWith(c, id)], parts)
    return c.json(shape!, 200)
  })

  app.openapi(OPERATIONS.previewExtraction, async (c) => {
    const { feed } = await feedWith(c, c.req.valid('param').id)
    await assertMayChange(c, feed, readerState)
    const { entry, ...given } = c.req.valid('json')
    const rules = checkedExtraction(given) ?? {}
    const preview = await extractionPreview(await visibleParts(c, parts), feed.id, rules, entry as EntryId | undefined)
    if (preview) return c.json(preview, 200)
    const hint = 'open the full text of one of its entries first, so that its page is fetched'
    throw new Problem(409, 'no page of this feed is stored', hint)
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
