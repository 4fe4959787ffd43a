/**
 * The records of the items in a copy ring, by number. They are made slab by slab as items come, until there are `capacity` of them:
 * nothing is ever moved, so nobody waits for it. Then the record of the oldest item is overwritten.
 *
 * A record is 35 cells of 32 bits, in one piece because memory is fetched in pieces:
 *
 *   links, one a MinHash and one for the id | SimHash, two halves | group | older member | seconds | shape | words, two a cell
 *
 * The shape is the number of words (6 bits), those of the title (6), unspaced (1), the milliseconds (10), dropped (1).
 */
import type { Instant } from '../../model/index.ts'
import type { Fingerprint } from '../groups/primary.ts'
import { type IndexWords, SHORTEST_TEXT } from '../sign/index-words.ts'
import { MINHASHES } from '../sign/minhash.ts'
import { SKELETON_WORDS } from '../sign/signature.ts'
import { bitCount } from '../sign/simhash.ts'

export interface RingItem extends Fingerprint {
  id: number
  at: Instant
  skeleton: IndexWords
  /** One per MinHash. */
  keys: Uint32Array
}

export interface CopyRecords {
  readonly bytes: number
  /** Writes all but the links. */
  write(number: number, item: RingItem): void
  /** The link of an item in a chain. */
  linkOf(number: number, band: number): number
  setLink(number: number, band: number, link: number): void
  idOf(number: number): number
  atOf(number: number): Instant
  fingerprintOf(number: number): Fingerprint
  /** Bits in which the item's SimHash differs from this one. */
  distanceTo(number: number, fingerprint: Fingerprint): number
  indexWordsOf(number: number): IndexWords
  hasText(number: number): boolean
  isDropped(number: number): boolean
  drop(number: number): void
  groupOf(number: number): number
  /** The low 32 bits of the number of the next older member; 0 if there is none. */
  olderMember(number: number): number
  setGroup(number: number, group: number, olderMember: number): void
}

/** The chain of items by id; those before it are of the MinHashes. */
export const BY_ID = MINHASHES
const HIGH = BY_ID + 1
const LOW = HIGH + 1
const GROUP = LOW + 1
const MEMBER = GROUP + 1
const SECONDS = MEMBER + 1
const SHAPE = SECONDS + 1
const WORDS = SHAPE + 1
const CELLS = WORDS + SKELETON_WORDS / 2

const SLAB_BITS = 12
const SLAB_ITEMS = 2 ** SLAB_BITS
const DROPPED = 1 << 23
const LAST_INSTANT = 2 ** 32 * 1000 - 1

export function createCopyRecords(capacity: number): CopyRecords {
  const slabs: Slab[] = []

  const slotOf = (number: number) => (number - 1) % capacity

  /** One field of an item's record. */
  function cell(number: number, which: number): number {
    const slot = slotOf(number)
    return slabs[slot >> SLAB_BITS]!.cells[(slot & (SLAB_ITEMS - 1)) * CELLS + which]!
  }

  function setCell(number: number, which: number, value: number): void {
    const slot = slotOf(number)
    slabs[slot >> SLAB_BITS]!.cells[(slot & (SLAB_ITEMS - 1)) * CELLS + which] = value
  }

  return {
    get bytes() {
      return slabs.reduce((bytes, { cells, ids }) => bytes + cells.byteLength + ids.byteLength, 0)
    },

    write(number, { id, at, high, low, skeleton }) {
      const slot = slotOf(number)
      slabs[slot >> SLAB_BITS] ??= newSlab(Math.min(SLAB_ITEMS, capacity - slot))
      const { cells, words, ids } = slabs[slot >> SLAB_BITS]!
      const record = (slot & (SLAB_ITEMS - 1)) * CELLS
      const ms = Math.min(Math.max(Math.round(at), 0), LAST_INSTANT)
      cells[record + HIGH] = high
      cells[record + LOW] = low
      cells[record + GROUP] = 0
      cells[record + MEMBER] = 0
      cells[record + SECONDS] = Math.floor(ms / 1000)
      cells[record + SHAPE] =
        skeleton.words.length | (skeleton.titleWords << 6) | (Number(skeleton.unspaced) << 12) | ((ms % 1000) << 13)
      words.set(skeleton.words, (record + WORDS) * 2)
      ids[slot & (SLAB_ITEMS - 1)] = id
    },

    linkOf: cell,
    setLink: setCell,

    idOf(number) {
      const slot = slotOf(number)
      return slabs[slot >> SLAB_BITS]!.ids[slot & (SLAB_ITEMS - 1)]!
    },

    atOf: (number) => cell(number, SECONDS) * 1000 + ((cell(number, SHAPE) >>> 13) & 1023),
    fingerprintOf: (number) => ({ high: cell(number, HIGH), low: cell(number, LOW) }),
    distanceTo: (number, { high, low }) => bitCount(cell(number, HIGH) ^ high) + bitCount(cell(number, LOW) ^ low),

    indexWordsOf(number) {
      const shape = cell(number, SHAPE)
      const slot = slotOf(number)
      const from = ((slot & (SLAB_ITEMS - 1)) * CELLS + WORDS) * 2
      return {
        words: slabs[slot >> SLAB_BITS]!.words.subarray(from, from + (shape & 63)),
        titleWords: (shape >>> 6) & 63,
        unspaced: ((shape >>> 12) & 1) === 1,
      }
    },

    hasText(number) {
      const shape = cell(number, SHAPE)
      return (shape & 63) - ((shape >>> 6) & 63) >= SHORTEST_TEXT
    },

    isDropped: (number) => (cell(number, SHAPE) & DROPPED) !== 0,
    drop: (number) => setCell(number, SHAPE, cell(number, SHAPE) | DROPPED),
    groupOf: (number) => cell(number, GROUP),
    olderMember: (number) => cell(number, MEMBER),

    setGroup(number, group, olderMember) {
      setCell(number, GROUP, group)
      setCell(number, MEMBER, olderMember)
    },
  }
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
