/**
 * Skips everything before the feed itself: blank lines, junk, the XML declaration, comments, the document type. Finds the root element,
 * which determines the format, and the document type, which may declare entities.
 */

import { createXmlElement, type XmlElement } from './element.ts'
import { createXmlNames, type FeedFamily, type XmlNames } from './element-names.ts'
import { rootScope } from './scope.ts'
import { endOfName, isNameStart, readTag } from './tag.ts'
import type { ParseWork, XmlText } from './xml-text.ts'

/** Root elements of feeds, by local name in lower case. */
const ROOTS: Record<string, FeedFamily> = {
  rss: 'rss',
  rdf: 'rss',
  channel: 'rss',
  feed: 'atom',
  entry: 'atom',
  urlset: 'rss',
}

/** Elements that browsers and proxies wrap around a document. */
const WRAPPERS = new Set(['html', 'head', 'body'])

/** Root elements of other documents. Unknown elements may be output that a script printed before the feed. */
const PAGES = new Set(['script', 'style', 'meta', 'title', 'opml', 'svg'])

export interface Root {
  /** Local name, in lower case. */
  name: string
  /** As written, with its prefix. */
  written: string
  family: FeedFamily
  /** Position of its start tag. */
  at: number
  /** The document type declaration. */
  doctype: string
  /** Other elements came before it, such as output of a script. */
  afterJunk: boolean
}

export type RootSearch = Root | { name: undefined; reason: string }

export function findRoot(text: string, work: ParseWork = { steps: 0 }): RootSearch {
  let doctype = ''
  let saysPage = false
  let wrapper: string | undefined
  let afterJunk = false
  let commentsEnd = true
  let at = 0
  for (let tagAt = text.indexOf('<', at); tagAt >= 0; tagAt = text.indexOf('<', at)) {
    work.steps += tagAt - at + 1
    if (text.slice(at, tagAt).includes('\0')) return { name: undefined, reason: 'it is not text' }
    at = tagAt + 1
    if (commentsEnd && text.startsWith('<!--', tagAt)) {
      const close = text.indexOf('-->', tagAt + 4)
      commentsEnd = close >= 0
      at = close < 0 ? tagAt + 4 : close + 3
      continue
    }
    if (text.charCodeAt(at) === BANG) {
      if (!/^doctype\s/i.test(text.slice(at + 1, at + 9))) continue
      saysPage ||= /^doctype\s+html[\s>]/i.test(text.slice(at + 1, at + 40))
      at = endOfDoctype(text, tagAt)
      work.steps += at - tagAt
      doctype = text.slice(tagAt, at)
      continue
    }
    if (!isNameStart(text.charCodeAt(at))) continue
    const raw = text.slice(at, endOfName(text, at, Math.min(text.length, tagAt + MAX_NAME_LENGTH)))
    const name = raw.slice(raw.indexOf(':') + 1).toLowerCase()
    const family = Object.hasOwn(ROOTS, name) ? ROOTS[name] : undefined
    if (family && (wrapper === undefined || saysNamespace(text, tagAt)))
      return { name, written: raw, family, at: tagAt, doctype, afterJunk }
    if (WRAPPERS.has(name)) {
      wrapper ??= name
      continue
    }
    // A feed may have an HTML document type if its root follows directly.
    if (saysPage) return { name: undefined, reason: 'it is a web page' }
    if (wrapper === undefined && name === 'sitemapindex') return { name: undefined, reason: 'it is a list of sitemaps' }
    if (wrapper !== undefined || PAGES.has(name)) return beginsWith(wrapper ?? name)
    afterJunk = true
  }
  if (wrapper !== undefined) return beginsWith(wrapper)
  return { name: undefined, reason: 'there is neither <rss>, <feed>, <rdf:RDF> nor a JSON Feed in it' }
}

function beginsWith(name: string): RootSearch {
  return { name: undefined, reason: `it begins with <${name}>` }
}

/** Whether the start tag has a namespace or version, which elements of a page do not have. */
function saysNamespace(text: string, at: number): boolean {
  const tag = readTag(text, at, text.length)
  return /\b(?:xmlns|version)\b/.test(text.slice(tag.attributesFrom, tag.attributesTo))
}

/** The root element, with its scope. `names`: of its vocabulary. */
export function rootElement(xml: XmlText, root: Root, names: XmlNames, url: string): XmlElement {
  const tag = readTag(xml.text, root.at, xml.text.length)
  const prefix = tag.name.includes(':') ? tag.name.slice(0, tag.name.indexOf(':')).toLowerCase() : ''
  // <atom:feed> with or without a declaration: its prefix stands for the document's vocabulary.
  const isOwn = prefix !== '' && root.name !== 'rdf'
  const rootNames = isOwn ? createXmlNames(names.family, names.lexicon, new Map([[prefix, names.family]])) : names
  const scope = rootScope(xml, tag, { base: url, language: undefined, names: rootNames })
  return createXmlElement(root.name, tag, scope)
}

const BANG = 33
const MAX_NAME_LENGTH = 100

/** An internal subset is enclosed in square brackets and contains angle brackets. Reads at most 64 KB. */
function endOfDoctype(text: string, from: number): number {
  const limit = Math.min(text.length, from + 65_536)
  let subset = false
  for (let p = from; p < limit; p++) {
    const c = text.charCodeAt(p)
    if (c === 91) subset = true
    else if (c === 93) subset = false
    else if (c === 62 && !subset) return p + 1
    else if (c === 34 || c === 39) {
      const close = text.indexOf(c === 34 ? '"' : "'", p + 1)
      if (close > 0 && close < limit) p = close
    }
  }
  const close = text.indexOf('>', from)
  return close < 0 ? text.length : close + 1
}
