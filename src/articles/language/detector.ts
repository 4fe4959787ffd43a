/**
 * Scores a text for each of sixty languages, with eld's tables (ngram-tables.ts) and eld's algorithm: its first 350 bytes
 * are split into n-grams, and a language's score is the sum over the different n-grams.
 */
import { BEGINS, ENDS, type NgramTables } from './ngram-tables.ts'

export interface Detector {
  languages: readonly string[]
  /** For each language, the mean score of the text's n-grams. */
  scores(text: string): Float64Array
}

/** Stops after this much text, at the end of a word or anywhere. */
const ENOUGH_BYTES = 350
const MAX_BYTES = 380
const MAX_WORD_LENGTH = 70
const PIECE_BYTES = 4
const STRIDE = 3

export function createDetector(ngrams: NgramTables): Detector {
  const word = new Uint8Array(MAX_WORD_LENGTH)
  /** The last text in which each n-gram occurred, because each counts once per text. */
  const lastSeenIn = new Uint32Array(ngrams.slots)
  let texts = 0
  let count = 0

  function addNgram(start: number, end: number, edges: number, sums: Float64Array): void {
    let bytes = 0
    for (let i = start; i < end; i++) bytes = ((bytes << 8) | word[i]!) >>> 0
    const slot = ngrams.find(bytes, edges)
    if (lastSeenIn[slot] === texts) return
    lastSeenIn[slot] = texts
    count++
    if (slot < ngrams.known) ngrams.add(slot, sums)
  }

  function readWord(length: number, sums: Float64Array): void {
    let start = 0
    for (; start + PIECE_BYTES < length; start += STRIDE) addNgram(start, start + PIECE_BYTES, start ? 0 : BEGINS, sums)
    addNgram(Math.max(0, length - PIECE_BYTES), length, start ? ENDS : BEGINS | ENDS, sums)
  }

  function scores(text: string): Float64Array {
    const sums = new Float64Array(ngrams.languages.length)
    const lower = text.toLowerCase()
    texts++
    count = 0
    let read = 0
    let length = 0
    let apostrophe = 0 // belongs to the word of the next letter
    for (let i = 0; i < lower.length && read <= (length ? MAX_BYTES : ENOUGH_BYTES); i++) {
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

  return { languages: ngrams.languages, scores }
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x60 || code === 0x2019
}

/** Letters of the Basic Multilingual Plane: the tables contain no others. */
function isLetter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a
  return LETTER.test(String.fromCharCode(code))
}

const LETTER = /\p{L}/u

/** Appends the letter in UTF-8 if there is space; returns the word's new length. */
function putBytes(code: number, word: Uint8Array, length: number): number {
  if (code < 0x80) return putByte(code, word, length)
  const continuation = 0x80 | (code & 0x3f)
  if (code < 0x800) return putByte(continuation, word, putByte(0xc0 | (code >> 6), word, length))
  return putByte(
    continuation,
    word,
    putByte(0x80 | ((code >> 6) & 0x3f), word, putByte(0xe0 | (code >> 12), word, length)),
  )
}

function putByte(byte: number, word: Uint8Array, length: number): number {
  if (length === MAX_WORD_LENGTH) return length
  word[length] = byte
  return length + 1
}

/** The languages in eld's tables. For any other language the scores only show what it resembles. */
export const DETECTED: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl ' +
    'no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
)
