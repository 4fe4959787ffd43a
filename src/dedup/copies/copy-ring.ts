/**
 * The memory of a copy index: the last so many items in a ring, and for each MinHash a table of chains, newest first,
 * through the items that may have the same one (locality-sensitive hashing with one row a band).
 *
 * Items have numbers in the order they came. A link holds the low 23 bits of a number and 9 bits of the key it was
 * made for, so that a walk can pass by items that only share the bucket. Nothing is ever taken out of a chain: a link
 * to an item that has been overwritten points further back than the ring reaches, and there the walk ends. So old
 * items expire without being looked for. An item that is dropped before its time is only marked, and passed by. One more
 * table has chains of items by their ids, so that those which are to be dropped are found among millions.
 *
 * The tables, a twentieth of the memory of a full ring, double as it fills. The halves of a chain then share their older items, so each
 * doubling makes walks to those longer by about one step.
 */
import type { Fingerprint } from '../groups/primary.ts'
import { mix } from '../sign/hash.ts'
import { MINHASHES, NO_KEY, TITLE_KEYS } from '../sign/minhash.ts'
import { BY_ID, type CopyRecords, createCopyRecords, type RingItem } from './copy-records.ts'

type ItemReaders = Pick<
  CopyRecords,
  'idOf' | 'atOf' | 'fingerprintOf' | 'distanceTo' | 'indexWordsOf' | 'hasText' | 'isDropped'
>

export interface CopyRing extends ItemReaders {
  /** Items held. */
  readonly size: number
  /** The number of the latest item. */
  readonly newest: number
  readonly bytes: number
  /** Stores an item and returns its number. Once the ring is full, the oldest item is overwritten. */
  put(item: RingItem): number
  /** The number of the item that the next `put` will overwrite; 0 if there is space. */
  nextToGo(): number
  /** Numbers of items that share some of these keys, those sharing most first, then the newest. At most 12. */
  candidates(keys: Uint32Array): number[]
  /**
   * Visits items whose text shares one of these keys, newest first for each key, until `visit` returns true or 512 were
   * visited.
   */
  visitSharingText(keys: Uint32Array, visit: (number: number) => boolean): void
  /** Numbers of all items whose SimHash differs in at most `distance` bits, newest first. Compares every item. */
  within(fingerprint: Fingerprint, distance: number): number[]
  /** Whether the item is still in the ring, dropped or not. */
  contains(number: number): boolean
  /** Marks an item so that it is no longer a candidate. */
  drop(number: number): void
  /** The numbers of these items, if they are held and not dropped. */
  numbersOf(ids: ReadonlySet<number>): number[]
  /** The caller's group number of an item; 0 if none. */
  groupOf(number: number): number
  /** `memberBefore`: the next older member of the group; 0 if there is none. */
  setGroup(number: number, group: number, memberBefore: number): void
  memberBefore(number: number): number
}

const NUMBER_BITS = 23
const NUMBER_MASK = 2 ** NUMBER_BITS - 1
/** Limited by the bits of a link, which must be able to point behind the ring. */
export const LARGEST_CAPACITY = 6_000_000
const ITEMS_PER_BUCKET = 4
/** Until the tables have their final size. */
const GROWING_ITEMS_PER_BUCKET = 2
const FIRST_BUCKETS = 2 ** 10
/**
 * A key shared by very many items says little, and copies are mostly recent: only the newest are compared, in a walk of
 * three times as many steps.
 */
const MOST_A_BAND = 8
/** The copies of one text or the reports on one event may fill a chain and push others that share a key far behind. */
const MOST_VISITED = 512
const MOST_CANDIDATES = 12

