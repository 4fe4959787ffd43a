/**
 * Tests whether differences from Urbansky et al. (2011) are due to other feeds or other servers: traces are sampled
 * again in the paper's mix, and traffic is computed for servers that send the full document each time.
 *
 * What the paper states about its mix: hourly polls need 222.06 polls per item if every feed counts equally, and 21.02
 * if busy feeds count more (Table 1). Feeds are sampled with a weight of their items to the power of -a, those with
 * 300 items and more (their figure 3) b times as often; a and b are such that both figures result.
 */
import { DAY, HOUR, type Instant, type Millis } from '../../model/index.ts'
import { type Limits, strategyNamed } from '../../scheduling/index.ts'
import { type AlignedTrace, type ReplayPlan, toSharedMemory } from '../aligned-trace.ts'
import { countUpTo } from '../instants.ts'
import { runAlone } from '../replay.ts'
import type { FeedTally } from '../tally.ts'
import { FIRST_FINDS } from '../tally.ts'
import { pollBytes } from '../traffic.ts'
import { seededRandom } from '../village/seeded-random.ts'

const BY_FEEDS = 222.06
const BY_POLLS = 21.02
/** 19 million of 180,000. */
const ITEMS_A_FEED = 106
const BUSY = 'busy:'
const STEPS = 60
const MAX_EXPONENT = 16

interface Mixed {
  items: number
  weight: number
}

/** As many feeds as there are, some of them repeatedly. */
export function sampleInPaperMix(feeds: AlignedTrace[], plan: ReplayPlan, seed: number): AlignedTrace[] {
  const items = feeds.map(({ published }) => published.filter((at) => at >= plan.scoreAt).length)
  const polls = (plan.endAt - plan.scoreAt) / HOUR
  const weights = weightsOf(items, polls)
  const start = seededRandom(seed, 'mix').next()
  const sums: number[] = []
  let total = 0
  for (const weight of weights) {
    total += weight
    sums.push(total)
  }
  // At equal steps through the weights: in a random sample, one busy feed more or less would be a tenth of all items.
  return toSharedMemory(feeds.map((_, i) => feeds[firstAbove(sums, ((i + start) / feeds.length) * total)]!))
}

function weightsOf(items: number[], polls: number): number[] {
  const busiest = (a: number) =>
    bisected((logB) => pollsPerItem(mixOf(items, a, Math.exp(logB)), polls).byPolls - BY_POLLS, MAX_EXPONENT)
  const a = bisected(
    (exponent) => BY_FEEDS - pollsPerItem(mixOf(items, exponent, Math.exp(busiest(exponent))), polls).byFeeds,
    2,
  )
  return mixOf(items, a, Math.exp(busiest(a))).map(({ weight }) => weight)
}

function mixOf(items: number[], a: number, b: number): Mixed[] {
  return items.map((n) => ({ items: n, weight: (n + 1) ** -a * (n >= FIRST_FINDS ? b : 1) }))
}

function pollsPerItem(mix: Mixed[], polls: number): { byFeeds: number; byPolls: number } {
  let [withItems, perFeed, total, items] = [0, 0, 0, 0]
  for (const item of mix) {
    total += item.weight
    items += item.weight * item.items
    if (item.items === 0) continue
    withItems += item.weight
    perFeed += (item.weight * polls) / item.items
  }
  return { byFeeds: perFeed / withItems, byPolls: (total * polls) / items }
}

