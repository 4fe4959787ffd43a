/**
 * Audits our behavior towards one feed's server, using the poll log and the feed's current state, for those politeness rules that
 * these can show. The results are shown to operators; a violated rule is a bug. What an archive of requests can show is in
 * audit-archive.ts, and what cannot be audited in unaudited-rules.ts.
 *
 * Older documents, read after a gap, are separate documents: they do not count as polls of the feed, but pauses requested by their
 * responses count.
 */
import {
  DAY,
  type HubSubscription,
  hubSubscriptionStatus,
  type Instant,
  MINUTE,
  type Millis,
  type Poll,
  type ScheduledFeed,
} from '../model/index.ts'
import { notBeforeByHints } from './publisher-hints.ts'
import { SAFETY_POLL_MS } from './websub.ts'

export interface Judgement {
  /** The rule's number in docs/politeness-rules.md; absent for figures that are not a rule. */
  rule?: number
  passed: number
  checked: number
  /** The worst case: the shortest gap, or how much too early a request was. */
  worst?: { at: Instant; ms: Millis }
  /** Bytes saved by conditional requests (rule 2). */
  bytes?: number
}

/** The configured minimum gaps between two polls of a feed, and before a poll requested by a user. */
export interface MinimumGaps {
  minGapMs: Millis
  manualGapMs: Millis
}

/** The feed's current state. Its current hints do not apply to earlier polls. */
export interface AuditedFeed {
  scheduled: Pick<ScheduledFeed, 'feed' | 'schedule'>
  push?: HubSubscription
  now: Instant
}

/** Minimum wait after a failure without Retry-After; longer after several failures. See backoff.ts. */
export const MIN_WAIT_AFTER_FAILURE_MS: Millis = 10 * MINUTE

const LONG_PAUSE_MS: Millis = DAY // requested pauses longer than our own maximum (17)
const MIN_SECRET_LENGTH = 32 // characters (46)
const MAX_UNCHANGED_RESPONSES = 40 // 304s over more than a week without a body: an audit is overdue (38)
const MAX_AUDIT_AGE_MS: Millis = 14 * DAY
const GONE_AFTER = 3 // consecutive 410s (28)

/** `polls` in any order. */
export function auditFeed(polls: readonly Poll[], gaps: MinimumGaps, standing?: AuditedFeed): Judgement[] {
  const log = [...polls].sort((a, b) => a.at - b.at)
  const visits = log.filter(({ occasion }) => occasion !== 'older')
  const pauses = requestedPauses(log)
  return [
    asksConditionally(log),
    isSaved(visits),
    leavesGaps(8, visits, gaps.manualGapMs, ({ occasion }) => occasion === 'manual'),
    keepsFresh(11, visits, ({ result }) => result.kind === 'read' || !isFromServer(result)),
    leavesGaps(12, visits, gaps.minGapMs, ({ occasion }) => occasion === undefined),
    keepsFresh(13, visits, ({ result }) => isFromServer(result)),
    staysAway(14, visits, () => true),
    respectedPauses(
      15,
      pauses.filter(({ status }) => status === 429),
    ),
    respectedPauses(
      16,
      pauses.filter(({ status }) => status !== 429),
    ),
    respectedPauses(
      17,
      pauses.filter(({ pauseMs }) => pauseMs > LONG_PAUSE_MS),
    ),
    staysAway(18, visits, ({ status, retryAfterMs }) => status === 429 && retryAfterMs === undefined),
    staysAway(19, visits, ({ status = 0 }) => REFUSALS.has(status)),
    comesToAnEnd(log),
    ...(standing ? auditStanding(visits, gaps, standing) : []),
    isWorthIt(visits),
  ]
}

/** Merges the results of many feeds by rule. */
export function mergeAudits(feeds: readonly Judgement[][]): Judgement[] {
  const rules = new Map<Judgement['rule'], Judgement>()
  for (const judgement of feeds.flat()) {
    const before = rules.get(judgement.rule)
    rules.set(judgement.rule, before ? joined(before, judgement) : judgement)
  }
  return [...rules.values()].sort((a, b) => (a.rule ?? SORTS_LAST) - (b.rule ?? SORTS_LAST))
}

const SORTS_LAST = 1000

function auditStanding(
  visits: Poll[],
  { manualGapMs }: MinimumGaps,
  { scheduled, push, now }: AuditedFeed,
): Judgement[] {
  return [
    isAddedByOneGet(visits, scheduled, manualGapMs),
    endsAfterRepeated410(visits, scheduled),
    livesOn(scheduled),
    heedsHints(scheduled),
    isAudited(scheduled, now),
    ...(push ? auditPush(push, scheduled, now) : []),
  ]
}

/** A single case, compliant or not. */
function judgeOnce(rule: number, isJudged: boolean, isPassed: boolean): Judgement {
  return { rule, passed: isJudged && isPassed ? 1 : 0, checked: isJudged ? 1 : 0 }
}

