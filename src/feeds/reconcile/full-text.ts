/**
 * Detects whether a feed contains full articles or only teasers. Judges the entries together, because a single short entry may be a
 * short article: by length, and by typical endings of teasers. Posts without a title, as of Mastodon or Bluesky, are complete however
 * short they are: their page has nothing more.
 */
import { plainText } from '../../html/index.ts'
import type { EntryDraft } from '../../model/index.ts'

const MAX_ENTRIES = 12
const LONG_SUMMARY = 2000 // characters; longer than any teaser
const LONG_CONTENT = 500 // for the `content` element, unless it ends like a teaser
const MAX_CHARS = 20_000
const MIN_FULL_SHARE = 0.6

/** `textOf`: for callers that cache the texts. */
export function hasFullText(entries: readonly EntryDraft[], textOf = textToJudge): boolean {
  const withText = entries.slice(0, MAX_ENTRIES).filter(({ content, summary }) => content || summary)
  if (withText.length === 0) return false
  return withText.filter((entry) => isFullText(entry, textOf)).length >= MIN_FULL_SHARE * withText.length
}

/** The text of an entry's HTML, as far as needed here. */
export function textToJudge(html: string): string {
  return plainText(html.slice(0, MAX_CHARS))
}

function isFullText({ title, content, summary }: EntryDraft, textOf: (html: string) => string): boolean {
  const text = textOf(content ?? summary ?? '')
  if (endsLikeTeaser(text)) return false
  if (isPost(title, text)) return true
  return text.length >= (content === undefined ? LONG_SUMMARY : LONG_CONTENT)
}

/** "Read more", or an ellipsis. */
export function endsLikeTeaser(text: string): boolean {
  return TEASER_ENDING.test(text.slice(-80))
}

/** A post has no title, or one that its network made of the first words of the text. */
function isPost(title: string, text: string): boolean {
  if (text === '') return false
  if (title.trim() === '') return true
  const [, beginning] = /^(.{10,}?)\s*(?:…|\.{3})$/su.exec(title.trim()) ?? []
  return beginning !== undefined && text.replace(/\s+/g, ' ').startsWith(beginning.replace(/\s+/g, ' '))
}

const TEASER_ENDING =
  /(?:…|\.{3}|\[(?:…|\.{3}|&hellip;)\]|(?:read (?:more|on|the rest)|continue reading|weiterlesen|mehr(?: lesen)?|lire la suite|en savoir plus|leer más|seguir leyendo|leggi tutto|continua a leggere|lees (?:meer|verder)|leia mais|czytaj (?:dalej|więcej)|läs mer|читать (?:далее|дальше)|続きを読む|阅读全文|더 보기)\s*(?:…|\.{3}|[»›→>]+|&raquo;)?)\s*$/iu
