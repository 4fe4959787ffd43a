import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { type AlignedTrace, planOf } from './aligned-trace.ts'
import { computeHeatMap, computeTimeliness, ranking, replayPaperRounds } from './paper-experiments.ts'
import { replayRounds } from './ranked-rounds.ts'
import { type FeedTally, newAggregate } from './tally.ts'
import { generateTraces } from './village/generated-traces.ts'

const START = Date.UTC(2030, 0, 7)
const plan = { startAt: START, scoreAt: START + DAY, endAt: START + 3 * DAY }

/** An entry every `everyMs` from the start. */
const sourceOf = (everyMs: number): AlignedTrace => {
  const published = Float64Array.from(
    { length: Math.floor((3 * DAY) / everyMs) },
    (_, i) => START + i * everyMs + MINUTE,
  )
  return { feed: String(everyMs), kind: '', window: 20, published, firstAt: START, known: 0 }
}

describe('rounds', () => {
  const rounds = {
    alignedTraces: [10 * MINUTE, HOUR, 6 * HOUR].map(sourceOf),
    plan,
    k: 1,
    everyMs: 10 * MINUTE,
    gapMs: 10 * MINUTE,
  }

  it('retrieve a fixed number of sources, in turn if nothing ranks them', () => {
    const { retrievals, total, worst } = replayRounds('round-robin', rounds)
    expect(retrievals).toBe(2 * 24 * 6)
    // Each source is polled every half hour: after a round, the busy one has 0, 1 or 2 pending.
    expect(worst[5]).toBeGreaterThanOrEqual(1)
    expect(worst[5]).toBeLessThanOrEqual(2)
    expect(total[5]).toBeGreaterThanOrEqual(worst[5]!)
  })

  it('retrieve the sources with most expected entries, if the strategy ranks', () => {
    const inTurn = replayRounds('round-robin', rounds)
    const byRank = replayRounds('posting-history', rounds)
    const mean = (hours: number[]) => hours.reduce((sum, n) => sum + n, 0) / 24
    expect(mean(byRank.worst)).toBeLessThan(mean(inTurn.worst))
    expect(byRank.retrievals).toBe(inTurn.retrievals)
  })

  it('respect the gap of a source, even if a round is not full', () => {
    const lonely = { ...rounds, alignedTraces: [sourceOf(MINUTE)], gapMs: HOUR }
    expect(replayRounds('round-robin', lonely).retrievals).toBe(48)
  })

  it('are those of the paper if histories are long enough, with fewer retrievals for fewer sources', () => {
    const long = [...generateTraces({ feeds: 100, days: 130, seed: 1, now: START })]
    expect(replayPaperRounds(long, planOf(DAY, DAY), 1)).toMatchObject({ plan: planOf(28 * DAY, 62 * DAY), k: 3 })
    const short = [...generateTraces({ feeds: 100, days: 50, seed: 1, now: START })]
    expect(replayPaperRounds(short, planOf(14 * DAY, 21 * DAY), 1).plan).toEqual(planOf(14 * DAY, 21 * DAY))
  })

  it('are run for ranking strategies and round robin', () => {
    expect(ranking(['fixed'])).toEqual(['posting-history', 'min-delay', 'round-robin'])
    expect(ranking(['posting-history:training=0', 'moving-average', 'round-robin'])).toEqual([
      'min-delay',
      'posting-history:training=0',
      'round-robin',
    ])
  })
})

describe('a heat map', () => {
  it('counts a feed in the cell of its intervals', () => {
    const tally: FeedTally = {
      polls: 10,
      waitMs: 10 * DAY,
      finds: 0,
      items: 0,
      delayMs: 0,
      missed: 0,
      unseen: 0,
      bytes: 0,
    }
    const { cells, edgesMs } = computeHeatMap([sourceOf(HOUR), { ...sourceOf(HOUR), known: 72 }], plan, {
      tallies: [tally, tally],
    })
    const of = (ms: number) => edgesMs.findLastIndex((edge) => edge <= ms * 1.0001)
    expect(cells[of(DAY)]![of(HOUR)]).toBe(1)
    expect(cells[of(DAY)]!.at(-1)).toBe(1)
    expect(cells.flat().reduce((sum, n) => sum + n, 0)).toBe(2)
  })
})

describe('timeliness', () => {
  it('is the mean over the feeds with that many finds', () => {
    const gathered = newAggregate()
    gathered.timeliness.delayMs.set([10, 30])
    gathered.timeliness.feeds.set([2, 1])
    expect(computeTimeliness({ gathered })).toEqual({ delayMs: [5, 30], feeds: [2, 1] })
  })
})
