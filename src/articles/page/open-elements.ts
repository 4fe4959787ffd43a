/**
 * The stack of open elements while parsing, with the rules of HTML that matter for text: what closes a paragraph, a list
 * item, a cell; which end tags are obeyed. For every kind of element it knows the last one on the stack, so that a stray end
 * tag costs one lookup instead of a search: ten thousand stray end tags in ten thousand open elements would be a hundred
 * million steps.
 */
import type { Element } from '../../html/index.ts'

interface OpenElement {
  readonly kind: string
  /** Index of its piece. */
  readonly piece: number
  /** Stack position of the previous open element of its kind; -1 for none. */
  readonly before: number
  /** Stack positions of the innermost elements that rules depend on, itself included. */
  readonly block: number
  readonly fence: number
  /** Content that is not rendered: a paragraph in a <noscript> does not close the one around it. */
  readonly unread: number
  readonly list: number
}

export interface OpenElements {
  readonly stack: OpenElement[]
  /** Stack position of the last element of each kind; -1 for none. */
  readonly places: Map<string, number>
  /** Pieces of the elements that were closed, innermost first; the caller empties it after processing. */
  readonly closed: number[]
}

export function createOpenElements(): OpenElements {
  const root = { kind: '', piece: 0, before: -1, block: 0, fence: 0, unread: 0, list: 0 }
  return { stack: [root], places: new Map(), closed: [] }
}

/** Index of the piece that is the parent of new pieces. */
export function openPiece(open: OpenElements): number {
  return innermost(open).piece
}

/** Index of the innermost block. */
export function openHome(open: OpenElements): number {
  return open.stack[innermost(open).block]!.piece
}

export function openDepth({ stack }: OpenElements): number {
  return stack.length
}

export function isInHeading(open: OpenElements): boolean {
  return placeOf(open, 'heading') >= 0
}

/** Closes elements that cannot contain this one; called before its piece is created. */
export function makeRoomFor(open: OpenElements, name: string, element: Element): void {
  const { fence, unread } = innermost(open)
  const room = Math.max(fence, unread)
  if (element.endsParagraph) closeInside(open, 'p', room)
  if (element.isHeading) closeInside(open, 'heading', Math.max(room, innermost(open).block - 1))
  else if (element.isTablePart) makeRoomInTable(open, name, element)
  else if (name === 'li') closeInside(open, 'li', Math.max(room, innermost(open).list))
  else if (element.kind === 'definition') closeInside(open, 'definition', Math.max(room, placeOf(open, 'dl')))
  else if (name === 'a') closeInside(open, 'a', Math.max(room, innermost(open).block))
  else if (name === 'option') closeInside(open, 'option', innermost(open).fence)
}

function makeRoomInTable(open: OpenElements, name: string, element: Element): void {
  const table = Math.max(placeOf(open, 'table'), innermost(open).unread)
  if (element.kind === 'cell') closeInside(open, 'cell', table)
  else if (name === 'tr' || element.kind === 'rows') {
    closeInside(open, 'tr', table)
    if (name !== 'tr') closeInside(open, 'rows', table)
  }
}

export function openElement(open: OpenElements, name: string, element: Element, piece: number): void {
  const place = open.stack.length
  const below = innermost(open)
  const kind = element.kind || name
  open.stack.push({
    kind,
    piece,
    before: placeOf(open, kind),
    block: element.isBlock ? place : below.block,
    fence: element.isFence ? place : below.fence,
    unread: element.isUnread ? place : below.unread,
    list: element.isList ? place : below.list,
  })
  open.places.set(kind, place)
}

/** Closes elements for an end tag, or ignores it. */
export function closeElement(open: OpenElements, name: string, element: Element): void {
  const place = placeOf(open, element.kind || name)
  if (place < 0) return
  const { block, fence } = innermost(open)
  // a stray </div> in a cell does not close the div around the table, nor </b> the block inside the <b>
  if (!element.isBlock && !element.isUnread && place < block) return
  if (!element.isTablePart && place < fence) return
  cutTo(open, place)
}

function closeInside(open: OpenElements, kind: string, fence: number): void {
  const place = placeOf(open, kind)
  if (place > fence) cutTo(open, place)
}

function placeOf({ places }: OpenElements, kind: string): number {
  return places.get(kind) ?? -1
}

function cutTo({ stack, places, closed }: OpenElements, place: number): void {
  while (stack.length > place) {
    const { kind, piece, before } = stack.pop()!
    places.set(kind, before)
    closed.push(piece)
  }
}

function innermost({ stack }: OpenElements): OpenElement {
  return stack[stack.length - 1]!
}
