/**
 * The tables of the language detector, as they lie in their file: looked at, not unpacked. tools/language-tables.ts makes
 * them of those of eld.
 *
 * A piece is up to four bytes of a word in UTF-8, and whether it begins or ends the word; it has a vote for each language
 * that it is common in. Pieces stand in buckets by their hash, so that one is found after a look at one or two. Numbers
 * are little-endian; those of four bytes come first, so that they are aligned if the file is:
 *
 *   header    4             MAGIC, how many pieces, how many votes, how many bytes of names
 *   firsts    BUCKETS + 1   the place of each bucket's first piece; a bucket ends where the next begins
 *   letters   pieces        the bytes of each piece as one number
 *   from      pieces + 1    the number of each piece's first vote; they end where those of the next begin
 *   edges     pieces        one byte each: BEGINS, ENDS, both or neither
 *   votes     votes         two bytes each: which language, and how common less LEAST_SCORE
 *   names                   of the languages, in ASCII, with spaces between them
 */

export interface NgramTables {
  languages: readonly string[]
  /** Where a piece stands. What is not known stands behind all that is, at a place of its own, more or less. */
  find(letters: number, edges: number): number
  /** Adds what the known piece at that place says to the languages' scores. */
  add(place: number, scores: Float64Array): void
  /** How many are known. */
  readonly known: number
  /** One more than the highest place. */
  readonly places: number
}

export const BEGINS = 1
export const ENDS = 2

/** "LNG1" */
export const MAGIC = 0x31474e4c
const HEADER_NUMBERS = 4
export const HASH_SLOTS = 2 ** 15
/** eld subtracts it from what it keeps. */
const LEAST_SCORE = 53
/** Places for pieces that are not known: a text has a hundred at most, which seldom meet. */
const STRANGERS = 2 ** 17

export function readNgramTables(tables: Uint8Array): NgramTables {
  const { known, votes: voteCount, nameBytes } = headerOf(tables)
  const lettersAt = HEADER_NUMBERS + HASH_SLOTS + 1
  const numbers = numbersIn(tables, lettersAt + known + known + 1)
  const firsts = numbers.subarray(HEADER_NUMBERS, lettersAt)
  const letters = numbers.subarray(lettersAt, lettersAt + known)
  const from = numbers.subarray(lettersAt + known)
  const votesAt = numbers.byteLength + known
  const edges = tables.subarray(numbers.byteLength, votesAt)
  const votes = tables.subarray(votesAt, votesAt + 2 * voteCount)
  const names = tables.subarray(votesAt + 2 * voteCount)
  if (names.length !== nameBytes) throw wrongLength(tables)

  return {
    languages: String.fromCharCode(...names).split(' '),
    known,
    places: known + STRANGERS,
    find(piece, edge) {
      const hash = hashOf(piece, edge)
      const bucket = hash & (HASH_SLOTS - 1)
      const end = firsts[bucket + 1]!
      for (let place = firsts[bucket]!; place < end; place++)
        if (letters[place] === piece && edges[place] === edge) return place
      return known + hash
    },
    add(place, scores) {
      const end = 2 * from[place + 1]!
      for (let at = 2 * from[place]!; at < end; at += 2) scores[votes[at]!]! += votes[at + 1]! + LEAST_SCORE
    },
  }
}

/** Less than STRANGERS; the buckets go by its lower bits. */
export function hashOf(piece: number, edge: number): number {
  const mixed = Math.imul(piece ^ (edge << 13), 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) & (STRANGERS - 1)
}

function headerOf(tables: Uint8Array): { known: number; votes: number; nameBytes: number } {
  const view = new DataView(tables.buffer, tables.byteOffset, tables.byteLength)
  if (tables.length < 4 * HEADER_NUMBERS || view.getUint32(0, true) !== MAGIC)
    throw new Error('These are no language tables, or not of this version')
  return { known: view.getUint32(4, true), votes: view.getUint32(8, true), nameBytes: view.getUint32(12, true) }
}

/** A view where the machine can have one; else, for bytes that lie askew or a machine that is big-endian, a copy. */
function numbersIn(tables: Uint8Array, count: number): Uint32Array {
  if (4 * count > tables.length) throw wrongLength(tables)
  if (IS_LITTLE_ENDIAN && tables.byteOffset % 4 === 0) return new Uint32Array(tables.buffer, tables.byteOffset, count)
  const view = new DataView(tables.buffer, tables.byteOffset, tables.byteLength)
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true))
}

function wrongLength({ length }: Uint8Array): Error {
  return new Error(`The language tables cannot have ${length} bytes: is their file damaged?`)
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
