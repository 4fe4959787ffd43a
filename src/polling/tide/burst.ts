/**
 * Entries call for more: threads, live reports, a bot that works through its list. Of an act of m entries, each calls for
 * phi = 1 - 1/m others (so the clusters of a Hawkes process are as large). As m is known of every feed (rate.ts), so is
 * phi: a feed that never publishes more than one at once has no bursts. Where the entries of the last hour or so, x, are
 * more than the forecast explains,
 *
 *   burst(u) = phi (x - usual) 2^(-u / h) ln 2 / h          h = 1 hour
 *
 * entries a millisecond are expected on top of it, `u` from now.
 */
import { HOUR, type Instant, type Millis } from '../../model/index.ts'
import { type Knowledge, PACE } from './knowledge.ts'
import { type Profile, tideAt } from './profile.ts'
import { entriesPerAct, type Rate } from './rate.ts'

export const PACE_HALF_LIFE: Millis = HOUR
const DECAY = Math.LN2 / PACE_HALF_LIFE
/** The pace forgets so slowly that at a constant rate it holds the entries of so much time. */
export const PACE_SPAN: Millis = 1 / DECAY
/** Chance alone makes some hours fuller than others. */
const CHANCE = 1.3

export interface Burst {
  /** Entries of the last hour or so that no forecast knew of. */
  readonly excess: number
  /** Entries that these call for. */
  readonly toCome: number
}

export function burstOf(knowledge: Knowledge, rate: Rate, profile: Profile, now: Instant): Burst {
  const pace = knowledge.sums[PACE]! * Math.exp(-Math.max(0, now - knowledge.lookedAt) * DECAY)
  if (pace === 0) return NONE
  const tideMs = (tideAt(profile, now) - tideAt(profile, now - 2 * PACE_SPAN)) / 2
  const excess = pace - CHANCE * rate.now * tideMs
  return excess > 0 ? { excess, toCome: (1 - 1 / entriesPerAct(knowledge)) * excess } : NONE
}

const NONE: Burst = { excess: 0, toCome: 0 }

/** Entries of the burst that come between two instants, from now. */
export function comesBetween({ toCome }: Burst, from: Millis, to: Millis): number {
  return toCome === 0 ? 0 : toCome * (Math.exp(-from * DECAY) - Math.exp(-to * DECAY))
}

/** Entries of the burst a millisecond, now. */
export function burstNow({ toCome }: Burst): number {
  return toCome * DECAY
}
