/** Files and pictures of an entry: enclosures, Media RSS, iTunes, podcasts. */
import { titleText } from '../../../markup/index.ts'
import { linkAddress } from '../address.ts'
import { type Enclosure, FEED_LIMITS, type Thumbnail } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { addPiece, type XmlPieces } from '../xml/outline.ts'
import { attributeOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { enclosure } from './links.ts'
import type { EntryFields } from './vocabulary.ts'
import { boundedLine } from './words.ts'

/** Treats children of `media:group` and `media:content` like children of the entry; deeper ones are ignored. */
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
    describe(xml, piece, found)
    add(found)
  }
  return all
}

function describe(xml: XmlText, piece: XmlPiece, found: Enclosure): void {
  const durationMs = mediaDuration(attributeOf(xml, piece, 'duration'))
  if (durationMs !== undefined) found.durationMs = durationMs
  const medium = attributeOf(xml, piece, 'medium')
  if (medium) found.medium = medium.toLowerCase()
  measure(xml, piece, found)
  const title = piece.hasMarkup ? childText(xml, piece, 'title') : undefined
  if (title) found.title = boundedLine(titleText(title))
  if (attributeOf(xml, piece, 'isdefault')?.toLowerCase() === 'true') found.isDefault = true
}

export function readThumbnails(xml: XmlText, pieces: readonly XmlPiece[]): Thumbnail[] {
  const all: Thumbnail[] = []
  for (const piece of pieces.slice(0, FEED_LIMITS.list)) {
    const url = linkAddress(attributeOf(xml, piece, 'url'), piece.scope.base)
    if (!url || all.some((other) => other.url === url)) continue
    const found: Thumbnail = { url }
    measure(xml, piece, found)
    all.push(found)
  }
  return all
}

function measure(xml: XmlText, piece: XmlPiece, found: Enclosure | Thumbnail): void {
  const width = pixels(attributeOf(xml, piece, 'width'))
  if (width) found.width = width
  const height = pixels(attributeOf(xml, piece, 'height'))
  if (height) found.height = height
}

function pixels(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,5}(?:px)?\s*$/i.test(text) ? Number.parseInt(text, 10) : undefined
}

/** The first picture element with an address: in an attribute, a child or as text. */
export function readImage(xml: XmlText, candidates: readonly XmlPiece[]): string | undefined {
  for (const piece of candidates) {
    const given =
      attributeOf(xml, piece, 'href') ??
      attributeOf(xml, piece, 'url') ??
      childText(xml, piece, 'url') ??
      textOfPiece(xml, piece)
    const address = /[<\s]/.test(given) ? undefined : linkAddress(given, piece.scope.base)
    if (address) return address
  }
  return undefined
}

/** Address of the first picture. */
export function firstPicture(enclosures: readonly Enclosure[]): string | undefined {
  return enclosures.find(({ type }) => type !== undefined && /^image\//i.test(type))?.url
}

/** Whoever is credited for audio or video is the entry's author; a photographer is not. */
export function isRecording({ type, medium }: Enclosure): boolean {
  return /^(?:audio|video)/i.test(type ?? medium ?? '')
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
