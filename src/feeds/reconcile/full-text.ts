/**
 * Detects whether a feed contains full articles or only teasers. Judges the entries together, because a single short entry may be a
 * short article: by length, and by typical endings of teasers.
 */
import { plainText } from '../../html/index.ts'
import type { EntryDraft } from '../../model/index.ts'

const LOOKED_AT = 12
const LONG = 2000 // characters; longer than any teaser
const LONG_ENOUGH = 500 // for the `content` element, unless it ends like a teaser
const MOST_READ = 20_000
const SHARE = 0.6

/** `textOf`: for callers that cache the texts. */
export function showsFullText(entries: readonly EntryDraft[], textOf = judgedText): boolean {
  const said = entries.slice(0, LOOKED_AT).filter(({ content, summary }) => content || summary)
  if (said.length === 0) return false
  return said.filter((entry) => isWhole(entry, textOf)).length >= SHARE * said.length
}

/** The text of an entry's HTML, as far as needed here. */
export function judgedText(html: string): string {
  return plainText(html.slice(0, MOST_READ))
}

function isWhole({ content, summary }: EntryDraft, textOf: (html: string) => string): boolean {
  const text = textOf(content ?? summary ?? '')
  if (BREAKS_OFF.test(text.slice(-80))) return false
  return text.length >= (content === undefined ? LONG : LONG_ENOUGH)
}

const BREAKS_OFF =
  /(?:…|\.{3}|\[(?:…|\.{3}|&hellip;)\]|(?:read (?:more|on|the rest)|continue reading|weiterlesen|mehr(?: lesen)?|lire la suite|en savoir plus|leer más|seguir leyendo|leggi tutto|continua a leggere|lees (?:meer|verder)|leia mais|czytaj (?:dalej|więcej)|läs mer|читать (?:далее|дальше)|続きを読む|阅读全文|더 보기)\s*(?:…|\.{3}|[»›→>]+|&raquo;)?)\s*$/iu
