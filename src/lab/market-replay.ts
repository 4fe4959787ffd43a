/**
 * Replays a budget as the crawl meets it, without hindsight: the production scheduler (scheduled-run.ts) on traces.
 * Reports the weeks after the warm-up, the first days, by which a new user judges, and the delays that the scheduler
 * expected compared with the actual ones.
 */
import { DAY, type Instant, type Millis } from '../model/index.ts'
import type { Limits } from '../scheduling/index.ts'
import { type AlignedTrace, type ReplayPlan, WEEK } from './aligned-trace.ts'
import type { ReplayedPoll } from './replay.ts'
import { runScheduled } from './scheduled-run.ts'
import { type AggregatedTally, createCounter, type FeedTally, newAggregate } from './tally.ts'
import { pollBytes } from './traffic.ts'

/** Lengths in days of the initial periods reported. */
export const FIRST_DAYS = [1, 2, 7] as const

export interface MarketReplay {
  tallies: FeedTally[]
  gathered: AggregatedTally
  /** Weeks after the warm-up; the last may be shorter. `off`: 0.03 means 3% too many polls. */
  weeks: { polls: number; off: number }[]
  prices: { at: Instant; price: Millis }[]
  /** For each initial period: polls per day, and the mean delay of entries published and found in it. */
  firstDays: { days: number; pollsPerDay: number; delayMs: Millis }[]
  /** The mean delay expected by the scheduler after the warm-up; undefined if strategies cannot forecast. */
  promisedMs?: Millis
}

export interface MarketAssignment {
  alignedTraces: readonly AlignedTrace[]
  plan: ReplayPlan
  limits: Limits
}

export function replayMarket(
  { alignedTraces, plan, limits }: MarketAssignment,
  strategy: string,
  pollsPerDay: number | 'auto',
): MarketReplay {
  const gathered = newAggregate()
  const counters = alignedTraces.map((trace) => createCounter(trace, plan, gathered))
  const days = new Array<number>(Math.ceil((plan.endAt - plan.startAt) / DAY)).fill(0)
  const first = FIRST_DAYS.map((upTo) => ({ untilAt: plan.startAt + upTo * DAY, items: 0, delayMs: 0 }))
  const prices: MarketReplay['prices'] = []
  const expectedDelays = { sum: 0, times: 0 }

  function count(trace: AlignedTrace, { at, first: isFirst, seen, upTo }: ReplayedPoll): void {
    days[Math.floor((at - plan.startAt) / DAY)]!++
    if (isFirst) return
    for (const period of first) {
      if (at >= period.untilAt) continue
      for (let i = seen; i < upTo; i++) {
        period.items++
        period.delayMs += at - trace.published[i]!
      }
    }
  }

  runScheduled(
    alignedTraces.map((trace, i) => ({
      ...trace,
      strategy,
      ...(trace.bytes !== undefined && { pollBytes: (found: boolean) => pollBytes(trace, found) }),
      onPoll(encounter) {
        count(trace, encounter)
        counters[i]!.onPoll(encounter)
      },
    })),
    {
      ...plan,
      limits,
      pollsPerDay,
      onSettled(at, scheduler) {
        prices.push({ at, price: scheduler.market().price })
        const delayMs = scheduler.delayExpected()
        if (at < plan.scoreAt || delayMs === undefined) return
        expectedDelays.sum += delayMs
        expectedDelays.times++
      },
    },
  )
  for (const counter of counters) counter.end()
  return {
    tallies: counters.map(({ tally }) => tally),
    gathered,
    weeks: weeksOf(days, plan, pollsPerDay === 'auto' ? undefined : pollsPerDay),
    prices,
    firstDays: first.map(({ items, delayMs }, i) => ({
      days: FIRST_DAYS[i]!,
      pollsPerDay: sumOf(days.slice(0, FIRST_DAYS[i])) / FIRST_DAYS[i]!,
      delayMs: items > 0 ? delayMs / items : 0,
    })),
    ...(expectedDelays.times > 0 && { promisedMs: expectedDelays.sum / expectedDelays.times }),
  }
}

/** Without a budget, `off` is 0. */
function weeksOf(days: number[], { startAt, scoreAt, endAt }: ReplayPlan, pollsPerDay?: number): MarketReplay['weeks'] {
  const weeks: MarketReplay['weeks'] = []
  for (let from = scoreAt; from < endAt; from += WEEK) {
    const to = Math.min(endAt, from + WEEK)
    const polls = sumOf(days.slice(Math.round((from - startAt) / DAY), Math.round((to - startAt) / DAY)))
    weeks.push({ polls, off: pollsPerDay === undefined ? 0 : polls / ((pollsPerDay * (to - from)) / DAY) - 1 })
  }
  return weeks
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0)
}
