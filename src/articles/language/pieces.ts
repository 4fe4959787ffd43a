/**
 * The tables of the language detector eld, packed. As the objects that eld makes of them they take 70 MB once they are read,
 * and most of the time of a detection; in arrays they take 2 MB. So its file is read as text, and never run.
 *
 * A piece is up to four bytes of a word in UTF-8, and whether it begins or ends the word; of each it is known in which
 * languages it is how common. eld writes a byte as one character, by a dictionary of its own.
 */
import { readFile } from 'node:fs/promises'

export interface Pieces {
  languages: readonly string[]
  /** Where a piece stands: a number that is its own; negative if nothing is known of it. */
  find(bytes: number, edges: number): number
  /** Adds what the piece at that place says to the languages' scores. */
  add(place: number, scores: Float64Array): void
  /** One more than the highest place. */
  readonly places: number
}

export const BEGINS = 1
export const ENDS = 2

/** At least twice as many as there are pieces, which are some 50,000, so that each is found soon. */
const SLOTS = 2 ** 17
/** eld subtracts it from what it keeps. */
const LEAST_SCORE = 53

export async function loadPieces(): Promise<Pieces> {
  const entrance = import.meta.resolve('eld/extrasmall')
  const [tables, dictionary] = await Promise.all(
    ['../ngrams/extrasmall.js', '../dictionary.js'].map((file) => readFile(new URL(file, entrance), 'utf8')),
  )
  return packed(tables!, dictionary!)
}

function packed(tables: string, dictionary: string): Pieces {
  const byteOf = bytesIn(dictionary)
  const start = tables.indexOf('ngrams:{') + 'ngrams:{'.length
  const languages = Array.from(tables.slice(0, start).matchAll(/\d+:'(\w+)'/g), ([, language]) => language!)
  const bytes = new Uint32Array(SLOTS)
  const edges = new Uint8Array(SLOTS) // one more than they are; 0: nothing stands here
  const from = new Uint32Array(SLOTS)
  const pairs: number[] = []

  const slotOf = (piece: number, edge: number) => {
    let slot = hash(piece, edge)
    while (edges[slot] !== 0 && (bytes[slot] !== piece || edges[slot] !== edge + 1)) slot = (slot + 1) % SLOTS
    return slot
  }
  let count = 0
  for (const [, quoted, plain, scores] of tables.slice(start).matchAll(PIECE)) {
    const piece = quoted?.replaceAll("\\'", "'") ?? plain!
    const edge = (piece.startsWith(' ') ? BEGINS : 0) | (piece.endsWith(' ') ? ENDS : 0)
    let number = 0
    for (const letter of piece.trim()) number = ((number << 8) | byteOf.get(letter)!) >>> 0
    const slot = slotOf(number, edge)
    bytes[slot] = number
    edges[slot] = edge + 1
    from[slot] = pairs.length
    const each = scores!.split(',')
    pairs.push(each.length)
    for (const one of each) pairs.push(...one.split(':').map(Number))
    if (++count > SLOTS / 2) break
  }
  if (languages.length < 2 || count < 1000 || count > SLOTS / 2)
    throw new Error(`The tables of eld are not as they were in 2.1.0: ${languages.length} languages, ${count} pieces`)
  const said = Uint8Array.from(pairs)
  return {
    languages,
    places: SLOTS,
    find(piece, edge) {
      const slot = slotOf(piece, edge)
      return edges[slot] === 0 ? -1 - slot : slot
    },
    add(place, scores) {
      let at = from[place]!
      for (let left = said[at++]!; left > 0; left--, at += 2) scores[said[at]!]! += said[at + 1]! + LEAST_SCORE
    },
  }
}

/** `'abcd':{0:17,3:40}`, where a name that needs no quotes has none. */
const PIECE = /(?:'((?:[^'\\]|\\')*)'|([^\s'{},:]+)):\{([\d:,]+)\}/g

/** The dictionary is a list of 256 characters; a space stands for what is no byte of a word. */
function bytesIn(dictionary: string): Map<string, number> {
  const letters = Array.from(dictionary.matchAll(/'(\\'|[^\\])'/g), ([, letter]) => letter!.at(-1)!)
  return new Map(letters.map((letter, byte) => [letter, byte]))
}

function hash(piece: number, edge: number): number {
  const mixed = Math.imul(piece ^ (edge << 13), 0x9e3779b1)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % SLOTS
}
