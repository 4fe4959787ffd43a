/**
 * Converts the tables of eld to the format that src/articles/language/ngram-tables.ts reads. eld stores an object with one key per n-gram,
 * in which each byte is one character of a dictionary of its own, and a space marks a word boundary. Reading that takes 30 MB and 140 ms,
 * so it is done here, once.
 */
import { BEGINS, ENDS, HASH_SLOTS, hashOf, MAGIC } from '../src/articles/language/ngram-tables.ts'

/** The format of eld 2.1.0: `{ ' abc': { 0: 17, 3: 40 } }`, languages and scores. */
interface EldTables {
  languages: Record<number, string>
  ngrams: Record<string, Record<number, number>>
}

interface Piece {
  letters: number
  edges: number
  votes: [language: number, score: number][]
}

export async function languageTables(): Promise<Uint8Array> {
  const entrance = import.meta.resolve('eld/extrasmall')
  const { ngramsData }: { ngramsData: EldTables } = await import(new URL('../ngrams/extrasmall.js', entrance).href)
  const { dictionary }: { dictionary: string[] } = await import(new URL('../dictionary.js', entrance).href)
  const byteOf = new Map(dictionary.map((letter, byte) => [letter, byte]))
  const pieces = Object.entries(ngramsData.ngrams)
    .map(([name, scores]) => pieceOf(name, scores, byteOf))
    .sort((a, b) => bucketOf(a) - bucketOf(b) || a.letters - b.letters || a.edges - b.edges)
  return written(pieces, Object.values(ngramsData.languages))
}

function pieceOf(name: string, scores: Record<number, number>, byteOf: ReadonlyMap<string, number>): Piece {
  const edges = (name.startsWith(' ') ? BEGINS : 0) | (name.endsWith(' ') ? ENDS : 0)
  const bytes = Array.from(name.replaceAll(' ', ''), (letter) => byteOf.get(letter) ?? 0)
  const votes = Object.entries(scores).map(([language, score]): [number, number] => [Number(language), score])
  if (bytes.length > 4 || bytes.includes(0) || votes.flat().some((number) => number > 0xff))
    throw new Error(`The tables of eld are not as they were in 2.1.0: "${name}" has ${JSON.stringify(scores)}`)
  return { letters: bytes.reduce((number, byte) => ((number << 8) | byte) >>> 0, 0), edges, votes }
}

function bucketOf({ letters, edges }: Piece): number {
  return hashOf(letters, edges) % HASH_SLOTS
}

function written(pieces: readonly Piece[], languages: readonly string[]): Uint8Array {
  const names = Buffer.from(languages.join(' '), 'ascii')
  const votes = pieces.flatMap((piece) => piece.votes)
  const from = sums(pieces.map((piece) => piece.votes.length))
  const numbers = [MAGIC, pieces.length, votes.length, names.length]
    .concat(firstsOf(pieces))
    .concat(pieces.map(({ letters }) => letters))
    .concat(from)
  return Buffer.concat([
    littleEndian(numbers),
    Uint8Array.from(pieces, ({ edges }) => edges),
    Uint8Array.from(votes.flat()),
    names,
  ])
}

function firstsOf(pieces: readonly Piece[]): number[] {
  const sizes = new Array<number>(HASH_SLOTS).fill(0)
  for (const piece of pieces) sizes[bucketOf(piece)]!++
  return sums(sizes)
}

/** Offsets of consecutive parts, and the end of the last one. */
function sums(sizes: readonly number[]): number[] {
  let end = 0
  return [0, ...sizes.map((size) => (end += size))]
}

function littleEndian(numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length))
  for (const [i, number] of numbers.entries()) view.setUint32(4 * i, number, true)
  return new Uint8Array(view.buffer)
}
