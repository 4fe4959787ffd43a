/** Reschedules feeds after a user changed their settings. */
import {
  type DueBecause,
  type Feed,
  type FeedId,
  type Instant,
  type Schedule,
  type ScheduledFeed,
  SECOND,
} from '../../model/index.ts'
import type { FeedRegistry, Roles } from '../../ports/index.ts'
import { dueAt, enclosingFolders, strategyFor, strategyNamed, type Terms } from '../../scheduling/index.ts'
import type { Policy } from './policy.ts'

/** Entries that a new strategy learns from: more than most feeds show at once. */
const LEARNING_SAMPLE = 100
const PAGE_SIZE = 1000
const MAX_RESCHEDULED = 10_000

/** The schedule of a feed under another strategy, which learns from the stored entries. */
export async function withStrategy(
  { feedRegistry, catalogue }: Pick<Roles, 'feedRegistry' | 'catalogue'>,
  { feed, schedule }: ScheduledFeed,
  name: string,
  terms: Terms,
): Promise<Partial<Schedule>> {
  const strategy = strategyNamed(name)
  const [siblings = []] = await feedRegistry.memoriesOfRoots([feed.root], name, MAX_SIBLINGS)
  const memory = strategy.begin(siblings)
  const at = schedule.succeededAt
  if (at === undefined) return { strategy: name, memory }
  const entries = await catalogue.entries({ feedId: feed.id, limit: LEARNING_SAMPLE })
  const window = entries
    .map((entry) => Math.min(at, entry.publishedAt ?? entry.updatedAt ?? entry.seenAt, entry.seenAt))
    .sort((a, b) => a - b)
  const learned = strategy.learn(memory, { at, window, fresh: window.length })
  return {
    strategy: name,
    memory: learned,
    ...(canRescheduleSooner(schedule) && earlierDueDate(schedule, feed, name, learned, terms)),
  }
}

/** A new feed's strategy starts with what it learned from at most this many feeds of the same site. */
export const MAX_SIBLINGS = 8

/**
 * Moves due dates forward where the current terms give an earlier one: for the feeds of a folder and its subfolders, or without a folder for
 * the first `MAX_RESCHEDULED` feeds of all; the others follow with their next poll.
 */
export async function rescheduleSooner(
  { feedRegistry, catalogue }: Pick<Roles, 'feedRegistry' | 'catalogue'>,
  { terms }: Pick<Policy, 'terms'>,
  folder?: string,
): Promise<void> {
  let checked = 0
  for (
    let after = { id: 0 as FeedId, dueAt: 0 };
    folder !== undefined || checked < MAX_RESCHEDULED;
    checked += PAGE_SIZE
  ) {
    const feeds = await catalogue.feeds({ state: 'active', order: 'id', after, limit: PAGE_SIZE })
    for (const scheduled of feeds)
      if (folder === undefined || enclosingFolders(scheduled.feed.folder ?? '').includes(folder))
        await rescheduleFeedSooner(feedRegistry, scheduled, terms(scheduled.feed))
    const last = feeds.at(-1)
    if (!last || feeds.length < PAGE_SIZE) return
    after = { id: last.feed.id, dueAt: last.schedule.dueAt }
  }
}

export async function rescheduleFeedSooner(
  feedRegistry: FeedRegistry,
  { feed, schedule }: ScheduledFeed,
  terms: Terms,
): Promise<void> {
  if (schedule.succeededAt === undefined || !canRescheduleSooner(schedule)) return
  const change = earlierDueDate(schedule, feed, schedule.strategy, schedule.memory, terms)
  if (change) await feedRegistry.changeFeed(feed.id, {}, change)
}

/** Due dates that a server, a publisher or a user asked for stay. */
export function canRescheduleSooner({ failures, because }: Schedule): boolean {
  return failures === 0 && !(because && FIXED_REASONS.has(because.by))
}

const FIXED_REASONS: ReadonlySet<DueBecause> = new Set<DueBecause>(['server', 'publisher', 'push', 'requested'])

function earlierDueDate(
  schedule: Schedule,
  feed: Feed,
  strategy: string,
  memory: Schedule['memory'],
  terms: Terms,
): Partial<Schedule> | undefined {
  const lastAt: Instant = schedule.succeededAt ?? feed.addedAt
  const due = dueAt(strategyFor(strategy, memory, lastAt, terms).next(memory, lastAt, terms), lastAt, terms.limits)
  return due < schedule.dueAt - SECOND ? { dueAt: due, because: { by: 'strategy', price: terms.price } } : undefined
}
