/**
 * What a group is once its members have changed: who speaks for it, and how far the others are from him. Whatever its size,
 * it follows from the primary and the earliest members, so a group of twenty thousand is settled as fast as one of thirty.
 */
import { type EntryId, type GroupLevel, MOST_VOTERS } from '../../model/index.ts'
import { distanceSum, type PrimaryCandidate, primaryOf } from './primary.ts'

export interface Voter extends PrimaryCandidate {
  id: EntryId
}

export interface Standing {
  level: GroupLevel
  size: number
  /** Absent where there was none, or where it is no longer a member. */
  primary?: Voter | undefined
  /** The earliest members, as many as vote. */
  earliest: readonly Voter[]
}

export interface Settled {
  primaryId: EntryId
  distanceSum: number
}

/** Undefined if it is to be dissolved: a group of one is none. Where more are in it than vote, the primary stays while it is there. */
export function settle({ level, size, primary, earliest }: Standing): Settled | undefined {
  if (size < 2) return undefined
  const voters = earliest.slice(0, MOST_VOTERS)
  const speaker = primary && size > MOST_VOTERS ? primary : primaryOf(level, voters)
  return { primaryId: speaker.id, distanceSum: distanceSum(speaker, voters) }
}
