/**
 * Turns batches of outcomes into what the store is told. Polls are recorded together; if the store refuses the batch, one by
 * one, so that one bad record harms no other.
 */
import type { LanguageOf } from '../articles/index.ts'
import type { EntryDraft, Instant, Outcome, Push, Schedule, ScheduledFeed } from '../model/index.ts'
import { backoffUntil, isRelied, notBeforeByHints, polledAfter, SAFETY_POLL_MS } from '../politeness/index.ts'
import { followsPrice, strategyNamed } from '../polling/index.ts'
import type { Clock, PollRecord, Store } from '../ports/index.ts'
import { type Applied, applyDiscovery, applyPoll, type Policy, recordOf } from './apply.ts'
import type { ArticleCrawl } from './article-crawl.ts'
import { createArticleRecorder } from './article-recorder.ts'
import type { CrawlEvent } from './crawler.ts'
import { withoutMove } from './moving.ts'
import { isMany, mayBeTooMany, recordInPortions, withinDay } from './portions.ts'
import type { Brought, Pushes } from './pushes.ts'
import { readAnswer } from './reading.ts'
import { createRecogniser } from './recognise.ts'
import { applySeek } from './seek.ts'
import { feedIdOf, isOfFeed } from './tasks.ts'

export interface RecorderParts extends Omit<Policy, 'languageOf'> {
  /** Loads what tells languages apart, when the first text is there. */
  loadLanguageOf?: () => Promise<LanguageOf>
  store: Store
  clock: Clock
  lineDueAt: ArticleCrawl['lineDueAt']
  pushes?: Pushes
  emit: (event: CrawlEvent) => void
}

export function createRecorder(parts: RecorderParts): {
  /** `excused`: failures of a host, which are not counted as the feed's own. Returns how many dates followed the price. */
  record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<number>
  /** What a hub brought: how many entries were new or said something else; undefined if it is no feed. */
  recordPush(
    held: ScheduledFeed,
    brought: Brought,
    at: Instant,
  ): Promise<{ fresh: number; changed: number } | undefined>
} {
  const { store, clock, pushes, emit } = parts
  const recognise = createRecogniser(parts)
  const articleRecorder = createArticleRecorder(parts)

  async function policyNow(): Promise<Policy> {
    const languageOf = await parts.loadLanguageOf?.()
    return { ...parts, ...(languageOf && { languageOf }) }
  }

  async function record(outcomes: Outcome[], excused: ReadonlySet<Outcome>): Promise<number> {
    const policy: Policy = outcomes.some(({ result }) => hasText(result)) ? await policyNow() : parts
    const following = await recordFeeds(
      outcomes.filter(({ task }) => isOfFeed(task)),
      excused,
      policy,
    )
    const articles = outcomes.filter(({ task }) => task.kind === 'article')
    if (articles.length > 0) await articleRecorder.record(articles, policy)
    for (const outcome of outcomes)
      if (outcome.task.kind === 'discover')
        await guarded(`looking for a feed at ${outcome.task.url}`, async () => {
          const feedId = await applyDiscovery(store, outcome, policy, emit)
          if (feedId === undefined || !pushes) return
          const [held] = await store.feedsById([feedId])
          const [push] = await store.pushesOf([feedId])
          if (held) await tellPushes(held, push, outcome, [])
        })
    return following
  }

  /** Which hub the document names, if one was read; and what was found that a hub should have told. */
  async function tellPushes(
    { feed, schedule }: ScheduledFeed,
    push: Push | undefined,
    { task, at, result }: Outcome,
    fresh: EntryDraft[],
  ): Promise<void> {
    if (task.kind === 'poll' && task.page) return // it is another document, and what it has is old
    const facts = result.kind === 'window' || result.kind === 'found' ? { facts: result.reading.facts } : {}
    await pushes?.polled(push, { feed, at, lastAt: schedule.polledAt ?? at, fresh, ...facts })
  }

  async function recordFeeds(outcomes: Outcome[], excused: ReadonlySet<Outcome>, policy: Policy): Promise<number> {
    if (outcomes.length === 0) return 0
    const held = await store.feedsById(outcomes.map(feedIdOf))
    const recognised = await recognise(outcomes, held)
    const kept = pushes ? await store.pushesOf(outcomes.map(feedIdOf)) : []
    const claimed = new Set<string>()
    const applied: (Applied & { told: () => Promise<void> })[] = []
    for (const [i, { outcome, known }] of recognised.entries()) {
      const feed = held[i]
      if (!feed) continue // removed while the task was out
      await guarded(`applying what came of ${outcome.task.url}`, async () => {
        if (outcome.task.kind === 'seek') await applySeek(store, outcome, feed, known, policy, emit)
        else {
          const apart = await keptApart(applyPoll(outcome, feed, known, policy), feed, claimed)
          const poll = withoutBlame(apart, feed, excused.has(outcomes[i]!), parts)
          const told = () => tellPushes(feed, kept[i], outcome, poll.record.fresh)
          applied.push({ ...(await bounded(relaxed(poll, feed, kept[i], parts))), told })
        }
      })
    }
    let following = 0
    for (const { record, events, told } of await recorded(applied)) {
      if (isFollowing(record)) following++
      for (const event of events) emit(event)
      await guarded(`telling the hub of feed ${record.poll.feedId}`, told)
    }
    return following
  }

  /** Two feeds never come to one address; `claimed` has those that others of the same batch move to. */
  async function keptApart(applied: Applied, { feed }: ScheduledFeed, claimed: Set<string>): Promise<Applied> {
    const { record, events } = applied
    const to = record.feed?.url
    if (to === undefined) return applied
    const there = await store.feedAt(to)
    const isFree = (there === undefined || there === feed.id) && !claimed.has(to)
    claimed.add(to)
    if (isFree) return applied
    const stayed = events.filter(({ kind }) => kind !== 'moved')
    if (there === undefined) return { record: withoutMove(record), events: stayed } // the next poll will know of whom
    const { id: feedId, title, url, successorUrl } = feed
    const told: CrawlEvent = { kind: 'duplicate', at: record.poll.at, feedId, title, url, to, sameAs: there }
    return { record: withoutMove(record, to), events: successorUrl === to ? stayed : [...stayed, told] }
  }

  /** Those that the store took and had not had before: first all that are small, together. */
  async function recorded<One extends Applied>(applied: One[]): Promise<One[]> {
    const few = applied.filter(({ record }) => !isMany(record))
    const many = applied.filter(({ record }) => isMany(record))
    try {
      const taken = await store.recordPolls(few.map(({ record }) => record))
      return [...few.filter((_, i) => taken[i]), ...(await recordedAlone(many))]
    } catch {
      return recordedAlone(applied)
    }
  }

  async function recordedAlone<One extends Applied>(applied: One[]): Promise<One[]> {
    const taken: One[] = []
    for (const one of applied)
      await guarded(`recording a poll of feed ${one.record.poll.feedId}`, async () => {
        if (await recordInPortions(store, one.record)) taken.push(one)
      })
    return taken
  }

  async function bounded(applied: Applied): Promise<Applied> {
    if (!mayBeTooMany(applied.record)) return applied
    const { record, left } = await withinDay(store, applied.record)
    if (left === 0) return applied
    const { result } = record.poll
    const events = applied.events.flatMap((event): CrawlEvent[] => {
      if (event.kind !== 'polled') return [event]
      const { at, feedId, title, url } = event
      return [
        { ...event, result },
        { kind: 'flood', at, feedId, title, url, left },
      ]
    })
    return { record, events }
  }

  async function recordPush(held: ScheduledFeed, { headers, body }: Brought, at: Instant) {
    const { feed, schedule } = held
    const { id: feedId, url, subscribers } = feed
    const answer = { ok: true as const, status: 200, url, redirects: [], headers, body, wireBytes: body.length }
    const read = readAnswer(answer, at)
    if (read.kind === 'failed') return undefined
    const outcome: Outcome = {
      task: { kind: 'poll', feedId, url, validators: {}, subscribers, gapMs: 0 },
      at,
      tookMs: 0,
      bytes: body.length,
      result: { kind: 'window', reading: read.reading },
    }
    const [recognised] = await recognise([outcome], [held])
    const record = recordOf(recognised!.outcome, feed, schedule, recognised!.known, await policyNow())
    await store.recordPolls([{ ...record, entriesOnly: true }])
    return { fresh: record.fresh.length, changed: record.changed.length }
  }

  /** A mistake of ours while applying one outcome is reported and stays with that one; its lease will run out. */
  async function guarded(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      emit({ kind: 'mistake', at: clock.now(), error, doing })
    }
  }

  return { record, recordPush }
}

