/** Streams in the Google Reader API: the ids and contents of their items, as JSON and Atom, and their unread counts. */
import { type Context, Hono } from 'hono'
import type { EntryId, FollowedFeed, UserId } from '../../../model/index.ts'
import { FEED_TYPES, writeFeedOut } from '../../feeds-out/write-feed-out.ts'
import { Problem } from '../../problem.ts'
import { type AddressParts, publicBase, publicRequestUrl } from '../../public-address.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { type Form, formIn } from '../form.ts'
import { enclosuresOf, type ReaderAdapter, type ReaderItem, seconds } from '../reader-adapter.ts'
import { currentReader } from '../reader-auth.ts'
import { itemIdsIn, longItemId } from './item-ids.ts'
import { LABEL, STATE, streamPage } from './stream-page.ts'

const MAX_IDS = 10_000
const MAX_ITEMS = 1000
const ITEMS_AT_ONCE = 100
const READING_LIST = `${STATE}reading-list`
const SCHEME = 'http://www.google.com/reader/'

interface StreamParts extends Pick<AuthenticatedParts, 'catalogue' | 'readerState' | 'clock'>, AddressParts {
  adapter: ReaderAdapter
}

export function googleStreamRoutes({ adapter, catalogue, readerState, clock, ...addresses }: StreamParts): Hono {
  const app = new Hono()

  const pageOf = (userId: UserId, stream: string, form: Form, maxLimit: number) =>
    streamPage({ adapter, catalogue }, userId, stream, form, { usual: 20, most: maxLimit })

  app.get('/api/0/unread-count', async (c) => {
    const { userId } = currentReader(c)
    const feeds = await adapter.mapSubscriptions(userId, ({ feedId, unread, succeededAt = 0 }) => ({
      feedId,
      unreadOfFeed: unread,
      succeededAt,
    }))
    const { folders, unread } = await readerState.readerCounts(userId)
    const newest = Math.max(0, ...feeds.map(({ succeededAt }) => succeededAt))
    const counted = (id: string, count: number, at: number) => ({ id, count, newestItemTimestampUsec: `${at}000` })
    return c.json({
      max: unread,
      unreadcounts: [
        ...feeds.map(({ feedId, unreadOfFeed, succeededAt }) => counted(`feed/${feedId}`, unreadOfFeed, succeededAt)),
        ...folders.flatMap(({ folder, unread: unreadOfFeed }) =>
          folder ? [counted(LABEL + folder, unreadOfFeed, newest)] : [],
        ),
        counted(READING_LIST, unread, newest),
      ],
    })
  })

  app.get('/api/0/stream/items/ids', async (c) => {
    const form = await formIn(c)
    const page = await pageOf(currentReader(c).userId, form.get('s') ?? READING_LIST, form, MAX_IDS)
    const { ids, seenAt, continuation } = page
    return c.json({
      itemRefs: ids.map((id, i) => ({ id: String(id), directStreamIds: [], timestampUsec: `${seenAt[i]}000` })),
      ...(continuation !== undefined && { continuation }),
    })
  })

  app.on(['GET', 'POST'], '/api/0/stream/items/contents', async (c) => {
    const { userId } = currentReader(c)
    const ids = itemIdsIn(await formIn(c))
    if (ids.length > MAX_IDS) throw new Problem(413, 'too many items', `ask for at most ${MAX_IDS}`)
    const body = ReadableStream.from(itemsInChunks(userId, ids))
    return c.body(body, 200, { 'content-type': 'application/json' })
  })

  /** Texts of thousands of items are never in memory together. */
  async function* itemsInChunks(userId: UserId, ids: EntryId[]): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"id":"${READING_LIST}","updated":${seconds(clock.now())},"items":[`)
    let isFirst = true
    for (let i = 0; i < ids.length; i += ITEMS_AT_ONCE) {
      const items = await itemShapes(userId, ids.slice(i, i + ITEMS_AT_ONCE))
      if (items.length === 0) continue
      yield Buffer.from((isFirst ? '' : ',') + JSON.stringify(items).slice(1, -1))
      isFirst = false
    }
    yield Buffer.from(']}')
  }

  app.get('/api/0/stream/contents', async (c) => {
    const form = await formIn(c)
    return contents(c, form.get('s') ?? READING_LIST, form)
  })
  app.get('/api/0/stream/contents/*', async (c) => contents(c, streamInPath(c, 'contents/'), await formIn(c)))

  async function contents(c: Context, stream: string, form: Form): Promise<Response> {
    const { userId } = currentReader(c)
    const { ids, continuation } = await pageOf(userId, stream, form, MAX_ITEMS)
    return c.json({
      direction: 'ltr',
      id: stream,
      title: stream,
      self: [{ href: publicRequestUrl(c, addresses) }],
      updated: seconds(clock.now()),
      items: await itemShapes(userId, ids),
      ...(continuation !== undefined && { continuation }),
    })
  }

  /** An early form of the API, which newsboat still uses. */
  app.get('/atom/*', async (c) => {
    const { userId } = currentReader(c)
    const stream = streamInPath(c, 'atom/')
    const { ids } = await pageOf(userId, stream, await formIn(c), MAX_ITEMS)
    const items = (await adapter.loadItems(userId, ids)).map((item) => ({
      ...item,
      idOverride: longItemId(item.id),
      labels: statesOf(item).map((state) => ({ term: STATE + state, scheme: SCHEME, label: state })),
    }))
    const changedAt = Math.max(0, ...items.map(({ updatedHereAt }) => updatedHereAt))
    const title = items[0]?.feedTitle ?? stream
    const places = { selfUrl: publicRequestUrl(c, addresses), homeUrl: `${publicBase(c, addresses)}/` }
    const document = await writeFeedOut({ title, changedAt, items }, 'atom', places)
    return c.body(document, 200, { 'content-type': FEED_TYPES.atom })
  })

  async function itemShapes(userId: UserId, ids: EntryId[]) {
    const items = await adapter.loadItems(userId, ids)
    const feeds = await adapter.feedsById(userId, [...new Set(items.map(({ feedId }) => feedId))])
    return items.map((item) => itemShape(item, feeds.get(item.feedId)))
  }
  return app
}

/** Some clients write the slashes of a stream's name as %2F, others as they are. */
function streamInPath(c: Context, prefix: string): string {
  const { pathname } = new URL(c.req.url)
  const raw = pathname.slice(pathname.indexOf(prefix) + prefix.length)
  try {
    return decodeURIComponent(raw)
  } catch {
    throw new Problem(400, 'invalid stream name', 'percent-encode special characters')
  }
}

function statesOf({ state }: ReaderItem): string[] {
  return ['reading-list', state.read ? 'read' : 'fresh', ...(state.starred ? ['starred'] : [])]
}

function itemShape(item: ReaderItem, subscription: FollowedFeed | undefined) {
  const { id, seenAt, publishedAt, changedAt, title, url, html, author, feedId, feedTitle = '', tags } = item
  const enclosures = enclosuresOf(item)
  return {
    id: longItemId(id),
    crawlTimeMsec: String(seenAt),
    timestampUsec: `${seenAt}000`,
    published: seconds(publishedAt),
    ...(changedAt !== undefined && { updated: seconds(changedAt) }),
    title,
    canonical: url ? [{ href: url }] : [],
    alternate: url ? [{ href: url, type: 'text/html' }] : [],
    summary: { content: html },
    ...(author && { author }),
    categories: [
      ...statesOf(item).map((state) => STATE + state),
      ...(subscription?.folder ? [LABEL + subscription.folder] : []),
      ...(item.state.labels ?? []).map((label) => LABEL + label),
      ...tags,
    ],
    origin: { streamId: `feed/${feedId}`, title: feedTitle, htmlUrl: subscription?.siteUrl ?? '' },
    ...(enclosures.length > 0 && {
      enclosure: enclosures.map(({ url: href, type = '', bytes }) => ({ href, type, ...(bytes && { length: bytes }) })),
    }),
  }
}
