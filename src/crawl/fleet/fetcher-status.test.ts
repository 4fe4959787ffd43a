/** The status of fetchers, as a controller sees it. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { createInProcessFleet } from '../../fleet/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, MINUTE, type Outcome, SECOND } from '../../model/index.ts'
import { quarantinedFetchers } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createFetcherStatus } from './fetcher-status.ts'

function setup() {
  const clock = createSteppedClock(1_000_000)
  const fleet = createInProcessFleet()(clock)
  const events: CrawlEvent[] = []
  let share = 1
  const fetcherStatus = createFetcherStatus({ fleet, clock, share: () => share, emit: (event) => events.push(event) })
  const sendHeartbeats = async (...names: string[]) => {
    for (const name of names)
      fleet.heartbeat({
        role: 'fetcher',
        name,
        version: '1',
        startedAt: 0,
        slots: 16,
        activeTasks: 0,
        completedTasks: 0,
      })
    await clock.advance(1)
  }
  const announced = () => events.map((event) => (event.kind === 'fetcher' ? `${event.name} ${event.what}` : event.kind))
  const halveShare = () => {
    share = 0.5
  }
  return { clock, fleet, fetcherStatus, sendHeartbeats, announced, halveShare }
}

function polled(by: string, isSilent: boolean): Outcome {
  const url = address('http://a.example/')
  const task = { kind: 'poll', feedId: 1 as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
  const failed = { kind: 'failed', failure: { kind: 'unreachable' } } as const
  return {
    task,
    by,
    at: 0,
    tookMs: 1,
    bytes: 0,
    result: isSilent ? failed : { kind: 'not-modified', by: 'server', restMs: 0 },
  }
}

it('allows as many tasks as fetchers have slots, by its share of the buckets', async () => {
  const { fetcherStatus, sendHeartbeats, announced, clock, halveShare } = setup()
  expect(fetcherStatus.slots()).toBe(0)
  await sendHeartbeats('t1', 't2')
  expect(fetcherStatus.slots()).toBe(40)
  halveShare()
  expect(fetcherStatus.slots()).toBe(20)
  fetcherStatus.update()
  await clock.advance(9 * SECOND)
  await sendHeartbeats('t1')
  await clock.advance(5 * SECOND)
  fetcherStatus.update()
  expect([fetcherStatus.slots(), announced()]).toEqual([10, ['t1 joined', 't2 joined', 't2 left']])
})

it('quarantines a fetcher that returns unreadable results, announces it, and tries it again later', async () => {
  const { fetcherStatus, sendHeartbeats, announced, clock } = setup()
  await sendHeartbeats('t1', 't2')
  for (let n = 0; n < 4; n++) fetcherStatus.noteUnreadable('t2', 'no JSON')
  expect(fetcherStatus.quarantined()).toEqual([])
  fetcherStatus.noteUnreadable('t2', 'no JSON')
  expect(fetcherStatus.quarantined()).toMatchObject([{ name: 't2', reason: 'its results are unreadable (no JSON)' }])
  expect(fetcherStatus.slots()).toBe(20)
  await clock.advance(10 * MINUTE)
  await sendHeartbeats('t1', 't2')
  expect([fetcherStatus.quarantined(), fetcherStatus.slots(), announced()]).toEqual([
    [],
    40,
    ['t2 quarantined', 't2 trusted'],
  ])
})

it('quarantines a fetcher that gets no responses while others do, and none if all get none', async () => {
  const { fetcherStatus, sendHeartbeats, announced } = setup()
  await sendHeartbeats('t1', 't2')
  fetcherStatus.noteOutcomes(Array.from({ length: 40 }, () => polled('t1', true)))
  fetcherStatus.noteOutcomes(Array.from({ length: 40 }, () => polled('t2', true)))
  expect(announced()).toEqual([])
  fetcherStatus.noteOutcomes(Array.from({ length: 40 }, () => polled('t2', false)))
  fetcherStatus.noteOutcomes([polled('t1', true)])
  expect(announced()).toEqual(['t1 quarantined'])
})

it('quarantines at most half of the fetchers', async () => {
  const { fetcherStatus, sendHeartbeats, announced } = setup()
  await sendHeartbeats('t1', 't2')
  for (const name of ['t1', 't2']) for (let n = 0; n < 9; n++) fetcherStatus.noteUnreadable(name, 'no JSON')
  expect([announced(), fetcherStatus.slots()]).toEqual([['t1 quarantined'], 20])
})

it('agrees with other controllers when two quarantine different fetchers at once', async () => {
  const { fleet, fetcherStatus, sendHeartbeats, clock } = setup()
  await sendHeartbeats('t1', 't2')
  const later = { name: 't1', reason: 'other reasons', until: clock.now() + 11 * MINUTE }
  for (let n = 0; n < 9; n++) fetcherStatus.noteUnreadable('t2', 'no JSON')
  fleet.heartbeat({
    role: 'controller',
    name: 'ada',
    version: '1',
    startedAt: 0,
    quarantined: fetcherStatus.quarantined(),
  })
  fleet.heartbeat({ role: 'controller', name: 'bob', version: '1', startedAt: 0, quarantined: [later] })
  await clock.advance(1)
  expect([...quarantinedFetchers(fleet.members()).keys()]).toEqual(['t2'])
  expect(fetcherStatus.slots()).toBe(20)
})
