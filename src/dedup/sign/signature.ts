/**
 * What is stored of a text to recognize its copies and other reports of the same story: the SimHash, which is shown to
 * users, and the *skeleton*, the first words of headline and text in order, each as a number of 24 bits. Two bits are the
 * kind of word, 22 a hash of its stem, or for a number mostly the number itself. Skeletons suffice to find how many words
 * two texts share, in which order, and whether their numbers agree; the text itself need not be stored.
 */
import { type PlainItem, type Text, toPlainItem } from '../plain-item.ts'
import { hashWord } from './hash.ts'
import { plainTitle, removeDateline } from './plain.ts'
import { plainSimhash, simhash } from './simhash.ts'
import { kindOfWord, NUMBER } from './word-kinds.ts'
import { UNSPACED_SCRIPTS, wordsOf } from './words.ts'

export interface Signature {
  simhash: bigint
  /** The words of the title, then those of the text. */
  words: Uint32Array
  /** How many of them are the title's. */
  titleWords: number
  /** The title is in a script without spaces: its words are overlapping pairs of characters. */
  unspaced: boolean
  /** There is no title: its words are the first ones of the text. */
  untitled?: true
  /** Its SimHash follows the original paper, and cannot be compared with ours. */
  plain?: true
}

/** Headline and text together: a headline of 9 words leaves 35 for the text, which is what most feeds show. */
export const SKELETON_WORDS = 44
const TITLE_WORDS = 24
/** Not many more: where one feed shows a summary and another the whole text, their SimHashes are to be near all the same. */
const SIMHASH_WORDS = SKELETON_WORDS
/** Where there is no title, the beginning of the text has to say what it is about. */
const BEGINNING_WORDS = 8
/** Crude stemming, the same for all languages: "recalls" and "recalled" are one word. */
const STEM_LETTERS = 6

/** All that is needed to find the copies of a text. However long it is, some thousand characters are looked at. */
export function signature(text: Text): Signature {
  return signatureOf(toPlainItem(text))
}

export function signatureOf(what: PlainItem): Signature {
  const { words: found, titleWords, untitled } = signedWords(what)
  const words = Uint32Array.from(found.slice(0, SKELETON_WORDS), codeOf)
  let unspaced = 0
  for (let i = 0; i < titleWords; i++) if (UNSPACED_SCRIPTS.test(found[i]!)) unspaced++
  const signed = { simhash: simhash(found), words, titleWords, unspaced: unspaced * 2 > titleWords }
  return untitled ? { ...signed, untitled } : signed
}

/** The words of title and text, as far as signatures are made of them. */
export function signedWords({ title, text }: PlainItem): { words: string[]; titleWords: number; untitled: boolean } {
  const words = wordsOf(plainTitle(title), TITLE_WORDS)
  const titleWords = words.length
  for (const word of wordsOf(removeDateline(text), SIMHASH_WORDS)) words.push(word)
  const untitled = titleWords === 0
  return { words, titleWords: untitled ? Math.min(BEGINNING_WORDS, words.length) : titleWords, untitled }
}

/** The same with the SimHash of the founding paper, for comparison: title and description as they came. */
export function plainSignature(text: Text): Signature {
  return { ...signature(text), simhash: plainSimhash(`${text.title} ${text.summary ?? text.text ?? ''}`), plain: true }
}

function codeOf(word: string): number {
  const kind = kindOfWord(word)
  const hash = kind === NUMBER ? codeOfNumber(word) : hashWord(word.slice(0, STEM_LETTERS))
  return ((hash & 0x3fffff) << 2) | kind
}

/**
 * The index keeps 14 of these bits, and the items of a series differ in nothing else: by a hash, of 500 builds or episodes some
 * would be the same. So whole numbers below 4,096 stand for themselves, larger ones for what is left of a division, which is
 * another for the next 4,092; what is written otherwise has a hash.
 */
function codeOfNumber(word: string): number {
  const hash = hashWord(word)
  const whole = WHOLE_NUMBER.test(word) ? Number(word) : undefined
  const low = whole === undefined ? 0x2000 | (hash & 0x1fff) : whole < 0x1000 ? whole : 0x1000 | (whole % 4093)
  return (((hash >>> 14) << 14) | low) >>> 0
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/

/** 16 bits by which a content word is known where less than a signature is kept. */
export function stemOf(word: string): number {
  return hashWord(word.slice(0, STEM_LETTERS)) & 0xffff
}
