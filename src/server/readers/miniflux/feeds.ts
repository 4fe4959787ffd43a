/** Feeds of Miniflux's API are the user's subscriptions. */
import { type Context, Hono } from 'hono'
import type { FeedId, FollowedFeed, SubscriptionWithUnread, UserId } from '../../../model/index.ts'
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
import type { Categories } from './categories.ts'
import type { EntryPages } from './entry-pages.ts'
import { minifluxFeedShape } from './shapes.ts'

interface FeedParts extends Pick<AuthenticatedParts, 'readerState' | 'catalogue' | 'crawler'> {
  adapter: ReaderAdapter
  categories: Categories
  entryPages: EntryPages
  pictures: ImageProxy | undefined
  onChange: (change: LoggedChange) => void
}

export function minifluxFeedRoutes(parts: FeedParts): Hono {
  const { adapter, categories, entryPages, readerState, catalogue, crawler, pictures, onChange } = parts
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
    const subscription = { url: textIn(body, 'feed_url'), folder: await folderIn(body, userId) }
    const feedId = await adapter.subscribe(userId, subscription, c.req.raw.signal)
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
    return c.json(minifluxFeedShape(await feedWith(c, userId), userId))
  })

  app.put('/feeds/:id', async (c) => {
    const { userId } = requireWrite(c)
    const { feedId } = await feedWith(c, userId)
    const body = await bodyOf(c)
    const folder = await folderIn(body, userId)
    await crawler.editSubscription(userId, feedId, {
      ...(typeof body.title === 'string' && { title: body.title || null }),
      ...(folder !== undefined && { folder: folder || null }),
    })
    return c.json(minifluxFeedShape(await feedWith(c, userId), userId), 201)
  })

  app.delete('/feeds/:id', async (c) => {
    const reader = requireWrite(c)
    const { feedId } = await feedWith(c, reader.userId)
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

  app.get('/feeds/:id/entries', async (c) =>
    entryPages.list(c, { feedIds: [(await feedWith(c, currentReader(c).userId)).feedId] }),
  )
  app.get('/feeds/:id/entries/:entry', (c) => entryPages.show(c, 'entry'))
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

  async function folderIn({ category_id }: Record<string, unknown>, userId: UserId): Promise<string | undefined> {
    return typeof category_id === 'number' ? categories.folder(userId, category_id) : undefined
  }
  return app
}
