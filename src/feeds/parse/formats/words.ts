/**
 * Titles, summaries and contents: plain text or HTML, by the rules of the element's vocabulary. RSS does not say and means HTML; Atom
 * has `type` (and `mode` in 0.3).
 */
import { isUtf8 } from 'node:buffer'
import { oneLine, textAsHtml, titleText } from '../../../markup/index.ts'
import { absoluteHtml } from '../absolute-html.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { attributeOf, markupOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'

export interface Words {
  value: string
  isText: boolean
}

export function wordsInPiece(xml: XmlText, piece: XmlPiece): Words {
  const words = isAtom(piece) ? atomWords(xml, piece) : rssWords(xml, piece)
  return words.isText ? words : { value: absoluteHtml(words.value, piece.scope.base), isText: false }
}

/** A title: one line of text, and the HTML if it has more information. */
export function titleInWords(words: Words): { text: string; html?: string } {
  if (words.isText) return { text: boundedLine(oneLine(words.value)) }
  const text = boundedLine(titleText(words.value))
  return text === words.value ? { text } : { text, html: words.value }
}

export function htmlInWords(words: Words): string {
  return words.isText ? textAsHtml(words.value) : words.value
}

export function boundedLine(text: string): string {
  return text.length > FEED_LIMITS.line ? text.slice(0, FEED_LIMITS.line).toWellFormed() : text
}

function isAtom(piece: XmlPiece): boolean {
  const colon = piece.key.indexOf(':')
  return colon < 0 ? piece.scope.names.family === 'atom' : piece.key.startsWith('atom:')
}

function rssWords(xml: XmlText, piece: XmlPiece): Words {
  if (piece.hasMarkup) return { value: markupOf(xml, piece), isText: false }
  return { value: unescapedOnce(textOfPiece(xml, piece)), isText: false }
}

function atomWords(xml: XmlText, piece: XmlPiece): Words {
  const type = attributeOf(xml, piece, 'type')?.toLowerCase()
  const isText = type === undefined || type === 'text' || type === 'text/plain'
  const isXhtml = type?.includes('xhtml') === true
  if (piece.hasMarkup || isXhtml) {
    const markup = markupOf(xml, piece)
    const inside = isXhtml || type === 'html' ? withoutWrapper(markup) : markup
    // Escaped HTML inside the XHTML wrapper: unescape it.
    return { value: type === 'html' && !inside.includes('<') ? xml.decode(inside) : inside, isText: false }
  }
  const value = textOfPiece(xml, piece)
  if (attributeOf(xml, piece, 'mode')?.toLowerCase() === 'base64' || (type !== undefined && !TEXTUAL.test(type))) {
    const decoded = fromBase64(value)
    if (decoded !== undefined) return { value: xml.clean(decoded).trim(), isText: type === 'text/plain' }
  }
  // Untyped text with "</p>" in it is HTML.
  return { value, isText: isText && !(type === undefined && piece.key !== 'title' && CLEARLY_HTML.test(value)) }
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
