/**
 * Where our figures differ from those of Urbansky et al. (2011), the feeds may be others, or the servers. So the traces are drawn
 * again in the paper's mix, and traffic is reckoned with servers that send the document each time.
 *
 * What the paper tells of its mix: an hourly poll needs 222.06 polls per item where every feed counts alike, and 21.02 where busy
 * ones count for more (Table 1). Feeds are drawn with a weight of their items to the power of -a, those with 300 items and more (their
 * figure 3) b times as often; a and b are such that both figures come out.
 */
import { DAY, HOUR, type Millis } from '../../model/index.ts'
import { type Limits, strategyNamed } from '../../polling/index.ts'
import { type AlignedTrace, type ReplayPlan, shared } from '../aligned-trace.ts'
import { createRun } from '../replay.ts'
import type { FeedTally } from '../tally.ts'
import { FIRST_FINDS } from '../tally.ts'
import { pollBytes } from '../traffic.ts'
import { chanceOf } from '../village/chance.ts'

const BY_FEEDS = 222.06
const BY_POLLS = 21.02
const STEPS = 60
const FARTHEST = 16

interface Mixed {
  items: number
  weight: number
}

/** As many as there are, some of them several times. */
export function inPapersMix(feeds: AlignedTrace[], plan: ReplayPlan, seed: number): AlignedTrace[] {
  const items = feeds.map(({ published }) => published.filter((at) => at >= plan.scoreAt).length)
  const polls = (plan.endAt - plan.scoreAt) / HOUR
  const weights = weightsOf(items, polls)
  const start = chanceOf(seed, 'mix').next()
  const sums: number[] = []
  let all = 0
  for (const weight of weights) {
    all += weight
    sums.push(all)
  }
  // At equal steps through the weights: by lot alone, one busy feed more or less would be a tenth of all items.
  return shared(feeds.map((_, i) => feeds[firstAbove(sums, ((i + start) / feeds.length) * all)]!))
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
 * The mean over polls that found something, of how late on average was what they found; so the paper may be read where it averages by polls.
 * An entry that nobody saw counts nothing then, and many entries that come together count as one.
 */
export function delayPerFind(feeds: readonly AlignedTrace[], name: string, plan: ReplayPlan, limits: Limits): Millis {
  const strategy = strategyNamed(name)
  let [finds, sumMs] = [0, 0]
  for (const { published, window, firstAt } of feeds)
    createRun(
      { published, window },
      {
        strategy,
        limits,
        firstAt,
        onPoll({ at, first, shown, upTo }) {
          if (first || upTo === shown || at < plan.scoreAt) return
          let waited = 0
          for (let i = shown; i < upTo; i++) waited += at - published[i]!
          finds++
          sumMs += waited / (upTo - shown)
        },
      },
    ).advance(plan.endAt, HOUR)
  return sumMs / Math.max(1, finds)
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
    const isForgetful = chanceOf(seed, 'not modified', feed.feed).happens(share)
    bytes += isForgetful ? tally.polls * pollBytes(feed, true) : tally.bytes
  }
  return (bytes * DAY) / (plan.endAt - plan.scoreAt)
}
