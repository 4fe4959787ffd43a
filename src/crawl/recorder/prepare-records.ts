/**
 * Works out what is to be written of a batch of polls, as far as the store says now: it only reads. What comes out may be stale by the time
 * it is written; then it is worked out again.
 */
import type { EntryDraft, FeedId, Outcome, Push, ScheduledFeed } from '../../model/index.ts'
import type { Catalogue, NewsRecord, PollRecord } from '../../ports/index.ts'
import { isOfStore } from '../error-boundary.ts'
import { feedIdOf, leaseOf } from '../task.ts'
import { relaxed, withoutBlame } from './adjust-date.ts'
import { type DayBound, newsOf, type WithinDay, withinDay } from './chunked-writes.ts'
import type { Recognise } from './match-known-entries.ts'
import type { Policy } from './policy.ts'
import type { FinalRecord } from './poll-events.ts'
import { outcomeRecord } from './poll-record.ts'
import { withoutMove } from './redirected-feed.ts'
import { type KnownWindow, NOTHING_KNOWN, readingIn, withReading } from './window.ts'

export interface RecordPreparerParts {
  catalogue: Pick<Catalogue, 'feedsById' | 'feedAt' | 'pushesOf'>
  recognise: Recognise
  day: DayBound
  /** Whether there are subscriptions at hubs. */
  hasPushes: boolean
}

export type PrepareRecords = (outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy) => Promise<Prepared>

export interface Prepared {
  ready: Ready[]
  seeks: { outcome: Outcome; held: ScheduledFeed; known: KnownWindow }[]
  mistakes: { outcome: Outcome; error: unknown }[]
}

/** What is to be recorded. */
export interface Ready extends FinalRecord, WithinDay {
  held: ScheduledFeed
  /** As it came. */
  outcome: Outcome
  /** With what was recognised in it. */
  read: Outcome
  push: Push | undefined
  /** New entries of the whole window, of which the day's bound may have kept fewer. */
  brought: EntryDraft[]
}

/** What was worked out, before the day's bound of its feed is known. */
interface Working {
  news: NewsRecord
  finish: (bounded: WithinDay) => Ready
}

export function createRecordPreparer({ catalogue, recognise, day, hasPushes }: RecordPreparerParts): PrepareRecords {
  /** What is to be written, as far as the store says now: it only reads. Of what is given back, the news are counted as on their way. */
  async function prepare(outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy): Promise<Prepared> {
    const held = await catalogue.feedsById(outcomes.map(feedIdOf))
    const recognised = await recognisedIn(outcomes, held)
    const kept = hasPushes ? await catalogue.pushesOf(outcomes.map(feedIdOf)) : []
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
    const blamed = excused.has(came) ? withoutBlame(record, held, policy) : record
    const whole = relaxed(blamed, held, push, policy)
    const under = { ...leaseOf(outcome.task), revision: held.revision }
    const finish = (bounded: WithinDay): Ready => ({
      ...apart,
      ...bounded,
      record: { ...withinDay(whole, bounded), ...under },
      held,
      outcome: came,
      push,
      read: outcome,
      brought: whole.fresh,
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

  return prepare
}
