/**
 * On its way into this room, what an item says may be HTML; inside, it is text. Whoever has made the text already gives it
 * along, so that it is made once.
 */
import { looseText, titleText } from '../markup/index.ts'

/** What an item says. */
export interface Text {
  title: string
  /** May be HTML. */
  summary?: string
  /** The summary without its markup, or a longer text. Where it is given, it goes before the summary, and the title is text, too. */
  text?: string
}

/** The same without markup. */
export interface PlainItem {
  title: string
  text: string
}

/** Of a longer summary the rest is not looked at. */
const LONGEST_SUMMARY = 20_000

export function said({ title, summary = '', text }: Text): PlainItem {
  if (text !== undefined) return { title, text }
  return { title: titleText(title), text: looseText(summary.slice(0, LONGEST_SUMMARY)) }
}
