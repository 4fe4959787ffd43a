/**
 * Aligns two texts. One walk over the table of all pairs of their words finds both the longest common subsequence and the
 * words in passages that both texts contain literally: retellings share much of the first, copies of the second. At most 44
 * x 44 steps; with many texts, filter with `sharePairs` or `mostInPassages` first.
 */

import { type IndexWords, textWords } from '../sign/index-words.ts'
import { SKELETON_WORDS } from '../sign/signature.ts'

export interface Alignment {
  /** Length of the longest common subsequence, in words. */
  inOrder: number
  /** Words of each text in shared passages of at least four words. */
  inPassagesA: number
  inPassagesB: number
  /** Length of the longest shared passage, in words. */
  longestPassage: number
}

const PASSAGE_WORDS = 4
/** With a smaller share of common word pairs, passages cannot reach any threshold. */
const LEAST_PAIRS = 0.15

/** One row of the table each; cell j + 1 belongs to word j of the second text. Reused by every call. */
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

/** On entry the rows hold the results for the previous word of the first text; they are overwritten from left to right. */
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

/** Marks the words that a passage has just gained, backwards from its current end. */
function markPassage(i: number, j: number, words: number): void {
  for (let k = 0; k < words; k++) {
    passagesA[i - k] = 1
    passagesB[j - k] = 1
  }
}

/** Whether the texts have enough word pairs in common to share any passage. */
export function sharePairs(a: IndexWords, b: IndexWords): boolean {
  return pairsIn(a, b) >= LEAST_PAIRS * Math.min(textWords(a), textWords(b))
}

/**
 * Cheap upper bound for the share of words in passages that `align` can find: a shared passage of n >= 4 words has n - 1
 * shared pairs.
 */
export function mostInPassages(a: IndexWords, b: IndexWords): number {
  const passageWords = PASSAGE_WORDS / (PASSAGE_WORDS - 1)
  return passageWords * Math.max(pairsIn(a, b) / textWords(a), pairsIn(b, a) / textWords(b))
}

/** Reused by every call, which resets its marks. */
const marks = new Uint8Array(0x10000)

/** How many neighbouring word pairs of a's text occur in b's text. */
function pairsIn(a: IndexWords, b: IndexWords): number {
  let count = 0
  for (let i = b.titleWords + 1; i < b.words.length; i++) marks[pairAt(b.words, i)] = 1
  for (let i = a.titleWords + 1; i < a.words.length; i++) count += marks[pairAt(a.words, i)]!
  for (let i = b.titleWords + 1; i < b.words.length; i++) marks[pairAt(b.words, i)] = 0
  return count
}

/** A word and its predecessor, in 16 bits. */
function pairAt(words: Uint16Array, at: number): number {
  return (Math.imul(words[at - 1]!, 0x9e35) ^ words[at]!) & 0xffff
}

function sum(flags: Uint8Array): number {
  let total = 0
  for (let i = 0; i < flags.length; i++) total += flags[i]!
  return total
}
