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
 * The ring is made slab by slab as items come, until it holds `capacity` of them: nothing is ever moved, so nobody waits
 * for it. The tables, a twentieth of it, are made for all of them at once: chains that were cut later would keep every
 * walk long.
 *
 * A record is 35 cells of 32 bits, in one piece because memory is fetched in pieces:
 *
 *   links, one a MinHash and one for the id | SimHash, two halves | group | older member | seconds | shape | words, two a cell
 *
 * The shape is the number of words (6 bits), those of the title (6), unspaced (1), the milliseconds (10), dropped (1).
 */
import type { Instant } from '../../model/index.ts'
import type { Fingerprint } from '../groups/primary.ts'
import { mix } from '../sign/hash.ts'
import { type IndexWords, SHORTEST_TEXT } from '../sign/index-words.ts'
import { MINHASHES, NO_KEY, TITLE_KEYS } from '../sign/minhash.ts'
import { SKELETON_WORDS } from '../sign/signature.ts'
import { bitCount } from '../sign/simhash.ts'

export interface RingItem extends Fingerprint {
  id: number
  at: Instant
  skeleton: IndexWords
  /** One per MinHash. */
  keys: Uint32Array
}

export interface CopyRing {
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
  holds(number: number): boolean
  /** Marks an item so that it is no longer a candidate. */
  drop(number: number): void
  isDropped(number: number): boolean
  /** The numbers of these items, if they are held and not dropped. */
  numbersOf(ids: ReadonlySet<number>): number[]
  idOf(number: number): number
  atOf(number: number): Instant
  fingerprintOf(number: number): Fingerprint
  /** Bits in which the item's SimHash differs from this one. */
  distanceTo(number: number, fingerprint: Fingerprint): number
  indexWordsOf(number: number): IndexWords
  hasText(number: number): boolean
  /** The caller's group number of an item; 0 if none. */
  groupOf(number: number): number
  /** `memberBefore`: the next older member of the group; 0 if there is none. */
  setGroup(number: number, group: number, memberBefore: number): void
  memberBefore(number: number): number
}

const BY_ID = MINHASHES
const HIGH = BY_ID + 1
const LOW = HIGH + 1
const GROUP = LOW + 1
const MEMBER = GROUP + 1
const SECONDS = MEMBER + 1
const SHAPE = SECONDS + 1
const WORDS = SHAPE + 1
const CELLS = WORDS + SKELETON_WORDS / 2

const NUMBER_BITS = 23
const NUMBER_MASK = 2 ** NUMBER_BITS - 1
/** Limited by the bits of a link, which must be able to point behind the ring. */
export const LARGEST_CAPACITY = 6_000_000
const SLAB_BITS = 12
const SLAB_ITEMS = 2 ** SLAB_BITS
const ITEMS_PER_BUCKET = 4
/**
 * A key shared by very many items says little, and copies are mostly recent: only the newest are compared, in a walk of
 * three times as many steps.
 */
const MOST_A_BAND = 8
/** The copies of one text or the reports on one event may fill a chain and push others that share a key far behind. */
const MOST_VISITED = 512
const MOST_CANDIDATES = 12

