/** Statistics of a WebSub subscription, updated whenever the subscription is written anyway. */
import {
  DAY,
  type HubSubscription,
  type Instant,
  type Millis,
  NO_PUSH_QUALITY,
  PUSH_DELAYS_MS,
  type PushQuality,
} from '../model/index.ts'

const MAX_DELAY_MS: Millis = 7 * DAY // ours: older entries were backdated and say nothing about the hub

/** Adds to the counters. */
export function addPushCounts(push: HubSubscription, counts: Partial<Omit<PushQuality, 'delays'>>): HubSubscription {
  const quality = { ...(push.quality ?? NO_PUSH_QUALITY) }
  for (const [name, by] of Object.entries(counts) as [keyof typeof counts, number][]) quality[name] += by
  return { ...push, quality }
}

/** After a push that delivered these entries. */
export function addDelays(
  push: HubSubscription,
  fresh: readonly { publishedAt?: Instant; dateOnly?: true }[],
  at: Instant,
): HubSubscription {
  const quality = push.quality ?? NO_PUSH_QUALITY
  const delays = [...quality.delays]
  for (const { publishedAt, dateOnly } of fresh) {
    if (publishedAt === undefined || dateOnly || at - publishedAt > MAX_DELAY_MS) continue
    const firstBin = PUSH_DELAYS_MS.findIndex((ms) => at - publishedAt <= ms)
    const bin = firstBin < 0 ? PUSH_DELAYS_MS.length : firstBin
    delays[bin] = (delays[bin] ?? 0) + 1
  }
  return { ...push, quality: { ...quality, fresh: quality.fresh + fresh.length, delays } }
}
