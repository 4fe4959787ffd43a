/**
 * Turns batches of outcomes into what the store is told. Polls are recorded together; if that fails, one by one, so that one
 * bad record harms no other. The one on which we make a mistake is set aside. Records are worked out first, which only reads; what is
 * written is announced as soon as it is committed, whatever becomes of the rest of the batch.
 */
import type { LanguageOf } from '../../articles/index.ts'
import type { EntryDraft, FeedId, FeedReading, Instant, Outcome, Push, ScheduledFeed } from '../../model/index.ts'
import type { Clock, NewsRecord, PollRecord, Recorded, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { Brought, Pushes } from '../push/pushes.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { feedIdOf, isOfFeed, leaseOf } from '../task.ts'
import { type ReadDocument, readHere } from '../terminal/read-document.ts'
import { bodyHashOf } from '../terminal/read-feed.ts'
import { isOfStore, type SetAside, type Wall } from '../wall.ts'
import { relaxed, withoutBlame } from './adjust-date.ts'
import { createCommittedWrites } from './committed-writes.ts'
import { add, countedOf, NOTHING_COUNTED, type PollsCounted } from './count-polls.ts'
import {
  createDayBound,
  isMany,
  newsOf,
  portionsOf,
  recordInPortions,
  recordNewsInPortions,
  UNSEEN,
  type WithinDay,
  weightOf,
  withinDay,
} from './large-polls.ts'
import { createPollMerges } from './merge-after-poll.ts'
import type { Policy } from './policy.ts'
import { eventsOf, type FinalRecord } from './poll-events.ts'
import { newsOfReading, outcomeRecord } from './poll-record.ts'
import { createRecogniser } from './recognise.ts'
import { applyDiscovery } from './record-discovery.ts'
import { createPageRecorder, type PageRecorderParts } from './record-pages.ts'
import { withoutMove } from './redirected-feed.ts'
import { applySeek } from './relocate.ts'
import { type KnownWindow, NOTHING_KNOWN } from './window.ts'

/** What the store is asked for outcomes to be recorded. */
export type RecorderRoles = Pick<
  Roles,
  | 'agenda'
  | 'ledger'
  | 'subscriptions'
  | 'catalogue'
  | 'articleCatalogue'
  | 'people'
  | 'readership'
  | 'handouts'
  | 'retention'
>

export interface RecorderParts extends Omit<Policy, 'languageOf'>, RecorderRoles {
  /** Loads what tells languages apart, when the first text is there. */
  loadLanguageOf?: () => Promise<LanguageOf>
  clock: Clock
  /** Repeats steps while the store fails transiently; once, where nothing is said. */
  retryTransient?: RetryTransient
  lineDueAt: PageRecorderParts['lineDueAt']
  pushes?: Pushes
  /** Where documents are read that hubs brought: here, if nothing else is said. */
  read?: ReadDocument
  wall: Wall
  setAside: SetAside
  emit: (event: CrawlEvent) => void
}

export interface Recorder {
  /** `excused`: failures of a host, which are not counted as the feed's own. */
  record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<PollsCounted>
  /** What a hub brought: which entries were new, and how many said something else; undefined if it is no feed. */
  recordPush(
    held: ScheduledFeed,
    brought: Brought,
    at: Instant,
  ): Promise<{ fresh: EntryDraft[]; changed: number } | undefined>
}

export function createRecorder({ retryTransient = doOnce, ...others }: RecorderParts): Recorder {
  const parts = { ...others, retryTransient }
  const { catalogue, ledger, subscriptions, pushes, wall, setAside, emit, read: readDocument = readHere } = parts
  const recognise = createRecogniser(parts)
  const committed = createCommittedWrites(parts)
  const writes = { ledger, committed, retryTransient }
  const articleRecorder = createPageRecorder({ ...parts, committed })
  const day = createDayBound(ledger)
  const merge = createPollMerges(parts)

  async function policyNow(): Promise<Policy> {
    const policy: Policy = { ...parts }
    await wall.guarded('loading what tells languages apart', async () => {
      const languageOf = await parts.loadLanguageOf?.()
      if (languageOf) policy.languageOf = languageOf
    })
    return policy
  }

  async function record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<PollsCounted> {
    const policy: Policy = outcomes.some(({ result }) => hasText(result)) ? await policyNow() : parts
    const counted = await recordFeeds(
      outcomes.filter(({ task }) => isOfFeed(task)),
      excused,
      policy,
    )
    const articles = outcomes.filter(({ task }) => task.kind === 'article')
    if (articles.length > 0) await articleRecorder.record(articles, policy)
    for (const outcome of outcomes)
      if (outcome.task.kind === 'discover')
        await orAside(outcome, `looking for a feed at ${outcome.task.url}`, async () => {
          const feedId = await applyDiscovery({ ...parts, ...writes }, outcome, policy, emit)
          if (feedId === undefined || !pushes) return
          const [held] = await retryTransient('read feeds', () => catalogue.feedsById([feedId]))
          const [push] = await retryTransient('read push subscriptions', () => catalogue.pushesOf([feedId]))
          if (held) await tellPushes(held, push, outcome, [])
        })
    return counted
  }

  /** Which hub the document names, if one was read; and what was found that a hub should have told. */
  async function tellPushes(
    { feed, schedule }: ScheduledFeed,
    push: Push | undefined,
    { task, at, result }: Outcome,
    fresh: EntryDraft[],
  ): Promise<void> {
    if (task.kind === 'poll' && task.older) return // it is another document, and what it has is old
    const facts = readingIn({ result })?.facts
    await pushes?.polled(push, { feed, at, lastAt: schedule.polledAt ?? at, fresh, ...(facts && { facts }) })
  }

  async function recordFeeds(
    outcomes: Outcome[],
    excused: ReadonlySet<Outcome>,
    policy: Policy,
  ): Promise<PollsCounted> {
    try {
      return await recordTogether(outcomes, excused, policy)
    } catch (error) {
      if (isOfStore(error)) throw error
      if (outcomes.length === 1) await setAside(outcomes[0]!.task, error, 'recording a poll', outcomes[0]!.at)
      const counted = { ...NOTHING_COUNTED }
      if (outcomes.length > 1) for (const one of outcomes) add(counted, await recordFeeds([one], excused, policy))
      return counted
    }
  }

  async function recordTogether(
    outcomes: Outcome[],
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    tries = 1,
  ): Promise<PollsCounted> {
    if (outcomes.length === 0) return NOTHING_COUNTED
    const { ready, seeks, mistakes } = await retryTransient('prepare records', () => prepare(outcomes, excused, policy))
    for (const { outcome, error } of mistakes) await setAside(outcome.task, error, applying(outcome), outcome.at)
    for (const { outcome, held, known } of seeks)
      await orAside(outcome, applying(outcome), () =>
        applySeek({ ...parts, ...writes }, outcome, held, known, policy, emit, day),
      )
    const { counted, taken, stale } = await recorded(ready, policy)
    for (const { held, tellHub } of taken) await wall.guarded(`telling the hub of feed ${held.feed.id}`, tellHub)
    await merge(taken)
    add(counted, await recordAgain(stale, excused, policy, tries))
    return counted
  }

  /** What is to be written, as far as the store says now: it only reads. Of what is given back, the news are counted as on their way. */
  async function prepare(outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy): Promise<Prepared> {
    const held = await catalogue.feedsById(outcomes.map(feedIdOf))
    const recognised = await recognisedIn(outcomes, held)
    const kept = pushes ? await catalogue.pushesOf(outcomes.map(feedIdOf)) : []
    const claimed = new Set<string>()
    const prepared: Prepared = { ready: [], seeks: [], mistakes: [] }
    const working: Working[] = []
    for (const [i, came] of outcomes.entries()) {
      const feed = held[i]
      if (!feed) continue // removed while the task was out
      const { outcome, known } = recognised.get(came) ?? { outcome: came, known: NOTHING_KNOWN }
      try {
        if (outcome.task.kind === 'seek') prepared.seeks.push({ outcome, held: feed, known })
        else working.push(await workedOut({ came, outcome, known }, feed, kept[i], excused, policy, claimed))
      } catch (error) {
        if (isOfStore(error)) throw error
        prepared.mistakes.push({ outcome, error })
      }
    }
    const bounded = await day.withinAll(working.map(({ news }) => news))
    prepared.ready.push(...working.map(({ finish }, i) => finish(bounded[i]!)))
    return prepared
  }

  async function workedOut(
    { came, outcome, known }: { came: Outcome; outcome: Outcome; known: KnownWindow },
    held: ScheduledFeed,
    push: Push | undefined,
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    claimed: Set<string>,
  ): Promise<Working> {
    const worked = await outcomeRecord(outcome, held, known, policy)
    const { record, ...apart } = await keptApart(worked, held, outcome, claimed)
    const blamed = excused.has(came) ? withoutBlame(record, held, parts) : record
    const whole = relaxed(blamed, held, push, parts)
    const under = { ...leaseOf(outcome.task), revision: held.revision }
    const finish = (bounded: WithinDay): Ready => ({
      ...apart,
      ...bounded,
      record: { ...withinDay(whole, bounded), ...under },
      held,
      outcome: came,
      tellHub: () => tellPushes(held, push, outcome, whole.fresh),
    })
    return { news: newsOf(whole, held.feed.id), finish }
  }

  /** Of those that came with a window. */
  async function recognisedIn(outcomes: Outcome[], held: (ScheduledFeed | undefined)[]) {
    const windows = outcomes.flatMap((outcome, i) => {
      const [feed, reading] = [held[i], readingIn(outcome)]
      return feed && reading ? [{ outcome, held: feed, reading }] : []
    })
    const recognised = await recognise(windows)
    return new Map(
      recognised.map(({ reading, known }, i) => {
        const { outcome } = windows[i]!
        return [outcome, { outcome: withReading(outcome, reading), known }]
      }),
    )
  }

  /** Somebody has changed these feeds since they were looked at: what came of them means something else now. */
  async function recordAgain(
    stale: Outcome[],
    excused: ReadonlySet<Outcome>,
    policy: Policy,
    tries: number,
  ): Promise<PollsCounted> {
    if (stale.length === 0) return NOTHING_COUNTED
    if (tries < MOST_TRIES) return recordTogether(stale, excused, policy, tries + 1)
    for (const { task, at } of stale) await setAside(task, new Error('the feed changes all the time'), CHANGING, at)
    return NOTHING_COUNTED
  }

  /** Two feeds never come to one address; `claimed` has those that others of the same batch move to. */
  async function keptApart(
    record: PollRecord,
    { feed }: ScheduledFeed,
    outcome: Outcome,
    claimed: Set<string>,
  ): Promise<{ record: PollRecord; sameAs?: FeedId }> {
    const to = record.feed?.url
    if (to === undefined) return { record }
    const there = await catalogue.feedAt(to)
    const isFree = (there === undefined || there === feed.id) && !claimed.has(to)
    claimed.add(to)
    if (isFree) return { record }
    if (there === undefined) return { record: withoutMove(record, feed, outcome) } // the next poll will know of whom
    return { record: withoutMove(record, feed, outcome, to), sameAs: there }
  }

  /** Those that the store took and had not had before, and what has to be thought about again: first all that are small, together. */
  async function recorded(ready: Ready[], policy: Policy): Promise<Written> {
    const written: Written = { counted: { ...NOTHING_COUNTED }, taken: [], stale: [] }
    const onTheirWay = new Set(ready)
    const settle = (one: Ready, answer: Recorded | undefined) => {
      onTheirWay.delete(one)
      day.written(one.news)
      if (answer === 'stale') written.stale.push(one.outcome)
      if (answer !== 'recorded') return
      written.taken.push(one)
      add(written.counted, countedOf(one, policy.terms(one.held.feed)))
      for (const event of eventsOf(one.held.feed, one)) emit(event)
    }
    try {
      const few = ready.filter(({ record }) => !isMany(record))
      for (const portion of portionsOf(few, ({ record }) => weightOf(record))) await recordedTogether(portion, settle)
      await recordedAlone(
        ready.filter(({ record }) => isMany(record)),
        settle,
      )
    } finally {
      for (const { news } of onTheirWay) day.written(news)
    }
    return written
  }

  async function recordedTogether(ready: Ready[], settle: Settle): Promise<void> {
    let answers: Recorded[]
    try {
      answers = await committed.polls(ready.map(({ record }) => record))
    } catch (error) {
      if (isOfStore(error)) throw error // it would refuse each of them alone as well
      return recordedAlone(ready, settle)
    }
    for (const [i, one] of ready.entries()) settle(one, answers[i])
  }

  async function recordedAlone(ready: Ready[], settle: Settle): Promise<void> {
    for (const one of ready)
      await orAside(one.outcome, `recording a poll of feed ${one.record.poll.feedId}`, async () => {
        settle(one, await recordInPortions(writes, one.record))
      })
  }

  async function recordPush(held: ScheduledFeed, { headers, body }: Brought, at: Instant) {
    const { id: feedId, title, url } = held.feed
    const answer = { ok: true as const, status: 200, url, redirects: [], headers, body, wireBytes: body.length }
    const read = await readDocument(answer, at, bodyHashOf(body))
    if (read.kind === 'failed') return undefined
    const policy = await policyNow()
    const { news, left, pagesLeft } = await retryTransient('prepare records', async () => {
      const [recognised] = await recognise([{ held, reading: read.reading }])
      const { reading, known } = recognised!
      const { news: all } = await newsOfReading(reading, held, known, policy, at)
      return day.within({ feedId, at, ...all })
    })
    await recordNewsInPortions(writes, news).finally(() => day.written(news))
    if (left > 0) await retryTransient('change a feed', () => subscriptions.changeFeed(feedId, UNSEEN))
    if (left + pagesLeft > 0) emit({ kind: 'flood', at, feedId, title, url, left, pagesLeft })
    return { fresh: news.fresh, changed: news.changed.length }
  }

  async function orAside({ task, at }: Outcome, doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isOfStore(error)) throw error
      await setAside(task, error, doing, at)
    }
  }

  return { record, recordPush }
}

