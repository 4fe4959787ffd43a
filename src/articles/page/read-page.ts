/**
 * HTML -> the light tree, in one pass. What nobody reads (scripts, styles, drawings, forms' choices) leaves no
 * piece behind. Depth, number of pieces and length of values are bounded; beyond the bounds text joins the element that
 * is open, so that a page is read to its end whatever it does.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { type Element, elementOf, splitHtml } from '../../markup/index.ts'
import { type Attributes, createAttributes, NONE, wantedAt } from './attributes.ts'
import { createOpenElements } from './open-elements.ts'
import { BREAK, type Page, type PagePiece } from './piece.ts'

const MAX_PAGE = 20_000_000
const MAX_PIECES = 250_000
const MAX_DEPTH = 400
const MAX_NAME = 40
const MAX_VALUE = 4_000
const MAX_HEAD_TAGS = 2_000
const MAX_JSON_LD = 2_000_000
const UNKNOWN = elementOf('')

/** `scriptless`: as a browser shows it that runs no scripts, with what is in <noscript>. */
export function readPage(html: string, scriptless = false): Page {
  const source = html.length > MAX_PAGE ? html.slice(0, MAX_PAGE) : html
  const root: PagePiece = {
    name: '#page',
    text: '',
    isBlock: true,
    attributes: NONE,
    parent: 0,
    home: 0,
    end: 1,
    link: 0,
  }
  const page: Page = { pieces: [root], metas: [], links: [], jsonLd: [], titleTag: '', language: undefined }
  const { pieces } = page

  let name = ''
  let element = UNKNOWN
  let attributes: Attributes | undefined
  /** Depth of the outermost open element that nobody reads, of a drawing, of a link; 0 while there is none. */
  let unreadDepth = 0
  let foreignDepth = 0
  let linkDepth = 0
  /** Index of the link that is open; 0 while there is none. */
  let link = 0
  let capture: 'title' | 'json-ld' | undefined
  let captured = ''
  /** Nothing but spaces since a block began or ended: they are the source's, not the text's. */
  let atEdge = true

  const open = createOpenElements((piece, depth) => {
    pieces[piece]!.end = pieces.length
    if (pieces[piece]!.isBlock) atEdge = true
    if (depth <= unreadDepth) unreadDepth = 0
    if (depth <= foreignDepth) foreignDepth = 0
    if (depth <= linkDepth) {
      linkDepth = 0
      link = 0
    }
  })

  const nameAt = (start: number, end: number) => source.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()

  function addPiece(ofName: string, text: string, isBlock: boolean, given: Readonly<Attributes>): number {
    const parent = open.piece()
    const end = pieces.length + 1
    atEdge = isBlock
    pieces.push({ name: ofName, text, isBlock, attributes: given, parent, home: open.home(), end, link })
    return end - 1
  }

  function addText(text: string): void {
    if (pieces.length < 2 * MAX_PIECES) addPiece('', text, false, NONE)
  }

  function opened(selfClosed: boolean): void {
    const given = attributes ?? NONE
    if (name === 'html' || name === 'body') page.language ??= given.lang
    else if (name === 'title' && foreignDepth === 0) startCapture(page.titleTag === '' ? 'title' : undefined)
    else if (element.isVoid) openedVoid(given)
    else if (name !== 'head' && !(selfClosed && (foreignDepth > 0 || name === 'svg'))) openedPiece(given, element)
  }

  function openedPiece(given: Readonly<Attributes>, { isBlock }: Element): void {
    open.makeRoomFor(name, element)
    // A heading that opens what stands under it is a button as well.
    const isShown = (name === 'button' && open.isInHeading()) || (name === 'noscript' && scriptless)
    const isUnread = element.isUnread && !isShown
    const isPiece = unreadDepth === 0 && !isUnread && pieces.length < MAX_PIECES && open.depth() < MAX_DEPTH
    open.open(name, element, isPiece ? addPiece(name, '', isBlock, given) : open.piece())
    const place = open.depth() - 1
    if (isUnread && unreadDepth === 0) unreadDepth = place
    if ((name === 'svg' || name === 'math') && foreignDepth === 0) foreignDepth = place
    if (name === 'a' && given.href !== undefined && link === 0) {
      linkDepth = place
      link = open.piece()
    }
    if (name === 'script') startCapture(given.type?.toLowerCase().includes('ld+json') ? 'json-ld' : undefined)
  }

  function openedVoid(given: Readonly<Attributes>): void {
    if (name === 'meta' && page.metas.length < MAX_HEAD_TAGS) page.metas.push(given)
    else if (name === 'link' && page.links.length < MAX_HEAD_TAGS) page.links.push(given)
    if (unreadDepth > 0 || pieces.length >= MAX_PIECES) return
    if (name === 'br') addText(BREAK)
    else if (name === 'hr' || name === 'img' || given.itemprop !== undefined) {
      open.makeRoomFor(name, element)
      addPiece(name, '', element.isBlock, given)
    }
  }

  function closed(end: string, ended: Element): void {
    if (end === 'title' || end === 'script') stopCapture()
    if (end === 'br' && unreadDepth === 0) addText(BREAK)
    if (end === 'a') link = 0
    open.close(end, ended)
  }

  function startCapture(what: typeof capture): void {
    capture = what
    captured = ''
  }

  function stopCapture(): void {
    if (capture === 'title') page.titleTag = decodeHTML(captured)
    else if (capture === 'json-ld') page.jsonLd.push(captured)
    capture = undefined
  }

  function text(start: number, end: number): void {
    if (capture) {
      if (captured.length < MAX_JSON_LD) captured += source.slice(start, end)
    } else if (unreadDepth === 0 && !(atEdge && isBlank(source, start, end))) addText(decoded(source.slice(start, end)))
  }

  splitHtml(source, {
    tag(start, end, known) {
      name = known ? known.name : nameAt(start, end)
      element = known ?? UNKNOWN
      attributes = undefined
    },
    attribute(nameStart, nameEnd, valueStart, valueEnd) {
      if (unreadDepth > 0 && name !== 'script' && !element.isVoid) return
      const attribute = wantedAt(source, nameStart, nameEnd)
      if (attribute === undefined) return
      attributes ??= createAttributes()
      attributes[attribute] ??= decodedValue(source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE)))
    },
    opened,
    closed: (start, end, known) => closed(known ? known.name : nameAt(start, end), known ?? UNKNOWN),
    text,
    data(start, end) {
      if (foreignDepth === 0) text(start, end)
    },
    isForeign: () => foreignDepth > 0,
  })
  stopCapture()
  root.end = pieces.length
  for (let piece = open.piece(); piece !== 0; piece = pieces[piece]!.parent) pieces[piece]!.end = pieces.length
  return page
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 32) return false
  return true
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

/** "?a=1&copy=2" has no sign of copyright in it. */
function decodedValue(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value
}
