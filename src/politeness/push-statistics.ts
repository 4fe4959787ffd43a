/** Statistics of a WebSub subscription, updated whenever the subscription is written anyway. */
import {
  DAY,
  type Instant,
  type Millis,
  NO_PUSH_QUALITY,
  PUSH_DELAYS_MS,
  type Push,
  type PushQuality,
} from '../model/index.ts'

const LATEST_MS: Millis = 7 * DAY // ours: older entries were backdated and say nothing about the hub

/** Adds to the counters. */
export function withMore(push: Push, more: Partial<Omit<PushQuality, 'delays'>>): Push {
  const quality = { ...(push.quality ?? NO_PUSH_QUALITY) }
  for (const [name, by] of Object.entries(more) as [keyof typeof more, number][]) quality[name] += by
  return { ...push, quality }
}

/** After a push that delivered these entries. */
export function addDelays(push: Push, fresh: readonly { publishedAt?: Instant; dateOnly?: true }[], at: Instant): Push {
  const quality = push.quality ?? NO_PUSH_QUALITY
  const delays = [...quality.delays]
  for (const { publishedAt, dateOnly } of fresh) {
    if (publishedAt === undefined || dateOnly || at - publishedAt > LATEST_MS) continue
    const place = PUSH_DELAYS_MS.findIndex((ms) => at - publishedAt <= ms)
    const bin = place < 0 ? PUSH_DELAYS_MS.length : place
    delays[bin] = (delays[bin] ?? 0) + 1
  }
  return { ...push, quality: { ...quality, fresh: quality.fresh + fresh.length, delays } }
}
