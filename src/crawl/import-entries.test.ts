/** Read and starred state of another reader, through the whole crawl: before the first poll of a feed, and after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createCrawlHarness, START } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, type EntryId, type FeedId, HOUR, SECOND, type UserId } from '../model/index.ts'
import { rolesOf, type Store } from '../ports/index.ts'
import { createMemoryStore, openSqliteStore } from '../stores/index.ts'
import type { EntryToImport } from './crawler.ts'
import { importEntries } from './lifecycle/import-entries.ts'

const AT = START - DAY

const item = (guid: string, title: string, at: number) =>
  `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>http://tides.example/${guid}/</link>
  <description>Text of ${title}</description><pubDate>${new Date(at).toUTCString()}</pubDate></item>`

const DOCUMENT = `<rss version="2.0"><channel><title>Tides</title>${['low', 'high', 'slack', 'spring']
  .map((name, i) => item(name, `${name} water`, AT - i * HOUR))
  .join('')}</channel></rss>`

const site: SiteSpec = {
  name: 'tides',
  feeds: [{ path: '/feed', fault: { kind: 'document', type: 'application/rss+xml', text: DOCUMENT } }],
}

/** As other readers know them: without guid, with other spellings of the address, or with the date in seconds. */
const NO_LABELS = { labeled: 0, labelsRefused: false }
const ENTRIES: EntryToImport[] = [
  { url: 'https://www.tides.example/low/?utm_source=reader', title: 'Low water', read: true },
  { title: 'high water', publishedAt: Math.floor((AT - HOUR) / SECOND) * SECOND, starred: true, read: false },
  { guid: 'slack', title: 'Slack', url: 'http://elsewhere.example/', read: true, starred: true },
  {
    url: 'http://tides.example/2019/storm',
    title: 'A storm',
    publishedAt: AT - 900 * DAY,
    starred: true,
    content: '<p>Wind</p>',
  },
  { url: 'http://tides.example/2019/calm', title: 'A calm', publishedAt: AT - 901 * DAY, read: true },
]

const toClose: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** Without a store, that of the harness. */
const STORES: [string, () => Store | undefined][] = [
  ['in memory', () => undefined],
  [
    'on disk',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
      const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
      toClose.push(() => rmSync(folder, { recursive: true }))
      return store
    },
  ],
]

async function prepare(open: () => Store | undefined) {
  const own = open()
  const harness = createCrawlHarness([site], { ...(own && { store: own }), strategy: 'fixed:1h' })
  const { store } = harness
  const userId = await store.firstUser()
  const [added] = await harness.crawler.subscribe([{ url: harness.village.site('tides').feeds[0]!.url, kind: 'feed' }])
  const feedId = (added as { feedId: FeedId }).feedId
  toClose.push(async () => {
    await harness.stop()
    await own?.close()
  })
  const importAll = (entries: readonly EntryToImport[] = ENTRIES, how: object = {}) =>
    harness.crawler.importEntries(userId, feedId, entries, { mayCreate: true, ...how })
  return { ...harness, store, userId, feedId, importAll, states: () => statesOf(store, userId) }
}

/** `r`: read, `s`: starred, by title. */
async function statesOf(store: Store, userId: UserId): Promise<Record<string, string>> {
  const entries = await store.entries({ limit: 999 })
  const states = await store.entryStates(
    userId,
    entries.map(({ id }) => id),
  )
  const words = entries.map(({ title }, i) => [title, `${states[i]!.read ? 'r' : ''}${states[i]!.starred ? 's' : ''}`])
  expect(new Set(words.map(([title]) => title)).size).toBe(entries.length)
  return Object.fromEntries(words)
}

