/**
 * How we behaved towards one feed's server, judged by our own log of it and by how it stands: those rules of a good client
 * that these can show. What is found is told as it is, to whoever runs the crawler; a rule that was broken is a mistake of
 * ours. What the requests of an archive show is in audit-wire.ts, and what nothing shows in audit-untold.ts.
 *
 * Older documents, which are read after a gap, are another document: they are no polls of the feed, and what they ask for counts.
 */
import {
  DAY,
  type Instant,
  MINUTE,
  type Millis,
  type Poll,
  type Push,
  pushStanding,
  type ScheduledFeed,
} from '../model/index.ts'
import { notBeforeByHints } from './publisher-hints.ts'
import { SAFETY_POLL_MS } from './websub.ts'

export interface Judgement {
  /** Its number in docs/rules.md; absent for what is no rule but tells whether we are a burden. */
  rule?: number
  kept: number
  of: number
  /** The worst case: of gaps the shortest, of rests how much too early we came. */
  worst?: { at: Instant; ms: Millis }
  /** What was saved (2). */
  bytes?: number
}

/** What we promised to leave between two polls of a feed, and before one that a person asks for. */
export interface PromisedGaps {
  minGapMs: Millis
  handGapMs: Millis
}

/** How the feed stands now; what its document asks for now cannot be held against polls before it. */
export interface FeedStanding {
  held: Pick<ScheduledFeed, 'feed' | 'schedule'>
  push?: Push
  now: Instant
}

/** What is kept after a failure of which the server says nothing; longer after several. See backoff.ts. */
export const AFTER_FAILURE_MS: Millis = 10 * MINUTE

const LONG_REST_MS: Millis = DAY // a rest is long (17) that is longer than what we would take by ourselves
const LEAST_SECRET = 32 // characters that nobody guesses (46)
const MOST_QUIET = 40 // 304s without a body since a week and more: an audit was due long ago (38)
const AUDITED_AFTER_MS: Millis = 14 * DAY
const GONE_AFTER = 3 // 410s in a row (28)

