/** How well each hub serves us: the subscriptions that there are at it, added up. */
import type { HubShape } from '../api/index.ts'
import {
  type Instant,
  NO_PUSH_QUALITY,
  PUSH_DELAYS_MS,
  type Push,
  type PushQuality,
  pushStanding,
} from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

interface HubSum {
  feeds: HubShape['feeds']
  quality: PushQuality
  pushes: number
  pushedAt?: Instant
  trouble?: Push['trouble']
}

/** Those with most subscriptions first. */
export async function hubReport(catalogue: Catalogue, now: Instant): Promise<HubShape[]> {
  const hubs = new Map<string, HubSum>()
  for await (const push of catalogue.everyPush()) {
    const standing = pushStanding(push, now)
    if (standing === 'ending') continue
    const sum = hubs.get(push.hub) ?? emptyHubSum()
    hubs.set(push.hub, sum)
    sum.feeds[standing]++
    sum.pushes += push.pushes
    sum.pushedAt = Math.max(sum.pushedAt ?? 0, push.pushedAt ?? 0)
    if (push.trouble) sum.trouble = push.trouble
    addUp(sum.quality, push.quality ?? NO_PUSH_QUALITY)
  }
  return Array.from(hubs, ([hub, sum]) => hubShape(hub, sum)).sort(
    (a, b) => sizeOf(b) - sizeOf(a) || (a.hub < b.hub ? -1 : 1),
  )
}

function emptyHubSum(): HubSum {
  return {
    feeds: { asked: 0, active: 0, relied: 0, broken: 0, refused: 0 },
    quality: { ...NO_PUSH_QUALITY, delays: [...NO_PUSH_QUALITY.delays] },
    pushes: 0,
  }
}

function addUp(sum: PushQuality, { delays, ...counts }: PushQuality): void {
  for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) sum[name] += count
  for (const [i, count] of delays.entries()) sum.delays[i] = (sum.delays[i] ?? 0) + count
}

function hubShape(hub: string, { feeds, quality, pushes, pushedAt, trouble }: HubSum): HubShape {
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
  let soFar = 0
  const within = PUSH_DELAYS_MS.map((ms, i) => {
    soFar += delays[i] ?? 0
    return { ms, count: soFar }
  })
  const median = within.find((one) => count > 0 && one.count >= count / 2)
  return { count, within, ...omitUndefined({ medianMs: median?.ms }) }
}

function sizeOf({ feeds }: HubShape): number {
  return Object.values(feeds).reduce((sum, one) => sum + one, 0)
}
