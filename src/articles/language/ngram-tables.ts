/**
 * The tables of the language detector, read in place without unpacking. `tools/write-language-tables.ts` generates
 * them from those of eld.
 *
 * An n-gram is up to four bytes of a word in UTF-8 and whether it begins or ends the word. It has a vote for each
 * language in which it is common. N-grams are stored in buckets by hash, so a lookup compares one or two. Numbers are
 * little-endian; four-byte numbers come first, so that they are aligned if the file is:
 *
 *    header    4             MAGIC, number of n-grams, number of votes, bytes of names
 *    firsts    BUCKETS + 1   index of each bucket's first n-gram; a bucket ends where the next begins
 *    letters   n-grams       the bytes of each n-gram as one number
 *    from      n-grams + 1   index of each n-gram's first vote; its votes end where those of the next begin
 *    edges     n-grams       one byte each: BEGINS, ENDS, both or neither
 *    votes     votes         two bytes each: the language, and its score minus MIN_SCORE
 *    names                   of the languages, in ASCII, separated by spaces
 */

export interface NgramTables {
  languages: readonly string[]
  /** The slot of an n-gram. Unknown n-grams get a slot after all known ones, nearly always a distinct one. */
  find(letters: number, edges: number): number
  /** Adds the votes of the known n-gram in this slot to the languages' scores. */
  add(place: number, scores: Float64Array): void
  /** Number of known n-grams. */
  readonly known: number
  /** Number of slots. */
  readonly slots: number
}

export const BEGINS = 1
export const ENDS = 2

/** "LNG1" */
export const MAGIC = 0x31474e4c
const HEADER_NUMBERS = 4
export const HASH_SLOTS = 2 ** 15
/** eld subtracts it from stored scores. */
const MIN_SCORE = 53
/** Slots for unknown n-grams: a text has at most a hundred, which rarely collide. */
const UNKNOWN_SLOTS = 2 ** 17

export function readNgramTables(tables: Uint8Array): NgramTables {
  const { known: ngramCount, votes: voteCount, nameBytes } = headerOf(tables)
  const lettersAt = HEADER_NUMBERS + HASH_SLOTS + 1
  const numbers = numbersIn(tables, lettersAt + ngramCount + ngramCount + 1)
  const firsts = numbers.subarray(HEADER_NUMBERS, lettersAt)
  const letters = numbers.subarray(lettersAt, lettersAt + ngramCount)
  const from = numbers.subarray(lettersAt + ngramCount)
  const votesAt = numbers.byteLength + ngramCount
  const edges = tables.subarray(numbers.byteLength, votesAt)
  const votes = tables.subarray(votesAt, votesAt + 2 * voteCount)
  const names = tables.subarray(votesAt + 2 * voteCount)
  if (names.length !== nameBytes) throw wrongLength(tables)

  return {
    languages: String.fromCharCode(...names).split(' '),
    known: ngramCount,
    slots: ngramCount + UNKNOWN_SLOTS,
    find(ngram, edge) {
      const hash = hashOf(ngram, edge)
      const bucket = hash & (HASH_SLOTS - 1)
      const end = firsts[bucket + 1]!
      for (let slot = firsts[bucket]!; slot < end; slot++)
        if (letters[slot] === ngram && edges[slot] === edge) return slot
      return ngramCount + hash
    },
    add(slot, scores) {
      const end = 2 * from[slot + 1]!
      for (let at = 2 * from[slot]!; at < end; at += 2) scores[votes[at]!]! += votes[at + 1]! + MIN_SCORE
    },
  }
}

/** Less than UNKNOWN_SLOTS; the lower bits select the bucket. */
export function hashOf(ngram: number, edge: number): number {
  const mixed = Math.imul(ngram ^ (edge << 13), 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) & (UNKNOWN_SLOTS - 1)
}

function headerOf(tables: Uint8Array): { known: number; votes: number; nameBytes: number } {
  const view = new DataView(tables.buffer, tables.byteOffset, tables.byteLength)
  if (tables.length < 4 * HEADER_NUMBERS || view.getUint32(0, true) !== MAGIC)
    throw new Error('Not language tables of this version')
  return { known: view.getUint32(4, true), votes: view.getUint32(8, true), nameBytes: view.getUint32(12, true) }
}

/** A view if the bytes are aligned and the machine is little-endian; otherwise a copy. */
function numbersIn(tables: Uint8Array, count: number): Uint32Array {
  if (4 * count > tables.length) throw wrongLength(tables)
  if (IS_LITTLE_ENDIAN && tables.byteOffset % 4 === 0) return new Uint32Array(tables.buffer, tables.byteOffset, count)
  const view = new DataView(tables.buffer, tables.byteOffset, tables.byteLength)
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true))
}

function wrongLength({ length }: Uint8Array): Error {
  return new Error(`The language tables have an unexpected length of ${length} bytes: their file may be damaged`)
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
