/**
 * Requests of Miniflux's API in tables, with what they answer. They run against our API, and also against a Miniflux whose address and token
 * are in FRESHET_TEST_MINIFLUX_URL and FRESHET_TEST_MINIFLUX_TOKEN: what it answers is what we expect. It is emptied, and it has to be allowed
 * to fetch feeds from this machine.
 */
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../../../test/server-fixture.ts'
import { address } from '../../../model/address.fixture.ts'
import { HOUR, MINUTE } from '../../../model/index.ts'
import { createAccounts } from '../../accounts.ts'

interface InventedEntry {
  title: string
  /** Before NOW. */
  agoMs: number
  text: string
  author?: string
  tags?: string[]
  recording?: string
}

interface InventedFeed {
  name: string
  category: string
  entries: InventedEntry[]
}

const FEEDS: InventedFeed[] = [
  {
    name: 'Tides',
    category: 'Sea',
    entries: [
      {
        title: 'High water',
        agoMs: 5 * HOUR,
        text: 'The harbour floods at noon.',
        author: 'Bo',
        tags: ['Harbour', 'Moon'],
      },
      { title: 'Low water', agoMs: 30 * HOUR, text: 'Mussels on the piles.', author: 'Cy', tags: ['harbour'] },
      { title: 'Slack water', agoMs: 2 * HOUR, text: 'Nothing moves in the harbour.', author: 'Al' },
    ],
  },
  {
    name: 'Loaves',
    category: 'Food',
    entries: [
      { title: 'Rye', agoMs: 10 * HOUR, text: 'Dark and sour.', author: 'Di', tags: ['Moon'] },
      {
        title: 'Spelt',
        agoMs: 3 * HOUR,
        text: 'Baked near the harbour.',
        author: 'Ed',
        recording: 'https://loaves.example/spelt.mp3',
      },
    ],
  },
  {
    name: 'Comets',
    category: 'All',
    entries: [{ title: 'A faint tail', agoMs: 20 * HOUR, text: 'Seen at dawn.', author: 'Fe' }],
  },
]
const ALL = FEEDS.flatMap(({ entries }) => entries.map(({ title }) => title))

// biome-ignore lint/suspicious/noExplicitAny: tests check the parts that they need
type Body = any
type Call = (method: string, path: string, body?: object | string) => Promise<{ status: number; body: Body }>

interface Entry {
  id: number
  title: string
  feed: string
  category: string
  author: string
  status: string
  starred: boolean
  tags: string[]
  text: string
  published: number
  changed: number
}

/** What a target has after the preparation. */
interface World {
  call: Call
  entries: Entry[]
  feeds: Map<string, number>
  categories: Map<string, number>
}

async function ours(): Promise<World> {
  const fixture = createServerFixture()
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  await accounts.add('root', 'correct horse battery')
  const { id } = await accounts.add('ada', 'correct horse battery', 'admin')
  const { secret } = await accounts.addToken(id, { name: 'reader', scope: 'admin' })
  for (const { name, category, entries } of FEEDS) {
    const site = `https://${name.toLowerCase()}.example`
    const drafts = entries.map(({ text, recording, ...draft }) => ({
      ...draft,
      content: `<p>${text}</p>`,
      summary: text,
      url: `${site}/${encodeURIComponent(draft.title)}`,
      ...(recording && { media: [{ url: address(recording), kind: 'audio' as const, type: 'audio/mpeg', bytes: 9 }] }),
    }))
    const feedId = await fixture.addFeed({ url: `${site}/feed`, title: name, entries: drafts })
    await fixture.store.follow(id, [{ feedId, ...(category !== 'All' && { folder: category }) }], NOW, 30)
  }
  await fixture.index()
  return prepared(calls((path, init) => Promise.resolve(fixture.app.request(path, init)), 'http://localhost', secret))
}

