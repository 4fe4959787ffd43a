/** `link` elements: RSS has the address as text, Atom in `href` with a relation; feeds mix the two. */
import { type WebAddress, webAddress } from '../../../model/index.ts'
import { httpAddress, linkAddress } from '../address.ts'
import type { Enclosure } from '../parsed-feed.ts'
import { attributeOf, elementText, type XmlElement } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'

export interface Links {
  /** The web page of the feed or entry. */
  page?: string
  /** Other relations; the first valid address of each. */
  self?: WebAddress
  hub?: WebAddress
  next?: WebAddress
  replies?: WebAddress
  via?: WebAddress
  license?: WebAddress
  enclosures: Enclosure[]
}

export function readLinks(xml: XmlText, elements: readonly XmlElement[]): Links {
  const links: Links = { enclosures: [] }
  let best = 0
  for (const element of elements) {
    const href = attributeOf(xml, element, 'href')
    // An empty reference is to the base itself.
    const address = linkAddress(
      href === '' ? element.scope.base : (href ?? elementText(xml, element)),
      element.scope.base,
    )
    if (address === undefined) continue
    const rel = relationOf(attributeOf(xml, element, 'rel'))
    const type = attributeOf(xml, element, 'type')
    const rank = rel === 'alternate' && httpAddress(address) !== undefined ? pageRank(element, type) : 0
    // Of equals, Atom uses the first and RSS the last, like the readers that feeds are tested with.
    if (rank > best || (rank > 0 && rank === best && element.scope.names.family === 'rss')) {
      best = rank
      links.page = address
    }
    if (rel === 'enclosure') {
      const file = enclosure(address, type, attributeOf(xml, element, 'length'))
      const title = attributeOf(xml, element, 'title')
      if (title) file.title = title
      links.enclosures.push(file)
    }
    if (!isUsed(rel) || links[rel] !== undefined) continue
    const resolved = webAddress(address)
    if (resolved !== undefined) links[rel] = resolved
  }
  return links
}

export function enclosure(url: string, type: string | undefined, length: string | undefined): Enclosure {
  const found: Enclosure = { url }
  if (type) found.type = type
  const bytes = length ? Number(length) : 0
  if (Number.isSafeInteger(bytes) && bytes > 0) found.bytes = bytes
  return found
}

const USED_RELATIONS = ['self', 'hub', 'next', 'replies', 'via', 'license'] as const

function isUsed(rel: string): rel is (typeof USED_RELATIONS)[number] {
  return (USED_RELATIONS as readonly string[]).includes(rel)
}

/** Prefers the vocabulary's own element, then web pages to other types. */
function pageRank(element: XmlElement, type: string | undefined): number {
  return 1 + (element.key === 'link' ? 2 : 0) + (type === undefined || /html/i.test(type) ? 1 : 0)
}

const REGISTERED = /^https?:\/\/www\.iana\.org\/assignments\/(?:link-relations|relation)\/(.+)$/

function relationOf(value: string | undefined): string {
  if (value === undefined || value === '') return 'alternate'
  const rel = value.toLowerCase()
  const registered = rel.startsWith('http') ? REGISTERED.exec(rel) : undefined
  const name = registered?.[1] ?? rel
  // RFC 5005: paged feeds use `next`, archives `prev-archive`; both lead to older entries.
  return name === 'prev-archive' ? 'next' : name
}
