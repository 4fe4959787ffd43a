/**
 * Which elements are open at this place of the page, after the rules of HTML that matter to text: what ends a paragraph, a
 * list item, a cell; which end tags are obeyed. For every kind it knows where in the stack it was last opened, so that an
 * end tag for nothing costs one look and not a search: ten thousand stray end tags in ten thousand open elements are a
 * hundred million steps elsewhere.
 */
import { type Element, elementOf } from '../../markup/index.ts'

export interface OpenElements {
  /** Index of the piece that new pieces go into. */
  piece(): number
  /** Index of the innermost block. */
  home(): number
  depth(): number
  isInHeading(): boolean
  /** Closes what this element cannot stand in; to be called before its piece is made. */
  makeRoomFor(name: string, element: Element): void
  open(name: string, element: Element, piece: number): void
  /** Obeys an end tag, or not. */
  close(name: string, element: Element): void
}

/** `closed` is told of every element that was open and no longer is, innermost first. */
export function createOpenElements(closed: (piece: number, depth: number) => void): OpenElements {
  const root = elementOf('')
  const elements: Element[] = [root]
  const kinds: string[] = ['']
  const pieces: number[] = [0]
  /** Where in the stack each kind is open, and each sort of element that a rule asks for. */
  const places = new Map<string, number[]>()
  const blocks: number[] = [0]
  const fences: number[] = [0]
  /** What nobody reads: a paragraph in a <noscript> does not end the one that this stands in. */
  const unread: number[] = [0]
  const lists: number[] = [0]

  function placeOf(kind: string): number {
    const known = places.get(kind)
    return known !== undefined && known.length > 0 ? last(known) : -1
  }

  function cutTo(place: number): void {
    while (elements.length > place) {
      const element = elements.pop()!
      const piece = pieces.pop()!
      places.get(kinds.pop()!)!.pop()
      if (element.isBlock) blocks.pop()
      if (element.isFence) fences.pop()
      if (element.isUnread) unread.pop()
      if (element.isList) lists.pop()
      closed(piece, elements.length)
    }
  }

  function closeInside(kind: string, fence: number): void {
    const place = placeOf(kind)
    if (place > fence) cutTo(place)
  }

  return {
    piece: () => last(pieces),
    home: () => pieces[last(blocks)]!,
    depth: () => elements.length,
    isInHeading: () => placeOf('heading') >= 0,

    makeRoomFor(name, element) {
      const room = Math.max(last(fences), last(unread))
      if (element.endsParagraph) closeInside('p', room)
      if (element.isHeading) closeInside('heading', Math.max(room, last(blocks) - 1))
      else if (element.isTablePart) makeRoomInTable(name, element)
      else if (name === 'li') closeInside('li', Math.max(room, last(lists)))
      else if (element.kind === 'definition') closeInside('definition', Math.max(room, placeOf('dl')))
      else if (name === 'a') closeInside('a', Math.max(room, last(blocks)))
      else if (name === 'option') closeInside('option', last(fences))
    },

    open(name, element, piece) {
      const place = elements.length
      const kind = element.kind || name
      const known = places.get(kind)
      if (known) known.push(place)
      else places.set(kind, [place])
      elements.push(element)
      kinds.push(kind)
      pieces.push(piece)
      if (element.isBlock) blocks.push(place)
      if (element.isFence) fences.push(place)
      if (element.isUnread) unread.push(place)
      if (element.isList) lists.push(place)
    },

    close(name, element) {
      const place = placeOf(element.kind || name)
      if (place < 0) return
      // A stray </div> in a cell does not end the div that the table is in, nor </b> the block that stands in the <b>.
      if (!element.isBlock && !element.isUnread && place < last(blocks)) return
      if (!element.isTablePart && place < last(fences)) return
      cutTo(place)
    },
  }

  function makeRoomInTable(name: string, element: Element): void {
    const table = Math.max(placeOf('table'), last(unread))
    if (element.kind === 'cell') closeInside('cell', table)
    else if (name === 'tr' || element.kind === 'rows') {
      closeInside('tr', table)
      if (name !== 'tr') closeInside('rows', table)
    }
  }
}

function last(list: readonly number[]): number {
  return list[list.length - 1]!
}
