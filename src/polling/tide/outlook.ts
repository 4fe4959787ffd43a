/** The current state of a feed: rate, profile, whether it is asleep, and what remains of a burst. */
import type { Instant, Millis } from '../../model/index.ts'
import { type Burst, burstNow, burstOf } from './burst.ts'
import type { Knowledge } from './knowledge.ts'
import { type Profile, tideAt } from './profile.ts'
import { type Rate, rateAfter, rateOf, slowActs } from './rate.ts'
import { asleepAfter, awakeIn } from './silence.ts'

export interface Outlook {
  readonly rate: Rate
  readonly profile: Profile
  /** Probability that the feed is asleep. */
  readonly asleep: number
  readonly burst: Burst
}

export function outlookOf(knowledge: Knowledge, profile: Profile, now: Instant): Outlook {
  const rate = rateOf(knowledge)
  const { newestAt } = knowledge
  const silentMs = newestAt === 0 ? 0 : tideAt(profile, now) - tideAt(profile, newestAt)
  const asleep = asleepAfter(silentMs * slowActs(knowledge))
  return { rate, profile, asleep, burst: burstOf(knowledge, rate, profile, now) }
}

/** Entries per millisecond of tide time, `u` from now, without those of a burst. */
export function perTide({ rate, asleep }: Outlook, u: Millis): number {
  return rateAfter(rate, u) * awakeIn(u, asleep)
}

/** The best interval at a constant rate between the current and the long-run rate. */
export function typicalWait({ rate, asleep, burst }: Outlook, price: Millis): Millis {
  return Math.sqrt((4 * price) / ((rate.now + rate.slow) * (1 - asleep) + 2 * burstNow(burst)))
}
