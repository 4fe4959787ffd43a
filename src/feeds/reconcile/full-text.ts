/**
 * Does a feed show whole texts, or only their beginnings? Judged by its entries together, because one short entry may be a
 * short text; by their length, and by how teasers end.
 */
import { plainText } from '../../markup/index.ts'
import type { EntryDraft } from '../../model/index.ts'

const LOOKED_AT = 12
const LONG = 2000 // characters of a text that nobody would put into a teaser
const LONG_ENOUGH = 500 // of what the feed calls the content, if it does not break off
const MOST_READ = 20_000
const SHARE = 0.6

/** `textOf`: for whoever needs the texts that are judged for more than this. */
export function showsFullText(entries: readonly EntryDraft[], textOf = judgedText): boolean {
  const said = entries.slice(0, LOOKED_AT).filter(({ content, summary }) => content || summary)
  if (said.length === 0) return false
  return said.filter((entry) => isWhole(entry, textOf)).length >= SHARE * said.length
}

/** The text of an entry's HTML, as far as it matters here. */
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
