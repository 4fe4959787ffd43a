/**
 * The title that stands in for a missing one, as for posts on Mastodon, Bluesky, micro.blog or Tumblr: the first words of the text, cut at the
 * end of a sentence or between words. Never an address alone, and never half an emoji. Applied whenever an entry is shown; the
 * stored entry stays untitled.
 */
import { decodeEntities, plainText } from '../html/index.ts'

/** Columns; a wide character, as in Chinese or an emoji, takes two. */
const MAX_WIDTH = 80
/** A sentence shorter than this says too little, so the text goes on. */
const MIN_SENTENCE = 25
/** A first line shorter than this gets the next one, too: "Hello!", "Update:". */
const MIN_LINE = 16
/** Characters of HTML to look at. */
const MAX_HTML = 6000

/** Empty if there is no text: not even the description of a picture. */
export function standInTitle(html: string): string {
  const beginning = html.slice(0, MAX_HTML)
  return cut(firstLines(plainText(beginning))) || cut(pictureDescription(beginning))
}

/**
 * The words in the address of a page, for entries that have neither title nor text: `/2026/low-tide-at-noon-123.html` -> "Low tide at
 * noon". Empty if there are no three words.
 */
export function titleFromAddress(url: string): string {
  const path = URL.parse(url)?.pathname.replace(/\/(?:index\.\w+)?$/, '') ?? ''
  const name = decoded(path.slice(path.lastIndexOf('/') + 1, path.length).slice(0, MAX_HTML)).replace(/\.\w{2,5}$/, '')
  const words = name.split(/[-_+\s]+/).filter((word) => /^(?:\p{L}+|\d{1,4})$/u.test(word))
  if (words.filter((word) => /\p{L}/u.test(word)).length < 3) return ''
  const title = words.join(' ')
  return cut(title.replace(/^\p{L}/u, (first) => first.toUpperCase()))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Addresses as such, and as networks shorten them: `example.org/some/pa…`. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+\/\S*/gi
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u

function firstLines(text: string): string {
  let title = ''
  for (const line of text.split('\n')) {
    const words = line.replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim()
    if (!SAYS_SOMETHING.test(words)) continue
    title = title ? `${title} ${words}` : words
    if (widthOf(title) >= MIN_LINE) break
  }
  return title.replace(/[\s:,;(–—-]+$/u, '')
}

function pictureDescription(html: string): string {
  const [, , quoted = ''] = /<img\b[^>]{0,2000}?\balt\s*=\s*(["'])([^"']{3,500})\1/i.exec(html) ?? []
  return firstLines(decodeEntities(quoted))
}

function cut(text: string): string {
  if (text.length <= MAX_WIDTH / 2 || widthOf(text) <= MAX_WIDTH) return text
  let end = 0
  let width = 0
  const beginning = text.slice(0, 8 * MAX_WIDTH)
  const isAscii = IS_ASCII.test(beginning.slice(0, MAX_WIDTH))
  if (isAscii) end = MAX_WIDTH - 1
  for (const { segment, index } of isAscii ? [] : graphemes(beginning)) {
    width += widthOf(segment)
    if (width >= MAX_WIDTH) break // with room for the ellipsis
    end = index + segment.length
  }
  const fitting = text.slice(0, end)
  return wholeSentences(fitting) || `${wholeWords(fitting, text[end] ?? '')}…`
}

/** The sentences that end within; none if the text goes on without one. A full stop after a short word may be an abbreviation. */
function wholeSentences(text: string): string {
  let last = ''
  for (const { 0: found, index } of text.matchAll(/(?:\p{L}{3,}[.…]|[!?])["”’»)]*(?=\s)|[。！？]/gu)) {
    const sentence = text.slice(0, index + found.length)
    if (widthOf(sentence) >= MIN_SENTENCE) last = sentence
  }
  return last.replace(/[.。]$/, '')
}

function wholeWords(text: string, next: string): string {
  if (next === '' || /\s/.test(next)) return text.trimEnd()
  const space = text.lastIndexOf(' ')
  // Scripts without spaces, or a very long word.
  return (space > text.length / 2 ? text.slice(0, space) : text).replace(/[\s:,;(–—-]+$/u, '')
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u
const IS_ASCII = /^[\0-\x7f]*$/
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

function graphemes(text: string): Iterable<{ segment: string; index: number }> {
  return segmenter.segment(text)
}

/** Of texts that are wider than `MAX_WIDTH`, only that they are: finding the ends of characters is slow. */
function widthOf(text: string): number {
  if (IS_ASCII.test(text.slice(0, 2 * MAX_WIDTH))) return Math.min(text.length, 2 * MAX_WIDTH)
  let width = 0
  for (const { segment } of graphemes(text.slice(0, 8 * MAX_WIDTH))) {
    width += WIDE.test(segment) ? 2 : 1
    if (width > MAX_WIDTH) break
  }
  return width
}
