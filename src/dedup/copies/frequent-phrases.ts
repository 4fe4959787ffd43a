/**
 * Finds phrases that appear under any headline. A feed's own boilerplate is removed before texts are signed; this handles
 * what many feeds say once or twice each: where an item shares a passage with several others whose headlines have nothing in
 * common with each other or with the passage, the words of the passage say nothing about any of them. The index itself
 * provides the evidence, so no extra memory is needed and the result is the same after a restart.
 */
import type { IndexWords } from '../sign/index-words.ts'
import { CONTENT } from '../sign/word-kinds.ts'
import { sharePairs } from './alignment.ts'

/** Number of items with unrelated headlines before a shared passage counts as a frequent phrase. */
const WITNESSES = 4
const MOST_WITNESSES = 8
const UNRELATED = 0.2 // of a headline's content words
const FEWEST_WORDS = 2 // in a headline, of content

export interface PhraseWitnesses {
  /** Takes another item into account; returns true once there are enough. */
  hear(other: IndexWords): boolean
  /** The words of frequent phrases in the item's text; undefined if there are too few witnesses. */
  frequentPhrases(): ReadonlySet<number> | undefined
}

/** Collects items that share a passage with this one under unrelated headlines. */
export function createPhraseWitnesses(item: IndexWords): PhraseWitnesses {
  const witnesses: IndexWords[] = []
  return {
    hear(other) {
      if (isWitness(other, item, witnesses)) witnesses.push(other)
      return witnesses.length === MOST_WITNESSES
    },
    frequentPhrases() {
      if (witnesses.length < WITNESSES) return undefined
      const common = new Set<number>()
      for (let i = item.titleWords; i < item.words.length; i++) {
        const word = item.words[i]!
        if (witnesses.filter((one) => hasInText(one, word)).length >= WITNESSES) common.add(word)
      }
      return common
    },
  }
}

/** The item without those words in its text. */
export function withoutWords(item: IndexWords, common: ReadonlySet<number>): IndexWords {
  return { ...item, words: item.words.filter((word, i) => i < item.titleWords || !common.has(word)) }
}

function isWitness(one: IndexWords, item: IndexWords, before: readonly IndexWords[]): boolean {
  if (!sharePairs(one, item)) return false
  let words = 0
  let shared = 0
  const related = new Uint8Array(before.length + 1)
  for (let i = 0; i < one.titleWords; i++) {
    const word = one.words[i]!
    if ((word & 3) !== CONTENT) continue
    words++
    if (hasInText(one, word) && hasInText(item, word)) shared++
    if (hasInTitle(item, word)) related[0]!++
    for (let k = 0; k < before.length; k++) if (hasInTitle(before[k]!, word)) related[k + 1]!++
  }
  return words >= FEWEST_WORDS && [shared, ...related].every((count) => count < UNRELATED * words)
}

function hasInTitle({ words, titleWords }: IndexWords, word: number): boolean {
  for (let i = 0; i < titleWords; i++) if (words[i] === word) return true
  return false
}

function hasInText({ words, titleWords }: IndexWords, word: number): boolean {
  return words.includes(word, titleWords)
}
