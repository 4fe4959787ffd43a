/**
 * Rounds, for strategies that rank (`Strategy.rounds`): every few minutes all their feeds are scanned, and those of highest rank
 * become due, as many as the budget has earned since the last round. From then on they are ordinary due feeds; a feed that still
 * waits from the round before counts among those of this one.
 *
 * A threshold would avoid the scan, but only the k-th highest rank of the moment selects the k highest, and finding it takes the
 * same scan (docs/decisions/scheduling-budget.md).
 */
import { bucketOf, HOUR, type Instant, MINUTE, type Millis, type Owned, type ScheduledFeed } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import {
  createHighest,
  followsPrice,
  type Highest,
  nextRoundAt,
  pollsBetween,
  type Strategy,
  strategyNamed,
  troubleWithStrategy,
} from '../../scheduling/index.ts'
import { isWell } from '../recorder/reschedule.ts'
import type { Budget } from './budget.ts'
import type { Flights } from './in-flight-tasks.ts'

export interface RankRounds {
  /** When the next round begins; undefined where there are none. */
  nextAt(): Instant | undefined
  /** Makes due who is chosen, if a round has begun. `since`: with the polls of the time since its feeds were last polled. */
  choose(now: Instant, since?: 'last-poll'): Promise<void>
}

export interface RankRoundsParts extends Pick<Roles, 'agenda' | 'catalogue'> {
  budget: Pick<Budget, 'terms' | 'toShareOut' | 'turn'>
  flights: Pick<Flights, 'has'>
  owned: () => Owned | undefined
  startedAt: Instant
}

/** Whether some feeds are ranked is found out soon after we begin, and then now and then. */
const FIRST_LOOK_MS: Millis = 8 * MINUTE
const LOOKED_FOR_EVERY_MS: Millis = 6 * HOUR
/** However long nobody ran, no round has more polls than so much time earns. */
const LONGEST_EARNED_MS: Millis = 6 * HOUR

/** The feeds of one strategy, with its settings. */
interface Ranked {
  everyMs: Millis
  feeds: number
  /** Due already. */
  waiting: number
  lastPollAt: Instant
  highest: Highest<ScheduledFeed>
}

export function createRankRounds(parts: RankRoundsParts): RankRounds {
  const { agenda, catalogue, budget, flights, owned, startedAt } = parts
  let lookAt = nextRoundAt(startedAt, FIRST_LOOK_MS)
  /** Of each strategy, with its settings. */
  let lastRounds = new Map<string, Instant>()
  let hasLooked = false

  /** What there is to choose among, by strategy; and how many feeds share the budget with them. */
  async function lookThrough(now: Instant, perDay: number, leastRank: number) {
    const bySpec = new Map<string, Ranked>()
    let following = 0
    const buckets = owned()
    for await (const held of catalogue.everyFeed()) {
      const { feed, schedule } = held
      if (feed.state !== 'active' || troubleWithStrategy(schedule.strategy)) continue
      if (buckets && !buckets.has(feed.bucket ?? bucketOf(feed.root))) continue
      const strategy = strategyNamed(schedule.strategy)
      const ranked = strategy.rounds && (bySpec.get(schedule.strategy) ?? noneRanked(strategy.rounds, perDay, now))
      if (ranked) bySpec.set(schedule.strategy, ranked)
      const { polledAt } = schedule
      if (polledAt === undefined || !followsPrice(strategy, schedule.memory, now)) continue
      following++
      if (!ranked) continue
      ranked.feeds++
      ranked.lastPollAt = Math.max(ranked.lastPollAt, polledAt)
      if (flights.has(`feed ${feed.id}`)) continue
      if (schedule.dueAt <= now) ranked.waiting++
      else rank(held, strategy, ranked, now, leastRank)
    }
    return { bySpec, following }
  }

  function rank(held: ScheduledFeed, strategy: Strategy, { highest }: Ranked, now: Instant, leastRank: number): void {
    const { feed, schedule } = held
    const terms = budget.terms(feed)
    const gapMs = Math.max(terms.limits.minMs, strategy.rounds?.gapMs ?? 0)
    if (!isWell(schedule) || now - (schedule.polledAt ?? now) < gapMs) return
    const urgency = strategy.urgency?.(schedule.memory, now, terms) ?? 0
    if (urgency >= leastRank) highest.offer(held, urgency)
  }

  async function choose(now: Instant, since?: 'last-poll'): Promise<void> {
    if (now < lookAt && !since) return
    await budget.turn(now) // which may be due at the same instant, and says what there is for this round
    const share = budget.toShareOut()
    if (!share) {
      lookAt = Number.POSITIVE_INFINITY
      return
    }
    const { bySpec, following } = await lookThrough(now, share.pollsPerDay, share.leastPrice / HOUR)
    const chosen: ScheduledFeed[] = []
    const rounds = new Map<string, Instant>()
    for (const [spec, { everyMs, feeds, waiting, lastPollAt, highest }] of bySpec) {
      const lastAt = since ? lastPollAt : (lastRounds.get(spec) ?? startedAt)
      const from = Math.max(lastAt, now - Math.max(LONGEST_EARNED_MS, everyMs))
      const isNow = nextRoundAt(from, everyMs) <= now
      rounds.set(spec, isNow ? now : lastAt)
      if (!isNow || feeds === 0) continue
      const polls = pollsBetween((share.pollsPerDay * feeds) / following, from, now)
      chosen.push(...highest.first(polls - waiting))
    }
    if (chosen.length > 0) await agenda.handBack(chosen.map(({ feed }) => ({ kind: 'feed', id: feed.id, dueAt: now })))
    lastRounds = rounds
    hasLooked = true
    lookAt = now + LOOKED_FOR_EVERY_MS
    for (const { everyMs } of bySpec.values()) lookAt = Math.min(lookAt, nextRoundAt(now, everyMs))
  }

  /** Nobody is woken up to look for feeds that were not there the last time. */
  function nextAt(): Instant | undefined {
    const isWorthIt = !hasLooked || lastRounds.size > 0
    return isWorthIt && Number.isFinite(lookAt) ? lookAt : undefined
  }

  return { nextAt, choose }
}

function noneRanked({ everyMs }: NonNullable<Strategy['rounds']>, perDay: number, now: Instant): Ranked {
  const most = pollsBetween(perDay, now - Math.max(LONGEST_EARNED_MS, everyMs), now)
  return { everyMs, feeds: 0, waiting: 0, lastPollAt: Number.NEGATIVE_INFINITY, highest: createHighest(most) }
}
