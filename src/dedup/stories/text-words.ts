/**
 * Do two texts tell of the same? Headlines name who and where; whether it is the same thing that happened is in what the
 * texts say beside: of two reports on one company, those on one event share its figures and its other names, in the text or
 * in the headline of the one. A word counts by how few use it, so that what a table or a template says every time counts for
 * nothing.
 *
 * Texts come packed, a character for each word; words are counted in a table of fixed size.
 */
import { CONTENT, FILLER, NUMBER } from '../sign/word-kinds.ts'

/** The words of a headline, and those of its text that it has not, packed. */
interface Saying {
  words: readonly number[]
  text: string
}

export interface InCommon {
  /** Words that few use, in the text of at least one of the two: other names and figures than the headlines'. */
  rareBeside: number
  /** The same, however many use them. */
  beside: number
  /** Between 0 and 1: of all that either says. */
  share: number
  /** The same of words only, without figures and dates. */
  wording: number
  /** Figures that both have, and that only the one or the other has. */
  figures: { both: number; own: [number, number] }
  /** Between 0 and 1: the same as `share`, with rare words weighing more. */
  likeness: number
  /** How many texts use the rarest word that both say, and that a headline of them has. */
  rarestShared: number
  /** And the rarest word of each headline that the other does not say. */
  rarestOwn: [number, number]
  /** And the most common word of a headline: about as many texts of its language are known. */
  mostUses: number
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

  /** Asked after both were marked as b's: see `inCommon`. */
  function wordingAndFigures(a: Saying, b: Saying): Pick<InCommon, 'wording' | 'figures'> {
    const inBoth = { words: 0, figures: 0 }
    const ofA = { words: 0, figures: 0 }
    const ofB = { words: 0, figures: 0 }
    const take = (word: number, into: typeof ofA) => {
      if ((word & 3) === CONTENT) into.words++
      else if ((word & 3) === NUMBER) into.figures++
    }
    const takeOfA = (word: number) => {
      take(word, ofA)
      if (inHeadline[word] === comparison || inText[word] === comparison) take(word, inBoth)
    }
    for (const word of a.words) takeOfA(word & 0xffff)
    for (let i = 0; i < a.text.length; i++) takeOfA(a.text.charCodeAt(i))
    for (const word of b.words) take(word, ofB)
    for (let i = 0; i < b.text.length; i++) take(b.text.charCodeAt(i), ofB)
    return {
      wording: inBoth.words / (ofA.words + ofB.words - inBoth.words || 1),
      figures: { both: inBoth.figures, own: [ofA.figures - inBoth.figures, ofB.figures - inBoth.figures] },
    }
  }

  return {
    count({ words, text }, change) {
      texts += change
      for (const word of words) uses[word & 0xffff]! += change
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
      const ofAll = Math.log(texts + FEW_TEXTS)
      let [rareBeside, beside, shared, ofA, ofB] = [0, 0, 0, a.text.length, b.text.length]
      let [rarestShared, ownA, ownB] = [NO_SUCH_WORD, NO_SUCH_WORD, NO_SUCH_WORD]
      let [worth, worthA, worthB, mostUses] = [0, 0, 0, 0]
      markText(b.text)
      for (const word of b.words) {
        inHeadline[word & 0xffff] = comparison
        mostUses = Math.max(mostUses, uses[word & 0xffff]!)
        if ((word & 3) === FILLER) continue
        ofB++
        worthB += weight(word & 0xffff, ofAll)
      }
      for (let i = 0; i < b.text.length; i++) worthB += weight(b.text.charCodeAt(i), ofAll)
      for (const packed of a.words) {
        const word = packed & 0xffff
        const isBeside = inHeadline[word] !== comparison
        const isOwn = isBeside && inText[word] !== comparison
        if (mayBeName(word)) {
          if (isOwn) ownA = Math.min(ownA, uses[word]!)
          else rarestShared = Math.min(rarestShared, uses[word]!)
        }
        if ((packed & 3) === FILLER) continue
        ofA++
        const value = weight(word, ofAll)
        worthA += value
        if (isOwn) continue
        worth += value
        shared++
        if (!isBeside) continue
        beside++
        if (uses[word]! + 1 <= rareUses) rareBeside++
      }
      for (let i = 0; i < a.text.length; i++) {
        const word = a.text.charCodeAt(i)
        const value = weight(word, ofAll)
        worthA += value
        if (inHeadline[word] !== comparison && inText[word] !== comparison) continue
        worth += value
        shared++
        beside++
        if (uses[word]! + 1 <= rareUses) rareBeside++
        if (mayBeName(word) && inHeadline[word] === comparison) rarestShared = Math.min(rarestShared, uses[word]!)
      }
      for (const packed of b.words) {
        const word = packed & 0xffff
        if (!mayBeName(word) || a.words.includes(packed) || a.text.includes(String.fromCharCode(word))) continue
        ownB = Math.min(ownB, uses[word]!)
      }
      return {
        ...wordingAndFigures(a, b),
        rareBeside,
        beside,
        share: shared / (ofA + ofB - shared || 1),
        likeness: worth / Math.sqrt(worthA * worthB || 1),
        mostUses,
        rarestShared,
        rarestOwn: [ownA, ownB],
      }
    },
  }
}

/** Where there is no such word, none is as common. */
export const NO_SUCH_WORD = 1e6

/** Names may be as short as fillers; those are known by how many use them. */
function mayBeName(word: number): boolean {
  return (word & 3) === CONTENT || (word & 3) === FILLER
}

/** Most words are used seldom. */
const LOGS = Float64Array.from({ length: 4096 }, (_, i) => Math.log(i))

function logOf(count: number): number {
  return count < LOGS.length ? LOGS[count]! : Math.log(count)
}
