/**
 * The light tree: a page as one array of nodes (elements and text) in document order. A node knows its parent and
 * where its content ends, so everything in an element is `nodes.slice(index + 1, end)`. Sums are one backward loop,
 * inheritance is one forward loop; nothing recurses, however deeply the page is nested.
 */
import type { Attributes } from './attributes.ts'

/** The text of <br>; newlines in the source count as spaces. */
export const BREAK = '\u2028'

export interface PageNode {
  /** Element name in lower case; '' for text. The root, which represents the body, is '#page'. */
  readonly name: string
  /** Entities decoded, spaces verbatim; a line break is BREAK. */
  readonly text: string
  readonly isBlock: boolean
  readonly attributes: Readonly<Attributes>
  /** Index of the parent; 0 for the root itself. */
  readonly parent: number
  /** Index of the innermost enclosing block element. */
  readonly home: number
  /** Index after its last descendant. */
  end: number
  /** Index of the enclosing link; 0 for none. */
  readonly link: number
  /** For an inline element: whether it contains a block after all. */
  holdsBlocks: boolean
}

export interface Page {
  nodes: PageNode[]
  /** Indexes of elements that are looked up directly, in order: <h1>, <img>, those with an itemprop. */
  titles: number[]
  images: number[]
  marked: number[]
  /** Indexes of tables, code and quotations; and of quotations alone. */
  insets: number[]
  quotes: number[]
  /** <meta> and <link>, in order, anywhere in the document. */
  metas: Readonly<Attributes>[]
  links: Readonly<Attributes>[]
  /** The bodies of <script type="application/ld+json">. */
  jsonLd: string[]
  /** The content of <title>. */
  titleTag: string
  /** The `lang` attribute of <html>. */
  language: string | undefined
}

/** Whether one of these ascending indexes lies inside this element. */
export function isOneInside(indexes: readonly number[], nodes: readonly PageNode[], element: number): boolean {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (indexes[middle]! > element) high = middle
    else low = middle + 1
  }
  return low < indexes.length && indexes[low]! < nodes[element]!.end
}

/** The text inside an element, on one line, up to `limit` characters. */
export function textInside(nodes: readonly PageNode[], index: number, limit = 1_000): string {
  const end = Math.min(nodes[index]!.end, index + MAX_CHARS)
  let text = ''
  let home = nodes[index]!.home
  for (let i = index + 1; i < end && text.length < limit; i++) {
    const node = nodes[i]!
    if (node.name !== '') continue
    text += node.home === home ? node.text : ` ${node.text}`
    home = node.home
  }
  return oneVisibleLine(text.slice(0, limit))
}

/** Longer ones are not lines, and are cut. */
const MAX_CHARS = 1_000

export function oneVisibleLine(text: string): string {
  // usually only the edges need trimming, where the source is indented
  const line = text.trim()
  return UNTIDY.test(line) ? line.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim() : line
}

/** Soft hyphens, zero-width spaces, direction marks; joiners are meaningful and stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g
/** Those, `\s\s`, or any white space but the plain space; as a single class it matches in half the time. */
const UNTIDY = /[\t-\r\u00a0\u00ad\u1680\u2000-\u200b\u200e\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]| {2}/