export function createCopyRing(capacity: number): CopyRing {
  const buckets = 2 ** Math.round(Math.log2(Math.max(64, capacity / ITEMS_PER_BUCKET)))
  const heads = new Uint32Array(buckets * (BY_ID + 1))
  const scratch = new Float64Array(MINHASHES * MOST_A_BAND)
  const slabs: Slab[] = []
  let last = 0
  let held = 0

  const slotOf = (number: number) => (number - 1) % capacity
  const headOf = (band: number, key: number) => band * buckets + (key & (buckets - 1))
  const holds = (number: number) => number > last - held && number <= last

  /** One field of an item's record. */
  function cell(number: number, which: number): number {
    const slot = slotOf(number)
    return slabs[slot >> SLAB_BITS]!.cells[(slot & (SLAB_ITEMS - 1)) * CELLS + which]!
  }

  function setCell(number: number, which: number, value: number): void {
    const slot = slotOf(number)
    slabs[slot >> SLAB_BITS]!.cells[(slot & (SLAB_ITEMS - 1)) * CELLS + which] = value
  }

  function idOf(number: number): number {
    const slot = slotOf(number)
    return slabs[slot >> SLAB_BITS]!.ids[slot & (SLAB_ITEMS - 1)]!
  }

  function put(item: RingItem): number {
    last++
    held = Math.min(held + 1, capacity)
    const slot = slotOf(last)
    slabs[slot >> SLAB_BITS] ??= newSlab(Math.min(SLAB_ITEMS, capacity - slot))
    const { cells, words, ids } = slabs[slot >> SLAB_BITS]!
    const record = (slot & (SLAB_ITEMS - 1)) * CELLS
    const { skeleton } = item
    const ms = Math.min(Math.max(Math.round(item.at), 0), LAST_INSTANT)
    cells[record + HIGH] = item.high
    cells[record + LOW] = item.low
    cells[record + GROUP] = 0
    cells[record + MEMBER] = 0
    cells[record + SECONDS] = Math.floor(ms / 1000)
    cells[record + SHAPE] =
      skeleton.words.length | (skeleton.titleWords << 6) | (Number(skeleton.unspaced) << 12) | ((ms % 1000) << 13)
    words.set(skeleton.words, (record + WORDS) * 2)
    ids[slot & (SLAB_ITEMS - 1)] = item.id
    for (let band = 0; band < MINHASHES; band++) cells[record + band] = link(band, item.keys[band]!)
    cells[record + BY_ID] = link(BY_ID, keyOf(item.id))
    return last
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
      if (number >= before || !holds(number)) return most - steps
      if (link >>> NUMBER_BITS === mark && !isDropped(number) && visit(number)) return 0
      before = number
      link = cell(number, band)
    }
    return 0
  }

  function within(fingerprint: Fingerprint, distance: number): number[] {
    const found: number[] = []
    for (let number = last; number > last - held; number--) {
      if (distanceTo(number, fingerprint) <= distance && !isDropped(number)) found.push(number)
    }
    return found
  }

  function isDropped(number: number): boolean {
    return (cell(number, SHAPE) & DROPPED) !== 0
  }

  function numbersOf(wanted: ReadonlySet<number>): number[] {
    const found: number[] = []
    for (const id of wanted) {
      let before = last + 1
      for (let link = heads[headOf(BY_ID, keyOf(id))]!; link !== 0; link = cell(before, BY_ID)) {
        const number = last - ((last - link) & NUMBER_MASK)
        if (number >= before || !holds(number)) break
        if (idOf(number) === id && !isDropped(number)) found.push(number)
        before = number
      }
    }
    return found
  }

  function distanceTo(number: number, { high, low }: Fingerprint): number {
    return bitCount(cell(number, HIGH) ^ high) + bitCount(cell(number, LOW) ^ low)
  }

  function indexWordsOf(number: number): IndexWords {
    const shape = cell(number, SHAPE)
    const slot = slotOf(number)
    const from = ((slot & (SLAB_ITEMS - 1)) * CELLS + WORDS) * 2
    return {
      words: slabs[slot >> SLAB_BITS]!.words.subarray(from, from + (shape & 63)),
      titleWords: (shape >>> 6) & 63,
      unspaced: ((shape >>> 12) & 1) === 1,
    }
  }

  return {
    get size() {
      return held
    },
    get newest() {
      return last
    },
    get bytes() {
      let bytes = heads.byteLength
      for (const { cells, ids } of slabs) bytes += cells.byteLength + ids.byteLength
      return bytes
    },
    put,
    nextToGo: () => (held === capacity ? last - held + 1 : 0),
    candidates,
    visitSharingText,
    within,
    holds,
    drop(number) {
      setCell(number, SHAPE, cell(number, SHAPE) | DROPPED)
    },
    isDropped,
    numbersOf,
    idOf,
    atOf: (number) => cell(number, SECONDS) * 1000 + ((cell(number, SHAPE) >>> 13) & 1023),
    fingerprintOf: (number) => ({ high: cell(number, HIGH), low: cell(number, LOW) }),
    distanceTo,
    indexWordsOf,
    hasText(number) {
      const shape = cell(number, SHAPE)
      return (shape & 63) - ((shape >>> 6) & 63) >= SHORTEST_TEXT
    },
    groupOf: (number) => cell(number, GROUP),
    setGroup(number, group, memberBefore) {
      setCell(number, GROUP, group)
      setCell(number, MEMBER, memberBefore)
    },
    memberBefore(number) {
      const member = cell(number, MEMBER)
      return member && last - ((last - member) >>> 0)
    },
  }
}

const DROPPED = 1 << 23

function keyOf(id: number): number {
  const key = mix(id >>> 0)
  return key === NO_KEY ? 0 : key
}

/** Neighbouring records, and the ids of their items. */
interface Slab {
  cells: Uint32Array
  /** The same memory, viewed as words. */
  words: Uint16Array
  ids: Float64Array
}

function newSlab(items: number): Slab {
  const cells = new Uint32Array(items * CELLS)
  return { cells, words: new Uint16Array(cells.buffer), ids: new Float64Array(items) }
}

const LAST_INSTANT = 2 ** 32 * 1000 - 1

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
