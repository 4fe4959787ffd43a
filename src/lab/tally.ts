/**
 * Counts cost and delays of a run. Polls of the warm-up, and entries published in it, do not count. Each later entry
 * counts once: from its publication to the next poll, whether it was seen or had left the window (missed); or to the
 * end if there was no poll.
 */
import { type Millis, SECOND } from '../model/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import type { ReplayedPoll } from './replay.ts'
import { pollBytes } from './traffic.ts'

/** The tally of one feed. */
export interface FeedTally {
  polls: number
  /** Polls with news. */
  finds: number
  items: number
  /** Sum over the items. */
  delayMs: Millis
  /** Items that left the window before a poll. */
  missed: number
  /** Items without a later poll. */
  unseen: number
  /** Sum of the intervals chosen by the strategy. */
  waitMs: Millis
  bytes: number
}

/** Aggregates over many feeds, in addition to their tallies. */
export interface AggregatedTally {
  /** Number of items by waiting time, in the bins of `binOf`. */
  delays: Float64Array
  /** For feeds with many items: sum of the delays at their n-th find, and number of feeds. */
  timeliness: { delayMs: Float64Array; feeds: Float64Array }
}

/** Urbansky et al. (2011), 4.2: over the first 300 finds of feeds that have as many items. */
export const FIRST_FINDS = 300

const BINS_A_DECADE = 12
const BINS = 7 * BINS_A_DECADE + 1 // from at most a second to at least 116 days

export function newAggregate(): AggregatedTally {
  return {
    delays: new Float64Array(BINS),
    timeliness: { delayMs: new Float64Array(FIRST_FINDS), feeds: new Float64Array(FIRST_FINDS) },
  }
}

export function addToAggregate(aggregate: AggregatedTally, added: AggregatedTally): void {
  for (const [i, n] of added.delays.entries()) aggregate.delays[i]! += n
  for (let i = 0; i < FIRST_FINDS; i++) {
    aggregate.timeliness.delayMs[i]! += added.timeliness.delayMs[i]!
    aggregate.timeliness.feeds[i]! += added.timeliness.feeds[i]!
  }
}

/** Upper bound of a bin. */
export function binEndMs(bin: number): Millis {
  return 10 ** ((bin + 1) / BINS_A_DECADE) * SECOND
}

/** The delay that this share of the items does not exceed, to within a bin; 0 if there are none. */
export function quantileMs(delays: Float64Array, share: number): Millis {
  let remaining = share * delays.reduce((sum, n) => sum + n, 0)
  for (const [bin, n] of delays.entries()) {
    if (n > 0 && remaining <= n) return 10 ** ((bin + remaining / n) / BINS_A_DECADE) * SECOND
    remaining -= n
  }
  return 0
}

export interface Counter {
  tally: FeedTally
  onPoll(encounter: ReplayedPoll): void
  /** Counts the unseen items. */
  end(): void
}

export function createCounter(
  alignedTrace: AlignedTrace,
  { scoreAt, endAt }: ReplayPlan,
  gathered: AggregatedTally,
): Counter {
  const { published, known } = alignedTrace
  const tally: FeedTally = { polls: 0, finds: 0, items: 0, delayMs: 0, missed: 0, unseen: 0, waitMs: 0, bytes: 0 }
  const { delays, timeliness } = gathered
  const isTimed = published.length - known >= FIRST_FINDS
  let finds = 0
  let seen = 0

  function charge(from: number, upTo: number, at: number): number {
    let charged = 0
    for (let i = from; i < upTo; i++) {
      const waited = at - published[i]!
      if (published[i]! < scoreAt) continue
      charged++
      tally.items++
      tally.delayMs += waited
      delays[binOf(waited)]!++
    }
    return charged
  }

  return {
    tally,
    onPoll({ at, first, seen: from, windowStart, upTo, dueAt }) {
      seen = upTo
      const found = upTo > from
      if (at >= scoreAt) {
        tally.polls++
        tally.waitMs += dueAt - at
        tally.bytes += pollBytes(alignedTrace, found)
      }
      if (first || !found) return
      const missed = charge(from, windowStart, at)
      tally.missed += missed
      if (missed + charge(windowStart, upTo, at) > 0) tally.finds++
      if (!isTimed || finds >= FIRST_FINDS) return
      let waited = 0
      for (let i = from; i < upTo; i++) waited += at - published[i]!
      timeliness.delayMs[finds]! += waited / (upTo - from)
      timeliness.feeds[finds]!++
      finds++
    },
    end() {
      tally.unseen = charge(seen, published.length, endAt)
    },
  }
}

function binOf(delayMs: Millis): number {
  const bin = Math.floor(Math.log10(Math.max(1, delayMs / SECOND)) * BINS_A_DECADE)
  return Math.min(BINS - 1, bin)
}
