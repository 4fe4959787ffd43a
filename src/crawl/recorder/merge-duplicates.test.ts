/** Duplicates of a feed that changes its keys are merged once it is matched by title and text. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, START, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { createFailingStore, faultAt } from '../../../test/fault-injection.ts'
import { openHandles } from '../../../test/postgres-handles.ts'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type EntryId, type FeedId, HOUR, MINUTE, type UserId } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { draft } from '../../ports/store-samples.contract.ts'
import { createMemoryStore, openSqliteStore } from '../../stores/index.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { createDuplicateMerger } from './merge-duplicates.ts'
import { feedToAdd } from './record-discovery.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-duplicates-'))
const { server, reason } = await postgresForTests()
const handles = server && (await openHandles(server))
afterAll(async () => {
  await handles?.close()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const STORES: [string, (() => Promise<Store>) | undefined][] = [
  ['memory', async () => createMemoryStore()],
  ['sqlite', async () => openSqliteStore({ file: join(folder, 'a.db'), mode: 'write', now: () => START }).store],
  [`postgres${reason ? ` (${reason})` : ''}`, handles && (() => handles.fresh())],
]

const STORIES = ['Low water', 'High water', 'Slack water']
const FETCHES = 90

interface Scene {
  store: Store
  feedId: FeedId
  ada: UserId
  bob: UserId
}

/** Each story under another key for each fetch. Ada read and starred late copies, Bob read an early one. */
async function openScene(store: Store): Promise<Scene> {
  const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([
    feedToAdd({ url: address('https://tides.example/feed'), title: 'Tides' }, 'tide', START),
  ])
  const addUser = async (name: string) =>
    (await store.addUser({ name, scope: 'write', addedAt: START, password: 'x' })) as UserId
  const [ada, bob] = [await addUser('ada'), await addUser('bob')]
  for (let n = 0; n < FETCHES; n++) {
    const fresh = STORIES.map((title) => draft(`${title} ${n}`, { title, summary: `${title} at noon` }))
    await store.recordEntries([{ feedId, at: START + n * MINUTE, fresh, changed: [] }])
  }
  for (const one of [ada, bob]) await store.follow(one, [{ feedId }], START, 9999)
  const idOf = async (key: string) => {
    for await (const entry of store.everyEntry({ feedId })) if (entry.key === key) return entry.id
    return 0 as EntryId
  }
  await store.markEntries(ada, [await idOf('High water 80')], 'read', START)
  await store.starEntries(ada, [await idOf('Slack water 7')], true, START)
  await store.markEntries(bob, [await idOf('Low water 0')], 'read', START)
  return { store, feedId, ada, bob }
}

function merge(store: Store, feedId: FeedId, retryTransient: RetryTransient = (_, work) => work()): Promise<void> {
  const clock = createSteppedClock(START + HOUR)
  return createDuplicateMerger({ ...rolesOf(store), clock, retryTransient }).mergeOnce({ id: feedId } as never)
}

async function expectMerged({ store, feedId, ada, bob }: Scene): Promise<void> {
  const entries = (await store.entries({ feedId, limit: 999 })).sort((a, b) => a.id - b.id)
  expect(entries.map(({ key }) => key).sort()).toEqual(STORIES.map((title) => `${title} 0`).sort())
  const entryStates = async (userId: UserId) => {
    const ids = STORIES.map((title) => entries.find((entry) => entry.title === title)!.id)
    return (await store.entryStates(userId, ids)).map(
      ({ read, starred }) => `${read ? 'read' : ''}${starred ? '*' : ''}`,
    )
  }
  expect(await entryStates(ada)).toEqual(['', 'read', '*'])
  expect(await entryStates(bob)).toEqual(['read', '', ''])
  expect((await store.subscriptionsTo(ada, [feedId]))[0]).toMatchObject({ unread: 2 })
  expect(await store.readerCounts(ada)).toMatchObject({ starred: 1 })
  const { changes } = await store.unindexed(9999)
  expect(changes.filter(({ entry }) => !entry)).toHaveLength(STORIES.length * (FETCHES - 1))
}

describe.each(STORES)('on %s', (_, open) => {
  it.skipIf(!open)('keeps the oldest duplicate, with the read and starred states of all', async () => {
    const scene = await openScene(await open!())
    await merge(scene.store, scene.feedId)
    await expectMerged(scene)
    await merge(scene.store, scene.feedId)
    await expectMerged(scene)
    await scene.store.close()
  })
})

it.each(['before', 'after'] as const)('loses nothing when any call fails %s it takes effect', async (when) => {
  for (let n = 1, hasFailed = true; hasFailed; n++) {
    const inner = createMemoryStore()
    const scene = await openScene(inner)
    const faults = faultAt(n, when)
    await merge(createFailingStore(inner, faults), scene.feedId, async (_, work) => work().catch(work))
    await expectMerged(scene)
    hasFailed = faults.failed.length > 0
  }
})

it('merges duplicates stored before the feed was matched by title and text', async () => {
  const site: SiteSpec = {
    name: 'tides',
    rhythm: { kind: 'clockwork', everyMs: 4 * HOUR },
    feeds: [{ path: '/feed', window: 12, rewrites: 'everything' }],
  }
  const { village, clock, store, crawler, events } = createCrawlHarness([site], { strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR / 2)
  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  const { id: feedId } = scheduled!.feed
  const known = await store.entries({ feedId, limit: 99 })
  const copies = [1, 2, 3].flatMap((n) =>
    known.map(({ id: _id, feedId: _feedId, seenAt: _seenAt, ...entry }) => ({ ...entry, key: `${entry.key}#${n}` })),
  )
  await store.recordEntries([{ feedId, at: clock.now(), fresh: copies, changed: [] }])
  await clock.advance(6 * HOUR)
  const entries = await store.entries({ feedId, limit: 999 })
  expect(new Set(entries.map(({ title }) => title)).size).toBe(entries.length)
  expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(known.map(({ id }) => id)))
  expect(internalErrors(events)).toEqual([])
})
