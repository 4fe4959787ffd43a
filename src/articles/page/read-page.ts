/**
 * Parses HTML into the light tree, in one pass. Content that is not rendered as text (scripts, styles, SVG, options of
 * forms) creates no pieces. Depth, number of pieces and length of values are bounded; beyond the bounds text is added to the
 * open element, so every page is read to its end.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { type Element, elementOf, type HtmlPart, type HtmlParts, htmlParts, nextPart } from '../../html/index.ts'
import { type Attributes, attributeKey, createAttributes, NO_ATTRIBUTES } from './attributes.ts'
import { formulaText } from './formula.ts'
import {
  closeElement,
  createOpenElements,
  isInHeading,
  makeRoomFor,
  type OpenElements,
  openDepth,
  openElement,
  openHome,
  openPiece,
} from './open-elements.ts'
import { BREAK, type Page, type PagePiece } from './piece.ts'

const MAX_PAGE = 20_000_000
const MAX_PIECES = 250_000
const MAX_DEPTH = 400
const MAX_NAME = 40
const MAX_VALUE = 4_000
const MAX_HEAD_TAGS = 2_000
const MAX_JSON_LD = 2_000_000
const LONGEST_FORMULA = 20_000
const UNKNOWN = elementOf('')

/** Parser state. */
interface Reading {
  readonly page: Page
  readonly parts: HtmlParts
  readonly scriptless: boolean
  readonly open: OpenElements
  /** Of the current tag. */
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
  const reading = startReading(html.length > MAX_PAGE ? html.slice(0, MAX_PAGE) : html, scriptless)
  const { page, parts, open } = reading
  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) takerOf(part)(reading)
  stopCapture(reading)
  const { pieces } = page
  pieces[0]!.end = pieces.length
  for (let piece = openPiece(open); piece !== 0; piece = pieces[piece]!.parent) pieces[piece]!.end = pieces.length
  return page
}

function startReading(source: string, scriptless: boolean): Reading {
  const root: PagePiece = {
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
      pieces: [root],
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

function takerOf(part: HtmlPart): (reading: Reading) => void {
  if (part === 'attribute') return takeAttribute
  if (part === 'text') return takeText
  if (part === 'tag') return takeTag
  if (part === 'opened') return takeOpened
  if (part === 'closed') return takeClosed
  return part === 'data' ? takeData : takeNothing
}

function takeNothing(): void {}

function takeData(reading: Reading): void {
  if (reading.foreignDepth === 0) takeText(reading)
}

function takeText(reading: Reading): void {
  const { source, start, end } = reading.parts
  if (reading.capture !== undefined) {
    if (reading.captured.length < MAX_JSON_LD) reading.captured += source.slice(start, end)
  } else if (reading.unreadDepth === 0 && !(reading.atEdge && isBlank(source, start, end)))
    addText(reading, decoded(source.slice(start, end)))
}

function takeTag(reading: Reading): void {
  const { parts } = reading
  reading.name = nameIn(parts)
  reading.element = parts.element ?? UNKNOWN
  reading.attributes = undefined
  if (reading.name === 'math' && reading.unreadDepth === 0) reading.formulaStart = parts.start
}

function takeAttribute(reading: Reading): void {
  if (reading.unreadDepth > 0 && reading.name !== 'script' && !reading.element.isVoid) return
  const { source, start, end, valueStart, valueEnd } = reading.parts
  const attribute = attributeKey(source, start, end)
  if (attribute === undefined) return
  reading.attributes ??= createAttributes()
  reading.attributes[attribute] ??= decodedValue(source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE)))
}

function takeOpened(reading: Reading): void {
  openerFor(reading)(reading, reading.attributes ?? NO_ATTRIBUTES)
}

type Opener = (reading: Reading, given: Readonly<Attributes>) => void

function openerFor({ name, element, foreignDepth, parts }: Reading): Opener {
  if (name === 'html' || name === 'body') return openPage
  if (name === 'title' && foreignDepth === 0) return openTitle
  if (element.isVoid) return openVoid
  const isNothing = name === 'head' || (parts.isSelfClosed && (foreignDepth > 0 || name === 'svg'))
  return isNothing ? takeNothing : openPieceOf
}

function openPage({ page }: Reading, given: Readonly<Attributes>): void {
  page.language ??= given.lang
}

function openTitle(reading: Reading): void {
  startCapture(reading, reading.page.titleTag === '' ? 'title' : undefined)
}

