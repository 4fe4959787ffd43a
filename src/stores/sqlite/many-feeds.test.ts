/** Complete answers for many feeds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FeedId, UserId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const FEEDS = 6500
const FOLDERS = ['Cities', 'Cities / North', 'Rivers']

let folder: string
let store: Store
let userId: UserId
let ids: FeedId[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-many-'))
  store = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START }).store
  const feeds = Array.from({ length: FEEDS }, (_, i) => {
    const { feed, schedule } = newFeed(`town-${i}`)
    const more = { folder: FOLDERS[i % 3]!, state: i % 50 === 0 ? ('paused' as const) : ('active' as const) }
    return { feed: { ...feed, ...more }, schedule: { ...schedule, dueAt: START - (i % 7) } }
  })
  ids = []
  for (let i = 0; i < FEEDS; i += 500) for (const { id } of await store.addFeeds(feeds.slice(i, i + 500))) ids.push(id)
  userId = await store.firstUser()
}, 120_000)

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const inFolder = (place: number) => ids.filter((_, i) => i % 3 === place)

it('returns the feeds of a folder and its subfolders, ordered by id', async () => {
  const inCities = await store.feedIds({ folder: 'cities' })
  expect(inCities).toEqual(ids.filter((_, i) => i % 3 < 2))
  expect(await store.feedIds({ folder: 'Rivers' })).toEqual(inFolder(2))
  expect(await store.feedIds({ folder: 'Cit' })).toEqual([])
})

it.each(['id', 'due'] as const)(
  'pages through a filter without an index, ordered by %s, and returns each feed once',
  async (order) => {
    const none = await store.feeds({ text: 'nowhere', order, limit: 9 })
    expect(none).toEqual([])
    const wanted = ids.filter((_, i) => `town-${i}`.includes('town-64') && (order === 'id' || i % 50 !== 0))
    const found: FeedId[] = []
    for (let after: { id: FeedId; dueAt: number } | undefined; ; ) {
      const page = await store.feeds({ text: 'Town-64', order, limit: 40, ...(after && { after }) })
      found.push(...page.map(({ feed }) => feed.id))
      const last = page.at(-1)
      if (!last) break
      after = { id: last.feed.id, dueAt: last.schedule.dueAt }
    }
    expect(found.toSorted((a, b) => a - b)).toEqual(wanted)
    const byDate = (id: FeedId) => -(ids.indexOf(id) % 7)
    if (order === 'due') expect(found).toEqual(wanted.toSorted((a, b) => byDate(a) - byDate(b) || a - b))
    expect(await store.feeds({ state: 'paused', order: 'id', limit: 999 })).toHaveLength(FEEDS / 50)
  },
)

it('adds, counts, moves and reads many subscriptions', async () => {
  const wanted = ids.map((feedId, i) => ({ feedId, folder: FOLDERS[i % 3]! }))
  const followed = await store.follow(userId, wanted, START, 30)
  expect(followed.filter(Boolean)).toHaveLength(FEEDS)
  const counts = await store.readerCounts(userId)
  const folders = FOLDERS.map((name, i) => ({ folder: name, feeds: inFolder(i).length, unread: 0 }))
  expect(counts).toEqual({ feeds: FEEDS, unread: 0, starred: 0, folders })
  const renamed = await store.renameFolder(userId, 'Cities', 'Towns')
  expect(renamed).toBe(inFolder(0).length + inFolder(1).length)
  expect((await store.readerCounts(userId)).folders.map((one) => one.folder)).toEqual([
    'Rivers',
    'Towns',
    'Towns / North',
  ])
})

it('marks all entries read, and undoes it', async () => {
  await store.follow(
    userId,
    ids.map((feedId) => ({ feedId })),
    START,
    30,
  ) // in case this test runs alone
  const fresh = [{ key: 'a', title: 'a' }]
  for (let i = 0; i < 1000; i += 100)
    await store.recordEntries(ids.slice(i, i + 100).map((feedId) => ({ feedId, at: START, fresh, changed: [] })))
  const read = await store.markAllRead(userId, {}, undefined)
  expect(read.marked).toBe(1000)
  expect(await store.undoChange(userId, read.change)).toBe(1000)
  expect((await store.readerCounts(userId)).unread).toBe(1000)
})
