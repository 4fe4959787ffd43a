/** Feeds of Miniflux's API are the user's subscriptions. */
import { type Context, Hono } from 'hono'
import {
  type FeedId,
  type FollowedFeed,
  type SubscriptionWithUnread,
  truncateLabel,
  type UserId,
} from '../../../model/index.ts'
import { subscriptionPages } from '../../../views/index.ts'
import type { LoggedChange } from '../../change-log.ts'
import type { ImageProxy } from '../../image-proxy/image-proxy.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { iconFor } from '../icons.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { changeMadeBy, currentReader, requireWrite } from '../reader-auth.ts'
import { answerFeeds } from './answer-feeds.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import type { EntryPages } from './entry-pages.ts'
import { minifluxFeedShape } from './shapes.ts'

interface FeedParts extends Pick<AuthenticatedParts, 'readerState' | 'catalogue' | 'crawler'> {
  adapter: ReaderAdapter
  entryPages: EntryPages
  pictures: ImageProxy | undefined
  onChange: (change: LoggedChange) => void
}

export function minifluxFeedRoutes(parts: FeedParts): Hono {
  const { adapter, entryPages, readerState, catalogue, crawler, pictures, onChange } = parts
  const app = new Hono()

  app.get('/feeds', async (c) => {
    return answerFeeds(c, adapter, currentReader(c).userId)
  })

  app.get('/feeds/counters', async (c) => {
    const { userId } = currentReader(c)
    const feeds: SubscriptionWithUnread[] = [] // what is known of the feeds themselves is not needed
    for await (const page of subscriptionPages(readerState, userId)) feeds.push(...page)
    const counts = await catalogue.entryCounts(feeds.map(({ feedId }) => feedId))
    return c.json({
      reads: Object.fromEntries(feeds.map(({ feedId, unread }, i) => [feedId, Math.max(0, (counts[i] ?? 0) - unread)])),
      unreads: Object.fromEntries(feeds.map(({ feedId, unread }) => [feedId, unread])),
    })
  })

  app.post('/feeds', async (c) => {
    const reader = requireWrite(c)
    const { userId } = reader
    const body = await bodyOf(c)
    const url = textIn(body, 'feed_url')
    const folder = await folderIn(body, userId)
    const existing = url === '' ? undefined : await catalogue.feedAt(url)
    if (existing !== undefined && (await readerState.subscriptionsTo(userId, [existing]))[0])
      throw new Problem(400, 'you already follow this feed', `it is feed ${existing}`)
    const feedId = await adapter.subscribe(userId, { url, folder }, c.req.raw.signal)
    onChange(changeMadeBy(reader, 'miniflux.addFeed'))
    if (feedId !== undefined) return c.json({ feed_id: feedId }, 201)
    throw new Problem(404, 'no feed was found there yet', 'Freshet looks again later, and subscribes once it is found')
  })

  app.put('/feeds/refresh', (c) => {
    requireWrite(c) // feeds are polled when news is expected; asking for all of them at once changes nothing
    return c.body(null, 204)
  })

  app.get('/feeds/:id', async (c) => {
    const { userId } = currentReader(c)
    return c.json(await shapeOf(await feedWith(c, userId), userId))
  })

  app.put('/feeds/:id', async (c) => {
    const { userId } = requireWrite(c)
    const found = await feedWith(c, userId)
    const body = await bodyOf(c)
    if (body.title === '') throw new Problem(400, 'the title is empty', 'leave it out')
    const title =
      typeof body.title === 'string' && body.title !== found.shownTitle ? truncateLabel(body.title) : undefined
    const folder = await folderIn(body, userId)
    rejectOtherChanges(body, await shapeOf(found, userId))
    const { folder: before = '' } = found
    if (folder !== undefined && folder !== before) await adapter.folders.keep(userId, before)
    await crawler.editSubscription(userId, found.feedId, {
      ...(title !== undefined && { title }),
      ...(folder !== undefined && { folder: folder || null }),
    })
    return c.json(await shapeOf(await feedWith(c, userId), userId), 201)
  })

  app.delete('/feeds/:id', async (c) => {
    const reader = requireWrite(c)
    const { feedId, folder = '' } = await feedWith(c, reader.userId)
    await adapter.folders.keep(reader.userId, folder)
    onChange(changeMadeBy(reader, 'miniflux.removeFeed', String(feedId)))
    await crawler.unsubscribe(reader.userId, [{ feedId }])
    return c.body(null, 204)
  })

  app.put('/feeds/:id/refresh', async (c) => {
    const { userId } = requireWrite(c)
    await crawler.pollNow((await feedWith(c, userId)).feedId)
    return c.body(null, 204)
  })

  app.put('/feeds/:id/mark-all-as-read', async (c) => {
    const { userId } = requireWrite(c)
    await readerState.markAllRead(userId, { feedIds: [(await feedWith(c, userId)).feedId] })
    return c.body(null, 204)
  })

  app.get('/feeds/:id/entries', (c) => entryPages.list(c, { feed: idIn(c) }))
  app.get('/feeds/:id/entries/:entry', (c) => {
    const feedId = idIn(c)
    return entryPages.show(c, 'entry', (feed) => feed.feedId === feedId)
  })
  app.get('/feeds/:id/icon', icon)
  app.get('/icons/:id', icon)

  async function icon(c: Context): Promise<Response> {
    const feed = await feedWith(c, currentReader(c).userId)
    const { type, data } = await iconFor(feed, pictures)
    return c.json({ id: feed.feedId, mime_type: type, data })
  }

  async function feedWith(c: Context, userId: UserId): Promise<FollowedFeed> {
    const feedId = idIn(c) as FeedId
    const [subscription] = await readerState.subscriptionsTo(userId, [feedId])
    const found = subscription && (await adapter.feedsById(userId, [feedId])).get(feedId)
    if (!found) throw new Problem(404, `you do not follow feed ${feedId}`, 'see GET /v1/feeds')
    return found
  }

  async function shapeOf(feed: FollowedFeed, userId: UserId) {
    return minifluxFeedShape(feed, { userId, numberOf: await adapter.folders.numbersOf(userId) })
  }

  /** Undefined if the body has no category; Go's client then sends 0. */
  async function folderIn({ category_id: id }: Record<string, unknown>, userId: UserId): Promise<string | undefined> {
    if (typeof id !== 'number' || id === 0) return undefined
    const folder = await adapter.folders.withNumber(userId, id)
    if (folder === undefined) throw new Problem(400, `there is no category ${id}`, 'see GET /v1/categories')
    return folder
  }
  return app
}

/** Clients send all fields of a form. What a user cannot change here must not seem to be changed. */
function rejectOtherChanges(body: Record<string, unknown>, current: Record<string, unknown>): void {
  const isChanged = ([name, value]: [string, unknown]) =>
    value !== null && name in current && !CHANGEABLE.has(name) && value !== current[name]
  const [changed] = Object.entries(body).find(isChanged) ?? []
  if (changed !== undefined)
    throw new Problem(400, `${changed} cannot be changed here`, 'send title and category_id; the rest is for all users')
}

const CHANGEABLE = new Set(['title', 'category_id', 'category', 'icon'])
