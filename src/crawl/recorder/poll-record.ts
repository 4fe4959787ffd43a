/**
 * Computes the record of a poll from its outcome and the stored state: new and changed entries, what the strategy learns, and the next due
 * date. No I/O. The feed may be a new one that is not stored yet.
 */
import {
  DAY,
  type Failure,
  type Feed,
  type FeedId,
  type FeedQuirks,
  type FetchedFeed,
  type Millis,
  type Outcome,
  type OutcomeResult,
  type Poll,
  type PublisherHints,
  type Schedule,
  type ScheduledFeed,
  type Validators,
} from '../../model/index.ts'
import { backoffUntil, longestSilenceMs, notBeforeByHints, trustAfter } from '../../politeness/index.ts'
import type { FeedChange, NewFeed, PollRecord, PollRecordDraft } from '../../ports/index.ts'
import { dueAt, dueCause, type Observation, pollBytesAfter, strategyFor, type Terms } from '../../scheduling/index.ts'
import { categoryIn } from './classify.ts'
import { olderRecord, withBackfill, withMovedFeedSearch } from './follow-up-tasks.ts'
import { newsInWindow } from './new-entries.ts'
import type { Policy } from './policy.ts'
import { type PollAttempt, pollAttemptOf } from './poll-attempt.ts'
import { withMove, withRedirectTargets } from './redirected-feed.ts'
import { countSeenSince, type KnownEntries, publicationTimes } from './window.ts'

const GONE_AFTER = 3 // consecutive 410 responses, a week apart

/** The record of a poll, or of an older document. */
export async function outcomeRecord(
  outcome: Outcome,
  scheduled: ScheduledFeed,
  knownEntries: KnownEntries,
  policy: Policy,
): Promise<PollRecord> {
  const { task } = outcome
  const { feed } = scheduled
  const backfill = task.kind === 'poll' && task.older && feed.followUp?.kind === 'backfill' ? feed.followUp : undefined
  if (backfill) return ofFeed(feed.id, await olderRecord(outcome, scheduled, knownEntries, backfill, policy))
  const record = ofFeed(feed.id, await pollRecord(outcome, scheduled, knownEntries, policy))
  const movedRecord = withRedirectTargets(withMove(record, feed, outcome), feed, outcome)
  const isMoveOnHold = movedRecord.feed?.moving?.held === true
  return isMoveOnHold
    ? { ...movedRecord, schedule: { ...movedRecord.schedule, memory: scheduled.schedule.memory } }
    : movedRecord
}

export function ofFeed(feedId: FeedId, draft: PollRecordDraft): PollRecord {
  return { ...draft, poll: { ...draft.poll, feedId } }
}

async function pollRecord(
  outcome: Outcome,
  scheduled: ScheduledFeed,
  knownEntries: KnownEntries,
  policy: Policy,
): Promise<PollRecordDraft> {
  const { result } = outcome
  const attempt = pollAttemptOf(outcome, scheduled.feed)
  switch (result.kind) {
    case 'failed':
      return failureRecord(attempt, result.failure, scheduled, policy)
    case 'not-modified':
      return unchangedRecord(attempt, result, scheduled, policy)
    case 'window':
      return readRecord(attempt, result.reading, scheduled, knownEntries, policy)
    case 'found':
    case 'accepted':
    case 'unsent':
    case 'page':
    case 'elsewhere':
    case 'page-elsewhere':
      throw new Error(`a poll cannot have the result "${result.kind}"`)
  }
}

export function failureRecord(
  attempt: PollAttempt,
  failure: Failure,
  { feed, schedule }: NewFeed,
  { terms, random }: Policy,
): PollRecordDraft {
  const { at } = attempt
  const { limits, price } = terms(feed)
  const failures = schedule.failures + 1
  const gone = failure.kind === 'http' && failure.status === 410 && failures >= GONE_AFTER
  const dueAt = Math.max(at + limits.minMs, backoffUntil(failure, schedule.failures, at, random()))
  const retryAfterMs = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const by = retryAfterMs > 0 && dueAt === Math.ceil(at + retryAfterMs) ? 'server' : 'failure'
  const record: PollRecordDraft = {
    poll: pollOf(attempt, { kind: 'failed', failure }, failure.kind === 'http' ? failure.retryAfterMs : 0),
    schedule: { ...schedule, failures, trouble: failure, polledAt: at, dueAt, because: { by, price } },
    ...(gone && { feed: { state: 'gone' } }),
    fresh: [],
    changed: [],
  }
  return gone ? record : withMovedFeedSearch(record, feed)
}

