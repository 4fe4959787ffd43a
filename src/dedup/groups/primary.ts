/**
 * Chooses the primary of a group of copies: the item whose SimHash has the least sum of distances to all others; ties go to
 * the earliest.
 */
import type { GroupLevel, Instant } from '../../model/index.ts'
import { bitCount } from '../sign/simhash.ts'

/** A SimHash in two halves: 64 bits do not fit a number, and bigint is slow. */
export interface Fingerprint {
  high: number
  low: number
}

export interface PrimaryCandidate extends Fingerprint {
  id: number
  at: Instant
}

/**
 * The primary among these members (all of them, or the earliest). In a story it is the earliest: its members are not
 * versions of one text.
 */
export function choosePrimary<One extends PrimaryCandidate>(level: GroupLevel, members: readonly One[]): One {
  if (level === 'story') return members.reduce((first, one) => (isEarlier(one, first) ? one : first))
  return electPrimary(members)
}

export function fingerprintOf(simhash: bigint): Fingerprint {
  return { high: Number((simhash >> 32n) & 0xffffffffn), low: Number(simhash & 0xffffffffn) }
}

/** Elects among at least one candidate. Every pair is compared, so there should be few. */
export function electPrimary<One extends PrimaryCandidate>(candidates: readonly One[]): One {
  const sums = new Uint32Array(candidates.length)
  for (let i = 1; i < candidates.length; i++) {
    for (let j = 0; j < i; j++) {
      const distance = bitsApart(candidates[i]!, candidates[j]!)
      sums[i]! += distance
      sums[j]! += distance
    }
  }
  let best = 0
  for (let i = 1; i < candidates.length; i++) {
    if (sums[i]! < sums[best]!) best = i
    else if (sums[i] === sums[best] && isEarlier(candidates[i]!, candidates[best]!)) best = i
  }
  return candidates[best]!
}

export function distanceSum(one: Fingerprint, all: readonly Fingerprint[]): number {
  let sum = 0
  for (const other of all) sum += bitsApart(one, other)
  return sum
}

export function bitsApart(a: Fingerprint, b: Fingerprint): number {
  return bitCount(a.high ^ b.high) + bitCount(a.low ^ b.low)
}

/** Ties by id, so that the order of arrival does not matter. */
export function isEarlier(a: { id: number; at: Instant }, b: { id: number; at: Instant }): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

/** Comparator for sorting. */
export function byTime(a: { id: number; at: Instant }, b: { id: number; at: Instant }): number {
  return a.at - b.at || a.id - b.id
}
