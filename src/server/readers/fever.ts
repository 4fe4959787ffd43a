/**
 * The Fever API, at `/fever/?api` and where clients of FreshRSS look for it. Its key is the MD5 of name and password, which cannot be derived
 * from a properly stored password: so Fever has passwords of its own, created by `freshet token add --fever`, and a hash of the key is stored.
 * Lists of ids end after fifty thousand, pages of items after fifty, as the protocol says.
 */
import { type Context, Hono } from 'hono'
import { feverSecret } from '../../credentials/index.ts'
import { type EntryId, type FeedId, type FollowedFeed, SECOND, type UserId } from '../../model/index.ts'
import { subscriptionPages } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import type { FolderNumberOf } from './folders.ts'
import { type Form, formIn, wholeField } from './form.ts'
import { cachedIcons } from './icons.ts'
import { type ReaderAdapter, type ReaderItem, seconds } from './reader-adapter.ts'
import { createReaderAuth, currentReader, requireWrite } from './reader-auth.ts'

const API_VERSION = 3
const PAGE = 50
const MAX_IDS = 50_000
const MAX_ROUNDS_FOR_IDS = 200

export function feverRoutes(parts: AuthenticatedParts, adapter: ReaderAdapter): Hono {
  const { readerState, catalogue, clock } = parts
  const { authenticateReader } = createReaderAuth(parts)
  const app = new Hono()

  // The key is in the body, of which a few kilobytes are read before authentication.
  app.use('/*', parts.readBody)
  app.all('/*', async (c, next) => {
    const form = await formIn(c)
    if (!form.has('api')) throw new Problem(404, 'the Fever API needs ?api', 'send POST /fever/?api')
    c.set('form' as never, form)
    await next()
  })

  /** Failed authentication is answered as the protocol says; too many attempts are refused as everywhere. */
  app.onError((error, c) => {
    if (error instanceof Problem && (error.status === 401 || error.status === 429))
      return c.json({ api_version: API_VERSION, auth: 0 }, error.status === 401 ? 200 : 429)
    throw error
  })
  app.use(
    '/*',
    authenticateReader((c) => readCredential(c.get('form' as never) as Form)),
  )

  app.all('/*', async (c) => {
    const form = c.get('form' as never) as Form
    const { userId } = currentReader(c)
    if (form.has('mark') && c.req.method !== 'POST')
      throw new Problem(405, 'GET cannot mark entries', 'send a POST request')
    const changed = form.has('mark') ? await applyMark(c, form) : undefined
    if (form.get('unread_recently_read') === '1') requireWrite(c) // recently read entries are not tracked, so nothing becomes unread
    const listsUnread = form.has('unread_item_ids') || changed === 'unread' || form.has('unread_recently_read')
    const listsSaved = form.has('saved_item_ids') || changed === 'saved'
    const isListed = form.has('groups') || form.has('feeds')
    const feeds = isListed ? await adapter.mapSubscriptions(userId, (feed) => feed) : []
    const numberOf = await adapter.folders.numbersOf(userId)
    return c.json({
      api_version: API_VERSION,
      auth: 1,
      last_refreshed_on_time: String(seconds(clock.now())), // polling never stops
      ...(form.has('groups') && { groups: groupsIn(feeds, numberOf) }),
      ...(form.has('feeds') && { feeds: feeds.map(feedShape) }),
      ...(isListed && { feeds_groups: feedsGroups(feeds, numberOf) }),
      ...(form.has('favicons') && { favicons: await favicons(userId) }),
      ...(form.has('items') && (await items(userId, form))),
      ...(form.has('links') && { links: [] }),
      ...(listsUnread && { unread_item_ids: await idList(userId, { read: false }) }),
      ...(listsSaved && { saved_item_ids: await idList(userId, { starred: true }) }),
    })
  })

  async function favicons(userId: UserId) {
    const icons = cachedIcons(await adapter.mapSubscriptions(userId, (feed) => feed), parts.pictures)
    return icons.map(({ feed, icon }) => ({ id: feed.feedId, data: icon.data }))
  }

  async function idList(userId: UserId, stateQuery: { read?: boolean; starred?: true }): Promise<string> {
    const query = { ...stateQuery, order: 'newest', limit: MAX_IDS } as const
    const { arrivals } = await adapter.listArrivals(userId, query, MAX_ROUNDS_FOR_IDS)
    return arrivals.map(({ id }) => id).join(',')
  }

  async function items(userId: UserId, form: Form) {
    const named = form.get('with_ids')
    const ids = named === undefined ? await page(userId, form) : idsIn(named)
    let total = 0 // clients show their progress by it
    for await (const page of subscriptionPages(readerState, userId))
      for (const count of await catalogue.entryCounts(page.map(({ feedId }) => feedId))) total += count
    return { items: (await adapter.loadItems(userId, ids)).map(itemShape), total_items: total }
  }

  async function page(userId: UserId, form: Form): Promise<EntryId[]> {
    const [since, before] = [wholeField(form, 'since_id', 0, 1e15), wholeField(form, 'max_id', 0, 1e15)]
    const isBack = form.has('max_id') && before > 0
    const { arrivals } = await adapter.listArrivals(userId, {
      order: isBack ? 'newest' : 'oldest',
      ...(isBack ? { after: before as EntryId } : since > 0 && { after: since as EntryId }),
      limit: PAGE,
    })
    return arrivals.map(({ id }) => id)
  }

  /** Returns which ids have changed: the response to a mark lists them. */
  async function applyMark(c: Context, form: Form): Promise<'unread' | 'saved' | undefined> {
    const { userId } = requireWrite(c)
    const [target, as, now] = [form.get('mark'), form.get('as'), clock.now()]
    if (target === 'item') {
      const ids = idsIn(form.get('id') ?? '')
      if (as === 'read' || as === 'unread') await adapter.markEntries(userId, ids, as)
      else if (as === 'saved' || as === 'unsaved') await adapter.star(userId, ids, as === 'saved')
      else return undefined
      return as === 'read' || as === 'unread' ? 'unread' : 'saved'
    }
    if ((target !== 'feed' && target !== 'group') || as !== 'read') return undefined
    const number = Number(form.get('id') ?? Number.NaN)
    const before = wholeField(form, 'before', seconds(now), 1e12)
    const scope = target === 'feed' ? { feedIds: [number as FeedId] } : await groupScope(userId, number)
    if (scope && Number.isSafeInteger(number))
      await readerState.markAllRead(userId, scope, { seenBefore: (before + 1) * SECOND })
    return 'unread'
  }

  /** 0 is the group of all feeds. There are no sparks here, which are -1. */
  async function groupScope(userId: UserId, number: number) {
    if (number === 0) return {}
    const folder = await adapter.folders.withNumber(userId, number)
    return folder === undefined ? undefined : adapter.folders.scopeOf(userId, folder)
  }
  return app
}

