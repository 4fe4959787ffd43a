/**
 * Two texts laid side by side. One walk over the table of all pairs of their words finds both the longest sequence
 * that they share in order and the words that lie in passages which they share literally: retellings have much of the
 * first, copies of the second. At most 44 x 44 steps: whoever has many texts to compare asks `sharePairs` or
 * `mostInPassages` first.
 */

import { type IndexWords, textWords } from '../sign/index-words.ts'
import { SKELETON_WORDS } from '../sign/signature.ts'

export interface Alignment {
  /** Words of the longest sequence that both texts hold in this order. */
  inOrder: number
  /** Words of each text in passages of at least four words that both have. */
  inPassagesA: number
  inPassagesB: number
  /** Words of the longest such passage. */
  longestPassage: number
}

const PASSAGE_WORDS = 4
/** Where fewer of the pairs are shared, passages cannot make up for it, whatever the threshold. */
const LEAST_PAIRS = 0.15

/** One row of the table each; cell j + 1 belongs to word j of the second text. Used again at each call. */
const inOrder = new Uint8Array(SKELETON_WORDS + 1)
const runs = new Uint8Array(SKELETON_WORDS + 1)
const passagesA = new Uint8Array(SKELETON_WORDS)
const passagesB = new Uint8Array(SKELETON_WORDS)
let longestPassage = 0

export function align(a: IndexWords, b: IndexWords): Alignment {
  const lengthA = textWords(a)
  const lengthB = textWords(b)
  inOrder.fill(0)
  runs.fill(0)
  passagesA.fill(0)
  passagesB.fill(0)
  longestPassage = 0
  for (let i = 0; i < lengthA; i++) walkRow(a.words[a.titleWords + i]!, i, b, lengthB)
  return { inOrder: inOrder[lengthB]!, inPassagesA: sum(passagesA), inPassagesB: sum(passagesB), longestPassage }
}

/** The rows hold what was found one word of the first text earlier, and from the left on what is found now. */
function walkRow(word: number, i: number, { words, titleWords }: IndexWords, length: number): void {
  let diagonal = 0
  let runBefore = 0
  for (let j = 0; j < length; j++) {
    const above = inOrder[j + 1]!
    const runAbove = runs[j + 1]!
    if (word === words[titleWords + j]!) {
      const run = runBefore + 1
      inOrder[j + 1] = diagonal + 1
      runs[j + 1] = run
      if (run >= PASSAGE_WORDS) {
        markPassage(i, j, run === PASSAGE_WORDS ? PASSAGE_WORDS : 1)
        if (run > longestPassage) longestPassage = run
      }
    } else {
      if (inOrder[j]! > above) inOrder[j + 1] = inOrder[j]!
      runs[j + 1] = 0
    }
    diagonal = above
    runBefore = runAbove
  }
}

/** Marks the words that a run has just gained, backwards from where it is. */
function markPassage(i: number, j: number, words: number): void {
  for (let k = 0; k < words; k++) {
    passagesA[i - k] = 1
    passagesB[j - k] = 1
  }
}

/** Whether enough neighbouring words of the one text are neighbours in the other for any passage to be shared. */
export function sharePairs(a: IndexWords, b: IndexWords): boolean {
  return pairsIn(a, b) >= LEAST_PAIRS * Math.min(textWords(a), textWords(b))
}

/**
 * What cannot be exceeded by `align`, for a fraction of its cost: the share of words in passages, of which each of four words
 * or more has three neighbouring pairs at least for them, in the text that does better.
 */
export function mostInPassages(a: IndexWords, b: IndexWords): number {
  const passageWords = PASSAGE_WORDS / (PASSAGE_WORDS - 1)
  return passageWords * Math.max(pairsIn(a, b) / textWords(a), pairsIn(b, a) / textWords(b))
}

/** Used again at each call, which takes back what it has marked. */
const marks = new Uint8Array(0x10000)

/** How many pairs of neighbouring words of a's text are in b's, wherever. */
function pairsIn(a: IndexWords, b: IndexWords): number {
  let count = 0
  for (let i = b.titleWords + 1; i < b.words.length; i++) marks[pairAt(b.words, i)] = 1
  for (let i = a.titleWords + 1; i < a.words.length; i++) count += marks[pairAt(a.words, i)]!
  for (let i = b.titleWords + 1; i < b.words.length; i++) marks[pairAt(b.words, i)] = 0
  return count
}

/** A word and the one before it, in 16 bits. */
function pairAt(words: Uint16Array, at: number): number {
  return (Math.imul(words[at - 1]!, 0x9e35) ^ words[at]!) & 0xffff
}

function sum(flags: Uint8Array): number {
  let total = 0
  for (let i = 0; i < flags.length; i++) total += flags[i]!
  return total
}