/** A failure of the host is told, but does not make the feed wait longer than a first one would. */
function withoutBlame(
  applied: Applied,
  { feed, schedule }: ScheduledFeed,
  excused: boolean,
  { terms }: Policy,
): Applied {
  const { poll } = applied.record
  if (!excused || poll.result.kind !== 'failed') return applied
  const dueAt = Math.max(poll.at + terms(feed).limits.minMs, backoffUntil(poll.result.failure, 0, poll.at, 0))
  return rescheduled(applied, { failures: schedule.failures, dueAt })
}

/** While a hub tells us what is new, polls are for safety only. */
function relaxed(applied: Applied, held: ScheduledFeed, push: Push | undefined, { terms }: Policy): Applied {
  const { poll, schedule, fresh, feed: change } = applied.record
  const { at, result } = poll
  if (!push || result.kind === 'failed' || change?.errand || held.feed.errand) return applied
  const after = polledAfter(push, fresh, { at, lastAt: held.schedule.polledAt ?? at })
  if (!isRelied(after, at)) return applied
  const { limits, price } = terms(held.feed)
  const safeAt = at + Math.min(SAFETY_POLL_MS, limits.maxMs)
  if (safeAt <= schedule.dueAt) return applied
  const hints = change?.hints === undefined ? held.feed.hints : change.hints
  return rescheduled(applied, { dueAt: notBeforeByHints(hints ?? {}, at, safeAt), because: { by: 'push', price } })
}

/** Whether the price had a say in the next date, or could have, were it not for the limits. */
function isFollowing({ poll, schedule }: PollRecord): boolean {
  const { because, polledAt, strategy, memory } = schedule
  if (polledAt !== poll.at || !because) return false
  const isFree = because.by === 'strategy' || because.by === 'min-interval' || because.by === 'max-interval'
  return isFree && followsPrice(strategyNamed(strategy), memory, polledAt)
}

function rescheduled({ record, events }: Applied, change: Partial<Schedule> & { dueAt: Instant }): Applied {
  const { dueAt } = change
  return {
    record: { ...record, schedule: { ...record.schedule, ...change } },
    events: events.map((event) => (event.kind === 'polled' ? { ...event, dueAt } : event)),
  }
}

function hasText({ kind }: Outcome['result']): boolean {
  return kind === 'window' || kind === 'found' || kind === 'page'
}