function unchangedRecord(
  attempt: PollAttempt,
  { by, validators, bodyHash, restMs }: Extract<OutcomeResult, { kind: 'not-modified' }>,
  { feed, schedule }: NewFeed,
  { terms }: Policy,
): PollRecordDraft {
  const { at, conditional } = attempt
  const sameValidators = !validators || !differs(feed.validators, validators)
  const evidence = { conditional, status: by === 'server' ? 304 : 200, bodyChanged: false, sameValidators }
  const change: FeedChange = {
    ...(validators && !sameValidators && { validators }),
    ...(bodyHash && bodyHash !== feed.bodyHash && { bodyHash }),
  }
  const look: Observation = { at, window: [], fresh: 0 }
  const quirks = quirksAfterPoll(attempt, { feed, schedule })
  const weighed = quirks === undefined ? feed : { ...feed, quirks: quirks ?? {} }
  return {
    poll: pollOf(attempt, { kind: 'not-modified', by }, restMs),
    schedule: {
      ...learn(schedule, look, { restMs, hints: feed.hints }, terms(weighed)),
      trust: trustAfter(schedule.trust, evidence, at),
    },
    ...changed({ ...change, ...(quirks !== undefined && { quirks }) }),
    fresh: [],
    changed: [],
  }
}

/** The record of a poll that read a document. */
export async function readRecord(
  attempt: PollAttempt,
  reading: FetchedFeed,
  { feed, schedule }: NewFeed,
  knownEntries: KnownEntries,
  policy: Policy,
): Promise<PollRecordDraft> {
  const { at, conditional } = attempt
  const { entries } = reading
  const quirks = quirksAfterPoll(attempt, { feed, schedule }, knownEntries.quirks)
  const terms = policy.terms(quirks === undefined ? feed : { ...feed, quirks: quirks ?? {} })
  const { news, gap } = await newsOfReading(reading, { feed, schedule }, knownEntries, policy, at)
  const { fresh, changed: edited } = news
  const sameValidators = !differs(feed.validators, reading.validators)
  const pushed = countSeenSince(knownEntries.keys, schedule.polledAt)
  const look: Observation = {
    at,
    window: publicationTimes(reading, knownEntries.keys, at, countsAsNewSince({ feed, schedule })),
    fresh: fresh.length + pushed,
  }
  const bodyChanged = fresh.length + edited.length > 0
  const evidence = { conditional, status: 200, bodyChanged, sameValidators, usualMs: longestSilenceMs(look.window, at) }
  const result = { kind: 'read', fresh: fresh.length, changed: edited.length, window: entries.length, gap } as const
  const record: PollRecordDraft = {
    poll: pollOf(attempt, result, reading.restMs),
    schedule: { ...learn(schedule, look, reading, terms), trust: trustAfter(schedule.trust, evidence, at) },
    ...changed({ ...changeOf(feed, reading), ...(gap && { gapAt: at }), ...(quirks !== undefined && { quirks }) }),
    ...news,
  }
  return gap && reading.nextUrl ? withBackfill(record, feed, reading.nextUrl) : record
}

/** Entries that arrive after this time are new and no backlog: a feed is added some time before its first poll. */
function countsAsNewSince({ feed, schedule }: NewFeed): Poll['at'] | undefined {
  return schedule.succeededAt === undefined ? undefined : Math.min(schedule.succeededAt, feed.addedAt + DAY)
}

/**
 * The feed's quirks after a poll, including the usual size of polls; undefined if unchanged. `matched`: quirks that matching found, if they
 * changed. The first poll is ignored for the size, since it always has a body.
 */
