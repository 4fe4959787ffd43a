/**
 * Decides whether two items are the same text. Pure: two skeletons and the time between them in, a verdict with its reason
 * in words out. Fingerprints only find candidates; the decision is made here. If both have enough text, the text decides; a
 * headline alone is trusted for a few days only, since it says what happened and not when.
 *
 * Only `threshold` is configurable. The other constants were chosen on labelled news (wire and feeds in English, ten
 * languages with synthetic edits, Chinese headlines) and stand beside the question that they answer.
 */
import { DAY, HOUR } from '../../model/index.ts'
import { hasText, type IndexWords, indexWordsOf, textWords } from '../sign/index-words.ts'
import type { Signature } from '../sign/signature.ts'
import { type Alignment, align, mostInPassages } from './alignment.ts'
import {
  contentOnlyIn,
  figures,
  headlineWordsIn,
  minContentWords,
  subjects,
  type TitleLikeness,
  titleLikeness,
} from './likeness.ts'

export interface CopyVerdict {
  same: boolean
  /** Between 0 and 1. */
  likeness: number
  /** Shown to users: a sentence without a full stop. */
  reason: string
  /** The headlines alone would not make them copies. */
  byTextAlone?: true
  /** Not copies, but one contains the other's text among others. */
  contains?: true
}

/** Minimum likeness of copies, unless another rule rejects them. */
export const COPY_THRESHOLD = 0.66

/** Whether two signatures are of the same text. `apartMs`: the time between them. */
export function verifyCopy(a: Signature, b: Signature, apartMs: number, threshold = COPY_THRESHOLD): CopyVerdict {
  return compareWords(indexWordsOf(a), indexWordsOf(b), apartMs, threshold)
}

/** The same for the words that the index stores. */
export function compareWords(a: IndexWords, b: IndexWords, apartMs: number, threshold: number): CopyVerdict {
  const titles = titleLikeness(a, b)
  if (isSerial(titles)) return different(shareOf(titles), 'same headline frame, other number or date')
  if (hasText(a) && hasText(b)) return byText(a, b, titles, apartMs, threshold)
  const unspaced = a.unspaced && b.unspaced
  if (unspaced && isRenamed(a, b)) return different(shareOf(titles), 'same headline frame, another name')
  return byHeadline(titles, unspaced, apartMs, threshold)
}

/** "10 things to know: 16 November" and "17 November": each headline has a number or date that the other lacks. */
function isSerial({ a, b, both, numbersA, numbersB }: TitleLikeness): boolean {
  return numbersA > 0 && numbersB > 0 && both >= SAME_FRAME * (a - numbersA + b - numbersB - both)
}

const SAME_FRAME = 0.6

/** Reports from a template recur on another day in nearly the same words, while late copies are rarely edited. */
const ANOTHER_DAY_MS = 20 * HOUR
const ANOTHER_DAYS_LIKENESS = 0.9

