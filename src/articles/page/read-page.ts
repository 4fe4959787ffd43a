/**
 * Parses HTML into the light tree, in one pass. Content that is not rendered as text (scripts, styles, SVG, options of
 * forms) creates no nodes. Depth, number of nodes and length of values are bounded; beyond the bounds text is added to
 * the open element, so every page is read to its end.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { type Element, elementOf, type HtmlPart, type HtmlParts, htmlParts, nextPart } from '../../html/index.ts'
import { type Attributes, attributeKey, createAttributes, NO_ATTRIBUTES } from './attributes.ts'
import { formulaText } from './formula.ts'
import {
  closeElement,
  closeImpliedElements,
  createOpenElements,
  isInHeading,
  type OpenElements,
  openDepth,
  openElement,
  openHome,
  openPiece,
} from './open-elements.ts'
import { BREAK, type Page, type PageNode } from './page-node.ts'

const MAX_PAGE = 20_000_000
const MAX_PIECES = 250_000
const MAX_DEPTH = 400
const MAX_NAME = 40
const MAX_VALUE = 4_000
const MAX_HEAD_TAGS = 2_000
const MAX_JSON_LD = 2_000_000
const MAX_FORMULA_LENGTH = 20_000
const UNKNOWN = elementOf('')

/** Parser state. */
interface ParserState {
  readonly page: Page
  readonly parts: HtmlParts
  readonly scriptless: boolean
  readonly open: OpenElements
  /** Name of the current tag. */
  name: string
  element: Element
  attributes: Attributes | undefined
  /** Depth of the outermost open element that is not rendered, of an SVG, of a link; 0 for none. */
  unreadDepth: number
  foreignDepth: number
  linkDepth: number
  /** Index of the open link; 0 for none. */
  link: number
  /** Where the open formula begins; -1 for none. */
  formulaStart: number
  capture: 'title' | 'json-ld' | 'tex' | undefined
  captured: string
  /** Only spaces since a block began or ended: they come from the source, not the text. */
  atEdge: boolean
}

/** `scriptless`: as a browser without scripts renders it, including <noscript>. */
export function readPage(html: string, scriptless = false): Page {
  const state = startReading(html.length > MAX_PAGE ? html.slice(0, MAX_PAGE) : html, scriptless)
  const { page, parts, open } = state
  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) handlerOf(part)(state)
  stopCapture(state)
  const { nodes } = page
  nodes[0]!.end = nodes.length
  for (let node = openPiece(open); node !== 0; node = nodes[node]!.parent) nodes[node]!.end = nodes.length
  return page
}

function startReading(source: string, scriptless: boolean): ParserState {
  const root: PageNode = {
    name: '#page',
    text: '',
    isBlock: true,
    attributes: NO_ATTRIBUTES,
    parent: 0,
    home: 0,
    end: 1,
    link: 0,
    holdsBlocks: false,
  }
  return {
    page: {
      nodes: [root],
      titles: [],
      images: [],
      marked: [],
      insets: [],
      quotes: [],
      metas: [],
      links: [],
      jsonLd: [],
      titleTag: '',
      language: undefined,
    },
    parts: htmlParts(source),
    scriptless,
    open: createOpenElements(),
    name: '',
    element: UNKNOWN,
    attributes: undefined,
    unreadDepth: 0,
    foreignDepth: 0,
    linkDepth: 0,
    link: 0,
    formulaStart: -1,
    capture: undefined,
    captured: '',
    atEdge: true,
  }
}

function handlerOf(part: HtmlPart): (reading: ParserState) => void {
  if (part === 'attribute') return onAttribute
  if (part === 'text') return onText
  if (part === 'tag') return onTagName
  if (part === 'opened') return onOpened
  if (part === 'closed') return onClosed
  return part === 'data' ? onRawData : ignore
}

function ignore(): void {}

function onRawData(reading: ParserState): void {
  if (reading.foreignDepth === 0) onText(reading)
}

