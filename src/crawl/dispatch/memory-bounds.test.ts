/** What the crawl keeps of hosts and of feeds that were led elsewhere, when there is no end of them. */
import { expect, it } from 'vitest'
import { createMemoryStore, createSteppedClock } from '../../drivers/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, HOUR, type Outcome, SECOND, type SourceId } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createWall } from '../wall.ts'
import { createHostMemory } from './host-memory.ts'
import { createRedirectEnds } from './redirect-ends.ts'

const START = Date.UTC(2026, 0, 5, 8)

function pollOf(n: number, result: Outcome['result']): Outcome {
  const url = address(`https://a${n}.example/feed`)
  const task = { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
  return { task, at: START, tookMs: 1, bytes: 1, result }
}

it('of hosts that ask for patience the last twenty thousand are kept, in memory and in the store', async () => {
  const store = createMemoryStore()
  const pace = createPace({ gapMs: 2 * SECOND, random: () => 0 })
  const wall = createWall({ clock: createSteppedClock(START), emit: () => {} })
  const open = () => createHostMemory({ ledger: store, pace, random: () => 0, wall, emit: () => {} })
  const asksForLess = (n: number) => pollOf(n, { kind: 'failed', failure: { kind: 'http', status: 429 } })
  const hosts = open()
  for (let n = 0; n < 20_000; n++) hosts.learn([asksForLess(n)], START)
  hosts.learn([asksForLess(0)], START) // which is heard of again, and is not the oldest any more
  await hosts.save(START)
  expect(await store.hosts()).toHaveLength(20_000)

  hosts.learn([asksForLess(20_000)], START)
  await hosts.save(START)
  const kept = new Set((await store.hosts()).map(({ root }) => root))
  expect([kept.size, kept.has('a0.example'), kept.has('a1.example')]).toEqual([20_000, true, false])
  const isFree = (n: number) => pace.freeAt(`a${n}.example`, START) === START
  expect([isFree(0), isFree(1), isFree(20_000)]).toEqual([false, true, false])
  expect(pace.gapMs('a1.example', START)).toBe(2 * SECOND)

  await store.recordHosts([{ root: 'b.example', notBeforeAt: START + HOUR, strikes: 1 }])
  const after = open()
  await after.begin(START)
  await after.save(START)
  expect(await store.hosts()).toHaveLength(20_000)
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