function byText(a: IndexWords, b: IndexWords, titles: TitleLikeness, apartMs: number, threshold: number): CopyVerdict {
  const usual = leastLikeness(threshold, allowance(titles))
  const eased = mayBeUpdate(titles, apartMs) ? leastLikeness(threshold, -UPDATE_ALLOWANCE) : usual
  const most = mostLikeness(mostInPassages(a, b))
  if (most < eased) return different(most, 'too little text in common')
  const alignment = align(a, b)
  const likeness = textLikeness(alignment, textWords(a), textWords(b))
  const least = alignment.longestPassage >= SENTENCE_WORDS ? eased : usual
  if (likeness < least) return different(likeness, 'too little text in common')
  if (apartMs > ANOTHER_DAY_MS && likeness < ANOTHER_DAYS_LIKENESS)
    return different(likeness, 'much text in common, but of another day')

  // a template filled in twice: "Bank X raises its rate to ..." and "Bank Y raises its rate to ..."
  const { echoed, shared, onlyA, onlyB, putIn } = subjects(a, b)
  if (onlyA > 0 && onlyB > 0) return different(likeness, 'same wording, other subject')
  if (putIn) return different(likeness, 'same wording, and a name more in headline and text')
  if (isRefilled(a, b, titles)) return different(likeness, 'same wording, another word in headline and text')
  if (onlyA + onlyB > 0 && likeness < 0.65) return different(likeness, 'much text in common, but more than one subject')

  // publisher boilerplate relates to neither headline; a shortened headline still matches itself
  const isCut = titles.both === Math.min(titles.a, titles.b)
  if (echoed < 0.3 && !isCut) return different(likeness, 'a passage in common that neither headline speaks of')
  if (shared === 0 && !isPartOf(a, b) && shareOf(titles) < 0.6)
    return different(likeness, 'a passage in common that neither headline speaks of')

  if (isDigestOf(a, b, onlyA) || isDigestOf(b, a, onlyB))
    return { ...different(likeness, 'one contains the other, among reports on other things'), contains: true }

  if (minContentWords(a, b) < 8 && shareOf(titles) < 0.5)
    return different(likeness, 'short texts under different headlines')

  const { onlyA: figuresA, onlyB: figuresB, both } = figures(a, b)
  const figuresDiffer = figuresA > 0 && figuresB > 0 && both < figuresA + figuresB
  const ofAnotherDay = figuresA > 0 && figuresB > 0 && apartMs > ANOTHER_DAY_MS
  if (ofAnotherDay || (figuresDiffer && likeness < 0.95)) return different(likeness, 'same wording, other figures')
  // "Fund Insured pays 7.1" and "Fund Elmshire Insured pays 6.6": one has an extra name, and each a number of its own
  if (figuresA > 0 && figuresB > 0 && onlyA + onlyB > 0)
    return different(likeness, 'same wording, other name and figures')

  return {
    same: true,
    likeness,
    reason: sameness(alignment, textWords(a), textWords(b), isCut || shareOf(titles) >= 0.3),
    ...(shareOf(titles) < 0.8 && { byTextAlone: true as const }),
  }
}

/** "Alder Bank raises its rate", "Alder Bank cuts its rate": one word differs in the headlines, and one in the texts. */
function isRefilled(a: IndexWords, b: IndexWords, titles: TitleLikeness): boolean {
  if (titles.contentA !== 1 || titles.contentB !== 1 || shareOf(titles) < SAME_FRAME) return false
  return contentOnlyIn(a, b) === 1 && contentOnlyIn(b, a) === 1
}

/** The first is longer, and its headline mentions nothing of the other, or several things that the other does not mention. */
function isDigestOf(long: IndexWords, short: IndexWords, onlyInLong: number): boolean {
  if (textWords(short) > 0.8 * textWords(long)) return false
  return onlyInLong >= OTHER_THINGS || headlineWordsIn(long, short) === 0
}

const OTHER_THINGS = 3

/** One headline contains the other unchanged: it was cut at either end. */
function isPartOf(a: IndexWords, b: IndexWords): boolean {
  const [short, long] = a.titleWords <= b.titleWords ? [a, b] : [b, a]
  for (let from = 0; from + short.titleWords <= long.titleWords; from++) {
    let same = 0
    while (same < short.titleWords && short.words[same] === long.words[from + same]) same++
    if (same === short.titleWords) return true
  }
  return false
}

/** Words in shared passages count most: they distinguish a copy from a retelling. */
const PASSAGES_COUNT = 0.7

function textLikeness({ inOrder, inPassagesA, inPassagesB }: Alignment, wordsA: number, wordsB: number): number {
  const inPassages = Math.max(inPassagesA / wordsA, inPassagesB / wordsB)
  return (1 - PASSAGES_COUNT) * (inOrder / Math.min(wordsA, wordsB)) + PASSAGES_COUNT * inPassages
}

/** Upper bound over all alignments. */
function mostLikeness(inPassages: number): number {
  return Math.min(1, 1 - PASSAGES_COUNT + PASSAGES_COUNT * inPassages)
}

/** A threshold of 1 is taken literally. */
function leastLikeness(threshold: number, eased: number): number {
  return threshold + eased * Math.min(1, (1 - threshold) / (1 - COPY_THRESHOLD))
}

