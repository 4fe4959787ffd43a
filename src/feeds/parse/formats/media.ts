/** Files and pictures that come with an entry, wherever the feed puts them: enclosures, Media RSS, iTunes, podcasts. */
import { linkAddress } from '../address.ts'
import { type Enclosure, FEED_LIMITS } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { addPiece, type XmlPieces } from '../xml/outline.ts'
import { attributeOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { enclosure } from './links.ts'
import type { EntryFields } from './vocabulary.ts'

/** What is in a `media:group` or a `media:content` counts as if it stood in the entry; what is deeper does not. */
export function openMediaGroups(xml: XmlText, pieces: XmlPieces): void {
  for (const opened of ['media:group', 'media:content']) {
    const count = pieces.length
    for (let index = 0; index < count; index++) {
      const piece = pieces[index]!
      if (!piece.hasMarkup || piece.key !== opened) continue
      for (const child of childrenOf(xml, piece)) addPiece(pieces, child)
    }
  }
}

export function readEnclosures(xml: XmlText, fields: EntryFields, linked: Enclosure[]): Enclosure[] {
  const all: Enclosure[] = []
  const add = (found: Enclosure) => {
    if (all.length < FEED_LIMITS.list && !all.some(({ url }) => url === found.url)) all.push(found)
  }
  for (const piece of fields.enclosure) {
    const url = linkAddress(attributeOf(xml, piece, 'url') ?? attributeOf(xml, piece, 'href'), piece.scope.base)
    if (url) add(enclosure(url, attributeOf(xml, piece, 'type'), attributeOf(xml, piece, 'length')))
  }
  for (const found of linked) add(found)
  for (const piece of fields.media) {
    const url = linkAddress(attributeOf(xml, piece, 'url'), piece.scope.base)
    if (!url) continue
    const found = enclosure(url, attributeOf(xml, piece, 'type'), attributeOf(xml, piece, 'filesize'))
    const durationMs = mediaDuration(attributeOf(xml, piece, 'duration'))
    add(durationMs === undefined ? found : { ...found, durationMs })
  }
  return all
}

/** The first that there is of: a picture element (its address in an attribute, in a child or as text), a file that is a picture. */
export function readImage(
  xml: XmlText,
  candidates: readonly XmlPiece[],
  enclosures: Enclosure[] = [],
): string | undefined {
  for (const piece of candidates) {
    const given =
      attributeOf(xml, piece, 'href') ??
      attributeOf(xml, piece, 'url') ??
      childText(xml, piece, 'url') ??
      textOfPiece(xml, piece)
    const address = /[<\s]/.test(given) ? undefined : linkAddress(given, piece.scope.base)
    if (address) return address
  }
  return enclosures.find(({ type }) => type !== undefined && /^image\//i.test(type))?.url
}

export function childText(xml: XmlText, piece: XmlPiece, key: string): string | undefined {
  const child = childrenOf(xml, piece).find((candidate) => candidate.key.slice(candidate.key.indexOf(':') + 1) === key)
  return child && textOfPiece(xml, child)
}

/** "1:02:03", "62:03" or seconds. */
export function mediaDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,7}(?::\d{1,2}){0,2}(?:\.\d+)?$/.test(text.trim())) return undefined
  return Math.round(text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000)
}