describe.each(STORES)('importEntries %s', (_, open) => {
  it('keeps the state of a feed that was never polled until the first poll finds its entries', async () => {
    const { importAll, states, clock, store, feedId, userId } = await prepare(open)
    const imported = await importAll()
    expect(imported).toMatchObject({ matched: 0, created: [1, 2, 3], waiting: 2, missing: [] })
    expect(await importAll()).toMatchObject({ matched: 5, read: 0, starred: 0, created: [], waiting: 0, missing: [] })
    await clock.advance(HOUR / 2)
    expect(await states()).toEqual({
      'low water': 'r',
      'high water': 's',
      'slack water': 'rs',
      'A storm': 'rs',
      'A calm': 'r',
      'spring water': '',
    })
    await clock.advance(3 * HOUR)
    expect(Object.keys(await states())).toHaveLength(6)
    const found = await store.entries({ feedId, limit: 9 })
    expect(found.find(({ title }) => title === 'high water')?.summary).toBe('Text of high water')
    const storm = found.find(({ title }) => title === 'A storm')
    expect(storm).toMatchObject({ content: '<p>Wind</p>', publishedAt: AT - 900 * DAY, imported: true })
    const [subscription] = await store.subscriptionsTo(userId, [feedId])
    expect(subscription?.unread).toBe(2)
  })

  it('finds the entries of a polled feed, adds starred ones that it no longer has, and changes nothing when repeated', async () => {
    const { importAll, states, clock } = await prepare(open)
    await clock.advance(HOUR / 2)
    expect(await importAll(ENTRIES, { isDryRun: true })).toMatchObject({
      matched: 3,
      read: 2,
      starred: 2,
      created: [3],
      missing: [4],
    })
    expect(Object.keys(await states())).toHaveLength(4)
    expect(await importAll()).toEqual({
      ...NO_LABELS,
      matched: 3,
      read: 2,
      starred: 2,
      created: [3],
      waiting: 0,
      missing: [4],
    })
    const after = { 'low water': 'r', 'high water': 's', 'slack water': 'rs', 'spring water': '', 'A storm': 'rs' }
    expect(await states()).toEqual(after)
    expect(await importAll()).toEqual({
      ...NO_LABELS,
      matched: 4,
      read: 0,
      starred: 0,
      created: [],
      waiting: 0,
      missing: [4],
    })
    await clock.advance(3 * HOUR)
    expect(await states()).toEqual(after)
  })

  it('adds no entries to a feed that other users follow', async () => {
    const { importAll, states, clock } = await prepare(open)
    await clock.advance(HOUR / 2)
    expect(await importAll(ENTRIES, { mayCreate: false })).toMatchObject({ matched: 3, created: [], missing: [3, 4] })
    expect(Object.keys(await states())).toHaveLength(4)
  })

  it('remembers the newest hundred read entries of a feed that was never polled', async () => {
    const { importAll, states } = await prepare(open)
    const many = Array.from({ length: 150 }, (_, i) => ({
      url: `http://tides.example/${i}`,
      title: `${i}`,
      publishedAt: AT + i,
      read: true,
    }))
    const { waiting, missing } = await importAll(many)
    expect({ waiting, missing: missing.length }).toEqual({ waiting: 100, missing: 50 })
    expect(Object.keys(await states())).toContain('149')
    expect(Object.keys(await states())).not.toContain('49')
  })
})

it('compares with the newest twenty thousand stored entries', async () => {
  const { store, clock, feedId, userId } = await prepare(createMemoryStore)
  let compared = 0
  const catalogue = {
    ...store,
    entries: async ({ limit }: { limit: number }) => {
      compared += limit
      return Array.from({ length: limit }, (_, i) => ({
        id: i as EntryId,
        feedId,
        key: `${i}`,
        title: '',
        seenAt: START,
      }))
    },
  }
  const parts = { ...rolesOf(store), catalogue, clock }
  await importEntries(userId, feedId, [{ title: 'Nowhere', read: true }], { mayCreate: false }, parts)
  expect(compared).toBe(2 * 20_000) // the feed may have been polled meanwhile
})

it('an import that is interrupted at any call can be repeated', async () => {
  for (let failing = 1; failing < 12; failing++) {
    const store = createMemoryStore()
    let calls = 0
    const stopping = new Proxy(store, {
      get(target, name: keyof Store) {
        const method = target[name]
        if (!['recordEntries', 'markEntries', 'starEntries', 'changeFeed'].includes(name)) return method
        return (...given: never[]) => {
          if (++calls === failing) throw new Error('interrupted')
          return (method as (...args: never[]) => unknown)(...given)
        }
      },
    })
    const { importAll, states, clock } = await prepare(() => stopping)
    await importAll().catch(() => {})
    calls = 100
    await importAll()
    await clock.advance(HOUR / 2)
    expect(await states(), `call ${failing}`).toEqual({
      'low water': 'r',
      'high water': 's',
      'slack water': 'rs',
      'A storm': 'rs',
      'A calm': 'r',
      'spring water': '',
    })
  }
})
