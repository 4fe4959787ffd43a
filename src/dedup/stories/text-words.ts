/**
 * Decides whether two texts report the same event. Headlines name who and where; whether it is the same event shows in the
 * rest of the text: two reports on one event of a company share its figures and other names, in the text or in one of the
 * headlines. Words weigh more the fewer texts use them, so tables and templates count for nothing.
 *
 * Texts are packed, one character per word; words are counted in a table of fixed size.
 */
import { CONTENT, FILLER, NUMBER } from '../sign/word-kinds.ts'

/** The words of a headline, and those of its text that it has not, packed. */
interface Saying {
  words: readonly number[]
  text: string
}

export interface InCommon {
  /** Rare common words beside the headlines, in at least one of the texts: other names and figures. */
  rareBeside: number
  /** The same, regardless of rarity. */
  beside: number
  /** Share of common words, between 0 and 1. */
  share: number
  /** The same for words only, without figures and dates. */
  wording: number
  /** Figures in both, and in only one of them. */
  figures: { both: number; own: [number, number] }
  /** Like `share`, weighted by rarity. */
  likeness: number
  /** Number of texts that use the rarest common word of a headline. */
  rarestShared: number
  /** And the rarest word of each headline that the other lacks. */
  rarestOwn: [number, number]
  /** And the most common word of a headline: an estimate of the known texts in its language. */
  mostUses: number
}

export interface TextWords {
  count(saying: Saying, change: 1 | -1): void
  /** Between 0 and 1: how much of one text, beside its headline, is in the other. */
  overlap(a: string, b: string): number
  /** Of headlines and texts together: a word may be in one's headline and the other's text. */
  inCommon(a: Saying, b: Saying): InCommon
}

/** Keeps the first texts from making a word common. */
const FEW_TEXTS = 1000
/** Rare means one in this many: names are rarer, unless they are in everybody's news today; template words are not. */
const RARE = 150

export function createTextWords(): TextWords {
  const uses = new Uint32Array(2 ** 16)
  let texts = 0
  /** Words of the other text, marked with the number of the comparison, so that nothing has to be cleared in between. */
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

/** If there is no such word. */
export const NO_SUCH_WORD = 1e6

/** Names may be as short as fillers, which are recognized by their frequency. */
function mayBeName(word: number): boolean {
  return (word & 3) === CONTENT || (word & 3) === FILLER
}

/** Most words are rare. */
const LOGS = Float64Array.from({ length: 4096 }, (_, i) => Math.log(i))

function logOf(count: number): number {
  return count < LOGS.length ? LOGS[count]! : Math.log(count)
}
