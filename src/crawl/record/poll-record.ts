/**
 * What one outcome means: from what a terminal brought back and what the store knew, the record to be written. Reconcile,
 * learn, set the date; no I/O but the two store methods that settle a source.
 */
import { reconcile } from '../../feeds/index.ts'
import {
  type EntryDraft,
  type Feed,
  type FeedId,
  type Instant,
  type Memory,
  type Millis,
  mayShareCredentials,
  type Outcome,
  type Poll,
  type PublisherHints,
  type Reading,
  type Schedule,
  type ScheduledFeed,
  type Task,
  type Validators,
} from '../../model/index.ts'
import { backoffUntil, notBeforeByHints, rootOf, trustAfter } from '../../politeness/index.ts'
import { dueAt, dueBecause, type Look, strategyNamed, type Terms } from '../../polling/index.ts'
import type { FeedChange, NewFeed, PollRecord, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { leaseOf } from '../task.ts'
import { categoryIn, classifiedRecord } from './classify.ts'
import { pageRecord, withBackfill, withSeek } from './errands.ts'
import { firstPortion, recordRest } from './large-polls.ts'
import { pagesOf } from './pages-to-fetch.ts'
import type { Policy } from './policy.ts'
import { createPollTexts } from './poll-texts.ts'
import { withEnds, withMove } from './redirected-feed.ts'
import { SIBLINGS } from './reschedule.ts'
import { type Known, seenSince, soundlyDated, windowOf, withoutPrefixes } from './window.ts'

const GONE_AFTER = 3 // 410 that many times in a row, a week apart, is believed

/** The record of a poll, or of an older page. */
export async function outcomeRecord(
  outcome: Outcome,
  { feed, schedule }: ScheduledFeed,
  known: Known,
  policy: Policy,
): Promise<PollRecord> {
  const { task } = outcome
  const backfill = task.kind === 'poll' && task.page && feed.errand?.kind === 'backfill' ? feed.errand : undefined
  if (backfill) return pageRecord(outcome, feed, schedule, known, backfill, policy)
  const record = await recordOf(outcome, feed, schedule, known, policy)
  return withEnds(withMove(record, feed, outcome), feed, outcome)
}

export type DiscoveryRoles = Pick<Roles, 'subscriptions' | 'catalogue' | 'ledger'>

/** Makes the feed that a source led to, with its first poll, and gives its id; or says when to look again. */
export async function applyDiscovery(
  { subscriptions, catalogue, ledger }: DiscoveryRoles,
  outcome: Outcome,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
): Promise<FeedId | undefined> {
  const { task, at, result } = outcome
  if (task.kind !== 'discover') throw new Error(`a ${task.kind} task is no discovery`)
  const { sourceId, url, folder, failures } = task

  if (result.kind === 'found') {
    const { reading, others } = result
    const siblings = await subscriptions.memoriesAt(rootOf(result.url), policy.strategy, SIBLINGS)
    const [source] = await catalogue.sourcesById([sourceId])
    const login = source?.credentials && mayShareCredentials(url, result.url) ? { credentials: source.credentials } : {}
    const draft = { url: result.url, ...login, ...(folder && { folder }) }
    const made = await firstOf(draft, outcome, reading, policy, siblings)
    const { first, rest } = firstPortion(made.record)
    const settled = await ledger.sourceFound(sourceId, made.newFeed, { ...first, ...leaseOf(task) }, others)
    if (!settled) return undefined // removed while the task was out
    if (settled.added && rest) await recordRest({ ledger, subscriptions }, settled.feedId, rest)
    const { title } = made.newFeed.feed
    emit({
      kind: 'found',
      at,
      sourceId,
      url,
      feedUrl: result.url,
      title,
      entries: reading.entries.length,
      bytes: outcome.bytes,
      others,
      ...settled,
    })
    return settled.feedId
  }
  if (result.kind !== 'failed') throw new Error(`a discovery cannot end in "${result.kind}"`)
  const { failure } = result
  const dueAt = backoffUntil(failure, failures, at, policy.random())
  await ledger.sourceFailed(sourceId, failure, dueAt, task.lease)
  emit({ kind: 'not-found', at, sourceId, url, failure, dueAt })
  return undefined
}

/** A feed nobody has polled yet, due at `at`. What is known of feeds of its site is where its strategy begins. */
export function newFeed(
  draft: Pick<Feed, 'url' | 'title'> & Partial<Feed>,
  strategy: string,
  at: Instant,
  siblings: Memory[] = [],
): NewFeed {
  return {
    feed: { validators: {}, subscribers: 1, state: 'active', addedAt: at, ...draft, root: rootOf(draft.url) },
    schedule: { strategy, memory: strategyNamed(strategy).begin(siblings), dueAt: at, failures: 0 },
  }
}

/** Entries that are new or changed are told their language and category. */
export async function recordOf(
  outcome: Outcome,
  feed: Feed,
  schedule: Schedule,
  known: Known,
  policy: Policy,
): Promise<PollRecord> {
  const texts = createPollTexts()
  const record = unclassified(outcome, feed, schedule, known, policy)
  const { result, at } = outcome
  const isBacklog = schedule.succeededAt === undefined
  const window = result.kind === 'window' && { ...record, entries: result.reading.entries, isBacklog }
  const pages = window ? await pagesOf(feed, window, policy.articles, at, texts) : {}
  return classifiedRecord({ ...record, ...pages }, feed, policy.languageOf, texts)
}

function unclassified(
  { task, at, tookMs, bytes, result }: Outcome,
  feed: Feed,
  schedule: Schedule,
  known: Known,
  policy: Policy,
): PollRecord {
  const asked = { ...howAsked(task, feed), ...occasionOf(task) }
  const terms = policy.terms(feed)
  const { price } = terms
  const { conditional } = asked
  const poll = (came: Poll['result'], restMs = 0): Poll => {
    const rest = restMs > 0 ? { restUntil: at + restMs } : {}
    return { feedId: feed.id, at, tookMs, bytes, ...asked, ...rest, result: came }
  }

  switch (result.kind) {
    case 'failed': {
      const { failure } = result
      const failures = schedule.failures + 1
      const gone = failure.kind === 'http' && failure.status === 410 && failures >= GONE_AFTER
      const backAt = backoffUntil(failure, schedule.failures, at, policy.random())
      const dueAt = Math.max(at + terms.limits.minMs, backAt)
      const record: PollRecord = {
        poll: poll({ kind: 'failed', failure }, failure.kind === 'http' ? failure.retryAfterMs : 0),
        schedule: { ...schedule, failures, trouble: failure, polledAt: at, dueAt, because: { by: 'failure', price } },
        ...(gone && { feed: { state: 'gone' } }),
        fresh: [],
        changed: [],
      }
      return gone ? record : withSeek(record, feed)
    }
    case 'not-modified': {
      const { by, validators, bodyHash, restMs } = result
      const sameValidators = !validators || !differs(feed.validators, validators)
      const evidence = { conditional, status: by === 'server' ? 304 : 200, bodyChanged: false, sameValidators }
      const trust = trustAfter(schedule.trust, evidence, at)
      const change: FeedChange = {
        ...(validators && differs(feed.validators, validators) && { validators }),
        ...(bodyHash && bodyHash !== feed.bodyHash && { bodyHash }),
      }
      return {
        poll: poll({ kind: 'not-modified', by }, restMs),
        schedule: { ...learnt(schedule, { at, window: [], fresh: 0 }, { restMs, hints: feed.hints }, terms), trust },
        ...(Object.keys(change).length > 0 && { feed: change }),
        fresh: [],
        changed: [],
      }
    }
    case 'window': {
      const reading = withoutPrefixes(result.reading, feed.titlePrefix)
      const { fresh, changed, gap } = reconcile(
        reading.entries,
        known.keys,
        schedule.succeededAt === undefined,
        known.said,
      )
      const change = { ...changeOf(feed, reading), ...(gap && { gapAt: at }) }
      const sameValidators = !differs(feed.validators, reading.validators)
      const evidence = { conditional, status: 200, bodyChanged: fresh.length + changed.length > 0, sameValidators }
      const pushed = seenSince(known.keys, schedule.polledAt)
      const look: Look = { at, window: windowOf(reading, known.keys, at), fresh: fresh.length + pushed }
      const kept = (entry: EntryDraft) => soundlyDated(entry, at)
      const news = { fresh: fresh.map(kept), changed: changed.map(kept) }
      const record: PollRecord = {
        poll: poll(
          { kind: 'read', fresh: fresh.length, changed: changed.length, window: reading.entries.length, gap },
          reading.restMs,
        ),
        schedule: { ...learnt(schedule, look, reading, terms), trust: trustAfter(schedule.trust, evidence, at) },
        ...(Object.keys(change).length > 0 && { feed: change }),
        ...news,
      }
      return gap && reading.nextUrl ? withBackfill(record, feed, reading.nextUrl) : record
    }
    case 'found':
    case 'accepted':
    case 'page':
    case 'elsewhere':
    case 'page-elsewhere':
      throw new Error(`a poll cannot end in "${result.kind}"`)
  }
}

async function firstOf(
  draft: Pick<Feed, 'url' | 'folder'>,
  outcome: Outcome,
  reading: Reading,
  policy: Policy,
  siblings: Memory[],
): Promise<{ newFeed: NewFeed; record: PollRecord }> {
  const made = newFeed({ ...draft, title: reading.facts.title ?? '' }, policy.strategy, outcome.at, siblings)
  const feed: Feed = { ...made.feed, id: 0 as FeedId } // the store gives the id
  const record = await recordOf(
    { ...outcome, result: { kind: 'window', reading } },
    feed,
    made.schedule,
    { keys: new Map(), said: new Set() },
    policy,
  )
  return { newFeed: { feed: made.feed, schedule: record.schedule }, record }
}

/** Limits bind the strategy; what the server and the publisher ask for binds all. */
function learnt(schedule: Schedule, look: Look, asked: Asked, terms: Terms): Schedule {
  const { trouble: _over, ...before } = schedule
  const { at } = look
  const strategy = strategyNamed(schedule.strategy)
  const memory = strategy.learn(schedule.memory, look)
  const wish = strategy.next(memory, at, terms)
  const due = dueAt(wish, at, terms.limits, at + asked.restMs)
  const polite = asked.hints ? notBeforeByHints(asked.hints, at, due) : due
  const by = polite > due ? 'publisher' : dueBecause(wish, at, terms.limits, at + asked.restMs)
  const because = { by, price: terms.price }
  return { ...before, memory, failures: 0, polledAt: at, succeededAt: at, dueAt: polite, because }
}

interface Asked {
  restMs: Millis
  hints?: PublisherHints | undefined
}

/** What the feed says of itself now and did not say before. A title that it has, perhaps from a person, is kept. */
function changeOf(feed: Feed, { facts, validators, bodyHash, windowHash, hints }: Reading): FeedChange {
  const change: FeedChange = {}
  if (facts.title && !feed.title) change.title = facts.title
  for (const name of ['description', 'siteUrl', 'language', 'hub'] as const)
    if (facts[name] && facts[name] !== feed[name]) Object.assign(change, { [name]: facts[name] })
  const { category } = aboutFeed(facts)
  if (category && category !== feed.category) change.category = category
  if (facts.format !== feed.format) change.format = facts.format
  if (differs(feed.validators, validators)) change.validators = validators
  if (bodyHash !== feed.bodyHash) change.bodyHash = bodyHash
  if (windowHash !== feed.windowHash) change.windowHash = windowHash
  if (JSON.stringify(hints) !== JSON.stringify(feed.hints)) change.hints = hints ?? null
  return change
}

/** What the document says that all its entries are, unless they say otherwise. */
function aboutFeed({ language, terms = [], title }: Reading['facts']): Pick<Feed, 'language' | 'category'> {
  const category = categoryIn(terms, title)
  return { ...(language && { language }), ...(category && { category }) }
}

/** A poll that had validators to send, sent none, and was no test, has no excuse: the audit of our conduct will say so. */
function howAsked(task: Task, feed: Feed): Pick<Poll, 'conditional' | 'unconditionalFor'> {
  if (task.kind === 'poll' && hasAny(task.validators)) return { conditional: true }
  if (task.kind === 'poll' && task.unconditionalFor)
    return { conditional: false, unconditionalFor: task.unconditionalFor }
  return { conditional: false, ...(!hasAny(feed.validators) && { unconditionalFor: 'no-validators' }) }
}

function occasionOf(task: Task): Pick<Poll, 'occasion'> {
  if (task.kind === 'seek') return { occasion: 'seek' }
  return task.kind === 'poll' && task.byHand ? { occasion: 'hand' } : {}
}

function hasAny({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined
}

function differs(a: Feed['validators'], b: Feed['validators']): boolean {
  return a.etag !== b.etag || a.lastModified !== b.lastModified
}