/** Judged only if the log reaches back to when the feed was added: exactly one request was needed to add it. */
function isAddedByOneGet(visits: Poll[], { feed }: AuditedFeed['scheduled'], soonMs: Millis): Judgement {
  const first = visits[0]
  const isJudged = first !== undefined && first.at >= feed.addedAt - DAY && first.unconditionalFor === 'no-validators'
  const second = visits[1]
  return judgeOnce(9, isJudged, !second || second.occasion === 'manual' || second.at - first!.at >= soonMs)
}

function endsAfterRepeated410(visits: Poll[], { feed }: AuditedFeed['scheduled']): Judgement {
  const last = visits.slice(-GONE_AFTER).map(failureOf)
  const is410 = last.filter((failure) => failure?.kind === 'http' && failure.status === 410).length
  return judgeOnce(
    28,
    feed.state === 'gone' && last.length > 0,
    is410 > 0 && last.every((failure) => failure !== undefined),
  )
}

/** A feed whose last poll failed must still be scheduled within about a week; only 410 ends polling. */
function livesOn({ feed, schedule }: AuditedFeed['scheduled']): Judgement {
  const { trouble: failure, polledAt, dueAt } = schedule
  const is410 = failure?.kind === 'http' && failure.status === 410
  const isJudged = failure !== undefined && polledAt !== undefined && feed.state !== 'paused' && !is410
  return judgeOnce(29, isJudged, feed.state === 'active' && dueAt - (polledAt ?? dueAt) <= MAX_WAIT_MS)
}

const MAX_WAIT_MS: Millis = 8 * DAY

/** The next poll respects the document's hints, unless a user's request or a failure set its date. */
function heedsHints({ feed, schedule }: AuditedFeed['scheduled']): Judgement {
  const { polledAt = 0, dueAt, because, trouble: failure } = schedule
  const isOurs = because?.by !== undefined && because.by !== 'failure' && failure === undefined && !feed.followUp
  const isJudged = feed.hints !== undefined && isOurs && schedule.succeededAt === polledAt && dueAt > polledAt
  return judgeOnce(36, isJudged, isJudged && notBeforeByHints(feed.hints!, polledAt, dueAt) <= dueAt)
}

/** While the server answers 304, an unconditional poll is made from time to time. */
function isAudited({ feed, schedule }: AuditedFeed['scheduled'], now: Instant): Judgement {
  const { trust } = schedule
  const isJudged = trust !== undefined && trust.quiet > 0 && feed.state === 'active'
  return judgeOnce(
    38,
    isJudged,
    isJudged && (trust.quiet < MAX_UNCHANGED_RESPONSES || now - trust.bodyAt < MAX_AUDIT_AGE_MS),
  )
}

function auditPush(push: HubSubscription, { schedule }: AuditedFeed['scheduled'], now: Instant): Judgement[] {
  const { token, secret, state, leaseUntil = 0, dueAt, askedAt } = push
  const standing = hubSubscriptionStatus(push, now)
  const isWell = schedule.trouble === undefined && schedule.polledAt !== undefined
  const waitsMs = schedule.dueAt - (schedule.polledAt ?? schedule.dueAt)
  return [
    judgeOnce(46, true, token.length >= MIN_SECRET_LENGTH && secret.length >= MIN_SECRET_LENGTH && token !== secret),
    judgeOnce(50, state === 'active', dueAt < leaseUntil || askedAt !== undefined),
    judgeOnce(
      51,
      isWell && (standing === 'trusted' || standing === 'broken'),
      isSafetyPoll(standing, schedule, waitsMs),
    ),
  ]
}

/** Rare while pushes are reliable; at the normal rate if a push was missed. */
function isSafetyPoll(standing: string, { because }: ScheduledFeed['schedule'], waitsMs: Millis): boolean {
  return standing === 'trusted' ? because?.by !== 'push' || waitsMs >= SAFETY_POLL_MS / 2 : because?.by !== 'push'
}

function asksConditionally(log: Poll[]): Judgement {
  const first = log.findIndex(({ result }) => result.kind !== 'failed')
  const judged = first < 0 ? [] : log.slice(first + 1).filter(({ unconditionalFor }) => unconditionalFor === undefined)
  return { rule: 1, passed: judged.filter(({ conditional }) => conditional).length, checked: judged.length }
}

/** Every 304 saves the size of the last full response. */
function isSaved(log: Poll[]): Judgement {
  let bodyBytes = 0
  let bytes = 0
  let passed = 0
  let checked = 0
  for (const poll of log) {
    if (poll.result.kind === 'failed') continue
    const isBody = poll.result.kind === 'read' || poll.result.by !== 'server'
    if (isBody) bodyBytes = poll.bytes
    if (poll.result.kind !== 'not-modified') continue
    checked++
    if (isBody) continue
    passed++
    bytes += Math.max(0, bodyBytes - poll.bytes)
  }
  return { rule: 2, passed, checked, bytes }
}

