/** Answers that grow with the number of feeds, whole. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FeedId, PersonId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const FEEDS = 6500
const FOLDERS = ['Cities', 'Cities / North', 'Rivers']

let folder: string
let store: Store
let person: PersonId
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
  person = await store.firstPerson()
}, 120_000)

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const inFolder = (place: number) => ids.filter((_, i) => i % 3 === place)

it('feeds of a folder and of those below it, in the order of their ids', async () => {
  const made = await store.feedIds({ folder: 'cities' })
  expect(made).toEqual(ids.filter((_, i) => i % 3 < 2))
  expect(await store.feedIds({ folder: 'Rivers' })).toEqual(inFolder(2))
  expect(await store.feedIds({ folder: 'Cit' })).toEqual([])
})

it.each(['id', 'due'] as const)('feeds that no index finds, by %s: each once, page after page', async (order) => {
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
})

it('what somebody follows is added, counted, moved and read', async () => {
  const wanted = ids.map((feedId, i) => ({ feedId, folder: FOLDERS[i % 3]! }))
  const followed = await store.follow(person, wanted, START, 30)
  expect(followed.filter(Boolean)).toHaveLength(FEEDS)
  const standing = await store.standing(person)
  const folders = FOLDERS.map((name, i) => ({ folder: name, feeds: inFolder(i).length, unread: 0 }))
  expect(standing).toEqual({ feeds: FEEDS, unread: 0, starred: 0, folders })
  const renamed = await store.renameFolder(person, 'Cities', 'Towns')
  expect(renamed).toBe(inFolder(0).length + inFolder(1).length)
  expect((await store.standing(person)).folders.map((one) => one.folder)).toEqual(['Rivers', 'Towns', 'Towns / North'])
})

it('all that is unread is read, and taken back', async () => {
  await store.follow(
    person,
    ids.map((feedId) => ({ feedId })),
    START,
    30,
  ) // where it runs alone
  const fresh = [{ key: 'a', title: 'a' }]
  for (let i = 0; i < 1000; i += 100)
    await store.recordNews(ids.slice(i, i + 100).map((feedId) => ({ feedId, at: START, fresh, changed: [] })))
  const read = await store.markAllRead(person, {}, undefined)
  expect(read.marked).toBe(1000)
  expect(await store.takeBack(person, read.change)).toBe(1000)
  expect((await store.standing(person)).unread).toBe(1000)
})
