/**
 * The tags of a document, one after the other, without a tree: discovery and OPML look at single elements, and a tree of
 * twenty thousand nested ones is only a way to be hurt. OPML is split like HTML, since it is rarely XML in the wild; only that
 * its <title> may hold other markup, such as CDATA.
 *
 * Names and names of attributes come in lower case, values undecoded save for their entities. The work is linear in the
 * text, and what is kept of one tag is bounded.
 */
import { decodeEntities, type HtmlParts, htmlParts, nextPart } from '../../markup/index.ts'

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
const PIECE = 50_000

/** The same for those who let others have their turn: a piece each time. */
export function* readTagsInPieces(markup: string, syntax: 'html' | 'xml', listener: TagListener): Generator<void> {
  const parts = htmlParts(markup)
  parts.isForeign = syntax === 'xml'
  let element = ''
  let wanted = false
  let attributes = new Map<string, string>()
  let pieceEnd = PIECE

  const nameAt = (start: number, end: number) => markup.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()

  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) {
    const { start, end } = parts
    if (part === 'text' || part === 'data') listener.text?.(markup.slice(start, end))
    else if (part === 'tag') {
      element = nameAt(start, end)
      wanted = listener.elements.has(element)
      if (wanted) attributes = new Map()
    } else if (part === 'attribute') {
      if (wanted && attributes.size < MAX_ATTRIBUTES) addAttribute(parts, nameAt(start, end), attributes)
    } else if (part === 'opened') {
      if (wanted && listener.opened(element, attributes, parts.isSelfClosed) === 'stop') return
    } else if (part === 'closed') {
      const name = nameAt(start, end)
      if (listener.elements.has(name)) listener.closed?.(name)
    }
    if (parts.at >= pieceEnd) {
      pieceEnd = parts.at + PIECE
      yield
    }
  }
}

/** The first of a name counts. */
function addAttribute({ source, valueStart, valueEnd }: HtmlParts, name: string, known: Map<string, string>): void {
  if (known.has(name)) return
  known.set(name, decodeEntities(source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE))))
}
