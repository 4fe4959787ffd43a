/**
 * Who speaks for a group of copies: the item whose SimHash is nearest to all the others', that is with the least sum
 * of distances; ties go to the earliest.
 */
import type { GroupLevel, Instant } from '../../model/index.ts'
import { bitCount } from '../sign/simhash.ts'

/** A SimHash in two halves: 64 bits do not fit a number, and a bigint is slow. */
export interface Fingerprint {
  high: number
  low: number
}

export interface PrimaryCandidate extends Fingerprint {
  id: number
  at: Instant
}

/** Who speaks for a group, of which these are the members, or the earliest. No telling of a story is a version of another: there it is the first. */
export function primaryOf<One extends PrimaryCandidate>(level: GroupLevel, members: readonly One[]): One {
  if (level === 'story') return members.reduce((first, one) => (isEarlier(one, first) ? one : first))
  return elect(members)
}

export function fingerprintOf(simhash: bigint): Fingerprint {
  return { high: Number((simhash >> 32n) & 0xffffffffn), low: Number(simhash & 0xffffffffn) }
}

/** Of at least one. Every pair is compared, so there should not be many. */
export function elect<One extends PrimaryCandidate>(candidates: readonly One[]): One {
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

/** Ties by id, so that the order of arrival decides nothing. */
export function isEarlier(a: { id: number; at: Instant }, b: { id: number; at: Instant }): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

/** For sorting. */
export function byTime(a: { id: number; at: Instant }, b: { id: number; at: Instant }): number {
  return a.at - b.at || a.id - b.id
}