/** `polls` in any order. */
export function auditFeed(polls: readonly Poll[], gaps: PromisedGaps, standing?: FeedStanding): Judgement[] {
  const log = [...polls].sort((a, b) => a.at - b.at)
  const visits = log.filter(({ occasion }) => occasion !== 'older')
  const asked = restsAsked(log)
  return [
    asksConditionally(log),
    isSaved(visits),
    leavesGaps(8, visits, gaps.handGapMs, ({ occasion }) => occasion === 'hand'),
    keepsFresh(11, visits, ({ result }) => result.kind === 'read' || !isFromServer(result)),
    leavesGaps(12, visits, gaps.minGapMs, ({ occasion }) => occasion === undefined),
    keepsFresh(13, visits, ({ result }) => isFromServer(result)),
    staysAway(14, visits, () => true),
    keptRests(
      15,
      asked.filter(({ status }) => status === 429),
    ),
    keptRests(
      16,
      asked.filter(({ status }) => status !== 429),
    ),
    keptRests(
      17,
      asked.filter(({ askedMs }) => askedMs > LONG_REST_MS),
    ),
    staysAway(18, visits, ({ status, retryAfterMs }) => status === 429 && retryAfterMs === undefined),
    staysAway(19, visits, ({ status = 0 }) => REFUSALS.has(status)),
    comesToAnEnd(log),
    ...(standing ? auditStanding(visits, gaps, standing) : []),
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
  return [...rules.values()].sort((a, b) => (a.rule ?? LAST) - (b.rule ?? LAST))
}

const LAST = 1000

function auditStanding(visits: Poll[], { handGapMs }: PromisedGaps, { held, push, now }: FeedStanding): Judgement[] {
  return [
    isAddedByOneGet(visits, held, handGapMs),
    endsAfterRepeated410(visits, held),
    livesOn(held),
    heedsHints(held),
    isAudited(held, now),
    ...(push ? auditPush(push, held, now) : []),
  ]
}

/** One case: kept, or not. */
function one(rule: number, isJudged: boolean, isKept: boolean): Judgement {
  return { rule, kept: isJudged && isKept ? 1 : 0, of: isJudged ? 1 : 0 }
}

/** Told while the log reaches back to when the feed was added: its poll came with it, or soon after, and no second. */
function isAddedByOneGet(visits: Poll[], { feed }: FeedStanding['held'], soonMs: Millis): Judgement {
  const first = visits[0]
  const isTold = first !== undefined && first.at >= feed.addedAt - DAY && first.unconditionalFor === 'no-validators'
  const second = visits[1]
  return one(9, isTold, !second || second.occasion === 'hand' || second.at - first!.at >= soonMs)
}

function endsAfterRepeated410(visits: Poll[], { feed }: FeedStanding['held']): Judgement {
  const last = visits.slice(-GONE_AFTER).map(failureOf)
  const is410 = last.filter((failure) => failure?.kind === 'http' && failure.status === 410).length
  return one(28, feed.state === 'gone' && last.length > 0, is410 > 0 && last.every((failure) => failure !== undefined))
}

/** A feed whose last poll failed is still to be polled, within a week and some; only 410 ends one. */
function livesOn({ feed, schedule }: FeedStanding['held']): Judgement {
  const { trouble, polledAt, dueAt } = schedule
  const is410 = trouble?.kind === 'http' && trouble.status === 410
  const isTold = trouble !== undefined && polledAt !== undefined && feed.state !== 'paused' && !is410
  return one(29, isTold, feed.state === 'active' && dueAt - (polledAt ?? dueAt) <= LONGEST_WAIT_MS)
}

const LONGEST_WAIT_MS: Millis = 8 * DAY

/** The next poll stands where the document allows it; a person, or a failure, may have set another date. */
function heedsHints({ feed, schedule }: FeedStanding['held']): Judgement {
  const { polledAt = 0, dueAt, because, trouble } = schedule
  const byUs = because?.by !== undefined && because.by !== 'failure' && trouble === undefined && !feed.errand
  const isTold = feed.hints !== undefined && byUs && schedule.succeededAt === polledAt && dueAt > polledAt
  return one(36, isTold, isTold && notBeforeByHints(feed.hints!, polledAt, dueAt) <= dueAt)
}

/** While 304s come, somebody asks for everything now and then. */
function isAudited({ feed, schedule }: FeedStanding['held'], now: Instant): Judgement {
  const { trust } = schedule
  const isTold = trust !== undefined && trust.quiet > 0 && feed.state === 'active'
  return one(38, isTold, isTold && (trust.quiet < MOST_QUIET || now - trust.bodyAt < AUDITED_AFTER_MS))
}

function auditPush(push: Push, { schedule }: FeedStanding['held'], now: Instant): Judgement[] {
  const { token, secret, state, leaseUntil = 0, dueAt, askedAt } = push
  const standing = pushStanding(push, now)
  const isWell = schedule.trouble === undefined && schedule.polledAt !== undefined
  const waitsMs = schedule.dueAt - (schedule.polledAt ?? schedule.dueAt)
  return [
    one(46, true, token.length >= LEAST_SECRET && secret.length >= LEAST_SECRET && token !== secret),
    one(50, state === 'active', dueAt < leaseUntil || askedAt !== undefined),
    one(51, isWell && (standing === 'relied' || standing === 'broken'), isSafetyPoll(standing, schedule, waitsMs)),
  ]
}

/** Seldom while the hub brings the news; as without one when it did not. */
function isSafetyPoll(standing: string, { because }: ScheduledFeed['schedule'], waitsMs: Millis): boolean {
  return standing === 'relied' ? because?.by !== 'push' || waitsMs >= SAFETY_POLL_MS / 2 : because?.by !== 'push'
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
function leavesGaps(rule: number, log: Poll[], gapMs: Millis, isJudged: (poll: Poll) => boolean): Judgement {
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
function keepsFresh(rule: number, log: Poll[], isJudged: (poll: Poll) => boolean): Judgement {
  const rests = log.flatMap((poll, i) => {
    const next = log[i + 1]
    if (poll.result.kind === 'failed' || poll.restUntil === undefined || !next || next.occasion) return []
    return isJudged(poll) ? [{ at: next.at, ms: poll.restUntil - next.at }] : []
  })
  return keptRests(rule, rests)
}

function isFromServer(result: Poll['result']): boolean {
  return result.kind === 'not-modified' && result.by === 'server'
}

interface AskedRest {
  at: Instant
  /** How much too early somebody came. */
  ms: Millis
  askedMs: Millis
  status: number
}

/** Nobody comes before the time that a refusal named, for whatever reason; whoever was refused, and were it an older document. */
function restsAsked(log: Poll[]): AskedRest[] {
  return log.flatMap((poll, i) => {
    const next = log.slice(i + 1).find(({ occasion }) => occasion !== 'older')
    const until = patienceOf(poll)
    const { status = 0 } = statusOf(poll)
    return next && until !== undefined ? [{ at: next.at, ms: until - next.at, askedMs: until - poll.at, status }] : []
  })
}

const REFUSALS = new Set([401, 403, 429, 451])

/** After a failure nobody comes back at once, but for a person, or where the feed is found elsewhere. */
function staysAway(
  rule: number,
  visits: Poll[],
  isJudged: (failed: { status?: number; retryAfterMs?: Millis }) => boolean,
): Judgement {
  const gaps = visits.flatMap((poll, i) => {
    const next = visits[i + 1]
    if (!next || next.occasion || poll.result.kind !== 'failed' || !isJudged(statusOf(poll))) return []
    return [{ at: next.at, ms: next.at - poll.at }]
  })
  const shortest = worstOf(gaps, (a, b) => a.ms < b.ms)
  const kept = gaps.filter(({ ms }) => ms >= AFTER_FAILURE_MS).length
  return { rule, kept, of: gaps.length, ...(shortest && { worst: shortest }) }
}

/** Whoever was led round in circles gave up: it stands in the log as that failure. */
function comesToAnEnd(log: Poll[]): Judgement {
  const ended = log.filter((poll) => failureOf(poll)?.kind === 'redirects').length
  return { rule: 27, kept: ended, of: ended }
}

function keptRests(rule: number, rests: { at: Instant; ms: Millis }[]): Judgement {
  const early = rests.filter(({ ms }) => ms > 0)
  const worst = worstOf(early, (a, b) => a.ms > b.ms)
  const kept = rests.length - early.length
  return { rule, kept, of: rests.length, ...(worst && { worst: { at: worst.at, ms: worst.ms } }) }
}

function isWorthIt(log: Poll[]): Judgement {
  const answered = log.filter(({ result }) => result.kind !== 'failed')
  const kept = answered.filter(({ result }) => result.kind === 'read' && result.fresh + result.changed > 0).length
  return { kept, of: answered.length }
}

function failureOf({ result }: Poll) {
  return result.kind === 'failed' ? result.failure : undefined
}

function statusOf(poll: Poll): { status?: number; retryAfterMs?: Millis } {
  const failure = failureOf(poll)
  return failure?.kind === 'http' ? failure : {}
}

/** As the log says; else as the failure itself does. */
function patienceOf({ restUntil, at, result }: Poll): Instant | undefined {
  if (result.kind !== 'failed') return undefined
  if (restUntil !== undefined) return restUntil
  const retryAfterMs = result.failure.kind === 'http' ? result.failure.retryAfterMs : undefined
  return retryAfterMs === undefined ? undefined : at + retryAfterMs
}

/** Rules whose worst case is the shortest gap. */
const OF_GAPS = new Set<number | undefined>([8, 12, 14, 18, 19, 20, 35, 43])

function joined(a: Judgement, b: Judgement): Judgement {
  const worst = worstOf(
    [a.worst, b.worst].flatMap((one) => one ?? []),
    (x, y) => (OF_GAPS.has(a.rule) ? x.ms < y.ms : x.ms > y.ms),
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
