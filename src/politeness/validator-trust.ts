/**
 * Whether a server's "304 Not Modified" can be believed. Some name one ETag for ever while the feed goes on; some answer 304
 * to anybody who asks politely. Nobody who always asks conditionally can find out, so after many 304s in a row, about once
 * a week, one poll is unconditional: the audit. Of a busy feed that is silent for twice as long as it ever was, it comes
 * within hours; one that finds nothing teaches that such a silence is usual.
 *
 * - honest:  what is believed of everybody until shown otherwise
 * - lies:    304 hid news. From then on the feed is polled unconditionally, until somebody gives it a new address
 * - useless: asked conditionally, it sends the same body under the same validators again and again. It does no harm to go
 *            on asking, and one 304 makes it honest
 *
 * News under validators that did not change is proof. News under new ones may have come in the hours since the last 304: it
 * is a doubt, the next audits follow soon, and three in a row are believed. An audit without news, or news that came to
 * a conditional poll, ends all doubts.
 */
import { DAY, HOUR, type Instant, type Millis } from '../model/index.ts'

export type Trust = 'honest' | 'lies' | 'useless'

/** Plain JSON. */
export interface TrustMemory {
  trust: Trust
  /** When a body last came. */
  bodyAt: Instant
  /** 304s since then. */
  quiet: number
  /** Audits in a row that found news under new validators. */
  doubts: number
  /** Answers in a row that sent again what we had. */
  repeats: number
  /** The longest silence that is usual for the feed; absent where its dates do not tell. */
  usualMs?: Millis
}

export interface TrustEvidence {
  /** We sent validators. */
  conditional: boolean
  status: number
  /** It brought entries that are new or changed; a new build date in the same feed is no change. */
  bodyChanged: boolean
  /** ETag and Last-Modified are those of the answer before. */
  sameValidators: boolean
  /** The longest silence that the dates of its entries show. */
  usualMs?: Millis | undefined
}

interface Patience {
  quiet: number
  ms: Millis
}

const SELDOM: Patience = { quiet: 20, ms: 7 * DAY } // ours: one body a week is cheap, and 20 honest 304s are no surprise
const SOON: Patience = { quiet: 3, ms: DAY } // while there are doubts
const SHORTEST_UNUSUAL_MS: Millis = 2 * HOUR // ours
const UNUSUAL = 2 // times as long as the longest silence that was seen
const DOUBTS_BELIEVED = 3 // ours: simulated, an honest feed is accused once in 300 years
const USELESS_AFTER = 5 // ours

/** Shall the poll at `polledAt` be unconditional? `random` in [0, 1) keeps the feeds of one server apart. */
export function auditDue(memory: TrustMemory | undefined, polledAt: Instant, random: number): boolean {
  if (!memory || memory.trust === 'lies') return false
  const { quiet, ms } = memory.doubts > 0 ? SOON : { ...SELDOM, ms: Math.min(SELDOM.ms, unusualMs(memory)) }
  return memory.quiet >= quiet && polledAt - memory.bodyAt >= ms * (1 + random / 4)
}

/** After each poll that was answered. Answers that are neither a body nor a 304 tell nothing. */
export function trustAfter(memory: TrustMemory | undefined, seen: TrustEvidence, at: Instant): TrustMemory {
  const before = memory ?? { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
  if (seen.status === 304)
    return { ...before, trust: before.trust === 'lies' ? 'lies' : 'honest', quiet: before.quiet + 1, repeats: 0 }
  if (seen.status !== 200) return before

  const isRepeat = seen.conditional && !seen.bodyChanged && seen.sameValidators
  const repeats = isRepeat ? Math.min(USELESS_AFTER, before.repeats + 1) : 0
  const isHidden = !seen.conditional && before.quiet > 0 && seen.bodyChanged
  const doubts = isHidden && !seen.sameValidators ? before.doubts + 1 : 0
  const lied = before.trust === 'lies' || (isHidden && seen.sameValidators) || doubts >= DOUBTS_BELIEVED
  const trust = lied ? 'lies' : repeats >= USELESS_AFTER ? 'useless' : before.trust
  const isInVain = !seen.conditional && before.quiet > 0 && !seen.bodyChanged
  const usual = [before.usualMs, seen.usualMs, isInVain ? at - before.bodyAt : undefined].filter(
    (ms) => ms !== undefined,
  )
  return {
    trust,
    bodyAt: at,
    quiet: 0,
    doubts: lied ? 0 : doubts,
    repeats,
    ...(usual.length > 0 && { usualMs: Math.max(...usual) }),
  }
}

const FEWEST_DATES = 5

/** The longest silence between entries, and up to `at`; undefined where too few have a date of their own. `dates`: oldest first. */
export function longestSilenceMs(dates: readonly Instant[], at: Instant): Millis | undefined {
  if (new Set(dates).size < FEWEST_DATES) return undefined
  let longest = at - dates.at(-1)!
  for (let i = 1; i < dates.length; i++) longest = Math.max(longest, dates[i]! - dates[i - 1]!)
  return longest
}

function unusualMs({ usualMs }: TrustMemory): Millis {
  return usualMs === undefined ? Number.POSITIVE_INFINITY : Math.max(SHORTEST_UNUSUAL_MS, UNUSUAL * usualMs)
}
