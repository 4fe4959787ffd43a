/**
 * The tags of a document, one after the other, without a tree: discovery and OPML look at single elements, and a tree of
 * twenty thousand nested ones is only a way to be hurt. OPML is split like HTML, since it is rarely XML in the wild; only that
 * its <title> may hold other markup, such as CDATA.
 *
 * Names and names of attributes come in lower case, values undecoded save for their entities. The work is linear in the
 * text, and what is kept of one tag is bounded.
 */
import { decodeEntities, type HtmlListener, splitHtml } from '../../markup/index.ts'

export type TagAttributes = ReadonlyMap<string, string>

export interface TagListener {
  /** Attributes are read of these elements only. */
  elements: ReadonlySet<string>
  /** Each opening tag of `elements`. Answering 'stop' ends the reading. */
  opened(name: string, attributes: TagAttributes, selfClosed: boolean): 'stop' | undefined
  /** Each closing tag of `elements`. */
  closed?(name: string): void
  /** Text between two tags, entities not yet decoded. */
  text?(text: string): void
}

const MAX_ATTRIBUTES = 50
const MAX_NAME = 60
const MAX_VALUE = 8_000

export function readTags(markup: string, syntax: 'html' | 'xml', listener: TagListener): void {
  for (const _ of readTagsInPieces(markup, syntax, listener));
}

/** Characters that are read in some milliseconds. */
const PIECE = 200_000

/** The same for those who let others have their turn: a piece each time. */
export function* readTagsInPieces(markup: string, syntax: 'html' | 'xml', listener: TagListener): Generator<void> {
  let element = ''
  let wanted = false
  let isOver = false
  let attributes = new Map<string, string>()

  const nameAt = (start: number, end: number) => markup.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()
  const text = (start: number, end: number) => {
    if (!isOver) listener.text?.(markup.slice(start, end))
  }

  const on: HtmlListener = {
    tag(start, end) {
      element = nameAt(start, end)
      wanted = !isOver && listener.elements.has(element)
      if (wanted) attributes = new Map()
    },
    attribute(start, end, valueStart, valueEnd) {
      if (!wanted || attributes.size >= MAX_ATTRIBUTES) return
      const name = nameAt(start, end)
      if (attributes.has(name)) return
      attributes.set(name, decodeEntities(markup.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE))))
    },
    opened(selfClosed) {
      if (wanted) isOver = listener.opened(element, attributes, selfClosed) === 'stop'
    },
    closed(start, end) {
      const name = nameAt(start, end)
      if (!isOver && listener.elements.has(name)) listener.closed?.(name)
    },
    text,
    data: text,
    isForeign: () => syntax === 'xml',
  }
  for (let at = 0; at < markup.length && !isOver; ) {
    at = splitHtml(markup, on, at, at + PIECE)
    yield
  }
}
