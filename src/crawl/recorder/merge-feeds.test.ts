/** The same feed under several addresses becomes one, with all user data. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  createCrawlHarness,
  internalErrors,
  newspaperSite,
  START,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { createFailingStore, faultAt } from '../../../test/fault-injection.ts'
import { openHandles } from '../../../test/postgres-handles.ts'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type EntryId, type Feed, type FeedId, HOUR, type UserId } from '../../model/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createMemoryStore, openSqliteStore } from '../../stores/index.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { createFeedMerger } from './merge-feeds.ts'
import { feedToAdd } from './record-discovery.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-merge-'))
const { server, reason } = await postgresForTests()
const handles = server && (await openHandles(server))
afterAll(async () => {
  await handles?.close()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
const STORES: [string, (() => Promise<Store>) | undefined][] = [
  ['memory', async () => createMemoryStore()],
  [
    'sqlite',
    async () => openSqliteStore({ file: join(folder, `${files++}.db`), mode: 'write', now: () => START }).store,
  ],
  [`postgres${reason ? ` (${reason})` : ''}`, handles && (() => handles.fresh())],
]

const PLAIN = address('http://tides.example/feed/')
const SECURE = address('https://www.tides.example/feed')
const TWELVE = Array.from({ length: 12 }, (_, n) => n)

/** An entry as it appears under either address of the feed. */
function entryOf(n: number, scheme: string) {
  const url = address(`${scheme}://tides.example/${n}/`)
  return { key: `${url}`, url, title: `Tide ${n}`, publishedAt: START - (40 - n) * HOUR, summary: `Water ${n}` }
}

interface Scene {
  store: Store
  kept: FeedId
  dropped: FeedId
  ada: UserId
  bob: UserId
  cyd: UserId
  idOf: (feedId: FeedId, n: number) => Promise<EntryId>
}

/** Bob follows the removed feed, Cyd both, Ada the remaining one. Only the removed feed has entry 20. */
async function openScene(store: Store, about: Partial<Feed> = {}): Promise<Scene> {
  const added = await store.addFeeds(
    [PLAIN, SECURE].map((url, i) => {
      const { feed, schedule } = feedToAdd({ url, title: 'Tides' }, 'tide', START)
      return { feed: { ...feed, ...(i === 1 && about) }, schedule }
    }),
  )
  const [kept, dropped] = added.map(({ id }) => id) as [FeedId, FeedId]
  const drafts = (scheme: string, numbers: number[]) =>
    numbers.map((n) => ({ ...entryOf(n, scheme), simhash: 0n }) as never)
  await store.recordEntries([{ feedId: kept, at: START, fresh: drafts('http', TWELVE), changed: [] }])
  await store.recordEntries([{ feedId: dropped, at: START, fresh: drafts('https', [20, ...TWELVE]), changed: [] }])
  const addUser = async (name: string) =>
    (await store.addUser({ name, scope: 'write', addedAt: START, password: 'x' })) as UserId
  const [ada, bob, cyd] = [await addUser('ada'), await addUser('bob'), await addUser('cyd')]
  await store.follow(ada, [{ feedId: kept }], START, 99)
  await store.follow(bob, [{ feedId: dropped, title: 'My tides', folder: 'Water' }], START, 99)
  await store.follow(cyd, [{ feedId: kept }, { feedId: dropped, folder: 'Sea' }], START, 99)
  const entriesOf = async (feedId: FeedId) => store.entries({ feedId, limit: 99 })
  const idOf = async (feedId: FeedId, n: number) =>
    (await entriesOf(feedId)).find(({ title }) => title === `Tide ${n}`)!.id
  const ids = async (feedId: FeedId, numbers: number[]) => Promise.all(numbers.map((n) => idOf(feedId, n)))
  await store.markEntries(bob, await ids(dropped, [0, 1, 2, 3, 7]), 'read', START)
  await store.starEntries(bob, await ids(dropped, [3, 20]), true, START)
  await store.markEntries(cyd, await ids(kept, [0, 1]), 'read', START)
  await store.markEntries(cyd, await ids(dropped, [1, 2]), 'read', START)
  await store.addSharedItem('feedOut', {
    userId: bob,
    name: 'out',
    of: { kind: 'feed', feedId: dropped },
    text: 'full',
    key: 'k',
    addedAt: START,
  })
  return { store, kept, dropped, ada, bob, cyd, idOf }
}

function mergerOn(store: Store, retryTransient: RetryTransient = (_, work) => work()) {
  const clock = createSteppedClock(START + HOUR)
  return createFeedMerger({ ...rolesOf(store), clock, retryTransient, emit: () => {} })
}