interface Prepared {
  ready: Ready[]
  seeks: { outcome: Outcome; held: ScheduledFeed; known: KnownWindow }[]
  mistakes: { outcome: Outcome; error: unknown }[]
}

/** What became of a batch: what its polls counted for, which were taken, and which have to be thought about again. */
interface Written {
  counted: PollsCounted
  taken: Ready[]
  stale: Outcome[]
}

type Settle = (one: Ready, answer: Recorded | undefined) => void

function applying({ task }: Outcome): string {
  return `applying what came of ${task.url}`
}

/** What is to be recorded, and whom it is told of. */
interface Ready extends FinalRecord, WithinDay {
  held: ScheduledFeed
  /** As it came. */
  outcome: Outcome
  tellHub: () => Promise<void>
}

/** What was worked out, before the day's bound of its feed is known. */
interface Working {
  news: NewsRecord
  finish: (bounded: WithinDay) => Ready
}

const MOST_TRIES = 5
const CHANGING = 'recording a poll of a feed that changes meanwhile'

function readingIn({ result }: Pick<Outcome, 'result'>): FeedReading | undefined {
  return result.kind === 'window' || result.kind === 'found' ? result.reading : undefined
}

function withReading(outcome: Outcome, reading: FeedReading): Outcome {
  const { result } = outcome
  return result.kind === 'window' || result.kind === 'found' ? { ...outcome, result: { ...result, reading } } : outcome
}

function hasText({ kind }: Outcome['result']): boolean {
  return kind === 'window' || kind === 'found' || kind === 'page'
}
