/**
 * Classifies lines that give a date: "Posted on March 3, 2026 by Ada", "Erschienen am: 3.3.2026", a date alone. The words
 * before a date tell whether it is the publication date or that of a change; one line may contain both, and the words may be
 * on the line before.
 */
import type { Block } from '../main/blocks.ts'
import { indexesOfLabels, indexOfPublished, mentionsChanged, mentionsPublished, PUBLISH_WORDS } from './date-words.ts'

export interface DateLine {
  block: Block
  /** From the label on, or the whole line. */
  text: string
  /**
   * - footer:    a template's sentence about when the article was published
   * - published: labelled as the publication date
   * - changed:   labelled as the date of a change
   * - bare:      little more than a date
   * - plain:     anything else
   */
  kind: 'footer' | 'published' | 'changed' | 'bare' | 'plain'
}

/** The dates of a line; `before` is the line before it. */
export function classifyDateLines(block: Block, before: Block | undefined): DateLine[] {
  return labelledDatesIn(block.text, before?.text ?? '').map((labelled) => ({ ...labelled, block }))
}

type LabelledDate = Omit<DateLine, 'block'>

function labelledDatesIn(text: string, before: string): LabelledDate[] {
  if (text.length > MAX_BLOCK_LENGTH || !/\p{Nd}/u.test(text)) return []
  if (FOOTER_BEGINS.test(text) && FOOTER.test(text.toLowerCase())) return [{ text: fromLabel(text), kind: 'footer' }]
  if (text.length > MAX_LINE_LENGTH) return []
  const isNew = mentionsPublished(text)
  if (mentionsChanged(text)) return isNew || datesIn(text) > 1 ? partsOf(text) : [{ text, kind: 'changed' }]
  if (text.length > MAX_SENTENCE_LENGTH && /[.!?]$/.test(text) && indexOfPublished(text) !== 0) return []
  if (isNew) return [{ text: fromLabel(text), kind: 'published' }]
  if (BY.test(text)) return [{ text, kind: 'published' }]
  const isBare = (text.match(/\p{L}{3,}/gu) ?? []).length <= MAX_WORDS
  const label = isBare && isLabel(before) ? before : ''
  if (mentionsChanged(label)) return [{ text, kind: 'changed' }]
  return [{ text, kind: mentionsPublished(label) ? 'published' : isBare ? 'bare' : 'plain' }]
}

const MAX_BLOCK_LENGTH = 300
const MAX_LINE_LENGTH = 120
/** Longer lines that end with a full stop only mention a date. */
const MAX_SENTENCE_LENGTH = 50
/** The weekday, the month, and "at". */
const MAX_WORDS = 3

function isLabel(text: string): boolean {
  return text.length <= 40 && !/\p{Nd}/u.test(text)
}

function fromLabel(text: string): string {
  const labelled = text.slice(indexOfPublished(text))
  return /\p{Nd}/u.test(labelled) ? labelled : text
}

/** "Written 3 May 2026, updated 5 May 2026": each date has its own label. */
function partsOf(text: string): LabelledDate[] {
  const starts = [0, ...indexesOfLabels(text).filter((start) => start > 0)]
  const parts = starts.map((start, i) => text.slice(start, starts[i + 1])).filter((part) => /\p{Nd}/u.test(part))
  return parts.map((part) => ({ text: part, kind: mentionsChanged(part) ? 'changed' : 'published' }))
}

function datesIn(text: string): number {
  return text.match(/(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu)?.length ?? 0
}

/** The author, followed by the date. */
const BY = /^(?:by|von|par|por|di|door|av|af|od|автор)[\s:]/iu

/** The beginning of a sentence that FOOTER matches: few lines do, and the full pattern takes milliseconds to compile. */
const FOOTER_BEGINS =
  /^.{0,8}(?:this |diese|cet|ce |est[ae] |aquesta |quest[oa] |dit |deze? |ten wpis|wpis|det|denne |tämä |tento |(?:эта )?запись|ця |bu |această |acest |ez a |bejegyzés|この|本|이 글은)/i

/** The sentence that old and new templates put below the text: "This entry was posted in Mills on March 3, 2026 by Ada." */
const FOOTER = new RegExp(
  String.raw`^.{0,4}(?:this (?:entry|post|article|item) (?:was|is)|dieser (?:eintrag|beitrag|artikel)|diese[rs]? \S+ wurde|(?:cet|cette|ce) (?:article|entrée|billet|publication)|est[ae] (?:entrada|artículo|post|artigo)|aquesta entrada|quest[oa] (?:articolo|post|voce|elemento)|dit (?:bericht|artikel)|deze? (?:post|inzending)|ten wpis|wpis|(?:detta|det här) inlägg|(?:dette|denne) (?:indlæg|innlegg|artikel)|tämä (?:artikkeli|kirjoitus)|tento (?:příspěvek|záznam|článok)|(?:эта )?запись|ця (?:стаття|запис)|bu (?:yazı|gönderi)|această (?:articol|intrare)|acest articol|ez a bejegyzés|bejegyzés|この(?:投稿|記事|エントリー)|本(?:文|条目)|이 글은).{0,12}?\s?.{0,60}?(?:${PUBLISH_WORDS})`,
)