async function endAtOther({ store, kept, dropped }: Scene, retryTransient?: RetryTransient): Promise<void> {
  const [scheduled] = await store.feedsById([dropped])
  await mergerOn(store, retryTransient).mergeIfSame(scheduled!.feed, PLAIN)
  expect(kept).toBeLessThan(dropped)
}

async function expectMerged({ store, kept, dropped, ada, bob, cyd, idOf }: Scene): Promise<void> {
  expect((await store.feeds({ order: 'id', limit: 9 })).map(({ feed }) => feed.id)).toEqual([kept])
  const entries = await store.entries({ feedId: kept, limit: 99 })
  expect(entries.map(({ title }) => title).sort()).toEqual([...TWELVE, 20].map((n) => `Tide ${n}`).sort())
  expect(await store.followerCounts([{ feedId: kept }])).toEqual([3])
  const unread = async (userId: UserId) => {
    const marks = await store.entryStates(
      userId,
      entries.map(({ id }) => id),
    )
    return entries.flatMap(({ title }, i) => (marks[i]!.read ? [] : [Number(title.slice(5))])).sort((a, b) => a - b)
  }
  expect(await unread(bob)).toEqual([4, 5, 6, 8, 9, 10, 11, 20])
  expect(await unread(cyd)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 20])
  expect(await unread(ada)).toEqual([...TWELVE, 20])
  expect((await store.subscriptionsTo(bob, [kept]))[0]).toMatchObject({ title: 'My tides', folder: 'Water', unread: 8 })
  expect((await store.subscriptionsTo(cyd, [kept]))[0]).toMatchObject({ folder: 'Sea', unread: 10 })
  const starred = await store.entryStates(bob, [await idOf(kept, 3), await idOf(kept, 20), await idOf(kept, 4)])
  expect(starred.map((one) => one.starred)).toEqual([true, true, false])
  expect(await store.sharedItems('feedOut', bob)).toMatchObject([{ of: { kind: 'feed', feedId: kept } }])
  expect(dropped).not.toBe(kept)
}

describe.each(STORES)('on %s', (_, open) => {
  it.skipIf(!open)('moves followers, read and starred states, titles and folders to the remaining feed', async () => {
    const scene = await openScene(await open!())
    await endAtOther(scene)
    await expectMerged(scene)
    await scene.store.close()
  })

  it.skipIf(!open)('does not merge private feeds or feeds with other entries', async () => {
    const secret = await openScene(await open!(), { credentials: { user: 'ada', password: 'x' } })
    await endAtOther(secret)
    expect((await secret.store.feeds({ order: 'id', limit: 9 })).length).toBe(2)
    await secret.store.close()
    const other = await openScene(await open!())
    const comments = TWELVE.map((n) => ({
      ...entryOf(n, 'https'),
      key: `c${n}`,
      url: undefined,
      title: `Comment ${n}`,
    }))
    await other.store.recordEntries([
      { feedId: other.dropped, at: START, fresh: comments.map((one) => one as never), changed: [] },
    ])
    await endAtOther(other)
    expect((await other.store.feeds({ order: 'id', limit: 9 })).length).toBe(2)
    await other.store.close()
  })
})

it.each(['before', 'after'] as const)(
  'loses and duplicates nothing when any call fails %s it takes effect',
  async (when) => {
    for (let n = 1, failed = true; failed && n < 200; n++) {
      const inner = createMemoryStore()
      const scene = await openScene(inner)
      const faults = faultAt(n, when)
      const store = createFailingStore(inner, faults)
      const again: RetryTransient = async (_, work) => work().catch(work)
      const [scheduled] = await inner.feedsById([scene.dropped])
      await mergerOn(store, again).mergeIfSame(scheduled!.feed, PLAIN)
      await expectMerged(scene)
      failed = faults.failed.length > 0
      if (!failed) expect(n).toBeGreaterThan(20)
    }
  },
)

it('merges three addresses of a feed into the one where all requests end', async () => {
  const spelled = (path: string, status: 301 | 302) => ({
    path,
    fault: { kind: 'moved', status, to: '/feed' } as const,
  })
  const feeds = [spelled('/rss', 301), { path: '/feed' }, spelled('/feed/', 302)]
  const { crawler, village, clock, store, events } = createCrawlHarness([{ ...newspaperSite, feeds }])
  await subscribeFeeds(crawler, village)
  await clock.advance(3 * DAY)
  const remaining = await store.feeds({ order: 'id', limit: 9 })
  expect(remaining.map(({ feed }) => new URL(feed.url).pathname)).toEqual(['/feed'])
  expect(events.filter(({ kind }) => kind === 'merged')).toHaveLength(2)
  const entries = await store.entries({ limit: 9999 })
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  expect(internalErrors(events)).toEqual([])
})
