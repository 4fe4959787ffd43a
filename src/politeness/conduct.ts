/**
 * How we behaved towards one feed's server, judged by our own log of it: those rules of a good client that a log can show.
 * What is found is told as it is, to whoever runs the crawler; a rule that was broken is a mistake of ours.
 */
import type { Instant, Millis, Poll } from '../model/index.ts'

/** A line of the log, with what we sent and what we were asked. */
export interface ConductPoll extends Poll {
  /** We sent validators. */
  conditional: boolean
  /** Why we did not, where that was right: there were none, or the server's own are tested or known to lie. */
  unconditionalFor?: 'no-validators' | 'audit' | 'lies'
  /** Until when the answer asked us to stay away: by Retry-After, max-age, ttl. */
  restUntil?: Instant
}

export interface Judgement {
  /** Its number in the list of rules; absent for what is no rule but tells whether we are a burden. */
  rule?: number
  kept: number
  of: number
  /** The worst case, where there is one: when, and by how much. */
  worst?: { at: Instant; ms?: Millis }
  /** For people, a sentence without a full stop. */
  words: string
}

/** In any order; `minGapMs` is what we promised to leave between two polls of a feed. */
export function conductOf(polls: readonly ConductPoll[], { minGapMs }: { minGapMs: Millis }): Judgement[] {
  const log = [...polls].sort((a, b) => a.at - b.at)
  return [asksConditionally(log), leavesGaps(log, minGapMs), ...keepsAway(log), isSaved(log), isWorthIt(log)]
}

function asksConditionally(log: ConductPoll[]): Judgement {
  const first = log.findIndex(({ result }) => result.kind !== 'failed')
  const judged = first < 0 ? [] : log.slice(first + 1).filter(({ unconditionalFor }) => unconditionalFor === undefined)
  const broken = judged.filter(({ conditional }) => !conditional)
  const kept = judged.length - broken.length
  const words = `${kept} of ${judged.length} polls that could be conditional were`
  return { rule: 1, kept, of: judged.length, ...(broken[0] && { worst: { at: broken[0].at } }), words }
}

function leavesGaps(log: ConductPoll[], minGapMs: Millis): Judgement {
  const gaps = log.slice(1).map(({ at }, i) => ({ at, ms: at - log[i]!.at }))
  const kept = gaps.filter(({ ms }) => ms >= minGapMs).length
  const worst = largest(gaps.map(({ at, ms }) => ({ at, ms: -ms })))
  const words = worst
    ? `the shortest gap between two polls was ${seconds(-worst.ms)}, the shortest allowed is ${seconds(minGapMs)}`
    : 'there were no two polls'
  return { rule: 12, kept, of: gaps.length, ...(worst && { worst: { at: worst.at, ms: -worst.ms } }), words }
}

/** Did the next poll wait for as long as the answer before it had asked? */
function keepsAway(log: ConductPoll[]): [answered: Judgement, refused: Judgement] {
  const freshness = { kept: 0, early: [] as { at: Instant; ms: Millis }[] }
  const patience = { kept: 0, early: [] as { at: Instant; ms: Millis }[] }
  for (const [i, poll] of log.entries()) {
    const next = log[i + 1]
    const until = restUntil(poll)
    if (!next || until === undefined) continue
    const tally = poll.result.kind === 'failed' ? patience : freshness
    if (next.at >= until) tally.kept++
    else tally.early.push({ at: next.at, ms: until - next.at })
  }
  const judge = (rule: number, { kept, early }: typeof patience, what: string): Judgement => {
    const worst = largest(early)
    const late = worst ? `; once we came ${seconds(worst.ms)} too early` : ''
    const of = kept + early.length
    return { rule, kept, of, ...(worst && { worst }), words: `${what} was kept ${kept} of ${of} times${late}` }
  }
  return [judge(11, freshness, 'the freshness of an answer'), judge(15, patience, 'a rest asked for by a refusal')]
}

/** A 304 saves what the last whole answer weighed. */
function isSaved(log: ConductPoll[]): Judgement {
  let bodyBytes = 0
  let savedBytes = 0
  let kept = 0
  let of = 0
  for (const { result, bytes } of log) {
    if (result.kind === 'failed') continue
    const isBody = result.kind === 'read' || result.by === 'hash'
    if (isBody) bodyBytes = bytes
    if (result.kind !== 'not-modified') continue
    of++
    if (isBody) continue
    kept++
    savedBytes += Math.max(0, bodyBytes - bytes)
  }
  const words = `${kept} of ${of} unchanged answers came as 304, which saved about ${Math.round(savedBytes / 1024)} KiB`
  return { rule: 2, kept, of, words }
}

function isWorthIt(log: ConductPoll[]): Judgement {
  const answered = log.filter(({ result }) => result.kind !== 'failed')
  const kept = answered.filter(({ result }) => result.kind === 'read' && result.fresh + result.changed > 0).length
  const words = `${answered.length - kept} of ${answered.length} polls that were answered found nothing`
  return { kept, of: answered.length, words }
}

/** As the log's author says; else as the failure itself does. */
function restUntil({ restUntil: asked, at, result }: ConductPoll): Instant | undefined {
  if (asked !== undefined) return asked
  if (result.kind !== 'failed' || result.failure.kind !== 'http') return undefined
  const { retryAfterMs } = result.failure
  return retryAfterMs === undefined ? undefined : at + retryAfterMs
}

function largest<Found extends { ms: number }>(all: Found[]): Found | undefined {
  return all.reduce<Found | undefined>((worst, one) => (worst && worst.ms >= one.ms ? worst : one), undefined)
}

function seconds(ms: Millis): string {
  return `${Math.round(ms / 100) / 10} s`
}
