/**
 * What one look at a feed means: from what came of it and what the store knew, the record to be written. Reconcile, learn,
 * set the date; no I/O. The feed may be one that the store has not got yet.
 */
import {
  DAY,
  type Failure,
  type Feed,
  type FeedId,
  type FeedQuirks,
  type FeedReading,
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
import { dueAt, dueBecause, type Look, pollBytesAfter, strategyFor, type Terms } from '../../scheduling/index.ts'
import { categoryIn } from './classify.ts'
import { olderRecord, withBackfill, withSeek } from './follow-up-tasks.ts'
import { newsInWindow } from './new-entries.ts'
import type { Policy } from './policy.ts'
import { type Attempt, attemptOf } from './poll-attempt.ts'
import { withEnds, withMove } from './redirected-feed.ts'
import { type KnownWindow, seenSince, windowOf } from './window.ts'

const GONE_AFTER = 3 // 410 that many times in a row, a week apart, is believed

/** The record of a poll, or of an older document. */
export async function outcomeRecord(
  outcome: Outcome,
  held: ScheduledFeed,
  known: KnownWindow,
  policy: Policy,
): Promise<PollRecord> {
  const { task } = outcome
  const { feed } = held
  const backfill = task.kind === 'poll' && task.older && feed.errand?.kind === 'backfill' ? feed.errand : undefined
  if (backfill) return ofFeed(feed.id, await olderRecord(outcome, held, known, backfill, policy))
  const record = ofFeed(feed.id, await pollRecord(outcome, held, known, policy))
  const moved = withEnds(withMove(record, feed, outcome), feed, outcome)
  const isHeld = moved.feed?.moving?.held === true
  return isHeld ? { ...moved, schedule: { ...moved.schedule, memory: held.schedule.memory } } : moved
}

export function ofFeed(feedId: FeedId, draft: PollRecordDraft): PollRecord {
  return { ...draft, poll: { ...draft.poll, feedId } }
}

async function pollRecord(
  outcome: Outcome,
  held: ScheduledFeed,
  known: KnownWindow,
  policy: Policy,
): Promise<PollRecordDraft> {
  const { result } = outcome
  const attempt = attemptOf(outcome, held.feed)
  switch (result.kind) {
    case 'failed':
      return failureRecord(attempt, result.failure, held, policy)
    case 'not-modified':
      return unchangedRecord(attempt, result, held, policy)
    case 'window':
      return readRecord(attempt, result.reading, held, known, policy)
    case 'found':
    case 'accepted':
    case 'unsent':
    case 'page':
    case 'elsewhere':
    case 'page-elsewhere':
      throw new Error(`a poll cannot end in "${result.kind}"`)
  }
}

export function failureRecord(
  attempt: Attempt,
  failure: Failure,
  { feed, schedule }: NewFeed,
  { terms, random }: Policy,
): PollRecordDraft {
  const { at } = attempt
  const { limits, price } = terms(feed)
  const failures = schedule.failures + 1
  const gone = failure.kind === 'http' && failure.status === 410 && failures >= GONE_AFTER
  const dueAt = Math.max(at + limits.minMs, backoffUntil(failure, schedule.failures, at, random()))
  const askedMs = failure.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const by = askedMs > 0 && dueAt === Math.ceil(at + askedMs) ? 'server' : 'failure'
  const record: PollRecordDraft = {
    poll: pollOf(attempt, { kind: 'failed', failure }, failure.kind === 'http' ? failure.retryAfterMs : 0),
    schedule: { ...schedule, failures, trouble: failure, polledAt: at, dueAt, because: { by, price } },
    ...(gone && { feed: { state: 'gone' } }),
    fresh: [],
    changed: [],
  }
  return gone ? record : withSeek(record, feed)
}

function unchangedRecord(
  attempt: Attempt,
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
  const look: Look = { at, window: [], fresh: 0 }
  const quirks = quirksAfterPoll(attempt, { feed, schedule })
  const weighed = quirks === undefined ? feed : { ...feed, quirks: quirks ?? {} }
  return {
    poll: pollOf(attempt, { kind: 'not-modified', by }, restMs),
    schedule: {
      ...learnt(schedule, look, { restMs, hints: feed.hints }, terms(weighed)),
      trust: trustAfter(schedule.trust, evidence, at),
    },
    ...changed({ ...change, ...(quirks !== undefined && { quirks }) }),
    fresh: [],
    changed: [],
  }
}

/** Of a document that was read. */
export async function readRecord(
  attempt: Attempt,
  reading: FeedReading,
  { feed, schedule }: NewFeed,
  known: KnownWindow,
  policy: Policy,
): Promise<PollRecordDraft> {
  const { at, conditional } = attempt
  const { entries } = reading
  const quirks = quirksAfterPoll(attempt, { feed, schedule }, known.quirks)
  const terms = policy.terms(quirks === undefined ? feed : { ...feed, quirks: quirks ?? {} })
  const { news, gap } = await newsOfReading(reading, { feed, schedule }, known, policy, at)
  const { fresh, changed: edited } = news
  const sameValidators = !differs(feed.validators, reading.validators)
  const pushed = seenSince(known.keys, schedule.polledAt)
  const look: Look = {
    at,
    window: windowOf(reading, known.keys, at, readSince({ feed, schedule })),
    fresh: fresh.length + pushed,
  }
  const bodyChanged = fresh.length + edited.length > 0
  const evidence = { conditional, status: 200, bodyChanged, sameValidators, usualMs: longestSilenceMs(look.window, at) }
  const result = { kind: 'read', fresh: fresh.length, changed: edited.length, window: entries.length, gap } as const
  const record: PollRecordDraft = {
    poll: pollOf(attempt, result, reading.restMs),
    schedule: { ...learnt(schedule, look, reading, terms), trust: trustAfter(schedule.trust, evidence, at) },
    ...changed({ ...changeOf(feed, reading), ...(gap && { gapAt: at }), ...(quirks !== undefined && { quirks }) }),
    ...news,
  }
  return gap && reading.nextUrl ? withBackfill(record, feed, reading.nextUrl) : record
}

/** From when on what arrives is new, and no backlog: a feed is added some time before it is first read. */
function readSince({ feed, schedule }: NewFeed): Poll['at'] | undefined {
  return schedule.succeededAt === undefined ? undefined : Math.min(schedule.succeededAt, feed.addedAt + DAY)
}

/**
 * With what a poll of it weighs; undefined if nothing is new. `matched`: what matching its entries told of it, where that is new. The first
 * answer has a body, whatever its server thinks of validators: it says nothing.
 */
function quirksAfterPoll(
  { bytes }: Attempt,
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

/** What the document says of its feed counts for its entries, too, unless they say otherwise. */
export function newsOfReading(
  { entries, facts }: FeedReading,
  { feed, schedule }: NewFeed,
  known: KnownWindow,
  policy: Policy,
  at: Poll['at'],
): ReturnType<typeof newsInWindow> {
  const kind = schedule.succeededAt === undefined ? 'first' : 'latest'
  const own = feed.ownCategory ? { category: feed.ownCategory } : {}
  return newsInWindow({ entries, kind, at }, { ...feed, ...aboutFeed(facts), ...own }, known, policy)
}

function pollOf(attempt: Attempt, result: Poll['result'], restMs: Millis = 0): PollRecordDraft['poll'] {
  return { ...attempt, ...(restMs > 0 && { restUntil: attempt.at + restMs }), result }
}

function changed(change: FeedChange): Pick<PollRecord, 'feed'> {
  return Object.keys(change).length > 0 ? { feed: change } : {}
}

/** Limits bind the strategy; what the server and the publisher ask for binds all. */
function learnt(schedule: Schedule, look: Look, wished: Wished, terms: Terms): Schedule {
  const { trouble: _over, ...before } = schedule
  const { at } = look
  const strategy = strategyFor(schedule.strategy, schedule.memory, at, terms)
  const memory = strategy.learn(schedule.memory, look)
  const wish = strategy.next(memory, at, terms)
  const due = dueAt(wish, at, terms.limits, at + wished.restMs)
  const polite = wished.hints ? notBeforeByHints(wished.hints, at, due) : due
  const by = polite > due ? 'publisher' : dueBecause(wish, at, terms.limits, at + wished.restMs)
  const because = { by, price: terms.price }
  return { ...before, memory, failures: 0, polledAt: at, succeededAt: at, dueAt: polite, because }
}

/** By server and publisher. */
interface Wished {
  restMs: Millis
  hints?: PublisherHints | undefined
}

/** What the feed says of itself now and did not say before. A title that a person chose is kept; any other follows the publisher. */
function changeOf(feed: NewFeed['feed'], { facts, validators, bodyHash, windowHash, hints }: FeedReading): FeedChange {
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

function aboutFeed({ language, terms = [], title }: FeedReading['facts']): Pick<Feed, 'language' | 'category'> {
  const category = categoryIn(terms, title)
  return { ...(language && { language }), ...(category && { category }) }
}

function differs(a: Validators, b: Validators): boolean {
  return a.etag !== b.etag || a.lastModified !== b.lastModified
}
