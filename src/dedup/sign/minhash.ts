/**
 * MinHash over pairs of neighbouring words: for each of a few orders of all possible pairs, the pair of this text that comes
 * first. Two texts agree in one of these with the probability that a pair of either is a pair of both, so texts with much in
 * common are likely to agree in at least one. Filler words are skipped: almost every text has "of the".
 *
 * The first keys are of the headline alone, so that an item without text finds one with text; the others are of the text
 * alone, so that the same text is found under any headline. An item with too little text uses its headline there, too.
 */
import { mix } from './hash.ts'
import { hasText, type IndexWords } from './index-words.ts'
import { CONTENT, FILLER, SERIAL } from './word-kinds.ts'

/** Chosen on labelled news: of the pairs verified as copies, 99.8 % share a key; with 8 keys 99.9 %. */
export const MINHASHES = 6
/** The first keys, made of the title. */
export const TITLE_KEYS = 2
/** In words. A longer headline leaves fewer words for the text, but never fewer than this, so one key uses only this many. */
const BEGINNING = 20

/** Used if an item has no pair to make a key of. */
export const NO_KEY = 0xffffffff

export function minhash(skeleton: IndexWords): Uint32Array {
  const { words, titleWords } = skeleton
  const keys = new Uint32Array(MINHASHES).fill(NO_KEY)
  addPairs(words, 0, titleWords, keys, 0, hasText(skeleton) ? TITLE_KEYS : MINHASHES)
  addPairs(words, titleWords, Math.min(words.length, titleWords + BEGINNING), keys, TITLE_KEYS, TITLE_KEYS + 1)
  addPairs(words, titleWords, words.length, keys, TITLE_KEYS + 1, MINHASHES)
  addWords(words, titleWords, keys)
  if (keys[MINHASHES - 1] === NO_KEY) addFillers(words, titleWords, keys)
  return keys
}

/** Texts of numbers and fillers have no other pairs. */
function addFillers(words: Uint16Array, titleWords: number, keys: Uint32Array): void {
  for (let i = titleWords + 1; i < words.length; i++) {
    addFeature(mix((words[i - 1]! << 16) | words[i]!), keys, TITLE_KEYS, MINHASHES)
  }
}

function addPairs(words: Uint16Array, from: number, to: number, keys: Uint32Array, first: number, end: number): void {
  let before = 0
  for (let i = from; i < to; i++) {
    const word = words[i]!
    const kind = word & 3
    if (kind === FILLER || kind === SERIAL) continue
    if (before) addFeature(mix((before << 16) | word), keys, first, end)
    before = word
  }
}

/** A headline has few pairs, and one inserted word breaks two of them: its own keys use single words as well. */
function addWords(words: Uint16Array, titleWords: number, keys: Uint32Array): void {
  for (let i = 0; i < titleWords; i++) {
    if ((words[i]! & 3) === CONTENT) addFeature(mix(words[i]!), keys, 0, TITLE_KEYS)
  }
}

/** Multiplying by different odd numbers gives different orders of the features. */
function addFeature(feature: number, keys: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) {
    let value = Math.imul(feature ^ OFFSETS[k]!, ORDERS[k]!)
    value = (value ^ (value >>> 15)) >>> 0
    if (value < keys[k]!) keys[k] = value
  }
}

const ORDERS = Uint32Array.from({ length: MINHASHES }, (_, k) => mix(0x51ed270b + k) | 1)
const OFFSETS = Uint32Array.from({ length: MINHASHES }, (_, k) => mix(0x2545f491 + k))