/** The zero of a falling function between -limit and limit. */
function bisected(falling: (x: number) => number, limit: number): number {
  let [low, high] = [-limit, limit]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (falling(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function firstAbove(sums: number[], fraction: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle]! > fraction) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The mix with feeds as busy as those of the paper must have been: it has 106 items per feed, while hourly polls that
 * need 21.02 polls found 24. Both are true if a poll with several items counts once, and some feeds always have news:
 * the two figures determine how many such feeds there are, and how many items they have. Each is composed of several
 * of our busiest feeds, like a newspaper's feed of everything. Without a busy feed the mix is unchanged.
 */
export function withBusyFeeds(
  mix: AlignedTrace[],
  feeds: readonly AlignedTrace[],
  plan: ReplayPlan,
  timesAsMany = 1,
): AlignedTrace[] {
  const hours = (plan.endAt - plan.scoreAt) / HOUR
  const items = mix.reduce((sum, feed) => sum + countSince(feed, plan.scoreAt), 0) / mix.length
  const finds = mix.reduce((sum, feed) => sum + hoursWithNews(feed, plan.scoreAt), 0) / mix.length
  const share = (hours / BY_POLLS - finds) / (hours - finds)
  const brings = (ITEMS_A_FEED - (1 - share) * items) / share
  const busiest = feeds.filter((feed) => countSince(feed, plan.scoreAt) >= FIRST_FINDS)
  const count = busiest.length === 0 ? 0 : Math.round(timesAsMany * share * mix.length)
  if (count <= 0) return mix
  let next = 0
  const busy = Array.from({ length: count }, (_, i): AlignedTrace => {
    const parts: AlignedTrace[] = []
    let missing = brings
    do {
      const busyFeed = busiest[next++ % busiest.length]!
      parts.push(busyFeed)
      missing -= countSince(busyFeed, plan.scoreAt)
    } while (missing > countSince(busiest[next % busiest.length]!, plan.scoreAt) / 2)
    return joined(`${BUSY}${i}`, parts)
  })
  const step = mix.length / count
  const positions = new Set(busy.map((_, i) => Math.floor(i * step)))
  return toSharedMemory([...mix.filter((_, i) => !positions.has(i)), ...busy])
}

export function isBusy({ feed }: Pick<AlignedTrace, 'feed'>): boolean {
  return feed.startsWith(BUSY)
}

function joined(feed: string, parts: AlignedTrace[]): AlignedTrace {
  const [{ kind, window, firstAt }] = parts as [AlignedTrace, ...AlignedTrace[]]
  const all = Float64Array.from(parts.flatMap(({ published }) => [...published])).sort()
  const shown = countUpTo(all, firstAt)
  const published = all.subarray(Math.max(0, shown - window))
  return { feed, kind, window, published, firstAt, known: Math.min(shown, window) }
}

function countSince({ published }: AlignedTrace, at: Instant): number {
  return published.length - countUpTo(published, at - 1)
}

/** Hours in which an hourly poll has news. */
function hoursWithNews({ published, firstAt }: AlignedTrace, since: Instant): number {
  const hours = new Set<number>()
  for (const at of published) if (at >= since) hours.add(Math.floor((at - firstAt) / HOUR))
  return hours.size
}

/**
 * Finds of a strategy, counting each poll with news once, with the mean delay of its items. Unseen items do not count.
 */
export interface Finds {
  /** Mean over these polls. */
  perFindMs: Millis
  /** Mean over all polls, each with its feed's delay per find. */
  perPollMs: Millis
  pollsPerFind: number
}

export function countFinds(feeds: readonly AlignedTrace[], name: string, plan: ReplayPlan, limits: Limits): Finds {
  const strategy = strategyNamed(name)
  let [polls, finds, sumMs, pollsOfFinders, weightedMs] = [0, 0, 0, 0, 0]
  for (const { published, window, firstAt } of feeds) {
    let [pollsHere, findsHere, sumHere] = [0, 0, 0]
    runAlone(
      { published, window },
      {
        strategy,
        limits,
        firstAt,
        onPoll({ at, first, windowStart, upTo }) {
          if (at < plan.scoreAt) return
          pollsHere++
          if (first || upTo === windowStart) return
          let waited = 0
          for (let i = windowStart; i < upTo; i++) waited += at - published[i]!
          findsHere++
          sumHere += waited / (upTo - windowStart)
        },
      },
      plan.endAt,
      HOUR,
    )
    polls += pollsHere
    if (findsHere === 0) continue
    finds += findsHere
    sumMs += sumHere
    pollsOfFinders += pollsHere
    weightedMs += (pollsHere * sumHere) / findsHere
  }
  const countedFinds = Math.max(1, finds)
  return {
    perFindMs: sumMs / countedFinds,
    perPollMs: weightedMs / Math.max(1, pollsOfFinders),
    pollsPerFind: polls / countedFinds,
  }
}

/** Bytes per day if this share of the servers, chosen at random, does not support conditional requests. */
export function trafficWith(
  share: number,
  feeds: readonly AlignedTrace[],
  tallies: readonly FeedTally[],
  plan: ReplayPlan,
  seed: number,
): number {
  let bytes = 0
  for (const [i, feed] of feeds.entries()) {
    const tally = tallies[i]
    if (!tally) continue
    const isForgetful = seededRandom(seed, 'not modified', feed.feed).happens(share)
    bytes += isForgetful ? tally.polls * pollBytes(feed, true) : tally.bytes
  }
  return (bytes * DAY) / (plan.endAt - plan.scoreAt)
}
