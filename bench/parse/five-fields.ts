/**
 * What the thin layer collects (`thin-layer.ts`), by our own walk over the document instead of htmlparser2's: the same five fields, and
 * nothing of what else is read of an entry. So two parsers of XML are compared at the same work. What is mended on the way stays:
 * encodings, namespaces, missing end tags, control characters, entities of HTML.
 */
import { decodeText } from '../../src/feeds/parse/text/decode-text.ts'
import { createXmlNames, type Family, UNKNOWN, type Word, type XmlNames } from '../../src/feeds/parse/xml/names.ts'
import { outline } from '../../src/feeds/parse/xml/outline.ts'
import { readOwnEntities } from '../../src/feeds/parse/xml/own-entities.ts'
import { attributeOf, textOfPiece, type XmlPiece } from '../../src/feeds/parse/xml/piece.ts'
import { findRoot, rootPiece } from '../../src/feeds/parse/xml/prolog.ts'
import { createXmlText, type XmlText } from '../../src/feeds/parse/xml/xml-text.ts'
import { FIELDS, type ThinItem } from './minimal-parser.ts'

const CONTAINERS = ['rss', 'rdf:rdf', 'feed', 'channel', 'item', 'entry']

/** By keys, which are in lower case. */
const fieldOf = new Map(Object.entries(FIELDS).map(([name, field]) => [name.toLowerCase(), field]))
const words = new Map<string, Word>([
  ...[...fieldOf.keys()].map((key): [string, Word] => [key, { key, role: 'field' }]),
  ...CONTAINERS.map((key): [string, Word] => [key, { key, role: 'container' }]),
])
const NAMES: Record<Family, XmlNames> = { rss: namesOf('rss'), atom: namesOf('atom') }

function namesOf(family: Family): XmlNames {
  return createXmlNames(family, (key) => words.get(key) ?? UNKNOWN, new Map())
}

export function parseSameFive(bytes: Buffer): ThinItem[] {
  const { text } = decodeText(bytes)
  const work = { steps: 0 }
  const root = findRoot(text, work)
  if (root.name === undefined) throw new Error(root.reason)
  const xml = createXmlText({ bytes, text }, root.written, readOwnEntities(root.doctype), work)
  const items: ThinItem[] = []
  outline(xml, rootPiece(xml, root, NAMES[root.family], ''), ({ pieces }) => items.push(itemOf(xml, pieces)))
  return items
}

function itemOf(xml: XmlText, pieces: readonly XmlPiece[]): ThinItem {
  const item: ThinItem = {}
  for (const piece of pieces) {
    const field = fieldOf.get(piece.key)!
    if (field === 'date') item.date ??= Date.parse(textOfPiece(xml, piece))
    else if (field === 'link') item.link ??= attributeOf(xml, piece, 'href') ?? textOfPiece(xml, piece)
    else item[field] ??= textOfPiece(xml, piece)
  }
  return item
}