function quirksAfterPoll(
  { bytes }: PollAttempt,
  { feed, schedule }: NewFeed,
  matched?: FeedQuirks | null,
): FeedQuirks | null | undefined {
  const before = feed.quirks?.pollBytes
  const pollBytes = schedule.succeededAt === undefined ? before : pollBytesAfter(before, bytes)
  if (pollBytes === before) return matched
  const { pollBytes: _, ...others } = (matched === undefined ? feed.quirks : matched) ?? {}
  const quirks = { ...others, ...(pollBytes !== undefined && { pollBytes }) }
  return Object.keys(quirks).length > 0 ? quirks : null
}

/** The feed's language and category apply to its entries, unless they state their own. */
export function newsOfReading(
  { entries, facts }: FetchedFeed,
  { feed, schedule }: NewFeed,
  knownEntries: KnownEntries,
  policy: Policy,
  at: Poll['at'],
): ReturnType<typeof newsInWindow> {
  const kind = schedule.succeededAt === undefined ? 'first' : 'latest'
  const own = feed.ownCategory ? { category: feed.ownCategory } : {}
  return newsInWindow({ entries, kind, at }, { ...feed, ...aboutFeed(facts), ...own }, knownEntries, policy)
}

function pollOf(attempt: PollAttempt, result: Poll['result'], restMs: Millis = 0): PollRecordDraft['poll'] {
  return { ...attempt, ...(restMs > 0 && { waitUntil: attempt.at + restMs }), result }
}

function changed(change: FeedChange): Pick<PollRecord, 'feed'> {
  return Object.keys(change).length > 0 ? { feed: change } : {}
}

/** Limits bound the strategy's interval; requests of the server and the publisher override both. */
function learn(schedule: Schedule, look: Observation, requested: Requested, terms: Terms): Schedule {
  const { trouble: _over, ...before } = schedule
  const { at } = look
  const strategy = strategyFor(schedule.strategy, schedule.memory, at, terms)
  const memory = strategy.learn(schedule.memory, look)
  const interval = strategy.next(memory, at, terms)
  const due = dueAt(interval, at, terms.limits, at + requested.restMs)
  const polite = requested.hints ? notBeforeByHints(requested.hints, at, due) : due
  const by = polite > due ? 'publisher' : dueCause(interval, at, terms.limits, at + requested.restMs)
  const because = { by, price: terms.price }
  return { ...before, memory, failures: 0, polledAt: at, succeededAt: at, dueAt: polite, because }
}

/** What server and publisher ask for. */
interface Requested {
  restMs: Millis
  hints?: PublisherHints | undefined
}

/** Metadata of the document that differs from the stored feed. A title that a user chose stays; any other follows the publisher. */
function changeOf(feed: NewFeed['feed'], { facts, validators, bodyHash, windowHash, hints }: FetchedFeed): FeedChange {
  const change: FeedChange = {}
  const isPublishers = feed.title === '' || feed.title === feed.publisherTitle
  if (facts.title && isPublishers && facts.title !== feed.title) change.title = facts.title
  if (facts.title && facts.title !== feed.publisherTitle) change.publisherTitle = facts.title
  for (const name of ['description', 'siteUrl', 'language', 'hub', 'builtAt'] as const)
    if (facts[name] && facts[name] !== feed[name]) Object.assign(change, { [name]: facts[name] })
  const { category } = aboutFeed(facts)
  if (category && category !== feed.category) change.category = category
  if (facts.format !== feed.format) change.format = facts.format
  if (facts.fragments !== feed.fragments) change.fragments = facts.fragments ?? null
  if (differs(feed.validators, validators)) change.validators = validators
  if (bodyHash !== feed.bodyHash) change.bodyHash = bodyHash
  if (windowHash !== feed.windowHash) change.windowHash = windowHash
  if (JSON.stringify(hints) !== JSON.stringify(feed.hints)) change.hints = hints ?? null
  return change
}

function aboutFeed({ language, terms = [], title }: FetchedFeed['facts']): Pick<Feed, 'language' | 'category'> {
  const category = categoryIn(terms, title)
  return { ...(language && { language }), ...(category && { category }) }
}

function differs(a: Validators, b: Validators): boolean {
  return a.etag !== b.etag || a.lastModified !== b.lastModified
}
