/**
 * Updates a group after its members have changed: its primary, and the distances to it. It depends only on the current
 * primary and the earliest members, so a group of twenty thousand is settled as fast as one of thirty.
 */
import { type EntryId, type GroupLevel, MAX_VOTERS } from '../../model/index.ts'
import { choosePrimary, distanceSum, type PrimaryCandidate } from './primary.ts'

export interface Voter extends PrimaryCandidate {
  id: EntryId
}

export interface Standing {
  level: GroupLevel
  size: number
  /** Absent if there was none, or if it is no longer a member. */
  primary?: Voter | undefined
  /** The earliest members, up to the number of voters. */
  earliest: readonly Voter[]
}

export interface Settled {
  primaryId: EntryId
  distanceSum: number
}

/**
 * Undefined if the group is to be dissolved because it has a single member. If it has more members than voters, its primary
 * stays.
 */
export function settle({ level, size, primary, earliest }: Standing): Settled | undefined {
  if (size < 2) return undefined
  const voters = earliest.slice(0, MAX_VOTERS)
  const speaker = primary && size > MAX_VOTERS ? primary : choosePrimary(level, voters)
  return { primaryId: speaker.id, distanceSum: distanceSum(speaker, voters) }
}
