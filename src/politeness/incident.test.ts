import { describe, expect, it } from 'vitest'
import { DAY, type Failure, type FeedId, HOUR, type Instant, MINUTE } from '../model/index.ts'
import { admitDuringIncident, type IncidentMemory, incidentAfter } from './index.ts'

const START = 1000 * DAY
const unreachable: Failure = { kind: 'http', status: 503 }
type Result = Failure | 'well'

/** One result per listed feed, a second apart; the state passes through JSON as in a store. */
function simulate(
  results: [feed: number, result: Result][],
  from: Instant = START,
  memory?: IncidentMemory,
  everyMs = 1000,
) {
  let last = { memory: memory ?? ({ state: 'none', recent: [] } as IncidentMemory), excused: false }
  for (const [i, [feed, result]] of results.entries()) {
    const restored: IncidentMemory = JSON.parse(JSON.stringify(last.memory))
    last = incidentAfter(restored, { feedId: feed as FeedId, result }, from + i * everyMs)
  }
  return last
}
const feeds = (count: number, result: Result, first = 1) =>
  Array.from({ length: count }, (_, i): [number, Result] => [first + i, result])

describe('an incident of a host', () => {
  it.each<[string, [number, Result][], IncidentMemory['state']]>([
    ['five feeds that fail in the same way', feeds(5, unreachable), 'incident'],
    ['various server errors', [500, 502, 503, 504, 599].map((status, i) => [i, { kind: 'http', status }]), 'incident'],
    ['a bot check instead of every feed', feeds(5, { kind: 'not-a-feed' }), 'incident'],
    ['five failures of ten feeds', [...feeds(5, 'well', 100), ...feeds(5, unreachable)], 'incident'],
    ['only four feeds', feeds(4, unreachable), 'none'],
    ['five failures of eleven feeds', [...feeds(6, 'well', 100), ...feeds(5, unreachable)], 'none'],
    ['one feed that fails five times', feeds(5, unreachable).map(([, result]) => [1, result]), 'none'],
    ['feeds that fail in different ways', [...feeds(4, unreachable), ...feeds(4, { kind: 'timeout' }, 10)], 'none'],
    ['five feeds that are gone', feeds(9, { kind: 'http', status: 404 }), 'none'],
    ['feeds forbidden by robots.txt', feeds(9, { kind: 'forbidden-by-robots' }), 'none'],
    ['feeds that recovered meanwhile', [...feeds(4, unreachable), ...feeds(4, 'well'), [9, unreachable]], 'none'],
  ])('%s', (_, results, expected) => {
    expect(simulate(results).memory.state).toBe(expected)
  })
  it('needs the failures within an hour', () => {
    expect(simulate(feeds(9, unreachable), START, undefined, 20 * MINUTE).memory.state).toBe('none')
  })
  it('has a start and a cause, and excuses the feeds from then on', () => {
    const { memory, excused } = simulate(feeds(5, unreachable))
    expect([memory, excused]).toEqual([
      { state: 'incident', sign: 'server-error', sinceAt: START, canaries: 0, canaryAt: START + 4000 + 2 * MINUTE },
      true,
    ])
    expect(simulate([[9, unreachable]], START + MINUTE, memory).excused).toBe(true)
    expect(simulate([[9, { kind: 'internal' }]], START + MINUTE, memory)).toEqual({ memory, excused: false })
  })
  it('has bounded state', () => {
    const { memory } = simulate(feeds(5000, 'well'), START, undefined, 1)
    expect(JSON.stringify(memory).length).toBeLessThan(4000)
  })
})

describe('during an incident', () => {
  const { memory } = simulate(feeds(5, unreachable))
  const canaryAt = memory.state === 'incident' ? memory.canaryAt : Number.NaN

  it('no feed is polled before the canary, and canaries are polled one at a time', () => {
    expect(admitDuringIncident(memory, 0, canaryAt - 1, 0).kind).toBe('wait')
    expect(admitDuringIncident(memory, 0, canaryAt, 0)).toEqual({ kind: 'go' })
    expect(admitDuringIncident(memory, 1, canaryAt, 0).kind).toBe('wait')
  })
  it('waiting feeds get jitter, and ask again when the canary may be back', () => {
    const waits = [0, 0.5, 0.99].map((chance) => admitDuringIncident(memory, 1, canaryAt, chance))
    const dates = waits.map((wait) => (wait.kind === 'wait' ? wait.until : 0))
    expect(new Set(dates).size).toBe(3)
    expect(Math.min(...dates)).toBeGreaterThan(canaryAt)
    expect(Math.max(...dates)).toBeLessThanOrEqual(canaryAt + 11 * MINUTE)
  })
  it('polls sent before it began do not count as canaries', () => {
    expect(simulate(feeds(9, unreachable), START + MINUTE, memory)).toEqual({ memory, excused: true })
  })
  it('canaries back off to one an hour', () => {
    let [now, state] = [canaryAt, memory]
    const waits: number[] = []
    for (let i = 0; i < 12; i++) {
      state = simulate([[i, unreachable]], now, state).memory
      const next = state.state === 'incident' ? state.canaryAt : Number.NaN
      waits.push((next - now) / MINUTE)
      now = next
    }
    expect(waits).toEqual([4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60])
  })
  it('recovery has stages of one, two, four and eight feeds', () => {
    let state = simulate([[1, 'well']], canaryAt, memory).memory
    let now = canaryAt
    for (const width of [1, 2, 4, 8]) {
      expect(state).toMatchObject({ state: 'recovering', width, sinceAt: START })
      now = state.state === 'recovering' ? state.stageAt : Number.NaN
      expect([
        admitDuringIncident(state, width - 1, now, 0).kind,
        admitDuringIncident(state, width, now, 0).kind,
      ]).toEqual(['go', 'wait'])
      state = simulate(feeds(width, 'well'), now, state, 0).memory
      if (width < 8) expect(admitDuringIncident(state, 0, now, 0)).toEqual({ kind: 'wait', until: now + MINUTE })
    }
    expect(state).toEqual({ state: 'none', recent: [] })
    expect(admitDuringIncident(state, 500, now, 0)).toEqual({ kind: 'go' })
  })
  it('a failed stage resumes the incident with its original start', () => {
    const recovering = simulate([[1, 'well']], canaryAt, memory).memory
    const relapsed = simulate([[2, unreachable]], canaryAt + HOUR, recovering)
    expect(relapsed).toMatchObject({ excused: true, memory: { state: 'incident', sinceAt: START, canaries: 1 } })
  })
  it('a single failing feed in four does not resume it', () => {
    const third = simulate([...feeds(1, 'well'), ...feeds(3, 'well')], canaryAt, memory).memory
    expect(third).toMatchObject({ state: 'recovering', width: 4 })
    expect(simulate([[7, { kind: 'timeout' }]], canaryAt + HOUR, third).memory.state).toBe('recovering')
    expect(simulate(feeds(2, { kind: 'timeout' }), canaryAt + HOUR, third).memory.state).toBe('incident')
  })
})
