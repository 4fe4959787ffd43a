/** What the crawl keeps of hosts and of feeds that were led elsewhere, when there is no end of them. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, HOUR, type Outcome, SECOND, type SourceId } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import { rolesOf, type Store } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createWall } from '../error-boundary.ts'
import { createHostMemory } from './host-memory.ts'
import { createRedirectEnds } from './redirect-targets.ts'

const START = Date.UTC(2026, 0, 5, 8)

function pollOf(n: number, result: Outcome['result']): Outcome {
  const url = address(`https://a${n}.example/feed`)
  const task = { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
  return { task, at: START, tookMs: 1, bytes: 1, result }
}

const asksForLess = (n: number) => pollOf(n, { kind: 'failed', failure: { kind: 'http', status: 429 } })

function hostsOn(store: Store) {
  const pace = createPace({ gapMs: 2 * SECOND, random: () => 0 })
  const wall = createWall({ clock: createSteppedClock(START), emit: () => {} })
  const hosts = createHostMemory({ ledger: store, pace, random: () => 0, wall, emit: () => {} })
  return { pace, hosts, isFree: (n: number) => pace.freeAt(`a${n}.example`, START) === START }
}

it('of hosts that ask for patience the last twenty thousand are held in memory, and all of them in the store', async () => {
  const store = createMemoryStore()
  const { pace, hosts, isFree } = hostsOn(store)
  for (let n = 0; n < 20_000; n++) hosts.learn([asksForLess(n)], START)
  await hosts.save(START)
  await hosts.recall(['a0.example'], START) // which is heard of again, and is not the oldest any more
  hosts.learn([asksForLess(20_000)], START)
  await hosts.save(START)
  expect(await store.hosts()).toHaveLength(20_001)
  expect([isFree(0), isFree(1), isFree(20_000)]).toEqual([false, true, false])
  expect(pace.gapMs('a1.example', START)).toBe(2 * SECOND)

  await hosts.recall(['a1.example'], START) // as is done before it is visited
  expect([isFree(1), pace.gapMs('a1.example', START)]).toEqual([false, 4 * SECOND])
  hosts.learn([asksForLess(1)], START)
  await hosts.save(START)
  expect((await store.hostsNamed(['a1.example']))[0]?.strikes).toBe(2)
  expect(await store.hosts()).toHaveLength(20_001)
})

it('a crawl that starts with any number of stored hosts reads those that it visits, and forgets none', async () => {
  const store = createMemoryStore()
  const stored = Array.from({ length: 30_000 }, (_, n) => ({
    root: `a${n}.example`,
    notBeforeAt: START + HOUR,
    strikes: 1,
  }))
  await store.recordHosts(stored)
  const { hosts, isFree } = hostsOn({ ...store, hosts: () => Promise.reject(new Error('all of them')) })
  await hosts.recall(['a7.example', 'a29999.example', 'stranger.example'], START)
  await hosts.save(START)
  expect([isFree(7), isFree(29_999), isFree(30_000)]).toEqual([false, false, true])
  expect(await store.hosts()).toHaveLength(30_000)
})

it('of feeds and sources that were led elsewhere, and removed before they could go again, the last ten thousand are', async () => {
  const ends = createRedirectEnds(rolesOf(createMemoryStore()))
  const led = (n: number) => pollOf(n, { kind: 'elsewhere', ends: ['b.example'] })
  await ends.note(Array.from({ length: 10_000 }, (_, n) => led(n)))
  await ends.note([led(0), led(10_000)])
  expect(ends.again({ feeds: [0, 1, 2, 10_000] as FeedId[], sources: [] })).toEqual({
    feeds: [0, 2, 10_000],
    sources: [],
  })

  const url = address('https://a.example/')
  const source = (n: number): Outcome => ({
    ...led(n),
    task: { kind: 'discover', sourceId: n as SourceId, url, failures: 0, gapMs: 0 },
  })
  await ends.note(Array.from({ length: 10_001 }, (_, n) => source(n)))
  expect([0, 1, 10_000].map((n) => ends.ofSource(n as SourceId) !== undefined)).toEqual([false, true, true])
})
