/** The current state of a feed: rate, profile, whether it is asleep, and what remains of a burst. */
import type { Instant, Millis } from '../../model/index.ts'
import { type Burst, burstRate, detectBurst } from './burst.ts'
import type { Knowledge } from './knowledge.ts'
import { type Profile, tideAt } from './profile.ts'
import { estimateRate, longRunActs, type Rate, rateAfter } from './rate.ts'
import { asleepAfter, awakeIn } from './silence.ts'

export interface TideState {
  readonly rate: Rate
  readonly profile: Profile
  /** Probability that the feed is asleep. */
  readonly asleep: number
  readonly burst: Burst
}

export function tideState(knowledge: Knowledge, profile: Profile, now: Instant): TideState {
  const rate = estimateRate(knowledge)
  const { newestAt } = knowledge
  const silentMs = newestAt === 0 ? 0 : tideAt(profile, now) - tideAt(profile, newestAt)
  const asleep = asleepAfter(silentMs * longRunActs(knowledge))
  return { rate, profile, asleep, burst: detectBurst(knowledge, rate, profile, now) }
}

/** Entries per millisecond of tide time, `u` from now, without those of a burst. */
export function ratePerTide({ rate, asleep }: TideState, u: Millis): number {
  return rateAfter(rate, u) * awakeIn(u, asleep)
}

/** The best interval at a constant rate between the current and the long-run rate. */
export function typicalInterval({ rate, asleep, burst }: TideState, price: Millis): Millis {
  return Math.sqrt((4 * price) / ((rate.now + rate.slow) * (1 - asleep) + 2 * burstRate(burst)))
}
