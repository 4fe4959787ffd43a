/**
 * Titles, summaries and contents: plain text or HTML, by the rules of the element's vocabulary. RSS does not say and means HTML; Atom
 * has `type` (and `mode` in 0.3).
 */
import { isUtf8 } from 'node:buffer'
import { collapseWhitespace, textAsHtml, titleText } from '../../../html/index.ts'
import { makeLinksAbsolute } from '../absolute-links.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { attributeOf, elementMarkup, elementText, type XmlElement } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'

export interface TextConstruct {
  value: string
  isText: boolean
}

export function readTextConstruct(xml: XmlText, element: XmlElement): TextConstruct {
  const construct = isAtom(element) ? readAtomText(xml, element) : readRssText(xml, element)
  return construct.isText ? construct : { value: makeLinksAbsolute(construct.value, element.scope.base), isText: false }
}

/** A title: one line of text, and the HTML if it has more information. */
export function titleFromConstruct(construct: TextConstruct): { text: string; html?: string } {
  if (construct.isText) return { text: truncateLine(collapseWhitespace(construct.value)) }
  const text = truncateLine(titleText(construct.value))
  return text === construct.value ? { text } : { text, html: construct.value }
}

export function htmlFromConstruct(construct: TextConstruct): string {
  return construct.isText ? textAsHtml(construct.value) : construct.value
}

export function truncateLine(text: string): string {
  return text.length > FEED_LIMITS.line ? text.slice(0, FEED_LIMITS.line).toWellFormed() : text
}

function isAtom(element: XmlElement): boolean {
  const colon = element.key.indexOf(':')
  return colon < 0 ? element.scope.names.family === 'atom' : element.key.startsWith('atom:')
}

function readRssText(xml: XmlText, element: XmlElement): TextConstruct {
  if (element.hasMarkup) return { value: elementMarkup(xml, element), isText: false }
  return { value: unescapedOnce(elementText(xml, element)), isText: false }
}

function readAtomText(xml: XmlText, element: XmlElement): TextConstruct {
  const type = attributeOf(xml, element, 'type')?.toLowerCase()
  const isText = type === undefined || type === 'text' || type === 'text/plain'
  const isXhtml = type?.includes('xhtml') === true
  if (element.hasMarkup || isXhtml) {
    const markup = elementMarkup(xml, element)
    const inside = isXhtml || type === 'html' ? withoutWrapper(markup) : markup
    // Escaped HTML inside the XHTML wrapper: unescape it.
    return { value: type === 'html' && !inside.includes('<') ? xml.decode(inside) : inside, isText: false }
  }
  const value = elementText(xml, element)
  if (attributeOf(xml, element, 'mode')?.toLowerCase() === 'base64' || (type !== undefined && !TEXTUAL.test(type))) {
    const decoded = fromBase64(value)
    if (decoded !== undefined) return { value: xml.clean(decoded).trim(), isText: type === 'text/plain' }
  }
  // Untyped text with "</p>" in it is HTML.
  return { value, isText: isText && !(type === undefined && element.key !== 'title' && CLEARLY_HTML.test(value)) }
}

const TEXTUAL = /^(?:text|html|xhtml)$|^text\/|[+/]xml|json/
const CLEARLY_HTML = /<\/(?:p|a|div|ul|li|strong|em|blockquote|h[1-6]|table)>|<br ?\/?>|<img\s/i

/** Undoes double escaping: text without tags but with escaped end tags. */
function unescapedOnce(html: string): string {
  if (html.includes('<') || !html.includes('&lt;')) return html
  if (!/&lt;(?:\/(?:p|a|div|ul|li|b|i|strong|em|span|blockquote|h[1-6]|table)|br ?\/?)&gt;/i.test(html)) return html
  return html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}

/** Atom's XHTML has a wrapper `div` that is not part of the content. */
function withoutWrapper(markup: string): string {
  const opening = /^<div\b[^<>]*>/i.exec(markup)?.[0]
  if (opening === undefined || !/<\/div\s*>$/i.test(markup.slice(-16))) return markup
  const end = markup.lastIndexOf('<')
  // A single end tag belongs to the wrapper; otherwise tags are counted.
  const isWrapped = markup.indexOf('</div') === end || closesLast(markup)
  return isWrapped ? markup.slice(opening.length, end).trim() : markup
}

function closesLast(markup: string): boolean {
  let depth = 0
  for (const tag of markup.matchAll(/<(\/?)div\b[^<>]*?(\/?)>/gi)) {
    if (tag[1] === '' && tag[2] === '') depth++
    else if (tag[1] === '/' && --depth === 0) return tag.index + tag[0].length === markup.length
  }
  return true
}

function fromBase64(value: string): string | undefined {
  const digits = value.replace(/\s+/g, '')
  if (digits === '' || digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) return undefined
  const bytes = Buffer.from(digits, 'base64')
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
}
