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
  /** Which words the other says, by the number of the comparison: so nothing has to be wiped between two of them. */
  const inText = new Uint32Array(2 ** 16)
  const inHeadline = new Uint32Array(2 ** 16)
  let comparison = 0

  function weight(word: number, ofAll: number): number {
    return Math.max(0, ofAll - logOf(uses[word]! + 1) - 1) ** 2
  }

  function markText(text: string): void {
    comparison = (comparison + 1) >>> 0
    for (let i = 0; i < text.length; i++) inText[text.charCodeAt(i)] = comparison
  }

  return {
    count({ words, text }, change) {
      texts += change
      for (const word of words) if ((word & 3) !== FILLER) uses[word & 0xffff]! += change
      for (let i = 0; i < text.length; i++) uses[text.charCodeAt(i)]! += change
    },
    overlap(a, b) {
      const ofAll = Math.log(texts + FEW_TEXTS)
      let [shared, ofA, ofB] = [0, 0, 0]
      markText(b)
      for (let i = 0; i < a.length; i++) {
        const word = a.charCodeAt(i)
        const value = weight(word, ofAll)
        ofA += value
        if (inText[word] === comparison) shared += value
      }
      for (let i = 0; i < b.length; i++) ofB += weight(b.charCodeAt(i), ofAll)
      return shared / (Math.min(ofA, ofB) || 1)
    },
    inCommon(a, b) {
      const rareUses = (texts + FEW_TEXTS) / RARE
      let [rareBeside, shared, ofA, ofB] = [0, 0, a.text.length, b.text.length]
      markText(b.text)
      for (const word of b.words) {
        inHeadline[word & 0xffff] = comparison
        if ((word & 3) !== FILLER) ofB++
      }
      for (const packed of a.words) {
        if ((packed & 3) === FILLER) continue
        ofA++
        const word = packed & 0xffff
        const isBeside = inHeadline[word] !== comparison
        if (isBeside && inText[word] !== comparison) continue
        shared++
        if (isBeside && uses[word]! + 1 <= rareUses) rareBeside++
      }
      for (let i = 0; i < a.text.length; i++) {
        const word = a.text.charCodeAt(i)
        if (inHeadline[word] !== comparison && inText[word] !== comparison) continue
        shared++
        if (uses[word]! + 1 <= rareUses) rareBeside++
      }
      return { rareBeside, share: shared / (ofA + ofB - shared || 1) }
    },
  }
}

/** Most words are used seldom. */
const LOGS = Float64Array.from({ length: 4096 }, (_, i) => Math.log(i))

function logOf(count: number): number {
  return count < LOGS.length ? LOGS[count]! : Math.log(count)
}