function readCredential(form: Form) {
  const key = form.get('api_key')
  return key !== undefined && /^[0-9a-f]{32}$/i.test(key)
    ? { secret: feverSecret(key), kinds: ['fever' as const] }
    : undefined
}

function idsIn(text: string): EntryId[] {
  const ids = text.split(',').slice(0, PAGE)
  return ids.flatMap((id) => (/^\d{1,15}$/.test(id.trim()) ? [Number(id) as EntryId] : []))
}

function groupsIn(feeds: FollowedFeed[], numberOf: FolderNumberOf) {
  const folders = new Set(feeds.flatMap(({ folder }) => folder || []))
  return [...folders].sort().map((folder) => ({ id: numberOf(folder), title: folder }))
}

function feedsGroups(feeds: FollowedFeed[], numberOf: FolderNumberOf) {
  const byFolder = new Map<string, number[]>()
  for (const { folder, feedId } of feeds) if (folder) byFolder.set(folder, [...(byFolder.get(folder) ?? []), feedId])
  return [...byFolder].map(([folder, ids]) => ({ group_id: numberOf(folder), feed_ids: ids.join(',') }))
}

function feedShape({ feedId, shownTitle, url, siteUrl, succeededAt = 0 }: FollowedFeed) {
  return {
    id: feedId,
    favicon_id: feedId,
    title: shownTitle,
    url,
    site_url: siteUrl ?? url,
    is_spark: 0,
    last_updated_on_time: seconds(succeededAt),
  }
}

function itemShape({ id, feedId, title, author = '', html, url = '', state, publishedAt }: ReaderItem) {
  return {
    id,
    feed_id: feedId,
    title,
    author,
    html,
    url,
    is_saved: state.starred ? 1 : 0,
    is_read: state.read === false ? 0 : 1,
    created_on_time: seconds(publishedAt),
  }
}
