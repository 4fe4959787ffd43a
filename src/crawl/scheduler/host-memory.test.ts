/** Host memory: a longer gap shrinks again in calm days, and during an incident few feeds are in flight at once. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import type { Task } from '../../model/index.ts'
import { DAY, type FeedId, HOUR, type Incident, type Instant, MINUTE, type Outcome, SECOND } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import { type ControllerQueue, rolesOf } from '../../ports/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createErrorBoundary } from '../error-boundary.ts'
import { createController, feedToAdd, fixedPrice } from '../index.ts'
import { createHostMemory } from './host-memory.ts'

const START = Date.UTC(2026, 0, 5, 8)
const ROOT = 'a.example'

const outcome = (at: Instant, status?: number): Outcome => ({
  task: {
    kind: 'poll',
    feedId: 1 as FeedId,
    url: address(`https://${ROOT}/feed`),
    validators: {},
    subscribers: 1,
    gapMs: 0,
  },
  at,
  tookMs: 1,
  bytes: 1,
  result: status
    ? { kind: 'failed', failure: { kind: 'http', status } }
    : { kind: 'not-modified', by: 'server', restMs: 0 },
})

it('returns a host to its usual gap after a rate limit, and then stores nothing about it', async () => {
  const store = createMemoryStore()
  const hostQueue = createHostQueue({ gapMs: 2 * SECOND, random: () => 0 })
  const errorBoundary = createErrorBoundary({ clock: createSteppedClock(START), emit: () => {} })
  const hosts = createHostMemory({ pollResults: store, hostQueue, random: () => 0, errorBoundary, emit: () => {} })
  const after = (one: Outcome) => {
    hosts.learn([one], one.at)
    return hosts.save(one.at)
  }
  for (let i = 0; i < 3; i++) await after(outcome(START + i * HOUR, 429))
  const gapAt = (at: Instant) => hostQueue.gapMs(ROOT, at)
  expect(gapAt(START + 2 * HOUR)).toBeGreaterThan(10 * SECOND)
  for (let day = 1; day < 9; day++) await after(outcome(START + day * DAY))
  expect(gapAt(START + 9 * DAY)).toBeLessThan(3 * SECOND)
  expect((await store.hosts())[0]?.adaptiveGap).toBeDefined()
  await after(outcome(START + 16 * DAY))
  expect(gapAt(START + 16 * DAY)).toBe(2 * SECOND)
  expect(await store.hosts()).toEqual([])
  await after(outcome(START + 17 * DAY, 429))
  expect(gapAt(START + 17 * DAY)).toBe(4 * SECOND) // starts again
})

it.each<[string, Incident, number]>([
  ['one', { state: 'incident', sign: 'timeout', sinceAt: START, canaries: 1, canaryAt: START }, 1],
  [
    'as many as its recovery stage still allows',
    { state: 'recovering', sign: 'timeout', sinceAt: START, canaries: 1, width: 4, stageAt: START, well: 1, failed: 0 },
    3,
  ],
])('during an incident, polls of a host in flight at once: %s', async (_, incident, most) => {
  const store = createMemoryStore()
  await store.recordSites({ hosts: [{ root: ROOT, notBeforeAt: 0, strikes: 0, incident }] })
  await store.addFeeds(
    Array.from({ length: 12 }, (_, i) =>
      feedToAdd({ url: address(`https://${ROOT}/feed/${i}`), title: '' }, 'fixed:1h', START),
    ),
  )
  const sent: Task[] = []
  const nowhere: ControllerQueue = {
    send: async (tasks) => {
      sent.push(...tasks)
    },
    collect: () => {},
    close: async () => {},
  }
  const clock = createSteppedClock(START)
  const controller = createController({
    ...rolesOf(store),
    queue: nowhere,
    clock,
    hostQueue: createHostQueue({ gapMs: 0, isExempt: () => true }), // would admit all of them
    slots: () => 12,
    budget: fixedPrice(HOUR, LIMITS),
    strategy: 'fixed:1h',
    random: () => 0,
    knownBy: 'key',
    emit: () => {},
  })
  await controller.begin()
  for (let minute = 0; minute < 9; minute++) {
    await controller.tick()
    await clock.advance(MINUTE)
  }
  expect(sent).toHaveLength(most)
})
