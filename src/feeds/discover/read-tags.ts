/**
 * Streams the tags of a document without building a tree: discovery and OPML only need single elements, and a tree of twenty thousand
 * nested elements would be a risk. OPML is tokenized like HTML, since it is rarely well-formed XML; only its <title> may contain other
 * markup, such as CDATA.
 *
 * Names are in lower case, attribute values have entities decoded. Linear in the text, and memory per tag is limited.
 */
import { decodeEntities, type HtmlParts, htmlParts, nextPart } from '../../html/index.ts'

export type TagAttributes = ReadonlyMap<string, string>

export interface TagListener {
  /** Only these elements are reported. */
  elements: ReadonlySet<string>
  /** Called for each start tag of `elements`; return 'stop' to end. */
  opened(name: string, attributes: TagAttributes, selfClosed: boolean): 'stop' | undefined
  /** Called for each end tag of `elements`. */
  closed?(name: string): void
  /** Text between tags, with entities not decoded. */
  text?(text: string): void
}

const MAX_ATTRIBUTES = 50
const MAX_NAME = 60
const MAX_VALUE = 8_000

export function readTags(markup: string, syntax: 'html' | 'xml', listener: TagListener): void {
  for (const _ of readTagsInChunks(markup, syntax, listener));
}

/** Characters per chunk; takes some milliseconds. */
const PIECE = 50_000

/** Yields after each chunk, so that other work can run. */
export function* readTagsInChunks(markup: string, syntax: 'html' | 'xml', listener: TagListener): Generator<void> {
  const parts = htmlParts(markup)
  parts.isForeign = syntax === 'xml'
  let element = ''
  let isWanted = false
  let attributes = new Map<string, string>()
  let pieceEnd = PIECE

  const nameAt = (start: number, end: number) => markup.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()

  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) {
    const { start, end } = parts
    if (part === 'text' || part === 'data') listener.text?.(markup.slice(start, end))
    else if (part === 'tag') {
      element = nameAt(start, end)
      isWanted = listener.elements.has(element)
      if (isWanted) attributes = new Map()
    } else if (part === 'attribute') {
      if (isWanted && attributes.size < MAX_ATTRIBUTES) addAttribute(parts, nameAt(start, end), attributes)
    } else if (part === 'opened') {
      if (isWanted && listener.opened(element, attributes, parts.isSelfClosed) === 'stop') return
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

/** The first of equal names wins. */
function addAttribute(
  { source, valueStart, valueEnd }: HtmlParts,
  name: string,
  attributes: Map<string, string>,
): void {
  if (attributes.has(name)) return
  attributes.set(name, decodeEntities(source.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE))))
}
