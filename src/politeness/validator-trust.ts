/**
 * Whether a server's "304 Not Modified" can be trusted. Some servers keep the same ETag while the feed changes; some always answer 304 to
 * conditional requests. This only shows in an unconditional poll, so after many 304s in a row, about once a week, one poll is
 * unconditional: the audit. If a busy feed has been silent for twice its longest silence so far, the audit comes within hours; one
 * that finds nothing shows that such a silence is normal.
 *
 * - honest:  the default
 * - lies:    a 304 hid new entries. From then on the feed is polled unconditionally, until its address changes
 * - useless: to conditional requests it repeatedly sends the same body with the same validators. Conditional requests continue, and one
 *            304 makes it honest
 *
 * New entries under unchanged validators are proof. New entries under new validators may have been published since the last 304: they
 * raise a doubt, the next audits follow soon, and three doubts in a row count as proof. An audit without new entries, or new entries
 * in a conditional poll, clear all doubts.
 */
import { DAY, HOUR, type Instant, type Millis } from '../model/index.ts'

export type Trust = 'honest' | 'lies' | 'useless'

/** Plain JSON. */
export interface TrustState {
  trust: Trust
  /** When a body was last received. */
  bodyAt: Instant
  /** 304s since then. */
  quiet: number
  /** Consecutive audits that found new entries under new validators. */
  doubts: number
  /** Consecutive responses that repeated a known body. */
  repeats: number
  /** The feed's longest normal silence; absent if its dates do not show it. */
  usualMs?: Millis
}

export interface TrustEvidence {
  /** The request was conditional. */
  conditional: boolean
  status: number
  /** The response contained new or changed entries; a new build date alone does not count. */
  bodyChanged: boolean
  /** ETag and Last-Modified equal those of the previous response. */
  sameValidators: boolean
  /** The longest silence between the dates of its entries. */
  usualMs?: Millis | undefined
}

interface AuditInterval {
  quiet: number
  ms: Millis
}

const NORMAL_INTERVAL: AuditInterval = { quiet: 20, ms: 7 * DAY } // ours: one body a week is cheap, and 20 honest 304s are normal
const DOUBTFUL_INTERVAL: AuditInterval = { quiet: 3, ms: DAY } // while there are doubts
const MIN_UNUSUAL_MS: Millis = 2 * HOUR // ours
const UNUSUAL_FACTOR = 2 // times the longest silence so far
const DOUBTS_AS_PROOF = 3 // ours: in simulation, an honest feed is accused once in 300 years
const USELESS_AFTER = 5 // ours

/** Whether the poll at `polledAt` should be unconditional. `random` in [0, 1) adds jitter. */
export function auditDue(memory: TrustState | undefined, polledAt: Instant, random: number): boolean {
  if (!memory || memory.trust === 'lies') return false
  const { quiet, ms } =
    memory.doubts > 0 ? DOUBTFUL_INTERVAL : { ...NORMAL_INTERVAL, ms: Math.min(NORMAL_INTERVAL.ms, unusualMs(memory)) }
  return memory.quiet >= quiet && polledAt - memory.bodyAt >= ms * (1 + random / 4)
}

/** Call after each answered poll. Responses other than 200 and 304 change nothing. */
export function trustAfter(memory: TrustState | undefined, evidence: TrustEvidence, at: Instant): TrustState {
  const before = memory ?? { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
  if (evidence.status === 304)
    return { ...before, trust: before.trust === 'lies' ? 'lies' : 'honest', quiet: before.quiet + 1, repeats: 0 }
  if (evidence.status !== 200) return before

  const isRepeat = evidence.conditional && !evidence.bodyChanged && evidence.sameValidators
  const repeats = isRepeat ? Math.min(USELESS_AFTER, before.repeats + 1) : 0
  const isHidden = !evidence.conditional && before.quiet > 0 && evidence.bodyChanged
  const doubts = isHidden && !evidence.sameValidators ? before.doubts + 1 : 0
  const isLying = before.trust === 'lies' || (isHidden && evidence.sameValidators) || doubts >= DOUBTS_AS_PROOF
  const trust = isLying ? 'lies' : repeats >= USELESS_AFTER ? 'useless' : before.trust
  const isAuditWithoutNews = !evidence.conditional && before.quiet > 0 && !evidence.bodyChanged
  const silences = [before.usualMs, evidence.usualMs, isAuditWithoutNews ? at - before.bodyAt : undefined].filter(
    (ms) => ms !== undefined,
  )
  return {
    trust,
    bodyAt: at,
    quiet: 0,
    doubts: isLying ? 0 : doubts,
    repeats,
    ...(silences.length > 0 && { usualMs: Math.max(...silences) }),
  }
}

const MIN_DATES = 5

/** The longest silence between entries, and up to `at`; undefined if too few have a date. `dates`: oldest first. */
export function longestSilenceMs(dates: readonly Instant[], at: Instant): Millis | undefined {
  if (new Set(dates).size < MIN_DATES) return undefined
  let longest = at - dates.at(-1)!
  for (let i = 1; i < dates.length; i++) longest = Math.max(longest, dates[i]! - dates[i - 1]!)
  return longest
}

function unusualMs({ usualMs }: TrustState): Millis {
  return usualMs === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_UNUSUAL_MS, UNUSUAL_FACTOR * usualMs)
}
