/**
 * A budget as the crawl meets it, with no look into the future: the scheduler of production (scheduled-run.ts) over traces. Reported
 * are the weeks after the warm-up, the first days, which a new user judges by, and what the scheduler promised beside what came.
 */
import { DAY, type Instant, type Millis } from '../model/index.ts'
import type { Limits } from '../scheduling/index.ts'
import { type AlignedTrace, type ReplayPlan, WEEK } from './aligned-trace.ts'
import type { ReplayedPoll } from './replay.ts'
import { runScheduled } from './scheduled-run.ts'
import { type AggregatedTally, createCounter, type FeedTally, newAggregate } from './tally.ts'
import { pollBytes } from './traffic.ts'

/** Over how many days from the first poll on the beginning is told. */
export const FIRST_DAYS = [1, 2, 7] as const

export interface MarketReplay {
  tallies: FeedTally[]
  gathered: AggregatedTally
  /** Week by week after the warm-up; the last may be shorter. `off`: 0.03 is three in a hundred too many. */
  weeks: { polls: number; off: number }[]
  prices: { at: Instant; price: Millis }[]
  /** From the start up to so many days: polls a day, and the mean delay of entries that were published and found in it. */
  firstDays: { days: number; pollsPerDay: number; delayMs: Millis }[]
  /** The mean delay that the scheduler expected after the warm-up; undefined where strategies cannot tell. */
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
  const promised = { sum: 0, times: 0 }

  function count(trace: AlignedTrace, { at, first: isFirst, seen, upTo }: ReplayedPoll): void {
    days[Math.floor((at - plan.startAt) / DAY)]!++
    if (isFirst) return
    for (const one of first) {
      if (at >= one.untilAt) continue
      for (let i = seen; i < upTo; i++) {
        one.items++
        one.delayMs += at - trace.published[i]!
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
        promised.sum += delayMs
        promised.times++
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
    ...(promised.times > 0 && { promisedMs: promised.sum / promised.times }),
  }
}

/** Without a budget nothing is off it. */
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