/** For the judged polls, the gap to the previous poll of any kind. */
function leavesGaps(rule: number, log: Poll[], gapMs: Millis, isJudged: (poll: Poll) => boolean): Judgement {
  const gaps = log.flatMap((poll, i) => {
    const before = log[i - 1]
    return before && isJudged(poll) ? [{ at: poll.at, ms: poll.at - before.at }] : []
  })
  const shortest = worstOf(gaps, (a, b) => a.ms < b.ms)
  return {
    rule,
    passed: gaps.filter(({ ms }) => ms >= gapMs).length,
    checked: gaps.length,
    ...(shortest && { worst: shortest }),
  }
}

/** A response is not requested again while it is fresh, except by a user. */
function keepsFresh(rule: number, log: Poll[], isJudged: (poll: Poll) => boolean): Judgement {
  const rests = log.flatMap((poll, i) => {
    const next = log[i + 1]
    if (poll.result.kind === 'failed' || poll.waitUntil === undefined || !next || next.occasion) return []
    return isJudged(poll) ? [{ at: next.at, ms: poll.waitUntil - next.at }] : []
  })
  return respectedPauses(rule, rests)
}

function isFromServer(result: Poll['result']): boolean {
  return result.kind === 'not-modified' && result.by === 'server'
}

interface RequestedPause {
  at: Instant
  /** How much too early the next request was. */
  ms: Millis
  pauseMs: Millis
  status: number
}

/** Pauses requested by refusals, including those of older documents. They bind every later poll, whatever its reason. */
function requestedPauses(log: Poll[]): RequestedPause[] {
  return log.flatMap((poll, i) => {
    const next = log.slice(i + 1).find(({ occasion }) => occasion !== 'older')
    const until = patienceOf(poll)
    const { status = 0 } = statusOf(poll)
    return next && until !== undefined ? [{ at: next.at, ms: until - next.at, pauseMs: until - poll.at, status }] : []
  })
}

const REFUSALS = new Set([401, 403, 429, 451])

/** No immediate retry after a failure, except by a user or if the feed was found at a new address. */
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
  const passed = gaps.filter(({ ms }) => ms >= MIN_WAIT_AFTER_FAILURE_MS).length
  return { rule, passed, checked: gaps.length, ...(shortest && { worst: shortest }) }
}

/** Redirect loops ended as a failure in the log. */
function comesToAnEnd(log: Poll[]): Judgement {
  const ended = log.filter((poll) => failureOf(poll)?.kind === 'redirects').length
  return { rule: 27, passed: ended, checked: ended }
}

function respectedPauses(rule: number, rests: { at: Instant; ms: Millis }[]): Judgement {
  const early = rests.filter(({ ms }) => ms > 0)
  const worst = worstOf(early, (a, b) => a.ms > b.ms)
  const passed = rests.length - early.length
  return { rule, passed, checked: rests.length, ...(worst && { worst: { at: worst.at, ms: worst.ms } }) }
}

function isWorthIt(log: Poll[]): Judgement {
  const answered = log.filter(({ result }) => result.kind !== 'failed')
  const passed = answered.filter(({ result }) => result.kind === 'read' && result.fresh + result.changed > 0).length
  return { passed, checked: answered.length }
}

function failureOf({ result }: Poll) {
  return result.kind === 'failed' ? result.failure : undefined
}

function statusOf(poll: Poll): { status?: number; retryAfterMs?: Millis } {
  const failure = failureOf(poll)
  return failure?.kind === 'http' ? failure : {}
}

/** From the log; else from the failure itself. */
function patienceOf({ waitUntil, at, result }: Poll): Instant | undefined {
  if (result.kind !== 'failed') return undefined
  if (waitUntil !== undefined) return waitUntil
  const retryAfterMs = result.failure.kind === 'http' ? result.failure.retryAfterMs : undefined
  return retryAfterMs === undefined ? undefined : at + retryAfterMs
}

/** Rules whose worst case is the shortest gap, not the largest violation. */
const RULES_ABOUT_GAPS = new Set<number | undefined>([8, 12, 14, 18, 19, 20, 35, 43])

function joined(a: Judgement, b: Judgement): Judgement {
  const worst = worstOf(
    [a.worst, b.worst].flatMap((item) => item ?? []),
    (x, y) => (RULES_ABOUT_GAPS.has(a.rule) ? x.ms < y.ms : x.ms > y.ms),
  )
  const bytes = a.bytes === undefined ? {} : { bytes: a.bytes + (b.bytes ?? 0) }
  return { ...a, passed: a.passed + b.passed, checked: a.checked + b.checked, ...(worst && { worst }), ...bytes }
}

function worstOf<Item>(items: Item[], isWorse: (a: Item, b: Item) => boolean): Item | undefined {
  return items.reduce<Item | undefined>(
    (worst, item) => (worst === undefined || isWorse(item, worst) ? item : worst),
    undefined,
  )
}
