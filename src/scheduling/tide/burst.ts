/**
 * Models bursts: threads, live reports, a bot that works through its list. If a feed publishes m entries per act, each entry
 * triggers phi = 1 - 1/m others (so that the clusters of a Hawkes process have that size). A feed that never publishes more
 * than one entry at once has no bursts. Where the entries of the last hour or so, x, exceed what the forecast explains,
 *
 *   burst(u) = phi (x - usual) 2^(-u / h) ln 2 / h          h = 1 hour
 *
 * entries per millisecond are expected on top of it, `u` from now.
 */
import { HOUR, type Instant, type Millis } from '../../model/index.ts'
import { type Knowledge, PACE } from './knowledge.ts'
import { type Profile, tideAt } from './profile.ts'
import { entriesPerAct, type Rate } from './rate.ts'

export const PACE_HALF_LIFE: Millis = HOUR
const DECAY = Math.LN2 / PACE_HALF_LIFE
/** At a constant rate, the pace (a decaying count) holds the entries of this time span. */
export const PACE_SPAN: Millis = 1 / DECAY
/** By chance alone some hours have more entries than others. */
const CHANCE = 1.3

export interface Burst {
  /** Entries of the last hour or so beyond the forecast. */
  readonly excess: number
  /** Entries that these are expected to trigger. */
  readonly toCome: number
}

export function detectBurst(knowledge: Knowledge, rate: Rate, profile: Profile, now: Instant): Burst {
  const pace = knowledge.sums[PACE]! * Math.exp(-Math.max(0, now - knowledge.lastPollAt) * DECAY)
  if (pace === 0) return NONE
  const tideMs = (tideAt(profile, now) - tideAt(profile, now - 2 * PACE_SPAN)) / 2
  const excess = pace - CHANCE * rate.now * tideMs
  return excess > 0 ? { excess, toCome: (1 - 1 / entriesPerAct(knowledge)) * excess } : NONE
}

const NONE: Burst = { excess: 0, toCome: 0 }

/** Entries of the burst expected between two instants, measured from now. */
export function burstBetween({ toCome }: Burst, from: Millis, to: Millis): number {
  return toCome === 0 ? 0 : toCome * (Math.exp(-from * DECAY) - Math.exp(-to * DECAY))
}

/** Entries of the burst per millisecond, now. */
export function burstRate({ toCome }: Burst): number {
  return toCome * DECAY
}
