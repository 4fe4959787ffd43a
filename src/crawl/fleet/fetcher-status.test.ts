/** What a controller makes of its terminals. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { createInProcessFleet } from '../../fleet/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, MINUTE, type Outcome, SECOND } from '../../model/index.ts'
import { terminalsAside } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createCrew } from './fetcher-status.ts'

function town() {
  const clock = createSteppedClock(1_000_000)
  const fleet = createInProcessFleet()(clock)
  const events: CrawlEvent[] = []
  let share = 1
  const crew = createCrew({ fleet, clock, share: () => share, emit: (event) => events.push(event) })
  const beat = async (...names: string[]) => {
    for (const name of names)
      fleet.beat({ role: 'fetcher', name, version: '1', startedAt: 0, hands: 16, load: 0, performed: 0 })
    await clock.advance(1)
  }
  const told = () => events.map((event) => (event.kind === 'terminal' ? `${event.name} ${event.what}` : event.kind))
  const half = () => {
    share = 0.5
  }
  return { clock, fleet, crew, beat, told, half }
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

it('has as many tasks out as terminals have hands, by its share of the buckets', async () => {
  const { crew, beat, told, clock, half } = town()
  expect(crew.hands()).toBe(0)
  await beat('t1', 't2')
  expect(crew.hands()).toBe(40)
  half()
  expect(crew.hands()).toBe(20)
  crew.look()
  await clock.advance(9 * SECOND)
  await beat('t1')
  await clock.advance(5 * SECOND)
  crew.look()
  expect([crew.hands(), told()]).toEqual([10, ['t1 came', 't2 came', 't2 gone']])
})

it('sets aside who answers nonsense, says so, and tries it again later', async () => {
  const { crew, beat, told, clock } = town()
  await beat('t1', 't2')
  for (let n = 0; n < 4; n++) crew.nonsense('t2', 'no JSON')
  expect(crew.aside()).toEqual([])
  crew.nonsense('t2', 'no JSON')
  expect(crew.aside()).toMatchObject([{ name: 't2', why: 'what it answers cannot be read (no JSON)' }])
  expect(crew.hands()).toBe(20)
  await clock.advance(10 * MINUTE)
  await beat('t1', 't2')
  expect([crew.aside(), crew.hands(), told()]).toEqual([[], 40, ['t2 aside', 't2 trusted']])
})

it('sets aside who is answered by nobody while others are, and nobody where all are in the dark', async () => {
  const { crew, beat, told } = town()
  await beat('t1', 't2')
  crew.note(Array.from({ length: 40 }, () => polled('t1', true)))
  crew.note(Array.from({ length: 40 }, () => polled('t2', true)))
  expect(told()).toEqual([])
  crew.note(Array.from({ length: 40 }, () => polled('t2', false)))
  crew.note([polled('t1', true)])
  expect(told()).toEqual(['t1 aside'])
})

it('sets aside half of them at most, for then it is not they', async () => {
  const { crew, beat, told } = town()
  await beat('t1', 't2')
  for (const name of ['t1', 't2']) for (let n = 0; n < 9; n++) crew.nonsense(name, 'no JSON')
  expect([told(), crew.hands()]).toEqual([['t1 aside'], 20])
})

it('comes to the same as the others when two set aside another one at the same moment', async () => {
  const { fleet, crew, beat, clock } = town()
  await beat('t1', 't2')
  const later = { name: 't1', why: 'of other reasons', until: clock.now() + 11 * MINUTE }
  for (let n = 0; n < 9; n++) crew.nonsense('t2', 'no JSON')
  fleet.beat({ role: 'controller', name: 'ada', version: '1', startedAt: 0, aside: crew.aside() })
  fleet.beat({ role: 'controller', name: 'bob', version: '1', startedAt: 0, aside: [later] })
  await clock.advance(1)
  expect([...terminalsAside(fleet.members()).keys()]).toEqual(['t2'])
  expect(crew.hands()).toBe(20)
})
