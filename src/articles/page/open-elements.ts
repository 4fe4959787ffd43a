/**
 * The stack of open elements while parsing, with the rules of HTML that matter for text: what closes a paragraph, a list
 * item, a cell; which end tags are obeyed. For every kind of element it knows the last one on the stack, so that a stray end
 * tag costs one lookup instead of a search: ten thousand stray end tags in ten thousand open elements would be a hundred
 * million steps.
 */
import type { Element } from '../../html/index.ts'

interface OpenElement {
  readonly kind: string
  /** Index of its node. */
  readonly node: number
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
  readonly positions: Map<string, number>
  /** Nodes of the elements that were closed, innermost first; the caller empties it after processing. */
  readonly closed: number[]
}

export function createOpenElements(): OpenElements {
  const root = { kind: '', node: 0, before: -1, block: 0, fence: 0, unread: 0, list: 0 }
  return { stack: [root], positions: new Map(), closed: [] }
}

/** Index of the node that is the parent of new nodes. */
export function openPiece(open: OpenElements): number {
  return innermost(open).node
}

/** Index of the innermost block. */
export function openHome(open: OpenElements): number {
  return open.stack[innermost(open).block]!.node
}

export function openDepth({ stack }: OpenElements): number {
  return stack.length
}

export function isInHeading(open: OpenElements): boolean {
  return positionOf(open, 'heading') >= 0
}

/** Closes elements that cannot contain this one; called before its node is created. */
export function closeImpliedElements(open: OpenElements, name: string, element: Element): void {
  const { fence, unread } = innermost(open)
  const boundary = Math.max(fence, unread)
  if (element.endsParagraph) closeInside(open, 'p', boundary)
  if (element.isHeading) closeInside(open, 'heading', Math.max(boundary, innermost(open).block - 1))
  else if (element.isTablePart) closeForTablePart(open, name, element)
  else if (name === 'li') closeInside(open, 'li', Math.max(boundary, innermost(open).list))
  else if (element.kind === 'definition') closeInside(open, 'definition', Math.max(boundary, positionOf(open, 'dl')))
  else if (name === 'a') closeInside(open, 'a', Math.max(boundary, innermost(open).block))
  else if (name === 'option') closeInside(open, 'option', innermost(open).fence)
}

function closeForTablePart(open: OpenElements, name: string, element: Element): void {
  const table = Math.max(positionOf(open, 'table'), innermost(open).unread)
  if (element.kind === 'cell') closeInside(open, 'cell', table)
  else if (name === 'tr' || element.kind === 'rows') {
    closeInside(open, 'tr', table)
    if (name !== 'tr') closeInside(open, 'rows', table)
  }
}

export function openElement(open: OpenElements, name: string, element: Element, node: number): void {
  const position = open.stack.length
  const below = innermost(open)
  const kind = element.kind || name
  open.stack.push({
    kind,
    node,
    before: positionOf(open, kind),
    block: element.isBlock ? position : below.block,
    fence: element.isFence ? position : below.fence,
    unread: element.isUnread ? position : below.unread,
    list: element.isList ? position : below.list,
  })
  open.positions.set(kind, position)
}

/** Closes elements for an end tag, or ignores it. */
export function closeElement(open: OpenElements, name: string, element: Element): void {
  const position = positionOf(open, element.kind || name)
  if (position < 0) return
  const { block, fence } = innermost(open)
  // a stray </div> in a cell does not close the div around the table, nor </b> the block inside the <b>
  if (!element.isBlock && !element.isUnread && position < block) return
  if (!element.isTablePart && position < fence) return
  popTo(open, position)
}

function closeInside(open: OpenElements, kind: string, fence: number): void {
  const position = positionOf(open, kind)
  if (position > fence) popTo(open, position)
}

function positionOf({ positions }: OpenElements, kind: string): number {
  return positions.get(kind) ?? -1
}

function popTo({ stack, positions, closed }: OpenElements, position: number): void {
  while (stack.length > position) {
    const { kind, node, before } = stack.pop()!
    positions.set(kind, before)
    closed.push(node)
  }
}

function innermost({ stack }: OpenElements): OpenElement {
  return stack[stack.length - 1]!
}
