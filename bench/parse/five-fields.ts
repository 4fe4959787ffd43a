/**
 * The five fields of `minimal-parser.ts`, read by our own walk over the document instead of htmlparser2's, and nothing else. So two XML
 * parsers are compared at the same work. Repairs stay: encodings, namespaces, missing end tags, control characters, HTML entities.
 */
import { decodeText } from '../../src/feeds/parse/text/decode-text.ts'
import { parseDeclaredEntities } from '../../src/feeds/parse/xml/declared-entities.ts'
import { attributeOf, elementText, type XmlElement } from '../../src/feeds/parse/xml/element.ts'
import {
  createXmlNames,
  type FeedFamily,
  type NamedElement,
  UNKNOWN,
  type XmlNames,
} from '../../src/feeds/parse/xml/element-names.ts'
import { extractOutline } from '../../src/feeds/parse/xml/outline.ts'
import { findRoot, rootElement } from '../../src/feeds/parse/xml/prolog.ts'
import { createXmlText, type XmlText } from '../../src/feeds/parse/xml/xml-text.ts'
import { FIELDS, type ThinItem } from './minimal-parser.ts'

const CONTAINERS = ['rss', 'rdf:rdf', 'feed', 'channel', 'item', 'entry']

/** Keys are in lower case. */
const fieldOf = new Map(Object.entries(FIELDS).map(([name, field]) => [name.toLowerCase(), field]))
const words = new Map<string, NamedElement>([
  ...[...fieldOf.keys()].map((key): [string, NamedElement] => [key, { key, role: 'field' }]),
  ...CONTAINERS.map((key): [string, NamedElement] => [key, { key, role: 'container' }]),
])
const NAMES: Record<FeedFamily, XmlNames> = { rss: namesOf('rss'), atom: namesOf('atom') }

function namesOf(family: FeedFamily): XmlNames {
  return createXmlNames(family, (key) => words.get(key) ?? UNKNOWN, new Map())
}

export function parseSameFive(bytes: Buffer): ThinItem[] {
  const { text } = decodeText(bytes)
  const work = { steps: 0 }
  const root = findRoot(text, work)
  if (root.name === undefined) throw new Error(root.reason)
  const xml = createXmlText({ bytes, text }, root.written, parseDeclaredEntities(root.doctype), work)
  const items: ThinItem[] = []
  extractOutline(xml, rootElement(xml, root, NAMES[root.family], ''), ({ elements }) =>
    items.push(itemOf(xml, elements)),
  )
  return items
}

function itemOf(xml: XmlText, elements: readonly XmlElement[]): ThinItem {
  const item: ThinItem = {}
  for (const element of elements) {
    const field = fieldOf.get(element.key)!
    if (field === 'date') item.date ??= Date.parse(elementText(xml, element))
    else if (field === 'link') item.link ??= attributeOf(xml, element, 'href') ?? elementText(xml, element)
    else item[field] ??= elementText(xml, element)
  }
  return item
}
