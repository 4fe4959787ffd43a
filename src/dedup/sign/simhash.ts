/**
 * SimHash (Charikar 2002): 64 votes, one per bit, cast by the hash of every feature. Texts that share most features get most
 * votes alike, so the number of differing bits is a distance between texts. It is shown to users, and used to choose the
 * primary of a group; whether two texts are copies is decided by verify-copy.ts.
 */
import { hashWord, lanes } from './hash.ts'

/** The SimHash of a bag of features, each counted as often as it occurs. */
export function simhash(features: Iterable<string>): bigint {
  votes.fill(0)
  for (const feature of features) {
    hashWord(feature)
    castVotes(lanes[0]!, 0)
    castVotes(lanes[1]!, 32)
  }
  return (BigInt(tally(32)) << 32n) | BigInt(tally(0))
}

/** As in Yu, Cheng and Hristidis: no words, no cleaning, but every four neighbouring characters of the raw text. */
export function plainSimhash(text: string): bigint {
  const features: string[] = []
  const end = Math.min(text.length, LONGEST_TEXT)
  for (let i = 0; i + SHINGLE <= end; i++) features.push(text.slice(i, i + SHINGLE))
  return simhash(features)
}

const SHINGLE = 4
const LONGEST_TEXT = 5_000

/** Number of differing bits of two SimHashes. */
export function distance(a: bigint, b: bigint): number {
  const differing = a ^ b
  return bitCount(Number(differing & 0xffffffffn)) + bitCount(Number(differing >> 32n))
}

/** Number of set bits. */
export function bitCount(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Reused by every call. */
const votes = new Int32Array(64)

function castVotes(hash: number, from: number): void {
  for (let bit = 0; bit < 32; bit++) votes[from + bit]! += ((hash >>> bit) & 1) * 2 - 1
}

function tally(from: number): number {
  let bits = 0
  for (let bit = 0; bit < 32; bit++) if (votes[from + bit]! > 0) bits |= 1 << bit
  return bits >>> 0
}
