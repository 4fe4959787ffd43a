/** How reliable each hub is: totals of its subscriptions. */
import type { HubShape } from '../api/index.ts'
import {
  type HubSubscription,
  hubSubscriptionStatus,
  type Instant,
  NO_PUSH_QUALITY,
  PUSH_DELAYS_MS,
  type PushQuality,
} from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

interface HubTotals {
  feeds: HubShape['feeds']
  quality: PushQuality
  pushes: number
  pushedAt?: Instant
  trouble?: HubSubscription['trouble']
}

/** Hubs with the most subscriptions come first. */
export async function hubReport(catalogue: Catalogue, now: Instant): Promise<HubShape[]> {
  const hubs = new Map<string, HubTotals>()
  for await (const push of catalogue.everyHubSubscription()) {
    const standing = hubSubscriptionStatus(push, now)
    if (standing === 'ending') continue
    const sum = hubs.get(push.hub) ?? emptyHubSum()
    hubs.set(push.hub, sum)
    sum.feeds[standing]++
    sum.pushes += push.pushes
    sum.pushedAt = Math.max(sum.pushedAt ?? 0, push.pushedAt ?? 0)
    if (push.trouble) sum.trouble = push.trouble
    addQuality(sum.quality, push.quality ?? NO_PUSH_QUALITY)
  }
  return Array.from(hubs, ([hub, sum]) => hubShape(hub, sum)).sort(
    (a, b) => sizeOf(b) - sizeOf(a) || (a.hub < b.hub ? -1 : 1),
  )
}

function emptyHubSum(): HubTotals {
  return {
    feeds: { requested: 0, active: 0, trusted: 0, broken: 0, refused: 0 },
    quality: { ...NO_PUSH_QUALITY, delays: [...NO_PUSH_QUALITY.delays] },
    pushes: 0,
  }
}

function addQuality(sum: PushQuality, { delays, ...counts }: PushQuality): void {
  for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) sum[name] += count
  for (const [i, count] of delays.entries()) sum.delays[i] = (sum.delays[i] ?? 0) + count
}

function hubShape(hub: string, { feeds, quality, pushes, pushedAt, trouble }: HubTotals): HubShape {
  const { delays, ...counts } = quality
  return {
    hub,
    feeds,
    pushes,
    ...counts,
    delay: delayShape(delays),
    ...omitUndefined({ pushedAt: pushedAt ? isoDate(pushedAt) : undefined, trouble: troubleShape(trouble) }),
  }
}

function delayShape(delays: readonly number[]): HubShape['delay'] {
  const count = delays.reduce((sum, one) => sum + one, 0)
  let cumulative = 0
  const within = PUSH_DELAYS_MS.map((ms, i) => {
    cumulative += delays[i] ?? 0
    return { ms, count: cumulative }
  })
  const median = within.find((one) => count > 0 && one.count >= count / 2)
  return { count, within, ...omitUndefined({ medianMs: median?.ms }) }
}

function sizeOf({ feeds }: HubShape): number {
  return Object.values(feeds).reduce((sum, one) => sum + one, 0)
}
