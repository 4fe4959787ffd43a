/**
 * Ranked selection, for strategies that rank feeds (`Strategy.rounds`). Every few minutes a round scans all their feeds and makes those with
 * the highest rank due, as many as the budget has earned since the last round. From then on they are ordinary due feeds; a feed that
 * still waits from the last round counts in this one.
 *
 * A threshold would avoid the scan, but only the current k-th highest rank selects the k highest, and finding it takes the same scan
 * (docs/decisions/scheduling-budget.md).
 */
import { bucketOf, HOUR, type Instant, MINUTE, type Millis, type Owned, type ScheduledFeed } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import {
  createTopRanked,
  earnedPolls,
  followsPrice,
  nextRoundAt,
  type Strategy,
  strategyError,
  strategyNamed,
  type TopRanked,
} from '../../scheduling/index.ts'
import { canRescheduleSooner } from '../recorder/reschedule.ts'
import type { Budget } from './budget.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'

export interface RankedSelection {
  /** When the next round begins; undefined if no feeds are ranked. */
  nextAt(): Instant | undefined
  /** Makes the selected feeds due, if a round is due. 'last-poll': selects as many as the time since the last poll has earned. */
  select(now: Instant, since?: 'last-poll'): Promise<void>
}

export interface RankedSelectionParts extends Pick<Roles, 'dueQueue' | 'catalogue'> {
  budget: Pick<Budget, 'terms' | 'remainingBudget' | 'updatePrice'>
  inFlight: Pick<InFlightTasks, 'has'>
  owned: () => Owned | undefined
  startedAt: Instant
}

/** The first scan finds out soon after the start whether any feeds are ranked; later scans repeat that. */
const FIRST_SCAN_MS: Millis = 8 * MINUTE
const RESCAN_INTERVAL_MS: Millis = 6 * HOUR
/** The most time for which a round earns polls, however long the crawler was stopped. */
const MAX_EARNED_MS: Millis = 6 * HOUR

/** The feeds of one strategy with its settings. */
interface Ranking {
  everyMs: Millis
  feeds: number
  /** Due already. */
  waiting: number
  lastPollAt: Instant
  highest: TopRanked<ScheduledFeed>
}

export function createRankedSelection(parts: RankedSelectionParts): RankedSelection {
  const { dueQueue, catalogue, budget, inFlight, owned, startedAt } = parts
  let scanAt = nextRoundAt(startedAt, FIRST_SCAN_MS)
  /** When the last round of each strategy, with its settings, began. */
  let lastRounds = new Map<string, Instant>()
  let hasScanned = false

  /** Ranks the feeds by strategy, and counts all feeds that share the budget. */
  async function scanFeeds(now: Instant, perDay: number, minRank: number) {
    const bySpec = new Map<string, Ranking>()
    let following = 0
    const buckets = owned()
    for await (const scheduled of catalogue.everyFeed()) {
      const { feed, schedule } = scheduled
      if (feed.state !== 'active' || strategyError(schedule.strategy)) continue
      if (buckets && !buckets.has(feed.bucket ?? bucketOf(feed.root))) continue
      const strategy = strategyNamed(schedule.strategy)
      const ranked = strategy.rounds && (bySpec.get(schedule.strategy) ?? emptyRanking(strategy.rounds, perDay, now))
      if (ranked) bySpec.set(schedule.strategy, ranked)
      const { polledAt } = schedule
      if (polledAt === undefined || !followsPrice(strategy, schedule.memory, now)) continue
      following++
      if (!ranked) continue
      ranked.feeds++
      ranked.lastPollAt = Math.max(ranked.lastPollAt, polledAt)
      if (inFlight.has(`feed ${feed.id}`)) continue
      if (schedule.dueAt <= now) ranked.waiting++
      else rank(scheduled, strategy, ranked, now, minRank)
    }
    return { bySpec, following }
  }

  function rank(
    scheduled: ScheduledFeed,
    strategy: Strategy,
    { highest }: Ranking,
    now: Instant,
    minRank: number,
  ): void {
    const { feed, schedule } = scheduled
    const terms = budget.terms(feed)
    const gapMs = Math.max(terms.limits.minMs, strategy.rounds?.gapMs ?? 0)
    if (!canRescheduleSooner(schedule) || now - (schedule.polledAt ?? now) < gapMs) return
    const urgency = strategy.urgency?.(schedule.memory, now, terms) ?? 0
    if (urgency >= minRank) highest.offer(scheduled, urgency)
  }

  async function select(now: Instant, since?: 'last-poll'): Promise<void> {
    if (now < scanAt && !since) return
    await budget.updatePrice(now) // it may be due at the same instant, and determines the share of this round
    const share = budget.remainingBudget()
    if (!share) {
      scanAt = Number.POSITIVE_INFINITY
      return
    }
    const { bySpec, following } = await scanFeeds(now, share.pollsPerDay, share.minPrice / HOUR)
    const selected: ScheduledFeed[] = []
    const rounds = new Map<string, Instant>()
    for (const [spec, { everyMs, feeds, waiting, lastPollAt, highest }] of bySpec) {
      const lastAt = since ? lastPollAt : (lastRounds.get(spec) ?? startedAt)
      const from = Math.max(lastAt, now - Math.max(MAX_EARNED_MS, everyMs))
      const isNow = nextRoundAt(from, everyMs) <= now
      rounds.set(spec, isNow ? now : lastAt)
      if (!isNow || feeds === 0) continue
      const polls = earnedPolls((share.pollsPerDay * feeds) / following, from, now)
      selected.push(...highest.first(polls - waiting))
    }
    if (selected.length > 0)
      await dueQueue.releaseLeases(selected.map(({ feed }) => ({ kind: 'feed', id: feed.id, dueAt: now })))
    lastRounds = rounds
    hasScanned = true
    scanAt = now + RESCAN_INTERVAL_MS
    for (const { everyMs } of bySpec.values()) scanAt = Math.min(scanAt, nextRoundAt(now, everyMs))
  }

  /** No wake-up only to rescan when the last scan found no ranked feeds. */
  function nextAt(): Instant | undefined {
    const isWorthIt = !hasScanned || lastRounds.size > 0
    return isWorthIt && Number.isFinite(scanAt) ? scanAt : undefined
  }

  return { nextAt, select }
}

function emptyRanking({ everyMs }: NonNullable<Strategy['rounds']>, perDay: number, now: Instant): Ranking {
  const max = earnedPolls(perDay, now - Math.max(MAX_EARNED_MS, everyMs), now)
  return { everyMs, feeds: 0, waiting: 0, lastPollAt: Number.NEGATIVE_INFINITY, highest: createTopRanked(max) }
}