async function original(endpoint: string, token: string, served: string): Promise<World> {
  const call = calls((path, init) => fetch(path, init), endpoint, token)
  for (const { id } of (await call('GET', 'feeds')).body) await call('DELETE', `feeds/${id}`)
  for (const { id, title } of (await call('GET', 'categories')).body)
    if (title !== 'All') await call('DELETE', `categories/${id}`)
  const categories = new Map<string, number>(
    (await call('GET', 'categories')).body.map((one: Body) => [one.title, one.id]),
  )
  for (const title of ['Sea', 'Food']) categories.set(title, (await call('POST', 'categories', { title })).body.id)
  for (const { name, category } of FEEDS)
    await call('POST', 'feeds', { feed_url: `${served}/${name}`, category_id: categories.get(category) })
  return prepared(call)
}

type Send = (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => Promise<Response>

function calls(send: Send, endpoint: string, token: string): Call {
  return async (method, path, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await send(`${endpoint}/v1/${path}`, {
      method,
      headers: { 'x-auth-token': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: text }),
    })
    const answered = await answer.text()
    return { status: answer.status, body: /^[[{]/.test(answered) ? JSON.parse(answered) : answered }
  }
}

async function worldOf(call: Call): Promise<World> {
  const { entries } = (await call('GET', 'entries?order=id&direction=asc&limit=1000')).body
  const feeds = (await call('GET', 'feeds')).body
  const categories = (await call('GET', 'categories')).body
  return {
    call,
    feeds: new Map(feeds.map(({ title, id }: Body) => [title, id])),
    categories: new Map(categories.map(({ title, id }: Body) => [title, id])),
    entries: entries.map((entry: Body) => ({
      ...entry,
      feed: entry.feed.title,
      category: entry.feed.category.title,
      text: entry.content,
      published: Date.parse(entry.published_at) / 1000,
      changed: Date.parse(entry.changed_at) / 1000,
    })),
  }
}

async function prepared(call: Call): Promise<World> {
  const { entries } = await worldOf(call)
  const ids = (...titles: string[]) => entries.filter(({ title }) => titles.includes(title)).map(({ id }) => id)
  await call('PUT', 'entries', { entry_ids: ids('Low water', 'Rye', 'Spelt'), status: 'read' })
  for (const id of ids('Low water', 'High water', 'Spelt')) await call('PUT', `entries/${id}/bookmark`)
  return worldOf(call)
}

const endpoint = process.env.FRESHET_TEST_MINIFLUX_URL?.replace(/\/+$/, '')
const token = process.env.FRESHET_TEST_MINIFLUX_TOKEN ?? ''
let feedServer: Server | undefined

function rssOf({ name, entries }: InventedFeed): string {
  const items = entries.map(
    ({ title, agoMs, text, author, tags = [], recording }) => `<item><title>${title}</title>
      <link>https://${name.toLowerCase()}.example/${encodeURIComponent(title)}</link><guid>${title}</guid>
      <dc:creator>${author}</dc:creator><description>&lt;p&gt;${text}&lt;/p&gt;</description>
      ${tags.map((tag) => `<category>${tag}</category>`).join('')}
      ${recording ? `<enclosure url="${recording}" type="audio/mpeg" length="9"/>` : ''}
      <pubDate>${new Date(NOW - agoMs).toUTCString()}</pubDate></item>`,
  )
  return `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${name}</title>
    <link>https://${name.toLowerCase()}.example/</link>${items.join('')}</channel></rss>`
}

async function serveFeeds(): Promise<string> {
  const server = createHttpServer((request, response) => {
    const feed = FEEDS.find(({ name }) => request.url === `/${name}`)
    response.writeHead(feed ? 200 : 404, { 'content-type': 'application/rss+xml' }).end(feed ? rssOf(feed) : '')
  })
  feedServer = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterAll(() => void feedServer?.close())

const TARGETS: [string, () => Promise<World>][] = [
  ['our API', ours],
  ...(endpoint
    ? [['Miniflux itself', async () => original(endpoint, token, await serveFeeds())] as [string, () => Promise<World>]]
    : []),
]

const idOf = (world: World, title: string) => world.entries.find((entry) => entry.title === title)!.id
const publishedOf = (world: World, title: string) => world.entries.find((entry) => entry.title === title)!.published

type Compare = (a: Entry, b: Entry) => number
const byDate: Compare = (a, b) => a.published - b.published
const byId: Compare = (a, b) => a.id - b.id
const by =
  (field: 'title' | 'author' | 'status' | 'category'): Compare =>
  (a, b) =>
    a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0
const down =
  (compare: Compare): Compare =>
  (a, b) =>
    compare(b, a)
const any = () => true

interface ListRow {
  query: (world: World) => string
  /** Below `feeds/ID/` or `categories/ID/`. */
  at?: (world: World) => string
  keep: (entry: Entry, world: World) => boolean
  order?: Compare
  /** Equal keys may come in any order. */
  isUnordered?: true
  page?: [from: number, to: number]
}

const unread = ({ status }: Entry) => status === 'unread'
const LISTS: Record<string, ListRow> = {
  'everything, oldest first': { query: () => '', keep: any },
  'newest first': { query: () => 'direction=desc', keep: any, order: down(byDate) },
  'by id': { query: () => 'order=id', keep: any, order: byId },
  'by id, downwards': { query: () => 'order=id&direction=desc', keep: any, order: down(byId) },
  'by title': { query: () => 'order=title', keep: any, order: by('title') },
  'by author, downwards': { query: () => 'order=author&direction=desc', keep: any, order: down(by('author')) },
  'by category': { query: () => 'order=category_title', keep: any, order: by('category'), isUnordered: true },
  'by status': { query: () => 'order=status', keep: any, order: down(by('status')), isUnordered: true },
  'unread ones': { query: () => 'status=unread', keep: unread },
  'read ones': { query: () => 'status=read', keep: (entry) => !unread(entry) },
  'with two statuses': { query: () => 'status=read&status=unread', keep: any },
  'starred ones': { query: () => 'starred=true', keep: ({ starred }) => starred },
  'starred ones, as Python writes it': { query: () => 'starred=True', keep: ({ starred }) => starred },
  'starred ones, as a number': { query: () => 'starred=1', keep: ({ starred }) => starred },
  'ones without a star': { query: () => 'starred=false', keep: ({ starred }) => !starred },
  'ones without a star, as Python writes it': { query: () => 'starred=False', keep: ({ starred }) => !starred },
  'starred and unread ones': {
    query: () => 'starred=true&status=unread',
    keep: (entry) => entry.starred && unread(entry),
  },
  'unread ones without a star': {
    query: () => 'starred=0&status=unread',
    keep: (entry) => !entry.starred && unread(entry),
  },
  'ignoring a strange starred': { query: () => 'starred=perhaps', keep: any },
  'the first two': { query: () => 'limit=2', keep: any, page: [0, 2] },
  'the next two': { query: () => 'limit=2&offset=2', keep: any, page: [2, 4] },
  'behind the last one': { query: () => 'limit=2&offset=20', keep: any, page: [20, 22] },
  'a page of unread ones': {
    query: () => 'limit=2&offset=1&status=unread&direction=desc',
    keep: unread,
    order: down(byDate),
    page: [1, 3],
  },
  'a page of starred ones by id': {
    query: () => 'limit=1&offset=1&starred=1&order=id',
    keep: ({ starred }) => starred,
    order: byId,
    page: [1, 2],
  },
  'limit 0, which is the most': { query: () => 'limit=0', keep: any },
  'a negative limit and offset, which are ignored': { query: () => 'limit=-1&offset=-1', keep: any },
  'after an id': {
    query: (w) => `after_entry_id=${idOf(w, 'Low water')}`,
    keep: ({ id }, w) => id > idOf(w, 'Low water'),
  },
  'after an id, by id': {
    query: (w) => `after_entry_id=${idOf(w, 'Low water')}&order=id`,
    keep: ({ id }, w) => id > idOf(w, 'Low water'),
    order: byId,
  },
  'before an id, downwards': {
    query: (w) => `before_entry_id=${idOf(w, 'Rye')}&order=id&direction=desc`,
    keep: ({ id }, w) => id < idOf(w, 'Rye'),
    order: down(byId),
  },
  'after an id, downwards by id': {
    query: (w) => `after_entry_id=${idOf(w, 'Low water')}&order=id&direction=desc&limit=1`,
    keep: ({ id }, w) => id > idOf(w, 'Low water'),
    order: down(byId),
    page: [0, 1],
  },
  'between two ids, unread': {
    query: (w) =>
      `after_entry_id=${Math.min(...w.entries.map(({ id }) => id))}&before_entry_id=${idOf(w, 'A faint tail')}&status=unread`,
    keep: (entry, w) =>
      entry.id > Math.min(...w.entries.map(({ id }) => id)) && entry.id < idOf(w, 'A faint tail') && unread(entry),
  },
  'published after a date': {
    query: (w) => `published_after=${publishedOf(w, 'Rye')}`,
    keep: ({ published }, w) => published > publishedOf(w, 'Rye'),
  },
  'published before a date': {
    query: (w) => `published_before=${publishedOf(w, 'Rye')}`,
    keep: ({ published }, w) => published < publishedOf(w, 'Rye'),
  },
  'after a date, as it was called': {
    query: (w) => `after=${publishedOf(w, 'Rye') - 1}&order=id`,
    keep: ({ published }, w) => published >= publishedOf(w, 'Rye'),
    order: byId,
  },
  'before a date, newest first, one of them': {
    query: (w) => `before=${publishedOf(w, 'Slack water')}&direction=desc&limit=1`,
    keep: ({ published }, w) => published < publishedOf(w, 'Slack water'),
    order: down(byDate),
    page: [0, 1],
  },
  'changed before anything arrived': { query: () => 'changed_before=1000000000', keep: () => false },
  'changed after a date long ago': { query: () => 'changed_after=1000000000', keep: any },
  'changed after everything': { query: () => 'changed_after=9999999999', keep: () => false },
  'with a tag, ignoring case': { query: () => 'tags=harbour', keep: ({ title }) => /^(High|Low)/.test(title) },
  'with two tags': { query: () => 'tags=Harbour&tags=moon', keep: ({ title }) => title === 'High water' },
  'of a feed': { query: (w) => `feed_id=${w.feeds.get('Tides')}`, keep: ({ feed }) => feed === 'Tides' },
  'of a category': {
    query: (w) => `category_id=${w.categories.get('Food')}`,
    keep: ({ category }) => category === 'Food',
  },
  'of a feed below its path': {
    at: (w) => `feeds/${w.feeds.get('Tides')}/`,
    query: () => 'status=unread',
    keep: (entry) => entry.feed === 'Tides' && unread(entry),
  },
  'of a category below its path': {
    at: (w) => `categories/${w.categories.get('Sea')}/`,
    query: () => '',
    keep: ({ category }) => category === 'Sea',
  },
  'of feeds without a category': {
    query: (w) => `category_id=${w.categories.get('All')}`,
    keep: ({ category }) => category === 'All',
  },
  'of a feed that is not in the category': {
    query: (w) => `feed_id=${w.feeds.get('Tides')}&category_id=${w.categories.get('Food')}`,
    keep: () => false,
  },
  'that are found': { query: () => 'search=harbour', keep: ({ text }) => text.includes('harbour') },
  'that are found, newest first': {
    query: () => 'search=harbour&direction=desc',
    keep: ({ text }) => text.includes('harbour'),
    order: down(byDate),
  },
  'that are found, by id': {
    query: () => 'search=harbour&order=id',
    keep: ({ text }) => text.includes('harbour'),
    order: byId,
  },
  'that are found, one of them': {
    query: () => 'search=harbour&limit=1&offset=1',
    keep: ({ text }) => text.includes('harbour'),
    page: [1, 2],
  },
  'that are found and unread': {
    query: () => 'search=harbour&status=unread',
    keep: (entry) => entry.text.includes('harbour') && unread(entry),
  },
  'that are found and starred': {
    query: () => 'search=harbour&starred=True',
    keep: (entry) => entry.text.includes('harbour') && entry.starred,
  },
  'that are found without a star': {
    query: () => 'search=harbour&starred=false',
    keep: (entry) => entry.text.includes('harbour') && !entry.starred,
  },
  'that are found in a category': {
    query: (w) => `search=harbour&category_id=${w.categories.get('Food')}`,
    keep: ({ title }) => title === 'Spelt',
  },
  'that are found in a feed, after an id': {
    query: (w) =>
      `search=harbour&feed_id=${w.feeds.get('Tides')}&after_entry_id=${Math.min(idOf(w, 'High water'), idOf(w, 'Slack water'))}`,
    keep: ({ id }, w) => id === Math.max(idOf(w, 'High water'), idOf(w, 'Slack water')),
  },
  'that are found after a date': {
    query: (w) => `search=harbour&published_after=${publishedOf(w, 'High water')}`,
    keep: ({ published, text }, w) => text.includes('harbour') && published > publishedOf(w, 'High water'),
  },
  'that are not found': { query: () => 'search=glacier', keep: () => false },
}

const REFUSED: [string, (world: World) => [method: string, path: string, body?: object], number][] = [
  ['an unknown status', () => ['GET', 'entries?status=removed'], 400],
  ['statuses with a comma', () => ['GET', 'entries?status=read,unread'], 400],
  ['an unknown order', () => ['GET', 'entries?order=length'], 400],
  ['an unknown direction', () => ['GET', 'entries?direction=up'], 400],
  ['a limit above 1000', () => ['GET', 'entries?limit=1001'], 400],
  ['an unknown category', () => ['GET', 'entries?category_id=999999'], 400],
  ['an unknown feed', () => ['GET', 'entries?feed_id=999999'], 400],
  ['entries of an unknown feed', () => ['GET', 'feeds/999999/entries'], 400],
  ['entries of an unknown category', () => ['GET', 'categories/999999/entries'], 400],
  ['feeds of an unknown category', () => ['GET', 'categories/999999/feeds'], 404],
  ['an unknown entry', () => ['GET', 'entries/999999'], 404],
  ['an entry of another feed', (w) => ['GET', `feeds/${w.feeds.get('Loaves')}/entries/${idOf(w, 'High water')}`], 404],
  [
    'an entry of another category',
    (w) => ['GET', `categories/${w.categories.get('Food')}/entries/${idOf(w, 'High water')}`],
    404,
  ],
  ['an unknown feed by its id', () => ['GET', 'feeds/999999'], 404],
  ['to change an unknown feed', () => ['PUT', 'feeds/999999', { title: 'x' }], 404],
  ['to change an unknown category', () => ['PUT', 'categories/999999', { title: 'x' }], 404],
  ['a category without a title', () => ['POST', 'categories', { title: '' }], 400],
  ['a second category with a title', () => ['POST', 'categories', { title: 'sea' }], 400],
  [
    'a title that another category has',
    (w) => ['PUT', `categories/${w.categories.get('Food')}`, { title: 'Sea' }],
    400,
  ],
  [
    'a feed in an unknown category',
    () => ['POST', 'feeds', { feed_url: 'https://new.example/feed', category_id: 999999 }],
    400,
  ],
  ['a feed without an address', () => ['POST', 'feeds', { feed_url: '', category_id: 0 }], 400],
  [
    'a feed that is followed already',
    (w) => ['POST', 'feeds', { feed_url: w.entries.length ? FOLLOWED(w) : '', category_id: 0 }],
    400,
  ],
  ['to empty the title of a feed', (w) => ['PUT', `feeds/${w.feeds.get('Tides')}`, { title: '' }], 400],
  [
    'to move a feed to an unknown category',
    (w) => ['PUT', `feeds/${w.feeds.get('Tides')}`, { category_id: 999999 }],
    400,
  ],
  ['to mark no entries', () => ['PUT', 'entries', { entry_ids: [], status: 'read' }], 400],
  [
    'to mark entries as something else',
    (w) => ['PUT', 'entries', { entry_ids: [idOf(w, 'Rye')], status: 'gone' }],
    400,
  ],
  ['to change nothing of entries', (w) => ['PUT', 'entries', { entry_ids: [idOf(w, 'Rye')] }], 400],
  ['ids with a strange starred', () => ['GET', 'entries/ids?starred=perhaps'], 400],
  ['ids with an unknown status', () => ['GET', 'entries/ids?status=removed'], 400],
  ['to save an entry without a service', (w) => ['POST', `entries/${idOf(w, 'Rye')}/save`], 400],
  ['an unknown enclosure', () => ['GET', 'enclosures/999999'], 404],
  ['to mark the entries of another user', () => ['PUT', 'users/999999/mark-all-as-read'], 403],
]
const followedUrls = new WeakMap<World, string>()
const FOLLOWED = (world: World) => followedUrls.get(world)!

describe.each(TARGETS)('%s', (_, create) => {
  let world: World
  beforeAll(async () => {
    world = await create()
    followedUrls.set(world, (await world.call('GET', `feeds/${world.feeds.get('Tides')}`)).body.feed_url)
  }, MINUTE)

  it('has the invented entries', () => {
    expect(world.entries.map(({ title }) => title).sort()).toEqual([...ALL].sort())
    expect([...world.categories.keys()].sort()).toEqual(['All', 'Food', 'Sea'])
    const [spelt] = world.entries.filter(({ title }) => title === 'Spelt')
    expect(spelt).toMatchObject({ status: 'read', starred: true, author: 'Ed', category: 'Food' })
  })

  it.each(Object.keys(LISTS))('lists entries: %s', async (name) => {
    const { query, at, keep, order = byDate, isUnordered, page = [0, 1000] } = LISTS[name]!
    const expected = world.entries.filter((entry) => keep(entry, world)).sort(order)
    const { status, body } = await world.call('GET', `${at?.(world) ?? ''}entries?${query(world)}`)
    expect(status).toBe(200)
    const keyOf = (title: string) => {
      const entry = world.entries.find((one) => one.title === title)!
      return isUnordered ? [entry.status, entry.category][name === 'by status' ? 0 : 1] : title
    }
    expect(body.entries.map(({ title }: Body) => keyOf(title))).toEqual(
      expected.slice(...page).map(({ title }) => keyOf(title)),
    )
    expect(body.total).toBe(expected.length)
  })

  it.each(REFUSED)('refuses %s', async (_, request, status) => {
    const answer = await world.call(...request(world))
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error_message: expect.stringMatching(/./) })
  })

  it.each([
    ['', () => true],
    ['status=unread', unread],
    ['status=read', (entry: Entry) => !unread(entry)],
    ['starred=true', ({ starred }: Entry) => starred],
    ['starred=false&limit=2', ({ starred }: Entry) => !starred],
  ] as const)('lists ids of entries: %s', async (query, keep) => {
    const { body } = await world.call('GET', `entries/ids?${query}`)
    const expected = world.entries.filter(keep).sort(down(byId))
    const ids = expected.map(({ id }) => id)
    expect(body).toEqual({ total: ids.length, entry_ids: query.includes('limit') ? ids.slice(0, 2) : ids })
  })

  it('goes through all entries by id without repeating one', async () => {
    const seen: number[] = []
    for (let last = 0; seen.length < 20; ) {
      const { body } = await world.call('GET', `entries?order=id&direction=asc&limit=2&after_entry_id=${last}`)
      if (body.entries.length === 0) break
      seen.push(...body.entries.map(({ id }: Body) => id))
      last = seen.at(-1)!
    }
    expect(seen).toEqual(world.entries.map(({ id }) => id))
  })

  it('shows single entries, by feed and by category', async () => {
    const id = idOf(world, 'Spelt')
    for (const at of ['', `feeds/${world.feeds.get('Loaves')}/`, `categories/${world.categories.get('Food')}/`]) {
      const { status, body } = await world.call('GET', `${at}entries/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id,
        title: 'Spelt',
        status: 'read',
        starred: true,
        url: 'https://loaves.example/Spelt',
        content: '<p>Baked near the harbour.</p>',
        reading_time: 1,
        enclosures: [{ url: 'https://loaves.example/spelt.mp3', mime_type: 'audio/mpeg', size: 9, entry_id: id }],
        feed: { title: 'Loaves', category: { title: 'Food' }, icon: { icon_id: expect.any(Number) } },
      })
      const enclosure = await world.call('GET', `enclosures/${body.enclosures[0].id}`)
      expect(enclosure.body).toMatchObject({ url: 'https://loaves.example/spelt.mp3', entry_id: id })
    }
  })

  it('counts unread and read entries of feeds and categories', async () => {
    const { body } = await world.call('GET', 'feeds/counters')
    const tides = String(world.feeds.get('Tides'))
    expect([body.unreads[tides], body.reads[tides]]).toEqual([2, 1])
    const counted = (await world.call('GET', 'categories?counts=true')).body
    expect(counted.find(({ title }: Body) => title === 'Sea')).toMatchObject({ feed_count: 1, total_unread: 2 })
    expect(counted.find(({ title }: Body) => title === 'Food')).toMatchObject({ feed_count: 1, total_unread: 0 })
  })

  it('lists feeds of a category', async () => {
    const titles = async (category: string) =>
      (await world.call('GET', `categories/${world.categories.get(category)}/feeds`)).body.map(
        ({ title }: Body) => title,
      )
    expect([await titles('Sea'), await titles('All')]).toEqual([['Tides'], ['Comets']])
  })

  it('keeps an empty category and its id, whatever its title', async () => {
    const { call } = world
    const { status, body: created } = await call('POST', 'categories', { title: 'Weather' })
    expect([status, created.title]).toEqual([201, 'Weather'])
    const listed = async () => new Map((await call('GET', 'categories')).body.map(({ id, title }: Body) => [id, title]))
    expect((await listed()).get(created.id)).toBe('Weather')
    expect((await call('PUT', `categories/${created.id}`, { title: 'Sky' })).body).toMatchObject({
      id: created.id,
      title: 'Sky',
    })
    expect((await listed()).get(created.id)).toBe('Sky')
    const again = (await call('POST', 'categories', { title: 'Weather' })).body
    expect(again.id).not.toBe(created.id)
    const comets = world.feeds.get('Comets')
    const moved = await call('PUT', `feeds/${comets}`, { category_id: created.id })
    expect([moved.status, moved.body.category]).toMatchObject([201, { id: created.id, title: 'Sky' }])
    await call('PUT', `categories/${created.id}`, { title: 'Night' })
    expect((await call('GET', `feeds/${comets}`)).body.category).toMatchObject({ id: created.id, title: 'Night' })
    await call('PUT', `feeds/${comets}`, { category_id: world.categories.get('All') })
    expect((await listed()).get(created.id)).toBe('Night')
    for (const id of [created.id, again.id]) expect((await call('DELETE', `categories/${id}`)).status).toBe(204)
    expect([...(await listed()).values()].sort()).toEqual(['All', 'Food', 'Sea'])
  })

  it('changes the title and the category of a feed', async () => {
    const { call } = world
    const path = `feeds/${world.feeds.get('Loaves')}`
    const whole = (await call('GET', path)).body
    const changed = await call('PUT', path, { title: 'Bread', category_id: world.categories.get('Sea') })
    expect([changed.status, changed.body]).toMatchObject([201, { title: 'Bread', category: { title: 'Sea' } }])
    expect((await call('PUT', path, { title: null, category_id: null })).body.title).toBe('Bread')
    const { site_url, feed_url, title } = whole
    const form = { site_url, feed_url, title, category_id: world.categories.get('Food'), disabled: false }
    expect((await call('PUT', path, form)).body).toMatchObject({ title: 'Loaves', category: { title: 'Food' } })
  })

  it('manages users and keys for an admin', async () => {
    const { call } = world
    const me = (await call('GET', 'me')).body
    expect(me).toMatchObject({ username: expect.any(String), is_admin: true })
    const username = `bob${Date.now()}`
    const user = { username, password: 'another horse battery', is_admin: false }
    const created = await call('POST', 'users', user)
    expect([created.status, created.body]).toMatchObject([201, { username, is_admin: false }])
    const { id } = created.body
    expect((await call('GET', 'users')).body.map((one: Body) => one.username)).toContain(username)
    for (const by of [id, username]) expect((await call('GET', `users/${by}`)).body).toMatchObject({ id, username })
    expect((await call('POST', 'users', { ...user, password: 'x' })).status).toBeGreaterThanOrEqual(400)
    expect((await call('PUT', `users/${id}`, { is_admin: true })).body).toMatchObject({ id, is_admin: true })
    expect((await call('DELETE', `users/${me.id}`)).status).toBe(400)
    expect((await call('DELETE', `users/${id}`)).status).toBe(204)
    const key = await call('POST', 'api-keys', { description: username })
    expect([key.status, key.body]).toMatchObject([
      201,
      { description: username, token: expect.stringMatching(/.{20,}/) },
    ])
    const keys = (await call('GET', 'api-keys')).body
    expect(keys.find((one: Body) => one.id === key.body.id)).toMatchObject({ description: username })
    expect((await call('DELETE', `api-keys/${key.body.id}`)).status).toBe(204)
    expect((await call('DELETE', `api-keys/${key.body.id}`)).status).toBe(404)
    expect((await call('GET', 'users/nobody-here')).status).toBe(404)
  })

  it('changes read state and stars', async () => {
    const { call } = world
    const id = idOf(world, 'Rye')
    const state = async () => {
      const { status, starred } = (await call('GET', `entries/${id}`)).body
      return [status, starred]
    }
    expect((await call('PUT', 'entries', { entry_ids: [id], starred: true })).status).toBe(204)
    expect(await state()).toEqual(['read', true])
    await call('PUT', 'entries', { entry_ids: [id], status: 'unread', starred: false })
    expect(await state()).toEqual(['unread', false])
    expect((await call('PUT', `entries/${id}/star`)).status).toBe(204)
    expect(await state()).toEqual(['unread', true])
    await call('PUT', `entries/${id}/bookmark`)
    await call('PUT', `categories/${world.categories.get('Food')}/mark-all-as-read`)
    expect(await state()).toEqual(['read', false])
  })

  it.each([
    ['PUT', 'feeds/refresh', 204],
    ['PUT', 'flush-history', 202],
    ['DELETE', 'flush-history', 202],
    ['GET', 'version', 200],
    ['GET', 'integrations/status', 200],
    ['GET', 'export', 200],
    ['GET', 'me', 200],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await world.call(method, path)).status).toBe(status)
  })
})

describe('limits of Miniflux’s API', () => {
  async function withEntries(count: number) {
    const fixture = createServerFixture()
    const entries = Array.from({ length: count }, (_, i) => ({
      title: `Wave ${i}`,
      agoMs: HOUR + i * 1000,
      summary: 'foam',
    }))
    for (let i = 0; i < count; i += 5000) {
      const [name, some] = [`waves${i}`, entries.slice(i, i + 5000)]
      await fixture.addFeed({ url: `https://${name}.example/feed`, title: name, entries: some })
    }
    const call = calls((path, init) => Promise.resolve(fixture.app.request(path, init)), 'http://localhost', '')
    return { fixture, call }
  }

  it('lists collect ten thousand entries, and half as many if they have to be read', async () => {
    const { call } = await withEntries(10_050)
    const totalOf = async (query: string) => (await call('GET', `entries?limit=1&${query}`)).body.total
    expect(await totalOf('order=id')).toBe(10_050)
    expect(await totalOf('offset=10049')).toBe(10_050)
    expect(await totalOf('order=id&starred=false')).toBe(10_000)
    expect(await totalOf('after_entry_id=1')).toBe(10_000)
    expect(await totalOf('order=title')).toBe(5000)
    expect(await totalOf('changed_after=1')).toBe(5000)
    const { body } = await call('GET', 'entries/ids?limit=20000')
    expect([body.total, body.entry_ids.length]).toEqual([10_050, 10_000])
    for (const query of ['limit=1001', 'offset=50001']) expect((await call('GET', `entries?${query}`)).status).toBe(400)
  })

  it('a user has at most a thousand folders', async () => {
    const { fixture, call } = await withEntries(1)
    const userId = await fixture.store.firstUser()
    const changes = Array.from({ length: 998 }, (_, i) => ({
      key: String(i + 10),
      value: { name: `Folder ${i}`, isAdded: true },
    }))
    await fixture.store.putUserValues(userId, 'folder', changes, NOW)
    expect((await call('POST', 'categories', { title: 'The last one' })).status).toBe(201)
    expect((await call('POST', 'categories', { title: 'One too many' })).status).toBe(400)
    expect((await call('GET', 'categories')).body).toHaveLength(1000)
  })
})
