/**
 * Miniflux's API, version 1, at `/v1`: as its clients use it. Categories are folders, known by numbers that follow from their names; an
 * empty one is kept for who made it until a feed is put into it, or we end. What Miniflux can do beyond a reader's needs is not here.
 */
import { type Context, Hono } from 'hono'
import { createOpmlList } from '../../feeds/index.ts'
import { type EntryId, type FeedId, type PersonId, shortLabel } from '../../model/index.ts'
import { Problem } from '../problem.ts'
import { addressesInOpml } from '../routes/addresses.ts'
import type { ProvenParts } from '../server-parts.ts'
import { folderNumber, NO_FOLDER } from './folder-number.ts'
import { formIn } from './form.ts'
import { iconFor } from './icons.ts'
import { listedItems } from './miniflux-entries.ts'
import { categoryShape, entryShapeOf, feedShapeOf, UNSORTED } from './miniflux-shapes.ts'
import { basicProof, createReaderAuth, mayWrite, readerAsking } from './reader-auth.ts'
import { everyFollowed, type FollowedFeed, followAddress, itemsWith, star } from './shelf.ts'

/** Of Miniflux; clients look at it to know what they may ask for. */
const VERSION = '2.2.0'
const MOST_EMPTY = 1000

export function minifluxRoutes(parts: ProvenParts): Hono {
  const { readership, catalogue, crawler, clock, onChange = () => {} } = parts
  const { asReader } = createReaderAuth(parts)
  const app = new Hono()
  /** Categories in which there is no feed yet. */
  const empty = new Map<string, string>()

  app.onError((error, c) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const { status, message, hint, retryAfterSeconds } = error
    if (retryAfterSeconds !== undefined) c.header('retry-after', String(Math.ceil(retryAfterSeconds)))
    return c.json({ error_message: `${message}: ${hint}` }, status)
  })
  app.use('/*', async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })
  app.use('/*', asReader(proofIn))

  app.get('/me', (c) => {
    const { personId, name, allows } = readerAsking(c)
    return c.json({ id: personId, username: name, is_admin: allows === 'admin', language: 'en_US', timezone: 'UTC' })
  })
  app.get('/version', (c) =>
    c.json({ version: VERSION, commit: '', build_date: '', go_version: '', compiler: '', arch: '', os: '' }),
  )
  app.get('/integrations/status', (c) => c.json({ has_integrations: false }))
  app.put('/flush-history', (c) => c.body(null, 202))

  app.get('/categories', async (c) => {
    const { personId } = readerAsking(c)
    const folders = await readership.folderCounts(personId)
    const isCounted = c.req.query('counts') === 'true'
    const shapes = folders.map(({ folder = '', feeds, unread }) => ({
      ...categoryShape(folder, personId),
      ...(isCounted && { feed_count: feeds, total_unread: unread }),
    }))
    const isThere = shapes.some(({ id }) => id === NO_FOLDER)
    const unsorted = { ...categoryShape('', personId), ...(isCounted && { feed_count: 0, total_unread: 0 }) }
    return c.json(isThere ? shapes : [unsorted, ...shapes])
  })

  app.post('/categories', async (c) => {
    const { personId } = mayWrite(c)
    const folder = shortLabel(textIn(await bodyOf(c), 'title'))
    if (!folder) throw new Problem(400, 'the category has no title', 'send {"title": "News"}')
    empty.set(`${personId} ${folderNumber(folder)}`, folder)
    const oldest = empty.keys().next().value
    if (empty.size > MOST_EMPTY && oldest !== undefined) empty.delete(oldest)
    return c.json(categoryShape(folder, personId), 201)
  })

  app.put('/categories/:id', async (c) => {
    const { personId } = mayWrite(c)
    const folder = await folderWith(c, personId)
    const title = shortLabel(textIn(await bodyOf(c), 'title'))
    if (!title || folder === '') throw new Problem(400, 'the category cannot be called so', 'send {"title": "News"}')
    await readership.renameFolder(personId, folder, title)
    return c.json(categoryShape(title, personId), 201)
  })

  app.delete('/categories/:id', async (c) => {
    const { personId } = mayWrite(c)
    await readership.renameFolder(personId, await folderWith(c, personId), null)
    return c.body(null, 204)
  })

  app.put('/categories/:id/mark-all-as-read', async (c) => {
    const { personId } = mayWrite(c)
    await readership.markAllRead(personId, { folder: await folderWith(c, personId) })
    return c.body(null, 204)
  })

  app.get('/categories/:id/feeds', async (c) => {
    const { personId } = readerAsking(c)
    const feeds = await everyFollowed(parts, personId, await folderWith(c, personId))
    return c.json(feeds.map((feed) => feedShapeOf(feed, personId)))
  })

  app.get('/categories/:id/entries', async (c) => entries(c, { folder: await folderWith(c, readerAsking(c).personId) }))

  app.get('/feeds', async (c) => {
    const { personId } = readerAsking(c)
    return c.json((await everyFollowed(parts, personId)).map((feed) => feedShapeOf(feed, personId)))
  })

  app.get('/feeds/counters', async (c) => {
    const feeds = await everyFollowed(parts, readerAsking(c).personId)
    const counts = await catalogue.entryCounts(feeds.map(({ feedId }) => feedId))
    return c.json({
      reads: Object.fromEntries(feeds.map(({ feedId, unread }, i) => [feedId, Math.max(0, (counts[i] ?? 0) - unread)])),
      unreads: Object.fromEntries(feeds.map(({ feedId, unread }) => [feedId, unread])),
    })
  })

  app.post('/feeds', async (c) => {
    const { personId, name } = mayWrite(c)
    const body = await bodyOf(c)
    const url = textIn(body, 'feed_url')
    const number = body.category_id
    const folder = typeof number === 'number' ? await folderNumbered(personId, number) : ''
    const followed = await followAddress(parts, personId, url, { ...(folder && { folder }) }, c.req.raw.signal)
    onChange({ ...(name && { who: name }), what: 'miniflux.addFeed' })
    if (followed.kind === 'feed') return c.json({ feed_id: followed.feedId }, 201)
    if (followed.kind === 'refused')
      throw new Problem(400, `${url.slice(0, 100)}: ${followed.reason}`, 'is the address right?')
    throw new Problem(404, 'no feed was found there yet', 'it is looked for again, and followed once it is found')
  })

  app.put('/feeds/refresh', (c) => {
    mayWrite(c) // feeds are polled when there may be news; who asks for all of them at once gets nothing sooner
    return c.body(null, 204)
  })

  app.get('/feeds/:id', async (c) => {
    const { personId } = readerAsking(c)
    return c.json(feedShapeOf(await feedWith(c, personId), personId))
  })

  app.put('/feeds/:id', async (c) => {
    const { personId } = mayWrite(c)
    const { feedId } = await feedWith(c, personId)
    const body = await bodyOf(c)
    const [title, number] = [body.title, body.category_id]
    const folder = typeof number === 'number' ? await folderNumbered(personId, number) : undefined
    await crawler.editReading(personId, feedId, {
      ...(typeof title === 'string' && { title: title || null }),
      ...(folder !== undefined && { folder: folder || null }),
    })
    return c.json(feedShapeOf(await feedWith(c, personId), personId), 201)
  })

  app.delete('/feeds/:id', async (c) => {
    const { personId, name } = mayWrite(c)
    const { feedId } = await feedWith(c, personId)
    onChange({ ...(name && { who: name }), what: 'miniflux.removeFeed', on: String(feedId) })
    await crawler.unsubscribe(personId, [{ feedId }])
    return c.body(null, 204)
  })

  app.put('/feeds/:id/refresh', async (c) => {
    const { personId } = mayWrite(c)
    await crawler.pollNow((await feedWith(c, personId)).feedId)
    return c.body(null, 204)
  })

  app.put('/feeds/:id/mark-all-as-read', async (c) => {
    const { personId } = mayWrite(c)
    await readership.markAllRead(personId, { feedIds: [(await feedWith(c, personId)).feedId] })
    return c.body(null, 204)
  })

  app.get('/feeds/:id/entries', async (c) =>
    entries(c, { feedIds: [(await feedWith(c, readerAsking(c).personId)).feedId] }),
  )
  app.get('/feeds/:id/entries/:entry', (c) => entry(c, 'entry'))
  app.get('/feeds/:id/icon', icon)
  app.get('/icons/:id', icon)

  app.get('/entries', async (c) => {
    const { personId } = readerAsking(c)
    const form = await formIn(c)
    const [feed, category] = [form.get('feed_id'), form.get('category_id')]
    return entries(c, {
      ...(feed !== undefined && { feedIds: [numberIn(feed) as FeedId] }),
      ...(category !== undefined && { folder: await folderNumbered(personId, numberIn(category)) }),
    })
  })
  app.get('/entries/:id', (c) => entry(c, 'id'))
  app.get('/entries/:id/fetch-content', async (c) => c.json({ content: (await itemWith(c, 'id')).html }))

  app.put('/entries', async (c) => {
    const { personId } = mayWrite(c)
    const { entry_ids: given, status } = await bodyOf(c)
    const ids = Array.isArray(given) ? given.filter((id): id is EntryId => Number.isSafeInteger(id) && id > 0) : []
    if (ids.length === 0 || ids.length !== (given as unknown[]).length || ids.length > 10_000)
      throw new Problem(400, 'entry_ids makes no sense', 'send a list of at most 10,000 numbers')
    if (status !== 'read' && status !== 'unread')
      throw new Problem(400, 'status makes no sense', 'send "read" or "unread"')
    await readership.mark(personId, ids, status, clock.now())
    return c.body(null, 204)
  })

  app.put('/entries/:id/bookmark', toggleStar)
  app.put('/entries/:id/star', toggleStar)

  app.put('/users/:id/mark-all-as-read', async (c) => {
    const { personId } = mayWrite(c)
    if (numberIn(c.req.param('id')) !== personId) throw new Problem(403, 'that is somebody else', 'send your own id')
    await readership.markAllRead(personId, {})
    return c.body(null, 204)
  })

  app.get('/export', async (c) => {
    const list = createOpmlList('Feeds of Freshet')
    for (const { title, folder, feed } of await everyFollowed(parts, readerAsking(c).personId))
      list.add({ url: feed.url, title, ...(feed.siteUrl && { siteUrl: feed.siteUrl }), folder })
    return c.body([...list.pieces()].join(''), 200, { 'content-type': 'text/xml; charset=utf-8' })
  })

  app.post('/discover', async (c) => {
    mayWrite(c) // strangers' sites are visited for it
    const { candidates } = await parts.look(textIn(await bodyOf(c), 'url'), c.req.raw.signal)
    if (candidates.length === 0) throw new Problem(404, 'no feed was found there', 'is the address right?')
    return c.json(candidates.map(({ url, title = url, format }) => ({ url, title, type: typeOf(format) })))
  })

  app.post('/import', async (c) => {
    const { personId, name } = mayWrite(c)
    const { addresses } = await addressesInOpml(await c.req.text())
    const results = await parts.follow.add(addresses, { personId, signal: c.req.raw.signal })
    const refused = results.find((one) => one.kind === 'refused')
    onChange({ ...(name && { who: name }), what: 'miniflux.import' })
    const message = refused ? `Some feeds were not imported: ${refused.reason}` : 'Feeds imported successfully'
    return c.json({ message }, 201)
  })

  app.all('/*', (c) => {
    throw new Problem(404, `nothing is at ${c.req.method} ${c.req.path}`, 'docs/readers.md tells what there is')
  })

  async function icon(c: Context): Promise<Response> {
    const feed = await feedWith(c, readerAsking(c).personId)
    const { type, data } = await iconFor(feed, parts.pictures)
    return c.json({ id: feed.feedId, mime_type: type, data })
  }

  async function toggleStar(c: Context): Promise<Response> {
    const { personId } = mayWrite(c)
    const { id, marks } = await itemWith(c, 'id')
    await star(parts, personId, [id], !marks.starred, clock.now())
    return c.body(null, 204)
  }

  async function entries(c: Context, scope: { feedIds?: FeedId[]; folder?: string }): Promise<Response> {
    const { personId } = readerAsking(c)
    const { total, items } = await listedItems(parts, personId, scope, await formIn(c))
    const feeds = await feedsOf(personId, [...new Set(items.map(({ feedId }) => feedId))])
    return c.json({ total, entries: items.map((item) => entryShapeOf(item, feeds.get(item.feedId), personId)) })
  }

  async function entry(c: Context, name: string): Promise<Response> {
    const { personId } = readerAsking(c)
    const item = await itemWith(c, name)
    const feeds = await feedsOf(personId, [item.feedId])
    return c.json(entryShapeOf(item, feeds.get(item.feedId), personId))
  }

  async function itemWith(c: Context, name: string) {
    const [item] = await itemsWith(parts, readerAsking(c).personId, [numberIn(c.req.param(name) ?? '') as EntryId])
    if (!item) throw new Problem(404, 'there is no such entry', 'it may have been removed meanwhile')
    return item
  }

  async function feedsOf(personId: PersonId, ids: FeedId[]): Promise<Map<FeedId, FollowedFeed>> {
    const [held, readings] = [await catalogue.feedsById(ids), await readership.readingsOf(personId, ids)]
    return new Map(
      ids.flatMap((feedId, i) => {
        const [one, reading] = [held[i], readings[i]]
        if (!one) return []
        const title = reading?.title || one.feed.title || one.feed.url
        return [[feedId, { feedId, title, folder: reading?.folder ?? '', unread: reading?.unread ?? 0, ...one }]]
      }),
    )
  }

  async function feedWith(c: Context, personId: PersonId): Promise<FollowedFeed> {
    const feedId = numberIn(c.req.param('id') ?? '') as FeedId
    const [reading] = await readership.readingsOf(personId, [feedId])
    const found = reading && (await feedsOf(personId, [feedId])).get(feedId)
    if (!found) throw new Problem(404, `you follow no feed ${feedId}`, 'GET /v1/feeds tells which there are')
    return found
  }

  async function folderWith(c: Context, personId: PersonId): Promise<string> {
    return folderNumbered(personId, numberIn(c.req.param('id') ?? ''))
  }

  async function folderNumbered(personId: PersonId, number: number): Promise<string> {
    if (number === NO_FOLDER) return ''
    const folders = await readership.folderCounts(personId)
    const found = folders.find(({ folder }) => folder && folderNumber(folder) === number)?.folder
    const folder = found ?? empty.get(`${personId} ${number}`)
    if (folder === undefined)
      throw new Problem(404, `there is no category ${number}`, 'GET /v1/categories tells which there are')
    return folder === UNSORTED ? '' : folder
  }
  return app
}

function proofIn(c: Context) {
  const token = c.req.header('x-auth-token')
  if (token) return { secret: token.slice(0, 500), kinds: ['token' as const] }
  const [, bearer] = /^Bearer ([\w.~+/=-]{1,500})$/i.exec(c.req.header('authorization') ?? '') ?? []
  return bearer === undefined ? basicProof(c) : { secret: bearer, kinds: ['token' as const] }
}

/** Miniflux knows three kinds. */
function typeOf(format: string): string {
  return format === 'atom' || format === 'json' ? format : 'rss'
}

function numberIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem(400, `${text.slice(0, 40)} is no number`, 'ids are whole numbers')
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Problem(400, 'the body is not a JSON object', 'send JSON')
}

function textIn(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value.trim().slice(0, 2000) : ''
}
