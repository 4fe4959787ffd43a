/**
 * How much a text looks like each of sixty languages, by eld's tables (pieces.ts) and in eld's way: its first 350 bytes are
 * cut into pieces, and the score of a language is what each different piece says for it.
 */
import { BEGINS, ENDS, type NgramTables } from './ngram-tables.ts'

export interface Detector {
  languages: readonly string[]
  /** For each of the languages, the mean of what the pieces of the text say for it. */
  scores(text: string): Float64Array
}

/** Where enough was read: at the end of a word, or anywhere. */
const ENOUGH_BYTES = 350
const MOST_BYTES = 380
const LONGEST_WORD = 70
const PIECE_BYTES = 4
const STRIDE = 3

export function createDetector(pieces: NgramTables): Detector {
  const word = new Uint8Array(LONGEST_WORD)
  /** In which text a piece was met last: each counts once. */
  const met = new Uint32Array(pieces.places)
  let texts = 0
  let count = 0

  function meet(start: number, end: number, edges: number, sums: Float64Array): void {
    let bytes = 0
    for (let i = start; i < end; i++) bytes = ((bytes << 8) | word[i]!) >>> 0
    const place = pieces.find(bytes, edges)
    if (met[place] === texts) return
    met[place] = texts
    count++
    if (place < pieces.known) pieces.add(place, sums)
  }

  function readWord(length: number, sums: Float64Array): void {
    let start = 0
    for (; start + PIECE_BYTES < length; start += STRIDE) meet(start, start + PIECE_BYTES, start ? 0 : BEGINS, sums)
    meet(Math.max(0, length - PIECE_BYTES), length, start ? ENDS : BEGINS | ENDS, sums)
  }

  function scores(text: string): Float64Array {
    const sums = new Float64Array(pieces.languages.length)
    const lower = text.toLowerCase()
    texts++
    count = 0
    let read = 0
    let length = 0
    let apostrophe = 0 // belongs to the word of the letter that follows
    for (let i = 0; i < lower.length && read <= (length ? MOST_BYTES : ENOUGH_BYTES); i++) {
      const code = lower.charCodeAt(i)
      if (isLetter(code)) {
        const before = length
        if (apostrophe) length = putBytes(apostrophe, word, length)
        apostrophe = 0
        length = putBytes(code, word, length)
        read += length - before
      } else if (isApostrophe(code)) apostrophe = code
      else {
        if (length) readWord(length, sums)
        read++
        length = 0
        apostrophe = 0
      }
    }
    if (length) readWord(length, sums)
    for (let i = 0; i < sums.length; i++) sums[i]! /= count || 1
    return sums
  }

  return { languages: pieces.languages, scores }
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x60 || code === 0x2019
}

/** Of the first plane: the tables know none of the others. */
function isLetter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a
  return LETTER.test(String.fromCharCode(code))
}

const LETTER = /\p{L}/u

/** In UTF-8, as far as there is room; answers how long the word is then. */
function putBytes(code: number, word: Uint8Array, length: number): number {
  if (code < 0x80) return put(code, word, length)
  const rest = 0x80 | (code & 0x3f)
  if (code < 0x800) return put(rest, word, put(0xc0 | (code >> 6), word, length))
  return put(rest, word, put(0x80 | ((code >> 6) & 0x3f), word, put(0xe0 | (code >> 12), word, length)))
}

function put(byte: number, word: Uint8Array, length: number): number {
  if (length === LONGEST_WORD) return length
  word[length] = byte
  return length + 1
}

/** The languages that eld's tables tell apart; of any other it can only say what it resembles. */
export const DETECTED: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl ' +
    'no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
)