function openPieceOf(reading: Reading, given: Readonly<Attributes>): void {
  const { name, element, open } = reading
  makeRoom(reading)
  // a heading that opens what is below it is a button as well
  const isShown = (name === 'button' && isInHeading(open)) || (name === 'noscript' && reading.scriptless)
  const isUnread = element.isUnread && !isShown
  const isPiece =
    reading.unreadDepth === 0 &&
    (!isUnread || name === 'math') &&
    reading.page.pieces.length < MAX_PIECES &&
    openDepth(open) < MAX_DEPTH
  openElement(open, name, element, isPiece ? addElement(reading, given) : openPiece(open))
  if (isUnread && reading.unreadDepth === 0) reading.unreadDepth = openDepth(open) - 1
  if (name === 'a' && given.href !== undefined && reading.link === 0) {
    reading.linkDepth = openDepth(open) - 1
    reading.link = openPiece(open)
  }
  if (name === 'svg' || name === 'math') openForeign(reading)
  if (name === 'script') startCapture(reading, captureOf(reading, given.type?.toLowerCase() ?? ''))
}

function captureOf({ unreadDepth, open }: Reading, type: string): Reading['capture'] {
  if (type.includes('ld+json')) return 'json-ld'
  return type.startsWith('math/tex') && unreadDepth === openDepth(open) - 1 ? 'tex' : undefined
}

function openForeign(reading: Reading): void {
  if (reading.foreignDepth > 0) return
  reading.foreignDepth = openDepth(reading.open) - 1
  reading.parts.isForeign = true
}

function openVoid(reading: Reading, given: Readonly<Attributes>): void {
  const { page, name } = reading
  if (name === 'meta' && page.metas.length < MAX_HEAD_TAGS) page.metas.push(given)
  else if (name === 'link' && page.links.length < MAX_HEAD_TAGS) page.links.push(given)
  if (reading.unreadDepth > 0 || page.pieces.length >= MAX_PIECES) return
  if (name === 'br') addText(reading, BREAK)
  else if (name === 'hr' || name === 'img' || given.itemprop !== undefined) {
    makeRoom(reading)
    addElement(reading, given)
  }
}

function takeClosed(reading: Reading): void {
  const name = nameIn(reading.parts)
  if (name === 'title' || name === 'script') stopCapture(reading)
  if (name === 'br' && reading.unreadDepth === 0) addText(reading, BREAK)
  if (name === 'a') reading.link = 0
  if (name === 'math') addFormula(reading)
  closeElement(reading.open, name, reading.parts.element ?? UNKNOWN)
  leaveClosed(reading)
}

function makeRoom(reading: Reading): void {
  makeRoomFor(reading.open, reading.name, reading.element)
  leaveClosed(reading)
}

/** Ends the pieces of closed elements, and the state that depends on them. */
function leaveClosed(reading: Reading): void {
  const { open, page } = reading
  const { pieces } = page
  if (open.closed.length === 0) return
  while (open.closed.length > 0) {
    const piece = pieces[open.closed.pop()!]!
    piece.end = pieces.length
    if (piece.isBlock) reading.atEdge = true
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

function addText(reading: Reading, text: string): void {
  if (reading.page.pieces.length >= 2 * MAX_PIECES) return
  addPiece(reading, '', text, false, NO_ATTRIBUTES)
  reading.atEdge = false
}

/** Its text gets a piece of its own: Wikipedia hides the formula in favour of a picture. */
function addFormula(reading: Reading): void {
  const { source, start } = reading.parts
  const from = reading.formulaStart
  reading.formulaStart = -1
  if (from < 0 || start - from > LONGEST_FORMULA) return
  const text = formulaText(source.slice(from, start - 2))
  if (text !== '') addText(reading, text)
}

function addElement(reading: Reading, given: Readonly<Attributes>): number {
  const { page, name, element } = reading
  const index = addPiece(reading, name, '', element.isBlock, given)
  reading.atEdge = element.isBlock
  if (element.isBlock) toldOfBlock(page.pieces, index)
  if (given.itemprop !== undefined) page.marked.push(index)
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
function toldOfBlock(pieces: readonly PagePiece[], block: number): void {
  let round = pieces[pieces[block]!.parent]!
  while (!round.isBlock && !round.holdsBlocks) {
    round.holdsBlocks = true
    round = pieces[round.parent]!
  }
}

function addPiece(
  { open, link, page: { pieces } }: Reading,
  name: string,
  text: string,
  isBlock: boolean,
  attributes: Readonly<Attributes>,
): number {
  const index = pieces.length
  const parent = openPiece(open)
  const home = openHome(open)
  pieces.push({ name, text, isBlock, attributes, parent, home, end: index + 1, link, holdsBlocks: false })
  return index
}

function startCapture(reading: Reading, what: Reading['capture']): void {
  reading.capture = what
  reading.captured = ''
}

function stopCapture(reading: Reading): void {
  const { page, capture, captured } = reading
  if (capture === 'title') page.titleTag = decodeHTML(captured)
  else if (capture === 'json-ld') page.jsonLd.push(captured)
  else if (capture === 'tex' && captured.length <= LONGEST_FORMULA) addText(reading, captured)
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
