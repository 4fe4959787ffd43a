/**
 * Sanitizes HTML for browsers. It is rewritten rather than cleaned: it is split into tags and text, text is escaped, and
 * only allowed tags are written, with allowed attributes, properly nested and all closed. Nothing is copied verbatim, so
 * browsers cannot interpret the markup differently: no comments, no foreign elements (svg, math; see formulas.ts), no
 * elements whose content is parsed by other rules (style, noscript, template).
 *
 * Linear in the document: a stray end tag costs one lookup, depth and URLs are bounded, and beyond the bounds the text is
 * still written.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { elementOf, type HtmlParts, htmlParts, nextPart } from '../../html/index.ts'
import { escapeHtml } from '../output/escape.ts'
import {
  closeElement,
  closeImpliedElements,
  createOpenElements,
  openDepth,
  openElement,
} from '../page/open-elements.ts'
import { createAddresses } from './addresses.ts'
import { CLASS_ELEMENTS, DROPPED, READ_ATTRIBUTES } from './allowed.ts'
import { type Formula, formulaHtml, isAnnotation, isShownTwice, isTex } from './formulas.ts'
import { isHiddenTag } from './tracking-pixels.ts'
import { writePicture } from './write-picture.ts'
import { writeTag } from './write-tag.ts'

const MAX_DOCUMENT = 20_000_000
const MAX_DEPTH = 100
const MAX_NAME = 40
const MAX_VALUE = 20_000
const UNKNOWN = elementOf('')

/** Relative URLs are resolved against `baseUrl`; without it they are omitted. */
export function sanitizeHtml(html: string, baseUrl?: string): string {
  const source = html.length > MAX_DOCUMENT ? html.slice(0, MAX_DOCUMENT) : html
  const addresses = createAddresses(baseUrl, source.length)
  let out = ''
  let name = ''
  let element = UNKNOWN
  const attributes = new Map<string, string>()
  /** Names of open elements; '' for those that were not written. */
  const written: string[] = ['']
  /** Depth of the outermost dropped element; 0 for none. */
  let droppedDepth = 0
  let formula: Formula | undefined
  /** Depth of the annotation that contains the formula's TeX; 0 for none. */
  let texDepth = 0
  /** Nothing was written since a formula ended. */
  let isAfterFormula = false

  const open = createOpenElements()

  /** Writes the end tags of closed elements, innermost first. */
  function leaveClosed(): void {
    let depth = openDepth(open) + open.closed.length
    for (const node of open.closed.splice(0)) {
      depth--
      if (node > 0) out += `</${written.pop()}>`
      if (depth <= droppedDepth) droppedDepth = 0
      if (depth <= texDepth) texDepth = 0
      if (formula && depth <= formula.depth) endFormula(formula)
    }
  }

  function endFormula(ended: Formula): void {
    const html = formulaHtml(ended, out)
    out = ended.before + html
    formula = undefined
    isAfterFormula = html !== ''
  }

  const nameAt = (start: number, end: number) => source.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()
  const nameIn = ({ start, end, element: htmlElement }: HtmlParts) =>
    htmlElement ? htmlElement.name : nameAt(start, end)

  function opened(selfClosed: boolean): void {
    if (element.isVoid) {
      if (droppedDepth > 0) return
      closeImpliedElements(open, name, element)
      leaveClosed()
      if (isHiddenTag(attributes)) return
      out += name === 'img' ? writePicture(attributes, addresses) : (writeTag(name, attributes, addresses) ?? '')
      return
    }
    if (selfClosed && (name === 'svg' || name === 'math')) return
    closeImpliedElements(open, name, element)
    leaveClosed()
    const isNote = formula !== undefined && isAnnotation(name)
    const isRepeated = (isNote && !isTex(attributes)) || (isAfterFormula && isShownTwice(attributes))
    const isDropped = droppedDepth > 0 || DROPPED.has(name) || isRepeated || isHiddenTag(attributes)
    const tag = isDropped || written.length > MAX_DEPTH ? undefined : writeTag(name, attributes, addresses)
    openElement(open, name, element, tag === undefined ? 0 : written.push(name) - 1)
    out += tag ?? ''
    if (isDropped && droppedDepth === 0) droppedDepth = openDepth(open) - 1
    if (isNote && !isDropped && texDepth === 0) texDepth = openDepth(open) - 1
    if (name === 'math' && !isDropped && !formula) {
      formula = { depth: openDepth(open) - 1, before: out, instead: attributes.get('alttext') ?? '', tex: '' }
      out = ''
    }
  }

  function attribute({ start, end, valueStart, valueEnd }: HtmlParts): void {
    if (droppedDepth > 0) return
    const attributeName = nameAt(start, end)
    const isRead = READ_ATTRIBUTES.has(attributeName) || (attributeName === 'class' && CLASS_ELEMENTS.has(name))
    if (!isRead || attributes.has(attributeName)) return
    const value = source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE))
    attributes.set(attributeName, visible(decodeHTMLAttribute(value)))
  }

  function closed(parts: HtmlParts): void {
    if (parts.element?.name === 'br' && droppedDepth === 0) out += '<br>'
    closeElement(open, nameIn(parts), parts.element ?? UNKNOWN)
    leaveClosed()
  }

  function text({ start, end }: HtmlParts): void {
    if (droppedDepth > 0) return
    const visibleText = visible(decoded(source.slice(start, end)))
    if (formula && texDepth > 0) formula.tex += visibleText
    else out += escapeHtml(visibleText)
    if (isAfterFormula && visibleText.trim() !== '') isAfterFormula = false
  }

  const parts = htmlParts(source)
  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) {
    if (part === 'text') text(parts)
    else if (part === 'tag') {
      name = nameIn(parts)
      element = parts.element ?? UNKNOWN
      attributes.clear()
    } else if (part === 'attribute') attribute(parts)
    else if (part === 'opened') opened(parts.isSelfClosed)
    else if (part === 'closed') closed(parts)
  }
  if (formula) out = formula.before + out
  while (written.length > 1) out += `</${written.pop()}>`
  return out
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

/** Without invalid characters: NUL and other controls, lone surrogates. */
function visible(text: string): string {
  return INVISIBLE.test(text) ? text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '') : text
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff\ud800-\udfff]/
