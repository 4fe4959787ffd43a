/**
 * Turns batches of outcomes into what the store is told. Polls are recorded together; if the store refuses the batch, one by
 * one, so that one bad record harms no other.
 */
import { sayings } from '../feeds/index.ts'
import type { EntryDraft, KnownEntry, Outcome, ScheduledFeed } from '../model/index.ts'
import { backoffUntil } from '../politeness/index.ts'
import type { Clock, Store } from '../ports/index.ts'
import { type Applied, applyDiscovery, applyPoll, type Policy } from './apply.ts'
import type { CrawlEvent } from './crawler.ts'
import { applySeek } from './seek.ts'
import { feedIdOf } from './tasks.ts'
import type { Known } from './window.ts'

export interface RecorderParts extends Policy {
  store: Store
  clock: Clock
  emit: (event: CrawlEvent) => void
}

export function createRecorder(parts: RecorderParts): {
  /** `excused`: failures of a host, which are not counted as the feed's own. */
  record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<void>
} {
  const { store, clock, knownBy, emit } = parts

  async function record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<void> {
    await recordFeeds(
      outcomes.filter(({ task }) => task.kind !== 'discover'),
      excused,
    )
    for (const outcome of outcomes)
      if (outcome.task.kind === 'discover')
        await guarded(`looking for a feed at ${outcome.task.url}`, () => applyDiscovery(store, outcome, parts, emit))
  }

  async function recordFeeds(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<void> {
    if (outcomes.length === 0) return
    const held = await store.feedsById(outcomes.map(feedIdOf))
    const known = await knownOf(outcomes, held)
    const applied: Applied[] = []
    for (const [i, outcome] of outcomes.entries()) {
      const feed = held[i]
      if (!feed) continue // removed while the task was out
      await guarded(`applying what came of ${outcome.task.url}`, async () => {
        if (outcome.task.kind === 'seek') await applySeek(store, outcome, feed, known[i]!, parts, emit)
        else applied.push(withoutBlame(applyPoll(outcome, feed, known[i]!, parts), feed, excused.has(outcome)))
      })
    }
    try {
      announce(applied, await store.recordPolls(applied.map((one) => one.record)))
    } catch {
      for (const one of applied)
        await guarded(`recording a poll of feed ${one.record.poll.feedId}`, async () =>
          announce([one], await store.recordPolls([one.record])),
        )
    }
  }

  /** Some feeds invent their keys anew at every poll: where no key is known, what was said is looked at, too. */
  async function knownOf(outcomes: Outcome[], held: (ScheduledFeed | undefined)[]): Promise<Known[]> {
    const windows = outcomes.map(windowIn)
    const keysOf = (window: EntryDraft[]) => window.map(({ key }) => key)
    const questions = outcomes.map((outcome, i) => ({ feedId: feedIdOf(outcome), keys: keysOf(windows[i]!) }))
    const answers = await store.known(questions)
    return Promise.all(
      answers.map(async (keys, i) => {
        const window = windows[i]!
        const isFirst = held[i]?.schedule.succeededAt === undefined
        const asksFurther = !isFirst && (knownBy === 'title' ? keys.size < window.length : keys.size === 0)
        if (!asksFurther || window.length === 0) return { keys, said: sayings([]) }
        const latest = await store.entries({ feedId: questions[i]!.feedId, limit: 2 * window.length })
        return { keys: knownBy === 'title' ? withTitles(keys, window, latest) : keys, said: sayings(latest) }
      }),
    )
  }

  function announce(applied: Applied[], recorded: boolean[]): void {
    for (const [i, { events }] of applied.entries()) if (recorded[i]) for (const event of events) emit(event)
  }

  /** A mistake of ours while applying one outcome is reported and stays with that one; its lease will run out. */
  async function guarded(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      emit({ kind: 'mistake', at: clock.now(), error, doing })
    }
  }

  return { record }
}

/** A failure of the host is told, but does not make the feed wait longer than a first one would. */
function withoutBlame(applied: Applied, { schedule }: ScheduledFeed, excused: boolean): Applied {
  const { record } = applied
  if (!excused || record.poll.result.kind !== 'failed') return applied
  const dueAt = backoffUntil(record.poll.result.failure, 0, record.poll.at, 0)
  return { ...applied, record: { ...record, schedule: { ...record.schedule, failures: schedule.failures, dueAt } } }
}

function windowIn({ result }: Outcome): EntryDraft[] {
  return result.kind === 'window' || result.kind === 'found' ? result.reading.entries : []
}

/** The same title in the same feed is known, whatever its key (Adam et al. 2009). */
function withTitles(
  keys: ReadonlyMap<string, KnownEntry>,
  window: EntryDraft[],
  latest: { title: string; seenAt: number }[],
): Map<string, KnownEntry> {
  const seen = new Map(latest.map(({ title, seenAt }) => [title, seenAt]))
  const known = new Map(keys)
  for (const { key, title, url } of window) {
    const seenAt = seen.get(title)
    if (seenAt !== undefined && !known.has(key)) known.set(key, { title, seenAt, ...(url && { url }) })
  }
  return known
}
