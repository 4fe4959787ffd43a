/**
 * Do two texts tell of the same? Headlines name who and where; whether it is the same thing that happened is in what the
 * texts say beside: of two reports on one company, those on one event share its figures and its other names, in the text or
 * in the headline of the one. A word counts by how few use it, so that what a table or a template says every time counts for
 * nothing.
 *
 * Texts come packed, a character for each word; words are counted in a table of fixed size.
 */
import { FILLER } from '../sign/word-kinds.ts'

/** The words of a headline, and those of its text that it has not, packed. */
interface Saying {
  words: readonly number[]
  text: string
}

export interface InCommon {
  /** Words that few use, in the text of at least one of the two: other names and figures than the headlines'. */
  rareBeside: number
  /** Between 0 and 1: of all that either says. */
  share: number
}

export interface TextWords {
  count(saying: Saying, change: 1 | -1): void
  /** Between 0 and 1: how much of what the one text says beside its headline is in the other. */
  overlap(a: string, b: string): number
  /** Of headlines and texts together: what the one has in its headline may be in the other's text. */
  inCommon(a: Saying, b: Saying): InCommon
}

/** So that the first texts do not make a word common. */
const FEW_TEXTS = 1000
/** Few are one in so many: a name is used by fewer, unless it is everyone's today; what a template says is not. */
const RARE = 150

export function createTextWords(): TextWords {
  const uses = new Uint32Array(2 ** 16)
  let texts = 0

  function weight(word: number): number {
    return Math.max(0, Math.log((texts + FEW_TEXTS) / (uses[word]! + 1)) - 1) ** 2
  }

  return {
    count(saying, change) {
      texts += change
      eachWord(saying, (word) => {
        uses[word]! += change
      })
    },
    overlap(a, b) {
      let [shared, ofA, ofB] = [0, 0, 0]
      for (let i = 0; i < a.length; i++) {
        const value = weight(a.charCodeAt(i))
        ofA += value
        if (b.includes(a[i]!)) shared += value
      }
      for (let i = 0; i < b.length; i++) ofB += weight(b.charCodeAt(i))
      return shared / (Math.min(ofA, ofB) || 1)
    },
    inCommon(a, b) {
      const rareUses = (texts + FEW_TEXTS) / RARE
      let [rareBeside, shared, ofA, ofB] = [0, 0, 0, 0]
      eachWord(a, (word, inHeadline) => {
        ofA++
        const inOtherHeadline = isInHeadline(word, b)
        if (!inOtherHeadline && !b.text.includes(String.fromCharCode(word))) return
        shared++
        if (uses[word]! + 1 <= rareUses && !(inHeadline && inOtherHeadline)) rareBeside++
      })
      eachWord(b, () => ofB++)
      return { rareBeside, share: shared / (ofA + ofB - shared || 1) }
    },
  }
}

/** Each that says something, by its 16 bits. */
function eachWord({ words, text }: Saying, visit: (word: number, inHeadline: boolean) => void): void {
  for (const word of words) if ((word & 3) !== FILLER) visit(word & 0xffff, true)
  for (let i = 0; i < text.length; i++) visit(text.charCodeAt(i), false)
}

function isInHeadline(word: number, { words }: Saying): boolean {
  for (const one of words) if ((one & 0xffff) === word) return true
  return false
}
