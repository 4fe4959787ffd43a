/**
 * Which elements are open at this place of the page, after the rules of HTML that matter to text: what ends a paragraph, a
 * list item, a cell; which end tags are obeyed. For every kind it knows where in the stack it was last opened, so that an
 * end tag for nothing costs one look and not a search: ten thousand stray end tags in ten thousand open elements are a
 * hundred million steps elsewhere. Each entry of the stack knows what the one below it knew of blocks, fences and lists.
 */
import type { Element } from '../../markup/index.ts'

interface OpenElement {
  readonly kind: string
  /** Index of its piece. */
  readonly piece: number
  /** Where in the stack the one of its kind is that was opened before it; -1 for none. */
  readonly before: number
  /** Where in the stack the innermost element of each sort is that a rule asks for, itself included. */
  readonly block: number
  readonly fence: number
  /** What nobody reads: a paragraph in a <noscript> does not end the one that this stands in. */
  readonly unread: number
  readonly list: number
}

export interface OpenElements {
  readonly stack: OpenElement[]
  /** Where in the stack the last of each kind is; -1 for none. */
  readonly places: Map<string, number>
  /** The pieces of those that were open and no longer are, innermost first; to be emptied by whoever has heeded them. */
  readonly closed: number[]
}

export function createOpenElements(): OpenElements {
  const root = { kind: '', piece: 0, before: -1, block: 0, fence: 0, unread: 0, list: 0 }
  return { stack: [root], places: new Map(), closed: [] }
}

/** Index of the piece that new pieces go into. */
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

/** Closes what this element cannot stand in; to be called before its piece is made. */
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

/** Obeys an end tag, or not. */
export function closeElement(open: OpenElements, name: string, element: Element): void {
  const place = placeOf(open, element.kind || name)
  if (place < 0) return
  const { block, fence } = innermost(open)
  // A stray </div> in a cell does not end the div that the table is in, nor </b> the block that stands in the <b>.
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
