/**
 * What a run is worth. Polls of the warm-up are not counted, nor are entries that were published in it. Every entry after
 * it is charged once: from its publication to the poll that came after it, seen or (having left the window) missed; or, if
 * no poll came, to the end.
 */
import { type Millis, SECOND } from '../model/index.ts'
import type { AlignedTrace, ReplayPlan } from './aligned-trace.ts'
import type { ReplayedPoll } from './replay.ts'
import { pollBytes } from './traffic.ts'

/** Of one feed. */
export interface FeedTally {
  polls: number
  /** Polls that found something. */
  finds: number
  items: number
  /** Summed over the items. */
  delayMs: Millis
  /** Items that left the window before a poll saw them. */
  missed: number
  /** Items after which no poll came. */
  unseen: number
  /** How long the strategy meant to wait, summed over the polls. */
  waitMs: Millis
  bytes: number
}

/** What is gathered over many feeds beside their tallies. */
export interface AggregatedTally {
  /** How many items waited how long, in the bins of `binOf`. */
  delays: Float64Array
  /** Of feeds with many items: the delay at their n-th find, summed, and over how many feeds. */
  timeliness: { delayMs: Float64Array; feeds: Float64Array }
}

/** Urbansky et al. (2011), 4.2: over the first 300 finds of feeds that have as many items. */
export const FIRST_FINDS = 300

const BINS_A_DECADE = 12
const BINS = 7 * BINS_A_DECADE + 1 // from a second and less to 116 days and more

export function newAggregate(): AggregatedTally {
  return {
    delays: new Float64Array(BINS),
    timeliness: { delayMs: new Float64Array(FIRST_FINDS), feeds: new Float64Array(FIRST_FINDS) },
  }
}

export function addToAggregate(all: AggregatedTally, one: AggregatedTally): void {
  for (const [i, n] of one.delays.entries()) all.delays[i]! += n
  for (let i = 0; i < FIRST_FINDS; i++) {
    all.timeliness.delayMs[i]! += one.timeliness.delayMs[i]!
    all.timeliness.feeds[i]! += one.timeliness.feeds[i]!
  }
}

/** Where a bin ends. */
export function binEndMs(bin: number): Millis {
  return 10 ** ((bin + 1) / BINS_A_DECADE) * SECOND
}

/** The delay that this share of the items does not exceed, to within a bin; 0 if there are none. */
export function quantileMs(delays: Float64Array, share: number): Millis {
  let left = share * delays.reduce((sum, n) => sum + n, 0)
  for (const [bin, n] of delays.entries()) {
    if (n > 0 && left <= n) return 10 ** ((bin + left / n) / BINS_A_DECADE) * SECOND
    left -= n
  }
  return 0
}

export interface Counter {
  tally: FeedTally
  onPoll(encounter: ReplayedPoll): void
  /** Charges what was not seen. */
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
    onPoll({ at, first, seen: from, shown, upTo, dueAt }) {
      seen = upTo
      const found = upTo > from
      if (at >= scoreAt) {
        tally.polls++
        tally.waitMs += dueAt - at
        tally.bytes += pollBytes(alignedTrace, found)
      }
      if (first || !found) return
      const missed = charge(from, shown, at)
      tally.missed += missed
      if (missed + charge(shown, upTo, at) > 0) tally.finds++
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
