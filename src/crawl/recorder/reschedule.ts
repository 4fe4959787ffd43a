/** Dates that are set anew because a person wants something else of a feed, not because it was polled. */
import {
  type DueBecause,
  type Feed,
  type FeedId,
  type Instant,
  type Schedule,
  type ScheduledFeed,
  SECOND,
} from '../../model/index.ts'
import type { Roles, Subscriptions } from '../../ports/index.ts'
import { dueAt, foldersRound, strategyFor, strategyNamed, type Terms } from '../../scheduling/index.ts'
import type { Policy } from './policy.ts'

/** How many entries a new strategy learns from: more than most feeds show at once. */
const LEARNT_FROM = 100
const PIECE = 1000
const MOST_HURRIED = 10_000

/** The schedule of a feed under another strategy, which learns from the entries that we have. */
export async function underStrategy(
  { subscriptions, catalogue }: Pick<Roles, 'subscriptions' | 'catalogue'>,
  { feed, schedule }: ScheduledFeed,
  name: string,
  terms: Terms,
): Promise<Partial<Schedule>> {
  const strategy = strategyNamed(name)
  const [siblings = []] = await subscriptions.memoriesAt([feed.root], name, SIBLINGS)
  const memory = strategy.begin(siblings)
  const at = schedule.succeededAt
  if (at === undefined) return { strategy: name, memory }
  const entries = await catalogue.entries({ feedId: feed.id, limit: LEARNT_FROM })
  const window = entries
    .map((entry) => Math.min(at, entry.publishedAt ?? entry.updatedAt ?? entry.seenAt, entry.seenAt))
    .sort((a, b) => a - b)
  const learnt = strategy.learn(memory, { at, window, fresh: window.length })
  return { strategy: name, memory: learnt, ...(isWell(schedule) && sooner(schedule, feed, name, learnt, terms)) }
}

/** How many feeds of its site a new feed begins with the knowledge of. */
export const SIBLINGS = 8

/**
 * Feeds of a folder, and of those within it, that would be polled sooner on the terms of now are due sooner; without a folder the
 * first some thousand of all, and the others when they are polled next.
 */
export async function hurry(
  { subscriptions, catalogue }: Pick<Roles, 'subscriptions' | 'catalogue'>,
  { terms }: Pick<Policy, 'terms'>,
  folder?: string,
): Promise<void> {
  let looked = 0
  for (let after = { id: 0 as FeedId, dueAt: 0 }; folder !== undefined || looked < MOST_HURRIED; looked += PIECE) {
    const feeds = await catalogue.feeds({ state: 'active', order: 'id', after, limit: PIECE })
    for (const scheduled of feeds)
      if (folder === undefined || foldersRound(scheduled.feed.folder ?? '').includes(folder))
        await hurryOne(subscriptions, scheduled, terms(scheduled.feed))
    const last = feeds.at(-1)
    if (!last || feeds.length < PIECE) return
    after = { id: last.feed.id, dueAt: last.schedule.dueAt }
  }
}

export async function hurryOne(
  subscriptions: Subscriptions,
  { feed, schedule }: ScheduledFeed,
  terms: Terms,
): Promise<void> {
  if (schedule.succeededAt === undefined || !isWell(schedule)) return
  const change = sooner(schedule, feed, schedule.strategy, schedule.memory, terms)
  if (change) await subscriptions.changeFeed(feed.id, {}, change)
}

/** What a server, a publisher or a person asked for stays. */
export function isWell({ failures, because }: Schedule): boolean {
  return failures === 0 && !(because && ASKED.has(because.by))
}

const ASKED: ReadonlySet<DueBecause> = new Set<DueBecause>(['server', 'publisher', 'push', 'asked'])

function sooner(
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