/** Under the same headline less of the text needs to be the same; under a completely different one a little more. */
function allowance(titles: TitleLikeness): number {
  const share = shareOf(titles)
  return share >= 0.8 && titles.both >= 5 ? -0.15 : 0.05 - 0.1 * share
}

/**
 * The headline is long, or was cut from a long one: with a sentence in common, the rest may have been rewritten within
 * hours.
 */
function mayBeUpdate(titles: TitleLikeness, apartMs: number): boolean {
  const isCut = titles.both === Math.min(titles.a, titles.b) && Math.min(titles.numbersA, titles.numbersB) === 0
  return isCut && titles.both >= LONG_HEADLINE && shareOf(titles) >= 0.8 && apartMs <= UPDATED_WITHIN_MS
}

const LONG_HEADLINE = 7
const SENTENCE_WORDS = 8
const UPDATED_WITHIN_MS = 12 * HOUR
const UPDATE_ALLOWANCE = 0.3

const HEADLINE_HOLDS_MS = 3 * DAY

/** "美菲外长会谈", "美日外长会谈": some characters are replaced by as many others. */
function isRenamed(a: IndexWords, b: IndexWords): boolean {
  if (a.titleWords !== b.titleWords) return false
  let first = 0
  while (first < a.titleWords && a.words[first] === b.words[first]) first++
  let last = a.titleWords - 1
  while (last > first && a.words[last] === b.words[last]) last--
  const replaced = last - first + 1
  return replaced > 0 && replaced <= LONGEST_NAME_PAIRS
}

/** A name of three characters touches four pairs of neighbours. */
const LONGEST_NAME_PAIRS = 4

function byHeadline(titles: TitleLikeness, unspaced: boolean, apartMs: number, threshold: number): CopyVerdict {
  const share = shareOf(titles)
  const shorter = Math.min(titles.a, titles.b)
  if (titles.numbersA + titles.numbersB > 0) return different(share, 'headlines with other numbers, and no text')
  if (shorter < 4 && (share < 1 || shorter < 2)) return different(share, 'headlines too short to tell, and no text')
  if (!sameHeadline(titles, unspaced, threshold)) return different(share, 'other headlines, and no text')
  if (apartMs > HEADLINE_HOLDS_MS) return different(share, 'alike headlines without text, days apart')
  return { same: true, likeness: share, reason: share === 1 ? 'same headline' : 'same headline but for a few words' }
}

/** An inserted or missing word is an edit; a replaced word may be another name, so that takes a long headline. */
function sameHeadline(titles: TitleLikeness, unspaced: boolean, threshold: number): boolean {
  const share = shareOf(titles)
  const contained = titles.both / Math.min(titles.a, titles.b)
  const least = (usual: number) => scaled(usual, threshold)
  if (unspaced) return contained >= least(0.75) && share >= least(0.5)
  if (titles.contentA > 0 && titles.contentB > 0) return share >= least(0.8)
  return share >= least(0.6) || (contained >= least(0.9) && share >= least(0.5))
}

/** Scales a limit for a headline from the usual threshold to this one: everything at 1, nothing at 0. */
function scaled(usual: number, threshold: number): number {
  if (threshold <= COPY_THRESHOLD) return (usual * threshold) / COPY_THRESHOLD
  return usual + ((1 - usual) * (threshold - COPY_THRESHOLD)) / (1 - COPY_THRESHOLD)
}

function sameness({ inOrder }: Alignment, wordsA: number, wordsB: number, headlinesAgree: boolean): string {
  const missing = Math.min(wordsA, wordsB) - inOrder
  const but = missing === 0 ? '' : ` but for ${missing} ${missing === 1 ? 'word' : 'words'}`
  const cut = Math.min(wordsA, wordsB) < 0.8 * Math.max(wordsA, wordsB) ? ', cut short' : ''
  return `same text${but}${cut}${headlinesAgree ? '' : ', under another headline'}`
}

function different(likeness: number, reason: string): CopyVerdict {
  return { same: false, likeness, reason: `${reason}: kept apart` }
}

/** Words of both headlines divided by words of either. */
function shareOf({ a, b, both }: TitleLikeness): number {
  return both / (a + b - both || 1)
}
