/**
 * Are two items the same text? Pure: two skeletons and the time between them in, a verdict with its reason in words
 * out. Fingerprints only find candidates; here it is decided. Wherever both have some text, the text decides; a
 * headline alone is believed for a few days only, since it says what happened and not when.
 *
 * What a person may turn is `threshold`. The other figures were chosen on labelled news (wire and feeds in English,
 * ten languages with made-up edits, Chinese headlines) and stand beside the question that they answer.
 */
import { DAY } from '../../model/index.ts'
import { hasText, type IndexWords, indexWordsOf, textWords } from '../sign/index-words.ts'
import type { Signature } from '../sign/signature.ts'
import { type Alignment, align } from './alignment.ts'
import { figures, leastContent, subjects, type TitleLikeness, titleLikeness } from './likeness.ts'

export interface CopyVerdict {
  same: boolean
  /** Between 0 and 1. */
  likeness: number
  /** Why, for people: a sentence without a full stop. */
  reason: string
  /** The headlines would not have said so. */
  byTextAlone?: true
}

/** The likeness from which two texts count as the same, unless something forbids it. */
export const COPY_THRESHOLD = 0.66

/** Whether two signatures are of the same text. `apartMs`: the time between the two. */
export function verify(a: Signature, b: Signature, apartMs: number, threshold = COPY_THRESHOLD): CopyVerdict {
  return judge(indexWordsOf(a), indexWordsOf(b), apartMs, threshold)
}

/** The same for what the index keeps of them. */
export function judge(a: IndexWords, b: IndexWords, apartMs: number, threshold: number): CopyVerdict {
  const titles = titleLikeness(a, b)
  if (isSerial(titles)) return kept(shareOf(titles), 'same headline frame, other number or date')
  if (hasText(a) && hasText(b)) return byText(a, b, titles, threshold)
  return byHeadline(titles, a.unspaced && b.unspaced, apartMs)
}

/** "10 things to know: 16 November" and "17 November": each headline has a number or date that the other lacks. */
function isSerial({ a, b, both, numbersA, numbersB }: TitleLikeness): boolean {
  return numbersA > 0 && numbersB > 0 && both >= SAME_FRAME * (a - numbersA + b - numbersB - both)
}

const SAME_FRAME = 0.6

function byText(a: IndexWords, b: IndexWords, titles: TitleLikeness, threshold: number): CopyVerdict {
  const alignment = align(a, b)
  const likeness = textLikeness(alignment, textWords(a), textWords(b))
  if (likeness < threshold + allowance(titles)) return kept(likeness, 'too little text in common')

  // A template filled in twice: "Bank X raises its rate to ..." and "Bank Y raises its rate to ...".
  const { echoed, told, onlyA, onlyB } = subjects(a, b)
  if (onlyA > 0 && onlyB > 0) return kept(likeness, 'same wording, other subject')
  if (onlyA + onlyB > 0 && likeness < 0.65) return kept(likeness, 'much text in common, but more than one subject')

  // What a publisher puts into every item of his is about neither headline. A headline that was cut is about itself.
  const isCut = titles.both === Math.min(titles.a, titles.b)
  if (echoed < 0.3 && !isCut) return kept(likeness, 'a passage in common that neither headline speaks of')
  if (told === 0 && !isPartOf(a, b) && shareOf(titles) < 0.6)
    return kept(likeness, 'a passage in common that neither headline speaks of')

  if (leastContent(a, b) < 8 && shareOf(titles) < 0.5) return kept(likeness, 'short texts under different headlines')

  const { onlyA: figuresA, onlyB: figuresB, both } = figures(a, b)
  const figuresDiffer = figuresA > 0 && figuresB > 0 && both < figuresA + figuresB
  if (figuresDiffer && likeness < 0.95) return kept(likeness, 'same wording, other figures')
  // "Fund Insured pays 7.1" and "Fund Elmshire Insured pays 6.6": one has a name more, and both a figure of their own.
  if (figuresA > 0 && figuresB > 0 && onlyA + onlyB > 0) return kept(likeness, 'same wording, other name and figures')

  return {
    same: true,
    likeness,
    reason: sameness(alignment, textWords(a), textWords(b), isCut || shareOf(titles) >= 0.3),
    ...(shareOf(titles) < 0.8 && { byTextAlone: true as const }),
  }
}

/** One headline stands in the other as it is: it was cut at either end. */
function isPartOf(a: IndexWords, b: IndexWords): boolean {
  const [short, long] = a.titleWords <= b.titleWords ? [a, b] : [b, a]
  for (let from = 0; from + short.titleWords <= long.titleWords; from++) {
    let same = 0
    while (same < short.titleWords && short.words[same] === long.words[from + same]) same++
    if (same === short.titleWords) return true
  }
  return false
}

/** Words in shared passages count most: they are what tells a copy from a retelling. */
function textLikeness({ inOrder, inPassagesA, inPassagesB }: Alignment, wordsA: number, wordsB: number): number {
  return 0.3 * (inOrder / Math.min(wordsA, wordsB)) + 0.7 * Math.max(inPassagesA / wordsA, inPassagesB / wordsB)
}

/** Under the same headline less of the text need be the same, under an altogether different one a little more. */
function allowance(titles: TitleLikeness): number {
  const share = shareOf(titles)
  return share >= 0.8 && titles.both >= 5 ? -0.15 : 0.05 - 0.1 * share
}

const HEADLINE_HOLDS_MS = 3 * DAY

function byHeadline(titles: TitleLikeness, unspaced: boolean, apartMs: number): CopyVerdict {
  const share = shareOf(titles)
  const shorter = Math.min(titles.a, titles.b)
  if (titles.numbersA + titles.numbersB > 0) return kept(share, 'headlines with other numbers, and no text')
  if (shorter < 4 && (share < 1 || shorter < 2)) return kept(share, 'headlines too short to tell, and no text')
  if (!sameHeadline(titles, unspaced)) return kept(share, 'other headlines, and no text')
  if (apartMs > HEADLINE_HOLDS_MS) return kept(share, 'alike headlines without text, days apart')
  return { same: true, likeness: share, reason: share === 1 ? 'same headline' : 'same headline but for a few words' }
}

/** A word put in or left out is an edit; a word in another's place may be another name, so it takes a long headline. */
function sameHeadline(titles: TitleLikeness, unspaced: boolean): boolean {
  const share = shareOf(titles)
  const contained = titles.both / Math.min(titles.a, titles.b)
  if (unspaced) return contained >= 0.75 && share >= 0.5
  if (titles.contentA > 0 && titles.contentB > 0) return share >= 0.8
  return share >= 0.6 || (contained >= 0.9 && share >= 0.5)
}

function sameness({ inOrder }: Alignment, wordsA: number, wordsB: number, headlinesAgree: boolean): string {
  const missing = Math.min(wordsA, wordsB) - inOrder
  const but = missing === 0 ? '' : ` but for ${missing} ${missing === 1 ? 'word' : 'words'}`
  const cut = Math.min(wordsA, wordsB) < 0.8 * Math.max(wordsA, wordsB) ? ', cut short' : ''
  return `same text${but}${cut}${headlinesAgree ? '' : ', under another headline'}`
}

function kept(likeness: number, reason: string): CopyVerdict {
  return { same: false, likeness, reason: `${reason}: kept apart` }
}

/** Words of both headlines among those of either. */
function shareOf({ a, b, both }: TitleLikeness): number {
  return both / (a + b - both || 1)
}
