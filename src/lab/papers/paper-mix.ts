/**
 * Where our figures differ from those of Urbansky et al. (2011), the feeds may be others, or the servers. So the traces are drawn
 * again in the paper's mix, and traffic is reckoned with servers that send the document each time.
 *
 * What the paper tells of its mix: an hourly poll needs 222.06 polls per item where every feed counts alike, and 21.02 where busy
 * ones count for more (Table 1). Feeds are drawn with a weight of their items to the power of -a, those with 300 items and more (their
 * figure 3) b times as often; a and b are such that both figures come out.
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
const FARTHEST = 16

interface Mixed {
  items: number
  weight: number
}

/** As many as there are, some of them several times. */
export function sampleInPaperMix(feeds: AlignedTrace[], plan: ReplayPlan, seed: number): AlignedTrace[] {
  const items = feeds.map(({ published }) => published.filter((at) => at >= plan.scoreAt).length)
  const polls = (plan.endAt - plan.scoreAt) / HOUR
  const weights = weightsOf(items, polls)
  const start = seededRandom(seed, 'mix').next()
  const sums: number[] = []
  let all = 0
  for (const weight of weights) {
    all += weight
    sums.push(all)
  }
  // At equal steps through the weights: by lot alone, one busy feed more or less would be a tenth of all items.
  return toSharedMemory(feeds.map((_, i) => feeds[firstAbove(sums, ((i + start) / feeds.length) * all)]!))
}

function weightsOf(items: number[], polls: number): number[] {
  const busiest = (a: number) =>
    bisected((logB) => pollsPerItem(mixOf(items, a, Math.exp(logB)), polls).byPolls - BY_POLLS, FARTHEST)
  const a = bisected((one) => BY_FEEDS - pollsPerItem(mixOf(items, one, Math.exp(busiest(one))), polls).byFeeds, 2)
  return mixOf(items, a, Math.exp(busiest(a))).map(({ weight }) => weight)
}

function mixOf(items: number[], a: number, b: number): Mixed[] {
  return items.map((n) => ({ items: n, weight: (n + 1) ** -a * (n >= FIRST_FINDS ? b : 1) }))
}

function pollsPerItem(mix: Mixed[], polls: number): { byFeeds: number; byPolls: number } {
  let [withItems, perFeed, all, items] = [0, 0, 0, 0]
  for (const one of mix) {
    all += one.weight
    items += one.weight * one.items
    if (one.items === 0) continue
    withItems += one.weight
    perFeed += (one.weight * polls) / one.items
  }
  return { byFeeds: perFeed / withItems, byPolls: (all * polls) / items }
}

/** Where a function that falls passes zero, between -far and far. */
function bisected(falling: (x: number) => number, far: number): number {
  let [low, high] = [-far, far]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (falling(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function firstAbove(sums: number[], lot: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle]! > lot) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The mix, with feeds in it that are as busy as those of the paper must have been: it counts 106 items a feed, where an hourly poll
 * that needs 21.02 polls has found 24. Both are true if a poll that finds something counts once, and some feeds bring something
 * always: then the two figures say how many feeds these are, and how much they bring. Each is several of our busiest in one, as a
 * newspaper's feed of everything is. Without a busy feed the mix is as it was.
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
      const part = busiest[next++ % busiest.length]!
      parts.push(part)
      missing -= countSince(part, plan.scoreAt)
    } while (missing > countSince(busiest[next % busiest.length]!, plan.scoreAt) / 2)
    return joined(`${BUSY}${i}`, parts)
  })
  const step = mix.length / count
  const places = new Set(busy.map((_, i) => Math.floor(i * step)))
  return toSharedMemory([...mix.filter((_, i) => !places.has(i)), ...busy])
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

/** In which an hourly poll finds something. */
function hoursWithNews({ published, firstAt }: AlignedTrace, since: Instant): number {
  const hours = new Set<number>()
  for (const at of published) if (at >= since) hours.add(Math.floor((at - firstAt) / HOUR))
  return hours.size
}

/** What a strategy finds, where each poll that found something counts once, with the mean delay of what it found. What nobody saw counts nothing. */
export interface Finds {
  /** The mean over these polls. */
  perFindMs: Millis
  /** The mean over all polls, each with the delay that its feed has per find. */
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
        onPoll({ at, first, shown, upTo }) {
          if (at < plan.scoreAt) return
          pollsHere++
          if (first || upTo === shown) return
          let waited = 0
          for (let i = shown; i < upTo; i++) waited += at - published[i]!
          findsHere++
          sumHere += waited / (upTo - shown)
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
  const some = Math.max(1, finds)
  return {
    perFindMs: sumMs / some,
    perPollMs: weightedMs / Math.max(1, pollsOfFinders),
    pollsPerFind: polls / some,
  }
}

/** Bytes a day, if this share of the servers never says "not modified"; which of them, is chance. */
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
