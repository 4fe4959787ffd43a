/** Results of the lab as plain data: written by `--json`, and the source of tables and reports. */
import { formatDuration, type Millis } from '../model/index.ts'
import type { Limits } from '../scheduling/index.ts'
import type { ReplayPlan } from './aligned-trace.ts'
import type { MarketReplay } from './market-replay.ts'
import type { HeatMap, PendingFindings, Timeliness } from './paper-experiments.ts'
import type { FreshnessScore, Quantiles } from './score.ts'
import type { TraceFile } from './traces/read-traces.ts'

export interface Findings {
  protocol: ReplayPlan & { seed: number; limits: Limits; knownFrom: number }
  traces: {
    files: TraceFile[]
    feeds: number
    /** Number of histories too short for the protocol. */
    short: number
    /** Number of feeds with at least five entries known at the start. */
    known: number
    kinds: Record<string, number>
    /** Messages about repaired and rejected lines. */
    words: string[]
  }
  /** The actual results, for a store's own history. */
  today?: Today
  /** Every strategy at its own pace. */
  own: Row[]
  budgets: BudgetFindings[]
  /** All runs, by ascending number of polls; and the minimum delay that is possible. */
  frontier: { strategy: string; points: Point[] }[]
  oracle: Point[]
  /** Upper bounds of the bins of `delays`. */
  delayEndsMs: Millis[]
  papers?: {
    timeliness: { strategy: string; curve: Timeliness }[]
    intervals: { strategy: string; map: HeatMap }[]
    pending?: PendingFindings
  }
}

export interface Row {
  strategy: string
  /** The price of the polls, the number of feeds per round, or the factor of all intervals. */
  knob:
    | { kind: 'price'; priceMs: Millis }
    | { kind: 'rounds'; k: number; everyMs: Millis }
    | { kind: 'stretch'; by: number }
  /** Whether the budget was met to within 1%. */
  met: boolean
  all: FreshnessScore
  /** Only feeds with at least five entries known at the start. */
  known: FreshnessScore
  quantiles: Quantiles
  /** Number of items per bin of waiting time. */
  delays: number[]
}

export interface BudgetFindings {
  /** "the polls of moving-average", "5000/d" */
  name: string
  polls: number
  pollsPerDay: number
  rows: Row[]
  /** The minimum mean delay per item for this number of polls, for half of it, and for a quarter. */
  oracle: { share: number; delayMs: Millis }[]
  online: OnlineRow[]
}

/** Describes how a budget was met. */
export function knobInWords({ knob }: Pick<Row, 'knob'>): string {
  switch (knob.kind) {
    case 'price':
      return `price ${formatDuration(knob.priceMs)}`
    case 'rounds':
      return `${knob.k.toPrecision(3)} every ${formatDuration(knob.everyMs)}`
    case 'stretch':
      return `× ${knob.by.toPrecision(3)}`
  }
}

const WEEKS_LISTED = 4

/** Deviations from the budget in the first weeks, and the worst of all later weeks. */
export function listWeeks(weeks: OnlineRow['weeks']): { off: number[]; worstLater: number | undefined } {
  const off = weeks.map((week) => week.off)
  const later = off.slice(WEEKS_LISTED)
  const worstLater = later.length > 0 ? Math.max(...later.map(Math.abs)) : undefined
  return { off: off.slice(0, WEEKS_LISTED), worstLater }
}

/** The budget as met by the scheduler, without hindsight. */
export interface OnlineRow extends Omit<MarketReplay, 'tallies' | 'gathered'> {
  strategy: string
  all: FreshnessScore
  known: FreshnessScore
}

export interface Point {
  pollsPerDay: number
  itemDelayMs: Millis
  /** Unknown for the oracle, which minimizes the other delay. */
  feedDelayMs?: Millis
  /** The run without a budget. */
  own?: true
}

/** Actual results in the scored period, from the store's log. */
export interface Today {
  strategies: string[]
  score: FreshnessScore
  /** Failed polls; the replay has none. */
  failed: number
  /** Feeds whose entries have no dates of their own, so that their delays are unknown. */
  undated: number
}