function onText(reading: ParserState): void {
  const { source, start, end } = reading.parts
  if (reading.capture !== undefined) {
    if (reading.captured.length < MAX_JSON_LD) reading.captured += source.slice(start, end)
  } else if (reading.unreadDepth === 0 && !(reading.atEdge && isBlank(source, start, end)))
    addText(reading, decoded(source.slice(start, end)))
}

function onTagName(reading: ParserState): void {
  const { parts } = reading
  reading.name = nameIn(parts)
  reading.element = parts.element ?? UNKNOWN
  reading.attributes = undefined
  if (reading.name === 'math' && reading.unreadDepth === 0) reading.formulaStart = parts.start
}

function onAttribute(reading: ParserState): void {
  if (reading.unreadDepth > 0 && reading.name !== 'script' && !reading.element.isVoid) return
  const { source, start, end, valueStart, valueEnd } = reading.parts
  const attribute = attributeKey(source, start, end)
  if (attribute === undefined) return
  reading.attributes ??= createAttributes()
  reading.attributes[attribute] ??= decodedValue(source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE)))
}

function onOpened(reading: ParserState): void {
  openerOf(reading)(reading, reading.attributes ?? NO_ATTRIBUTES)
}

type Opener = (reading: ParserState, attributes: Readonly<Attributes>) => void

function openerOf({ name, element, foreignDepth, parts }: ParserState): Opener {
  if (name === 'html' || name === 'body') return openPage
  if (name === 'title' && foreignDepth === 0) return openTitle
  if (element.isVoid) return openVoid
  const isIgnored = name === 'head' || (parts.isSelfClosed && (foreignDepth > 0 || name === 'svg'))
  return isIgnored ? ignore : openPieceOf
}

function openPage({ page }: ParserState, attributes: Readonly<Attributes>): void {
  page.language ??= attributes.lang
}

function openTitle(reading: ParserState): void {
  startCapture(reading, reading.page.titleTag === '' ? 'title' : undefined)
}

function openPieceOf(reading: ParserState, attributes: Readonly<Attributes>): void {
  const { name, element, open } = reading
  closeImplied(reading)
  // a heading that opens what is below it is a button as well
  const isShown = (name === 'button' && isInHeading(open)) || (name === 'noscript' && reading.scriptless)
  const isUnread = element.isUnread && !isShown
  const isPiece =
    reading.unreadDepth === 0 &&
    (!isUnread || name === 'math') &&
    reading.page.nodes.length < MAX_PIECES &&
    openDepth(open) < MAX_DEPTH
  openElement(open, name, element, isPiece ? addElement(reading, attributes) : openPiece(open))
  if (isUnread && reading.unreadDepth === 0) reading.unreadDepth = openDepth(open) - 1
  if (name === 'a' && attributes.href !== undefined && reading.link === 0) {
    reading.linkDepth = openDepth(open) - 1
    reading.link = openPiece(open)
  }
  if (name === 'svg' || name === 'math') openForeign(reading)
  if (name === 'script') startCapture(reading, captureOf(reading, attributes.type?.toLowerCase() ?? ''))
}

function captureOf({ unreadDepth, open }: ParserState, type: string): ParserState['capture'] {
  if (type.includes('ld+json')) return 'json-ld'
  return type.startsWith('math/tex') && unreadDepth === openDepth(open) - 1 ? 'tex' : undefined
}

function openForeign(reading: ParserState): void {
  if (reading.foreignDepth > 0) return
  reading.foreignDepth = openDepth(reading.open) - 1
  reading.parts.isForeign = true
}

function openVoid(reading: ParserState, attributes: Readonly<Attributes>): void {
  const { page, name } = reading
  if (name === 'meta' && page.metas.length < MAX_HEAD_TAGS) page.metas.push(attributes)
  else if (name === 'link' && page.links.length < MAX_HEAD_TAGS) page.links.push(attributes)
  if (reading.unreadDepth > 0 || page.nodes.length >= MAX_PIECES) return
  if (name === 'br') addText(reading, BREAK)
  else if (name === 'hr' || name === 'img' || attributes.itemprop !== undefined) {
    closeImplied(reading)
    addElement(reading, attributes)
  }
}

