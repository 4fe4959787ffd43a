/**
 * Turns batches of outcomes into what the store is told. Polls are recorded together; if that fails, one by one, so that one
 * bad record harms no other. The one on which we make a mistake is set aside. Records are worked out first, which only reads; what is
 * written is announced as soon as it is committed, whatever becomes of the rest of the batch.
 */
import type { LanguageOf } from '../../articles/index.ts'
import type { EntryDraft, Outcome, Push, ScheduledFeed } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { isOfStore, orQuarantine, type SetAside, type Wall } from '../error-boundary.ts'
import { type ReadDocument, readHere } from '../fetcher/read-document.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { isOfFeed } from '../task.ts'
import type { Pushes } from '../websub/hub-subscriptions.ts'
import { createDayBound } from './chunked-writes.ts'
import { createCommittedWrites } from './committed-writes.ts'
import { add, NOTHING_COUNTED, type PollsCounted } from './count-polls.ts'
import { applySeek } from './find-moved-feed.ts'
import { createRecogniser } from './match-known-entries.ts'
import { createPollMerges } from './merge-after-poll.ts'
import type { Policy } from './policy.ts'
import { createRecordPreparer } from './prepare-records.ts'
import { createPageRecorder, type PageRecorderParts } from './record-articles.ts'
import { applyDiscovery } from './record-discovery.ts'
import { createPushRecorder, type RecordPush } from './record-push.ts'
import { readingIn } from './window.ts'
import { createRecordWriter } from './write-records.ts'

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
  /** What a hub brought. */
  recordPush: RecordPush
}

export function createRecorder({ retryTransient = doOnce, ...others }: RecorderParts): Recorder {
  const parts = { ...others, retryTransient }
  const { catalogue, ledger, subscriptions, pushes, wall, setAside, emit, read: readDocument = readHere } = parts
  const orAside = orQuarantine(setAside)
  const recognise = createRecogniser(parts)
  const committed = createCommittedWrites(parts)
  const writes = { ledger, committed, retryTransient }
  const articleRecorder = createPageRecorder({ ...parts, committed })
  const day = createDayBound(ledger)
  const merge = createPollMerges(parts)
  const prepare = createRecordPreparer({ catalogue, recognise, day, hasPushes: pushes !== undefined })
  const writeRecords = createRecordWriter({ writes, day, orAside, emit })
  const reading = { recognise, readDocument, policyNow }
  const recordPush = createPushRecorder({ ledger, subscriptions, day, ...reading, retryTransient, emit })

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
    const { counted, taken, stale } = await writeRecords(ready, policy)
    for (const { held, push, read, brought } of taken)
      await wall.guarded(`telling the hub of feed ${held.feed.id}`, () => tellPushes(held, push, read, brought))
    await merge(taken)
    add(counted, await recordAgain(stale, excused, policy, tries))
    return counted
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

  return { record, recordPush }
}

function applying({ task }: Outcome): string {
  return `applying what came of ${task.url}`
}

const MOST_TRIES = 5
const CHANGING = 'recording a poll of a feed that changes meanwhile'

function hasText({ kind }: Outcome['result']): boolean {
  return kind === 'window' || kind === 'found' || kind === 'page'
}
