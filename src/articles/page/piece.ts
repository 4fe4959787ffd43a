/**
 * The light tree: a page as one array of pieces, elements and text, in the order of the document. A piece knows its parent
 * and where its inside ends, so that everything in an element is `pieces.slice(index + 1, end)`. Statistics are one loop
 * from the back, inheritance one loop from the front; nothing recurses, however deep the page is nested.
 */
import type { Attributes } from './attributes.ts'

/** The text of <br>: newlines in the source are mere spaces. */
export const BREAK = '\u2028'

export interface PagePiece {
  /** Of an element in lower case; of text ''. The root, which stands for the body, is '#page'. */
  readonly name: string
  /** Entities decoded, spaces as they stand; a line break is BREAK. */
  readonly text: string
  readonly isBlock: boolean
  readonly attributes: Readonly<Attributes>
  /** Index of the element that it is in; of the root itself 0. */
  readonly parent: number
  /** Index of the innermost block element that it is in. */
  readonly home: number
  /** Index behind the last piece inside it. */
  end: number
  /** Index of the link that it is in; 0 for none. */
  readonly link: number
  /** Of a part of a line: there is a block inside it after all. */
  holdsBlocks: boolean
}

export interface Page {
  pieces: PagePiece[]
  /** Indexes of the elements that are asked for by themselves, in order: <h1>, <img>, those with an itemprop. */
  titles: number[]
  images: number[]
  marked: number[]
  /** Those of tables, code and quotations; and of quotations alone. */
  insets: number[]
  quotes: number[]
  /** <meta> and <link>, in order, wherever they stand. */
  metas: Readonly<Attributes>[]
  links: Readonly<Attributes>[]
  /** The bodies of <script type="application/ld+json">. */
  jsonLd: string[]
  /** What <title> says. */
  titleTag: string
  /** What <html> says. */
  language: string | undefined
}

/** Whether one of these indexes, which are in order, is that of a piece inside this element. */
export function isOneInside(indexes: readonly number[], pieces: readonly PagePiece[], element: number): boolean {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (indexes[middle]! > element) high = middle
    else low = middle + 1
  }
  return low < indexes.length && indexes[low]! < pieces[element]!.end
}

/** Everything that is written inside an element, on one line, up to `limit` characters. */
export function textInside(pieces: readonly PagePiece[], index: number, limit = 1_000): string {
  const end = Math.min(pieces[index]!.end, index + MOST_INSIDE)
  let text = ''
  let home = pieces[index]!.home
  for (let i = index + 1; i < end && text.length < limit; i++) {
    const piece = pieces[i]!
    if (piece.name !== '') continue
    text += piece.home === home ? piece.text : ` ${piece.text}`
    home = piece.home
  }
  return oneVisibleLine(text.slice(0, limit))
}

/** Longer ones are no lines, and nobody reads them to their end. */
const MOST_INSIDE = 1_000

export function oneVisibleLine(text: string): string {
  // Most that are untidy are so at their edges, where the source was indented.
  const line = text.trim()
  return UNTIDY.test(line) ? line.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim() : line
}

/** Hyphens that may break a line, spaces without width, marks of direction; joiners mean something and stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g
/** Those, `\s\s`, or any blank but the usual one; as one class it is found in half the time. */
const UNTIDY = /[\t-\r\u00a0\u00ad\u1680\u2000-\u200b\u200e\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]| {2}/
