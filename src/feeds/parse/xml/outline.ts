/**
 * The outline of an XML feed: which elements belong to the feed and which to each entry. The same for all vocabularies, since each is a
 * head followed by a list of items.
 */
import { FEED_LIMITS } from '../parsed-feed.ts'
import type { XmlElement } from './element.ts'
import { walk } from './walk.ts'
import type { XmlText } from './xml-text.ts'

/** In document order. */
export type XmlElements = XmlElement[]

export interface EntryOutline {
  item: XmlElement
  elements: XmlElements
  /** If it differs from the document's. */
  language: string | undefined
  /** The document was truncated inside; the incomplete element is dropped. */
  cut: boolean
}

export interface FeedOutline {
  root: XmlElement
  channel: XmlElement | undefined
  head: XmlElements
  /** Number of entries beyond the limit. */
  droppedEntries: number
  cut: boolean
}

/** Reports each entry as soon as it is closed, so that its elements can be freed early. */
export function extractOutline(xml: XmlText, root: XmlElement, onEntry: (entry: EntryOutline) => void): FeedOutline {
  const head: XmlElements = []
  let entries = 0
  let channel: XmlElement | undefined = root.key === 'channel' ? root : undefined
  let entry: EntryOutline | undefined
  let droppedEntries = 0
  let cut = false

  const open = (container: XmlElement) => {
    if (container.key === 'item' || container.key === 'entry') {
      const { language } = container.scope
      const differs = language !== root.scope.language
      entry = { item: container, elements: [], language: differs ? language : undefined, cut: false }
    } else if (container.key === 'channel') channel ??= container
  }
  const finish = (closed: EntryOutline, wasCut: boolean) => {
    if (wasCut) closed.cut = cut = true
    if (entries++ < FEED_LIMITS.entries) onEntry(closed)
    else droppedEntries++
  }
  // An Atom document may be a single entry.
  if (root.key === 'entry') open(root)

  walk(xml, root.tag.end, xml.text.length, root.scope, {
    open,
    close(key, wasCut) {
      if (key !== 'item' && key !== 'entry') return
      if (entry) finish(entry, wasCut)
      entry = undefined
    },
    field(element, wasCut) {
      if (wasCut) cut = true
      else appendElement(entry ? entry.elements : head, element)
    },
  })
  if (entry) finish(entry, false)
  return { root, channel, head, droppedEntries, cut }
}

export function appendElement(elements: XmlElements, element: XmlElement): void {
  if (elements.length < MAX_ELEMENTS) elements.push(element)
}

const MAX_ELEMENTS = 2_000
