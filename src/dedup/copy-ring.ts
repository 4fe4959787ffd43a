/**
 * The memory of a copy index: the last so many items in a ring of typed arrays, and for each MinHash a table of chains,
 * newest first, through the items that may have the same one (locality-sensitive hashing with one row a band).
 *
 * Items have numbers in the order they came. A link holds the low 23 bits of a number and 9 bits of the key it was made
 * for, so that a walk can pass by items that only share the bucket. Nothing is ever taken out of a chain: a link to an
 * item that has been overwritten points further back than the ring reaches, and there the walk ends. So old items expire
 * without being looked for. The ring starts small and doubles until it holds `capacity` items; links stay valid.
 */
import type { Instant } from '../model/index.ts'
import type { Fingerprint } from './election.ts'
import { MINHASHES } from './minhash.ts'
import { SKELETON_WORDS } from './signature.ts'
import { bitCount } from './simhash.ts'
import { SHORTEST_TEXT, type Skeleton } from './skeleton.ts'

export interface RingItem extends Fingerprint {
  id: number
  at: Instant
  skeleton: Skeleton
  keys: Uint32Array
  /** No chains are made for an item that has no word to be found by. */
  findable: boolean
}

export interface CopyRing {
  /** Items held. */
  readonly size: number
  /** The number of the item that came last. */
  readonly newest: number
  readonly bytes: number
  /** Remembers an item and answers its number. Once the ring is full, the oldest is overwritten. */
  put(item: RingItem): number
  /** The number of the item that the next `put` will overwrite; 0 if there is room. */
  nextToGo(): number
  /** Numbers of items that share keys with this one, those that share most first, then the newest. At most 16. */
  candidates(item: Pick<RingItem, 'keys' | 'findable'>): number[]
  /** Numbers of all items whose SimHash differs in at most so many bits, found by looking at every one; newest first. */
  within(fingerprint: Fingerprint, distance: number): number[]
  holds(number: number): boolean
  idOf(number: number): number
  atOf(number: number): Instant
  fingerprintOf(number: number): Fingerprint
  /** Bits in which the item's SimHash differs from this one. */
  distanceTo(number: number, fingerprint: Fingerprint): number
  skeletonOf(number: number): Skeleton
  hasText(number: number): boolean
  /** The group that an item belongs to, by a number of the caller's; 0 if none. */
  groupOf(number: number): number
  /** `memberBefore`: the next older member of the group; 0 if there is none. */
  setGroup(number: number, group: number, memberBefore: number): void
  memberBefore(number: number): number
}

const NUMBER_BITS = 23
const NUMBER_MASK = 2 ** NUMBER_BITS - 1
export const LARGEST_CAPACITY = 2 ** (NUMBER_BITS - 1) * 1.5
const FIRST_SLOTS = 1024
/** Buckets of a band for each item: one in eight costs half a byte an item and band, and walks of eight links. */
const ITEMS_PER_BUCKET = 8
/** A key that very many items share says little, and copies are mostly young: only the newest are looked at. */
const LONGEST_WALK = 48
const MOST_A_BAND = 8
const MOST_CANDIDATES = 16
const UNSPACED_FLAG = 0x80

