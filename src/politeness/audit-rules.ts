/**
 * How we behaved towards one feed's server, judged by our own log of it: those rules of a good client that a log can show.
 * What is found is told as it is, to whoever runs the crawler; a rule that was broken is a mistake of ours.
 *
 * Older documents, which are read after a gap, are another document: they are no polls of the feed, and what they ask for counts.
 */
import type { Instant, Millis, Poll } from '../model/index.ts'

export interface Judgement {
  /** Its number in docs/rules.md; absent for what is no rule but tells whether we are a burden. */
  rule?: 1 | 2 | 8 | 11 | 12 | 15
  kept: number
  of: number
  /** The worst case: of gaps (8, 12) the shortest, of rests (11, 15) how much too early we came. */
  worst?: { at: Instant; ms: Millis }
  /** What was saved (2). */
  bytes?: number
}

/** What we promised to leave between two polls of a feed, and before one that a person asks for. */
export interface PromisedGaps {
  minGapMs: Millis
  handGapMs: Millis
}

/** `polls` in any order. */
export function auditFeed(polls: readonly Poll[], { minGapMs, handGapMs }: PromisedGaps): Judgement[] {
  const log = [...polls].sort((a, b) => a.at - b.at)
  const visits = log.filter(({ occasion }) => occasion !== 'older')
  return [
    asksConditionally(log),
    isSaved(visits),
    leavesGaps(8, visits, handGapMs, ({ occasion }) => occasion === 'hand'),
    keepsFresh(visits),
    leavesGaps(12, visits, minGapMs, ({ occasion }) => occasion === undefined),
    keepsAway(log),
    isWorthIt(visits),
  ]
}

/** The judgements of many feeds in one, rule by rule. */
export function joinedAudits(feeds: readonly Judgement[][]): Judgement[] {
  const rules = new Map<Judgement['rule'], Judgement>()
  for (const one of feeds.flat()) {
    const before = rules.get(one.rule)
    rules.set(one.rule, before ? joined(before, one) : one)
  }
  return [...rules.values()]
}

function asksConditionally(log: Poll[]): Judgement {
  const first = log.findIndex(({ result }) => result.kind !== 'failed')
  const judged = first < 0 ? [] : log.slice(first + 1).filter(({ unconditionalFor }) => unconditionalFor === undefined)
  return { rule: 1, kept: judged.filter(({ conditional }) => conditional).length, of: judged.length }
}

/** A 304 saves what the last whole answer weighed. */
function isSaved(log: Poll[]): Judgement {
  let bodyBytes = 0
  let bytes = 0
  let kept = 0
  let of = 0
  for (const poll of log) {
    if (poll.result.kind === 'failed') continue
    const isBody = poll.result.kind === 'read' || poll.result.by !== 'server'
    if (isBody) bodyBytes = poll.bytes
    if (poll.result.kind !== 'not-modified') continue
    of++
    if (isBody) continue
    kept++
    bytes += Math.max(0, bodyBytes - poll.bytes)
  }
  return { rule: 2, kept, of, bytes }
}

/** Of those polls that are judged, how many came long enough after the one before, whatever that was. */
function leavesGaps(rule: 8 | 12, log: Poll[], gapMs: Millis, isJudged: (poll: Poll) => boolean): Judgement {
  const gaps = log.flatMap((poll, i) => {
    const before = log[i - 1]
    return before && isJudged(poll) ? [{ at: poll.at, ms: poll.at - before.at }] : []
  })
  const shortest = worstOf(gaps, (a, b) => a.ms < b.ms)
  return {
    rule,
    kept: gaps.filter(({ ms }) => ms >= gapMs).length,
    of: gaps.length,
    ...(shortest && { worst: shortest }),
  }
}

/** An answer is not asked for again while it is fresh; a person may do so. */
function keepsFresh(log: Poll[]): Judgement {
  const rests = log.flatMap((poll, i) => {
    const next = log[i + 1]
    if (poll.result.kind === 'failed' || poll.restUntil === undefined || !next || next.occasion) return []
    return [{ at: next.at, ms: poll.restUntil - next.at }]
  })
  return keptRests(11, rests)
}

/** Nobody comes before the time that a refusal named, for whatever reason; whoever was refused, and were it an older document. */
function keepsAway(log: Poll[]): Judgement {
  const rests = log.flatMap((poll, i) => {
    const next = log.slice(i + 1).find(({ occasion }) => occasion !== 'older')
    const until = patienceOf(poll)
    return next && until !== undefined ? [{ at: next.at, ms: until - next.at }] : []
  })
  return keptRests(15, rests)
}

function keptRests(rule: 11 | 15, rests: { at: Instant; ms: Millis }[]): Judgement {
  const early = rests.filter(({ ms }) => ms > 0)
  const worst = worstOf(early, (a, b) => a.ms > b.ms)
  return { rule, kept: rests.length - early.length, of: rests.length, ...(worst && { worst }) }
}

function isWorthIt(log: Poll[]): Judgement {
  const answered = log.filter(({ result }) => result.kind !== 'failed')
  const kept = answered.filter(({ result }) => result.kind === 'read' && result.fresh + result.changed > 0).length
  return { kept, of: answered.length }
}

/** As the log says; else as the failure itself does. */
function patienceOf({ restUntil, at, result }: Poll): Instant | undefined {
  if (result.kind !== 'failed') return undefined
  if (restUntil !== undefined) return restUntil
  const retryAfterMs = result.failure.kind === 'http' ? result.failure.retryAfterMs : undefined
  return retryAfterMs === undefined ? undefined : at + retryAfterMs
}

function joined(a: Judgement, b: Judgement): Judgement {
  const worst = worstOf(
    [a.worst, b.worst].flatMap((one) => one ?? []),
    (x, y) => (a.rule === 8 || a.rule === 12 ? x.ms < y.ms : x.ms > y.ms),
  )
  const bytes = a.bytes === undefined ? {} : { bytes: a.bytes + (b.bytes ?? 0) }
  return { ...a, kept: a.kept + b.kept, of: a.of + b.of, ...(worst && { worst }), ...bytes }
}

function worstOf<Found>(all: Found[], isWorse: (a: Found, b: Found) => boolean): Found | undefined {
  return all.reduce<Found | undefined>(
    (worst, one) => (worst === undefined || isWorse(one, worst) ? one : worst),
    undefined,
  )
}