export function createCopyRing(capacity: number): CopyRing {
  const mostBuckets = 2 ** Math.round(Math.log2(Math.max(64, capacity / ITEMS_PER_BUCKET)))
  let buckets = Math.min(FIRST_BUCKETS, mostBuckets)
  let heads = new Uint32Array(buckets * (BY_ID + 1))
  const scratch = new Float64Array(MINHASHES * MOST_A_BAND)
  const records = createCopyRecords(capacity)
  const { distanceTo, idOf, isDropped, linkOf } = records
  let last = 0
  let size = 0

  const headOf = (band: number, key: number) => band * buckets + (key & (buckets - 1))
  const contains = (number: number) => number > last - size && number <= last

  function put(item: RingItem): number {
    last++
    size = Math.min(size + 1, capacity)
    if (size > buckets * GROWING_ITEMS_PER_BUCKET && buckets < mostBuckets) doubleTables()
    records.write(last, item)
    for (let band = 0; band < MINHASHES; band++) records.setLink(last, band, link(band, item.keys[band]!))
    records.setLink(last, BY_ID, link(BY_ID, keyOf(item.id)))
    return last
  }

  /** Each chain is split in two by one more bit of the key. */
  function doubleTables(): void {
    const doubled = new Uint32Array(heads.length * 2)
    for (let from = 0; from < heads.length; from += buckets) {
      const chains = heads.subarray(from, from + buckets)
      doubled.set(chains, from * 2)
      doubled.set(chains, from * 2 + buckets)
    }
    heads = doubled
    buckets *= 2
  }

  /** Puts the newest item at the head of a chain; returns the previous head. */
  function link(band: number, key: number): number {
    if (key === NO_KEY) return 0
    const head = headOf(band, key)
    const before = heads[head]!
    heads[head] = (last & NUMBER_MASK) | ((key >>> NUMBER_BITS) << NUMBER_BITS)
    return before
  }

  function candidates(keys: Uint32Array): number[] {
    let met = 0
    for (let band = 0; band < MINHASHES; band++) if (keys[band] !== NO_KEY) met = walk(band, keys[band]!, met)
    return mostMet(scratch.subarray(0, met).sort())
  }

  function visitSharingText(keys: Uint32Array, visit: (number: number) => boolean): void {
    let left = MOST_VISITED
    for (let band = TITLE_KEYS; band < MINHASHES; band++) {
      if (keys[band] === NO_KEY) continue
      left = follow(band, keys[band]!, left, visit)
      if (left === 0) return
    }
  }

  /** Appends the items met on one chain to `met`. */
  function walk(band: number, key: number, from: number): number {
    let met = from
    follow(band, key, MOST_A_BAND * 3, (number) => {
      scratch[met++] = number
      return met === from + MOST_A_BAND
    })
    return met
  }

  /** Visits the items of one chain in at most `most` steps; returns the remaining steps, or none if a visit returns true. */
  function follow(band: number, key: number, most: number, visit: (number: number) => boolean): number {
    const mark = key >>> NUMBER_BITS
    let link = heads[headOf(band, key)]!
    let before = last + 1
    for (let steps = 0; steps < most; steps++) {
      if (link === 0) return most - steps
      const number = last - ((last - link) & NUMBER_MASK)
      if (number >= before || !contains(number)) return most - steps
      if (link >>> NUMBER_BITS === mark && !isDropped(number) && visit(number)) return 0
      before = number
      link = linkOf(number, band)
    }
    return 0
  }

  function within(fingerprint: Fingerprint, distance: number): number[] {
    const found: number[] = []
    for (let number = last; number > last - size; number--) {
      if (distanceTo(number, fingerprint) <= distance && !isDropped(number)) found.push(number)
    }
    return found
  }

  function numbersOf(wanted: ReadonlySet<number>): number[] {
    const found: number[] = []
    for (const id of wanted) {
      let before = last + 1
      for (let link = heads[headOf(BY_ID, keyOf(id))]!; link !== 0; link = linkOf(before, BY_ID)) {
        const number = last - ((last - link) & NUMBER_MASK)
        if (number >= before || !contains(number)) break
        if (idOf(number) === id && !isDropped(number)) found.push(number)
        before = number
      }
    }
    return found
  }

  return {
    get size() {
      return size
    },
    get newest() {
      return last
    },
    get bytes() {
      return heads.byteLength + records.bytes
    },
    put,
    nextToGo: () => (size === capacity ? last - size + 1 : 0),
    candidates,
    visitSharingText,
    within,
    contains: contains,
    drop: records.drop,
    isDropped,
    numbersOf,
    idOf,
    atOf: records.atOf,
    fingerprintOf: records.fingerprintOf,
    distanceTo,
    indexWordsOf: records.indexWordsOf,
    hasText: records.hasText,
    groupOf: records.groupOf,
    setGroup: records.setGroup,
    memberBefore(number) {
      const member = records.olderMember(number)
      return member && last - ((last - member) >>> 0)
    },
  }
}

function keyOf(id: number): number {
  const key = mix(id >>> 0)
  return key === NO_KEY ? 0 : key
}

/** Counts occurrences in ascending numbers: most frequent first, then newest. */
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