function onClosed(reading: ParserState): void {
  const name = nameIn(reading.parts)
  if (name === 'title' || name === 'script') stopCapture(reading)
  if (name === 'br' && reading.unreadDepth === 0) addText(reading, BREAK)
  if (name === 'a') reading.link = 0
  if (name === 'math') addFormula(reading)
  closeElement(reading.open, name, reading.parts.element ?? UNKNOWN)
  finishClosed(reading)
}

function closeImplied(reading: ParserState): void {
  closeImpliedElements(reading.open, reading.name, reading.element)
  finishClosed(reading)
}

/** Ends the nodes of closed elements, and the state that depends on them. */
function finishClosed(reading: ParserState): void {
  const { open, page } = reading
  const { nodes } = page
  if (open.closed.length === 0) return
  while (open.closed.length > 0) {
    const node = nodes[open.closed.pop()!]!
    node.end = nodes.length
    if (node.isBlock) reading.atEdge = true
  }
  const depth = openDepth(open)
  if (depth <= reading.unreadDepth) reading.unreadDepth = 0
  if (depth <= reading.linkDepth) {
    reading.linkDepth = 0
    reading.link = 0
  }
  if (depth <= reading.foreignDepth) {
    reading.foreignDepth = 0
    reading.parts.isForeign = false
  }
}

function addText(reading: ParserState, text: string): void {
  if (reading.page.nodes.length >= 2 * MAX_PIECES) return
  addPiece(reading, '', text, false, NO_ATTRIBUTES)
  reading.atEdge = false
}

/** Adds a separate node for its text: Wikipedia hides the formula in favor of a picture. */
function addFormula(reading: ParserState): void {
  const { source, start } = reading.parts
  const from = reading.formulaStart
  reading.formulaStart = -1
  if (from < 0 || start - from > MAX_FORMULA_LENGTH) return
  const text = formulaText(source.slice(from, start - 2))
  if (text !== '') addText(reading, text)
}

function addElement(reading: ParserState, attributes: Readonly<Attributes>): number {
  const { page, name, element } = reading
  const index = addPiece(reading, name, '', element.isBlock, attributes)
  reading.atEdge = element.isBlock
  if (element.isBlock) markInlineAncestors(page.nodes, index)
  if (attributes.itemprop !== undefined) page.marked.push(index)
  if (name === 'h1') page.titles.push(index)
  else if (name === 'img') page.images.push(index)
  else if (name === 'table' || name === 'pre') page.insets.push(index)
  else if (name === 'blockquote') {
    page.insets.push(index)
    page.quotes.push(index)
  }
  return index
}

/** Marks the inline elements around a block; if one is already marked, so are those around it. */
function markInlineAncestors(nodes: readonly PageNode[], block: number): void {
  let round = nodes[nodes[block]!.parent]!
  while (!round.isBlock && !round.holdsBlocks) {
    round.holdsBlocks = true
    round = nodes[round.parent]!
  }
}

function addPiece(
  { open, link, page: { nodes } }: ParserState,
  name: string,
  text: string,
  isBlock: boolean,
  attributes: Readonly<Attributes>,
): number {
  const index = nodes.length
  const parent = openPiece(open)
  const home = openHome(open)
  nodes.push({ name, text, isBlock, attributes, parent, home, end: index + 1, link, holdsBlocks: false })
  return index
}

function startCapture(reading: ParserState, capture: ParserState['capture']): void {
  reading.capture = capture
  reading.captured = ''
}

function stopCapture(reading: ParserState): void {
  const { page, capture, captured } = reading
  if (capture === 'title') page.titleTag = decodeHTML(captured)
  else if (capture === 'json-ld') page.jsonLd.push(captured)
  else if (capture === 'tex' && captured.length <= MAX_FORMULA_LENGTH) addText(reading, captured)
  reading.capture = undefined
}

function nameIn({ source, element, start, end }: HtmlParts): string {
  return element === undefined ? source.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase() : element.name
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 32) return false
  return true
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

/** "?a=1&copy=2" does not contain a copyright sign. */
function decodedValue(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value
}
