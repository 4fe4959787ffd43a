/**
 * MinHash over pairs of neighbouring words: for each of a few orders of all possible pairs, the pair of this text that
 * comes first. Two texts agree in one of these with the probability that a pair of either is a pair of both, so texts
 * with much in common are likely to agree in at least one. Fillers are skipped: "of the" would bring half of the
 * world.
 *
 * The first keys are the headline's alone, so that an item without text finds one that has some; the others are the text's
 * alone, so that the same text is found under whatever headline. Who has too little text to be compared by it has his
 * headline there, too.
 */
import { mix } from './hash.ts'
import { hasText, type IndexWords } from './index-words.ts'
import { CONTENT, FILLER, SERIAL } from './word-kinds.ts'

/** Chosen on labelled news: of the pairs that are verified as copies, 99.8 % share one; 8 keys bring 99.9. */
export const MINHASHES = 6
/** The first so many. */
export const TITLE_KEYS = 2
/** In words. A longer headline leaves less room for the text, and never less than this: so one key is made of this much. */
const BEGINNING = 20

/** Stands where an item has no pair to make a key of. */
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

/** A text of figures and fillers alone has no other pairs. */
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

/** A headline has few pairs, and one word put in breaks two of them: for its own keys its words count as well. */
function addWords(words: Uint16Array, titleWords: number, keys: Uint32Array): void {
  for (let i = 0; i < titleWords; i++) {
    if ((words[i]! & 3) === CONTENT) addFeature(mix(words[i]!), keys, 0, TITLE_KEYS)
  }
}

/** Multiplying by different odd numbers puts the features into different orders. */
function addFeature(feature: number, keys: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) {
    let value = Math.imul(feature ^ OFFSETS[k]!, ORDERS[k]!)
    value = (value ^ (value >>> 15)) >>> 0
    if (value < keys[k]!) keys[k] = value
  }
}

const ORDERS = Uint32Array.from({ length: MINHASHES }, (_, k) => mix(0x51ed270b + k) | 1)
const OFFSETS = Uint32Array.from({ length: MINHASHES }, (_, k) => mix(0x2545f491 + k))
