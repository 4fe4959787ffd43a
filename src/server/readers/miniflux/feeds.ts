/** Feeds of Miniflux's API are the user's subscriptions. */
import { type Context, Hono } from 'hono'
import type { CountedReading, FeedId, PersonId } from '../../../model/index.ts'
import { subscriptionPages } from '../../../views/index.ts'
import type { LoggedChange } from '../../change-log.ts'
import type { Pictures } from '../../pictures/pictures.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { iconFor } from '../icons.ts'
import type { ReaderAdapter, SubscribedFeed } from '../reader-adapter.ts'
import { changeMadeBy, currentReader, requireWrite } from '../reader-auth.ts'
import { bodyOf, idIn, textIn } from './body.ts'
import type { Categories } from './categories.ts'
import type { EntryPages } from './entry-pages.ts'
import { minifluxFeedShape } from './shapes.ts'

interface FeedParts extends Pick<AuthenticatedParts, 'readership' | 'catalogue' | 'crawler'> {
  adapter: ReaderAdapter
  categories: Categories
  entryPages: EntryPages
  pictures: Pictures | undefined
  onChange: (change: LoggedChange) => void
}

export function minifluxFeedRoutes(parts: FeedParts): Hono {
  const { adapter, categories, entryPages, readership, catalogue, crawler, pictures, onChange } = parts
  const app = new Hono()

  app.get('/feeds', async (c) => {
    const { personId } = currentReader(c)
    return c.json((await adapter.subscriptions(personId)).map((feed) => minifluxFeedShape(feed, personId)))
  })

  app.get('/feeds/counters', async (c) => {
    const { personId } = currentReader(c)
    const feeds: CountedReading[] = [] // what is known of the feeds themselves is not needed
    for await (const page of subscriptionPages(readership, personId)) feeds.push(...page)
    const counts = await catalogue.entryCounts(feeds.map(({ feedId }) => feedId))
    return c.json({
      reads: Object.fromEntries(feeds.map(({ feedId, unread }, i) => [feedId, Math.max(0, (counts[i] ?? 0) - unread)])),
      unreads: Object.fromEntries(feeds.map(({ feedId, unread }) => [feedId, unread])),
    })
  })

  app.post('/feeds', async (c) => {
    const reader = requireWrite(c)
    const { personId } = reader
    const body = await bodyOf(c)
    const subscription = { url: textIn(body, 'feed_url'), folder: await folderIn(body, personId) }
    const feedId = await adapter.subscribe(personId, subscription, c.req.raw.signal)
    onChange(changeMadeBy(reader, 'miniflux.addFeed'))
    if (feedId !== undefined) return c.json({ feed_id: feedId }, 201)
    throw new Problem(404, 'no feed was found there yet', 'Freshet looks again later, and subscribes once it is found')
  })

  app.put('/feeds/refresh', (c) => {
    requireWrite(c) // feeds are polled when news is expected; asking for all of them at once changes nothing
    return c.body(null, 204)
  })

  app.get('/feeds/:id', async (c) => {
    const { personId } = currentReader(c)
    return c.json(minifluxFeedShape(await feedWith(c, personId), personId))
  })

  app.put('/feeds/:id', async (c) => {
    const { personId } = requireWrite(c)
    const { feedId } = await feedWith(c, personId)
    const body = await bodyOf(c)
    const folder = await folderIn(body, personId)
    await crawler.editReading(personId, feedId, {
      ...(typeof body.title === 'string' && { title: body.title || null }),
      ...(folder !== undefined && { folder: folder || null }),
    })
    return c.json(minifluxFeedShape(await feedWith(c, personId), personId), 201)
  })

  app.delete('/feeds/:id', async (c) => {
    const reader = requireWrite(c)
    const { feedId } = await feedWith(c, reader.personId)
    onChange(changeMadeBy(reader, 'miniflux.removeFeed', String(feedId)))
    await crawler.unsubscribe(reader.personId, [{ feedId }])
    return c.body(null, 204)
  })

  app.put('/feeds/:id/refresh', async (c) => {
    const { personId } = requireWrite(c)
    await crawler.pollNow((await feedWith(c, personId)).feedId)
    return c.body(null, 204)
  })

  app.put('/feeds/:id/mark-all-as-read', async (c) => {
    const { personId } = requireWrite(c)
    await readership.markAllRead(personId, { feedIds: [(await feedWith(c, personId)).feedId] })
    return c.body(null, 204)
  })

  app.get('/feeds/:id/entries', async (c) =>
    entryPages.list(c, { feedIds: [(await feedWith(c, currentReader(c).personId)).feedId] }),
  )
  app.get('/feeds/:id/entries/:entry', (c) => entryPages.show(c, 'entry'))
  app.get('/feeds/:id/icon', icon)
  app.get('/icons/:id', icon)

  async function icon(c: Context): Promise<Response> {
    const feed = await feedWith(c, currentReader(c).personId)
    const { type, data } = await iconFor(feed, pictures)
    return c.json({ id: feed.feedId, mime_type: type, data })
  }

  async function feedWith(c: Context, personId: PersonId): Promise<SubscribedFeed> {
    const feedId = idIn(c) as FeedId
    const [reading] = await readership.readingsOf(personId, [feedId])
    const found = reading && (await adapter.feedsById(personId, [feedId])).get(feedId)
    if (!found) throw new Problem(404, `you do not follow feed ${feedId}`, 'see GET /v1/feeds')
    return found
  }

  async function folderIn({ category_id }: Record<string, unknown>, personId: PersonId): Promise<string | undefined> {
    return typeof category_id === 'number' ? categories.folder(personId, category_id) : undefined
  }
  return app
}
