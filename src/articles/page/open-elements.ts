/**
 * Which elements are open at this place of the page, after the rules of HTML that matter to text: what ends a paragraph, a
 * list item, a cell; which end tags are obeyed. For every kind it knows where in the stack it was last opened, so that an
 * end tag for nothing costs one look and not a search: ten thousand stray end tags in ten thousand open elements are a
 * hundred million steps elsewhere.
 */
import { type Element, elementOf } from '../../markup/index.ts'

export interface OpenElements {
  readonly elements: Element[]
  readonly kinds: string[]
  /** Index of the piece of each. */
  readonly pieces: number[]
  /** Where in the stack each kind is open, and each sort of element that a rule asks for. */
  readonly places: Map<string, number[]>
  readonly blocks: number[]
  readonly fences: number[]
  /** What nobody reads: a paragraph in a <noscript> does not end the one that this stands in. */
  readonly unread: number[]
  readonly lists: number[]
  /** The pieces of those that were open and no longer are, innermost first; to be emptied by whoever has heeded them. */
  readonly closed: number[]
}

export function createOpenElements(): OpenElements {
  return {
    elements: [elementOf('')],
    kinds: [''],
    pieces: [0],
    places: new Map(),
    blocks: [0],
    fences: [0],
    unread: [0],
    lists: [0],
    closed: [],
  }
}

/** Index of the piece that new pieces go into. */
export function openPiece({ pieces }: OpenElements): number {
  return last(pieces)
}

/** Index of the innermost block. */
export function openHome({ pieces, blocks }: OpenElements): number {
  return pieces[last(blocks)]!
}

export function openDepth({ elements }: OpenElements): number {
  return elements.length
}

export function isInHeading(open: OpenElements): boolean {
  return placeOf(open, 'heading') >= 0
}

/** Closes what this element cannot stand in; to be called before its piece is made. */
export function makeRoomFor(open: OpenElements, name: string, element: Element): void {
  const room = Math.max(last(open.fences), last(open.unread))
  if (element.endsParagraph) closeInside(open, 'p', room)
  if (element.isHeading) closeInside(open, 'heading', Math.max(room, last(open.blocks) - 1))
  else if (element.isTablePart) makeRoomInTable(open, name, element)
  else if (name === 'li') closeInside(open, 'li', Math.max(room, last(open.lists)))
  else if (element.kind === 'definition') closeInside(open, 'definition', Math.max(room, placeOf(open, 'dl')))
  else if (name === 'a') closeInside(open, 'a', Math.max(room, last(open.blocks)))
  else if (name === 'option') closeInside(open, 'option', last(open.fences))
}

function makeRoomInTable(open: OpenElements, name: string, element: Element): void {
  const table = Math.max(placeOf(open, 'table'), last(open.unread))
  if (element.kind === 'cell') closeInside(open, 'cell', table)
  else if (name === 'tr' || element.kind === 'rows') {
    closeInside(open, 'tr', table)
    if (name !== 'tr') closeInside(open, 'rows', table)
  }
}

export function openElement(open: OpenElements, name: string, element: Element, piece: number): void {
  const place = open.elements.length
  const kind = element.kind || name
  const known = open.places.get(kind)
  if (known) known.push(place)
  else open.places.set(kind, [place])
  open.elements.push(element)
  open.kinds.push(kind)
  open.pieces.push(piece)
  if (element.isBlock) open.blocks.push(place)
  if (element.isFence) open.fences.push(place)
  if (element.isUnread) open.unread.push(place)
  if (element.isList) open.lists.push(place)
}

/** Obeys an end tag, or not. */
export function closeElement(open: OpenElements, name: string, element: Element): void {
  const place = placeOf(open, element.kind || name)
  if (place < 0) return
  // A stray </div> in a cell does not end the div that the table is in, nor </b> the block that stands in the <b>.
  if (!element.isBlock && !element.isUnread && place < last(open.blocks)) return
  if (!element.isTablePart && place < last(open.fences)) return
  cutTo(open, place)
}

function closeInside(open: OpenElements, kind: string, fence: number): void {
  const place = placeOf(open, kind)
  if (place > fence) cutTo(open, place)
}

function placeOf({ places }: OpenElements, kind: string): number {
  const known = places.get(kind)
  return known !== undefined && known.length > 0 ? last(known) : -1
}

function cutTo(open: OpenElements, place: number): void {
  const { elements } = open
  while (elements.length > place) {
    const element = elements.pop()!
    open.closed.push(open.pieces.pop()!)
    open.places.get(open.kinds.pop()!)!.pop()
    if (element.isBlock) open.blocks.pop()
    if (element.isFence) open.fences.pop()
    if (element.isUnread) open.unread.pop()
    if (element.isList) open.lists.pop()
  }
}

function last(list: readonly number[]): number {
  return list[list.length - 1]!
}
