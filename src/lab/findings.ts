/** What the lab finds, as plain data: `--json` writes it, the tables and the report are drawn from it. */
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
    /** Histories that are too short for the protocol. */
    short: number
    /** With at least five entries known at the start. */
    known: number
    kinds: Record<string, number>
    /** What was repaired or refused. */
    words: string[]
  }
  /** Of a store's own history: how it was. */
  today?: Today
  /** Every strategy at its own pace. */
  own: Row[]
  budgets: BudgetFindings[]
  /** Every run that was made, those with the fewest polls first; and the least delay that any could have. */
  frontier: { strategy: string; points: Point[] }[]
  oracle: Point[]
  /** Where the bins of `delays` end. */
  delayEndsMs: Millis[]
  papers?: {
    timeliness: { strategy: string; curve: Timeliness }[]
    intervals: { strategy: string; map: HeatMap }[]
    pending?: PendingFindings
  }
}

export interface Row {
  strategy: string
  /** At which price the polls were made, how many of highest rank a round, or by how much all intervals were stretched. */
  knob:
    | { kind: 'price'; priceMs: Millis }
    | { kind: 'rounds'; k: number; everyMs: Millis }
    | { kind: 'stretch'; by: number }
  /** Whether the budget could be met to within a hundredth. */
  met: boolean
  all: FreshnessScore
  /** Only feeds of which at least five entries were known at the start. */
  known: FreshnessScore
  quantiles: Quantiles
  /** How many items waited how long. */
  delays: number[]
}

export interface BudgetFindings {
  /** "the polls of moving-average", "5000/d" */
  name: string
  polls: number
  pollsPerDay: number
  rows: Row[]
  /** The least mean delay per item that so many polls can have, and half and a quarter of them. */
  oracle: { share: number; delayMs: Millis }[]
  online: OnlineRow[]
}

/** How a budget was met, in words. */
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

const WEEKS_TOLD = 4

/** How far off the budget the first weeks were, and the worst of all later ones. */
export function weeksTold(weeks: OnlineRow['weeks']): { off: number[]; worstLater: number | undefined } {
  const off = weeks.map((week) => week.off)
  const later = off.slice(WEEKS_TOLD)
  const worstLater = later.length > 0 ? Math.max(...later.map(Math.abs)) : undefined
  return { off: off.slice(0, WEEKS_TOLD), worstLater }
}

/** The budget met by the scheduler as it goes. */
export interface OnlineRow extends Omit<MarketReplay, 'tallies' | 'gathered'> {
  strategy: string
  all: FreshnessScore
  known: FreshnessScore
}

export interface Point {
  pollsPerDay: number
  itemDelayMs: Millis
  /** Of the oracle nobody knows: it minimises the other. */
  feedDelayMs?: Millis
  /** As the strategy would do without a budget. */
  own?: true
}

/** What the log of a store says of the time that counts. */
export interface Today {
  strategies: string[]
  score: FreshnessScore
  /** Polls that failed; the replay knows none. */
  failed: number
  /** Feeds whose entries have no date of their own, so that nobody knows how late they were. */
  undated: number
}
