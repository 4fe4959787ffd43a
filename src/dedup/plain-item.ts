/**
 * Converts incoming items, which may contain HTML, to plain text. Callers that already have the text pass it along, so that
 * it is computed once.
 */
import { looseText, titleText } from '../html/index.ts'

/** The text of an item. */
export interface Text {
  title: string
  /** May be HTML. */
  summary?: string
  /** The summary without markup, or a longer text. If given, it replaces the summary, and the title is plain text, too. */
  text?: string
}

/** The same without markup. */
export interface PlainItem {
  title: string
  text: string
}

/** The rest of a longer summary is ignored. */
const LONGEST_SUMMARY = 20_000

export function toPlainItem({ title, summary = '', text }: Text): PlainItem {
  if (text !== undefined) return { title, text }
  return { title: titleText(title), text: looseText(summary.slice(0, LONGEST_SUMMARY)) }
}