export function createCopyRing(capacity: number): CopyRing {
  const buckets = powerOfTwoFrom(Math.max(64, capacity / ITEMS_PER_BUCKET))
  const heads = new Uint32Array(buckets * MINHASHES)
  let slots = Math.min(FIRST_SLOTS, capacity)
  let links = new Uint32Array(slots * MINHASHES)
  let words = new Uint16Array(slots * SKELETON_WORDS)
  let titles = new Uint8Array(slots)
  let lengths = new Uint8Array(slots)
  let halves = new Uint32Array(slots * 2)
  let ids = new Float64Array(slots)
  let instants = new Float64Array(slots)
  let groups = new Uint32Array(slots)
  let members = new Uint32Array(slots)
  const scratch = new Float64Array(MINHASHES * MOST_A_BAND)
  let last = 0
  let held = 0

  const slotOf = (number: number) => number % slots
  const headOf = (band: number, key: number) => band * buckets + (key & (buckets - 1))

  function put(item: RingItem): number {
    if (held === slots && slots < capacity) grow()
    last++
    const slot = slotOf(last)
    held = Math.min(held + 1, slots)
    words.set(item.skeleton.words, slot * SKELETON_WORDS)
    lengths[slot] = item.skeleton.words.length
    titles[slot] = item.skeleton.titleWords | (item.skeleton.unspaced ? UNSPACED_FLAG : 0)
    halves[slot * 2] = item.high
    halves[slot * 2 + 1] = item.low
    ids[slot] = item.id
    instants[slot] = item.at
    groups[slot] = 0
    for (let band = 0; band < MINHASHES; band++) {
      if (!item.findable) {
        links[slot * MINHASHES + band] = 0
        continue
      }
      const key = item.keys[band]!
      const head = headOf(band, key)
      links[slot * MINHASHES + band] = heads[head]!
      heads[head] = (last & NUMBER_MASK) | ((key >>> NUMBER_BITS) << NUMBER_BITS)
    }
    return last
  }

  /** Every item moves to the place that its number has in the larger ring. */
  function grow(): void {
    const before = { slots, links, words, titles, lengths, halves, ids, instants, groups, members }
    slots = Math.min(slots * 2, capacity)
    links = new Uint32Array(slots * MINHASHES)
    words = new Uint16Array(slots * SKELETON_WORDS)
    titles = new Uint8Array(slots)
    lengths = new Uint8Array(slots)
    halves = new Uint32Array(slots * 2)
    ids = new Float64Array(slots)
    instants = new Float64Array(slots)
    groups = new Uint32Array(slots)
    members = new Uint32Array(slots)
    for (let number = last - held + 1; number <= last; number++) {
      const from = number % before.slots
      const to = slotOf(number)
      links.set(before.links.subarray(from * MINHASHES, (from + 1) * MINHASHES), to * MINHASHES)
      words.set(before.words.subarray(from * SKELETON_WORDS, (from + 1) * SKELETON_WORDS), to * SKELETON_WORDS)
      titles[to] = before.titles[from]!
      lengths[to] = before.lengths[from]!
      halves[to * 2] = before.halves[from * 2]!
      halves[to * 2 + 1] = before.halves[from * 2 + 1]!
      ids[to] = before.ids[from]!
      instants[to] = before.instants[from]!
      groups[to] = before.groups[from]!
      members[to] = before.members[from]!
    }
  }

  function candidates({ keys, findable }: Pick<RingItem, 'keys' | 'findable'>): number[] {
    if (!findable) return []
    let met = 0
    for (let band = 0; band < MINHASHES; band++) met = walk(band, keys[band]!, met)
    return mostMet(scratch.subarray(0, met).sort())
  }

  /** Writes down the items met on one chain, behind those that were met before. */
  function walk(band: number, key: number, from: number): number {
    const mark = key >>> NUMBER_BITS
    let link = heads[headOf(band, key)]!
    let met = from
    let before = last + 1
    for (let steps = 0; steps < LONGEST_WALK && met < from + MOST_A_BAND && link !== 0; steps++) {
      const number = last - ((last - link) & NUMBER_MASK)
      if (number >= before || !holds(number)) break
      if (link >>> NUMBER_BITS === mark) scratch[met++] = number
      before = number
      link = links[slotOf(number) * MINHASHES + band]!
    }
    return met
  }

  function within(fingerprint: Fingerprint, distance: number): number[] {
    const found: number[] = []
    for (let number = last; number > last - held; number--) {
      if (distanceTo(number, fingerprint) <= distance) found.push(number)
    }
    return found
  }

  function distanceTo(number: number, { high, low }: Fingerprint): number {
    const slot = slotOf(number)
    return bitCount(halves[slot * 2]! ^ high) + bitCount(halves[slot * 2 + 1]! ^ low)
  }

  function holds(number: number): boolean {
    return number > last - held && number <= last
  }

  return {
    get size() {
      return held
    },
    get newest() {
      return last
    },
    get bytes() {
      const arrays = [heads, links, words, titles, lengths, halves, ids, instants, groups, members]
      return arrays.reduce((sum, array) => sum + array.byteLength, 0)
    },
    put,
    candidates,
    within,
    distanceTo,
    holds,
    nextToGo: () => (held === slots && slots >= capacity ? last - held + 1 : 0),
    idOf: (number) => ids[slotOf(number)]!,
    atOf: (number) => instants[slotOf(number)]!,
    fingerprintOf: (number) => ({ high: halves[slotOf(number) * 2]!, low: halves[slotOf(number) * 2 + 1]! }),
    skeletonOf(number) {
      const slot = slotOf(number)
      const from = slot * SKELETON_WORDS
      return {
        words: words.subarray(from, from + lengths[slot]!),
        titleWords: titles[slot]! & ~UNSPACED_FLAG,
        unspaced: (titles[slot]! & UNSPACED_FLAG) !== 0,
      }
    },
    hasText: (number) => lengths[slotOf(number)]! - (titles[slotOf(number)]! & ~UNSPACED_FLAG) >= SHORTEST_TEXT,
    groupOf: (number) => groups[slotOf(number)]!,
    setGroup(number, group, memberBefore) {
      groups[slotOf(number)] = group
      members[slotOf(number)] = memberBefore
    },
    memberBefore: (number) => members[slotOf(number)]!,
  }
}

/** From numbers in ascending order, as often as they were met: each once, those met most often first, then the newest. */
function mostMet(numbers: Float64Array): number[] {
  const byTimes: number[][] = []
  for (let i = numbers.length - 1; i >= 0; ) {
    const number = numbers[i]!
    let times = 0
    for (; i >= 0 && numbers[i] === number; i--) times++
    byTimes[times] ??= []
    byTimes[times]!.push(number)
  }
  return byTimes.reverse().flat().slice(0, MOST_CANDIDATES)
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(least))
}
