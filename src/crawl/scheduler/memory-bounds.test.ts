/** Limits on what the crawl keeps in memory about hosts and redirected feeds. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, HOUR, type Outcome, SECOND, type SourceId } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createErrorBoundary } from '../error-boundary.ts'
import { createHostMemory } from './host-memory.ts'
import { createRedirectTargets } from './redirect-targets.ts'

const START = Date.UTC(2026, 0, 5, 8)

function pollOf(n: number, result: Outcome['result']): Outcome {
  const url = address(`https://a${n}.example/feed`)
  const task = { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
  return { task, at: START, tookMs: 1, bytes: 1, result }
}

const asksForLess = (n: number) => pollOf(n, { kind: 'failed', failure: { kind: 'http', status: 429 } })

function hostsOn(store: Store) {
  const hostQueue = createHostQueue({ gapMs: 2 * SECOND, random: () => 0 })
  const errorBoundary = createErrorBoundary({ clock: createSteppedClock(START), emit: () => {} })
  const hosts = createHostMemory({ pollResults: store, hostQueue, random: () => 0, errorBoundary, emit: () => {} })
  return { hostQueue, hosts, isFree: (n: number) => hostQueue.freeAt(`a${n}.example`, START) === START }
}

it('keeps the last twenty thousand hosts that back off in memory, and all of them in the store', async () => {
  const store = createMemoryStore()
  const { hostQueue, hosts, isFree } = hostsOn(store)
  for (let n = 0; n < 20_000; n++) hosts.learn([asksForLess(n)], START)
  await hosts.save(START)
  await hosts.load(['a0.example'], START) // visited again, so no longer the oldest
  hosts.learn([asksForLess(20_000)], START)
  await hosts.save(START)
  expect(await store.hosts()).toHaveLength(20_001)
  expect([isFree(0), isFree(1), isFree(20_000)]).toEqual([false, true, false])
  expect(hostQueue.gapMs('a1.example', START)).toBe(2 * SECOND)

  await hosts.load(['a1.example'], START) // as before each visit
  expect([isFree(1), hostQueue.gapMs('a1.example', START)]).toEqual([false, 4 * SECOND])
  hosts.learn([asksForLess(1)], START)
  await hosts.save(START)
  expect((await store.hosts(['a1.example']))[0]?.strikes).toBe(2)
  expect(await store.hosts()).toHaveLength(20_001)
})

it('loads only the hosts it visits, however many are stored, and forgets none', async () => {
  const store = createMemoryStore()
  const stored = Array.from({ length: 30_000 }, (_, n) => ({
    root: `a${n}.example`,
    notBeforeAt: START + HOUR,
    strikes: 1,
  }))
  await store.recordSites({ hosts: stored })
  const { hosts, isFree } = hostsOn({
    ...store,
    hosts: (roots?: string[]) => (roots ? store.hosts(roots) : Promise.reject(new Error('all of them'))),
  })
  await hosts.load(['a7.example', 'a29999.example', 'stranger.example'], START)
  await hosts.save(START)
  expect([isFree(7), isFree(29_999), isFree(30_000)]).toEqual([false, false, true])
  expect(await store.hosts()).toHaveLength(30_000)
})

it('keeps the last ten thousand feeds and sources that were redirected and removed before they were sent again', async () => {
  const ends = createRedirectTargets(rolesOf(createMemoryStore()))
  const led = (n: number) => pollOf(n, { kind: 'elsewhere', ends: ['b.example'] })
  await ends.record(Array.from({ length: 10_000 }, (_, n) => led(n)))
  await ends.record([led(0), led(10_000)])
  expect(ends.takeRedirected({ feeds: [0, 1, 2, 10_000] as FeedId[], sources: [] })).toEqual({
    feeds: [0, 2, 10_000],
    sources: [],
  })

  const url = address('https://a.example/')
  const source = (n: number): Outcome => ({
    ...led(n),
    task: { kind: 'discover', sourceId: n as SourceId, url, failures: 0, gapMs: 0 },
  })
  await ends.record(Array.from({ length: 10_001 }, (_, n) => source(n)))
  expect([0, 1, 10_000].map((n) => ends.ofSource(n as SourceId) !== undefined)).toEqual([false, true, true])
})
