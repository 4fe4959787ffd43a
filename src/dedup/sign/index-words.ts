/** Words as the copy index stores them: 16 of a signature's 24 bits, enough to distinguish the words of two texts. */
import type { Signature } from './signature.ts'

export interface IndexWords {
  /** The title's, then the text's; the two low bits are the kind, see word-kinds.ts. */
  words: Uint16Array
  titleWords: number
  unspaced: boolean
}

export function indexWordsOf({ words, titleWords, unspaced }: Signature): IndexWords {
  return { words: Uint16Array.from(words), titleWords, unspaced }
}

/** Number of stored words of the text. */
export function textWords({ words, titleWords }: IndexWords): number {
  return words.length - titleWords
}

/** Whether there is enough text to compare; otherwise the headline has to do. */
export function hasText(skeleton: IndexWords): boolean {
  return textWords(skeleton) >= SHORTEST_TEXT
}

/** In words. */
export const SHORTEST_TEXT = 8
