/** Files and pictures of an entry: enclosures, Media RSS, iTunes, podcasts. */
import { titleText } from '../../../html/index.ts'
import { linkAddress } from '../address.ts'
import { type Enclosure, FEED_LIMITS, type Thumbnail } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, elementText, type XmlElement } from '../xml/element.ts'
import { appendElement, type XmlElements } from '../xml/outline.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { enclosure } from './links.ts'
import { truncateLine } from './text-construct.ts'
import type { EntryFields } from './vocabulary.ts'

/** Treats children of `media:group` and `media:content` like children of the entry; deeper ones are ignored. */
export function openMediaGroups(xml: XmlText, elements: XmlElements): void {
  for (const opened of ['media:group', 'media:content']) {
    const count = elements.length
    for (let index = 0; index < count; index++) {
      const element = elements[index]!
      if (!element.hasMarkup || element.key !== opened) continue
      for (const child of childrenOf(xml, element)) appendElement(elements, child)
    }
  }
}

export function readEnclosures(xml: XmlText, fields: EntryFields, linked: Enclosure[]): Enclosure[] {
  const enclosures: Enclosure[] = []
  const add = (found: Enclosure) => {
    if (enclosures.length < FEED_LIMITS.list && !enclosures.some(({ url }) => url === found.url)) enclosures.push(found)
  }
  for (const element of fields.enclosure) {
    const url = linkAddress(attributeOf(xml, element, 'url') ?? attributeOf(xml, element, 'href'), element.scope.base)
    if (url) add(enclosure(url, attributeOf(xml, element, 'type'), attributeOf(xml, element, 'length')))
  }
  for (const found of linked) add(found)
  for (const element of fields.media) {
    const url = linkAddress(attributeOf(xml, element, 'url'), element.scope.base)
    if (!url) continue
    const found = enclosure(url, attributeOf(xml, element, 'type'), attributeOf(xml, element, 'filesize'))
    describeEnclosure(xml, element, found)
    add(found)
  }
  return enclosures
}

function describeEnclosure(xml: XmlText, element: XmlElement, found: Enclosure): void {
  const durationMs = mediaDuration(attributeOf(xml, element, 'duration'))
  if (durationMs !== undefined) found.durationMs = durationMs
  const medium = attributeOf(xml, element, 'medium')
  if (medium) found.medium = medium.toLowerCase()
  measure(xml, element, found)
  const title = element.hasMarkup ? childText(xml, element, 'title') : undefined
  if (title) found.title = truncateLine(titleText(title))
  if (attributeOf(xml, element, 'isdefault')?.toLowerCase() === 'true') found.isDefault = true
}

export function readThumbnails(xml: XmlText, elements: readonly XmlElement[]): Thumbnail[] {
  const thumbnails: Thumbnail[] = []
  for (const element of elements.slice(0, FEED_LIMITS.list)) {
    const url = linkAddress(attributeOf(xml, element, 'url'), element.scope.base)
    if (!url || thumbnails.some((thumbnail) => thumbnail.url === url)) continue
    const found: Thumbnail = { url }
    measure(xml, element, found)
    thumbnails.push(found)
  }
  return thumbnails
}

function measure(xml: XmlText, element: XmlElement, found: Enclosure | Thumbnail): void {
  const width = pixels(attributeOf(xml, element, 'width'))
  if (width) found.width = width
  const height = pixels(attributeOf(xml, element, 'height'))
  if (height) found.height = height
}

function pixels(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,5}(?:px)?\s*$/i.test(text) ? Number.parseInt(text, 10) : undefined
}

/** The first picture element with an address: in an attribute, a child or as text. */
export function readImage(xml: XmlText, candidates: readonly XmlElement[]): string | undefined {
  for (const element of candidates) {
    const image =
      attributeOf(xml, element, 'href') ??
      attributeOf(xml, element, 'url') ??
      childText(xml, element, 'url') ??
      elementText(xml, element)
    const address = /[<\s]/.test(image) ? undefined : linkAddress(image, element.scope.base)
    if (address) return address
  }
  return undefined
}

/** Address of the first picture. */
export function firstPicture(enclosures: readonly Enclosure[]): string | undefined {
  return enclosures.find(({ type }) => type !== undefined && /^image\//i.test(type))?.url
}

/** The persons credited for audio or video are authors of the entry; a photographer is not. */
export function isRecording({ type, medium }: Enclosure): boolean {
  return /^(?:audio|video)/i.test(type ?? medium ?? '')
}

export function childText(xml: XmlText, element: XmlElement, key: string): string | undefined {
  const child = childrenOf(xml, element).find(
    (candidate) => candidate.key.slice(candidate.key.indexOf(':') + 1) === key,
  )
  return child && elementText(xml, child)
}

/** "1:02:03", "62:03" or seconds. */
export function mediaDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,7}(?::\d{1,2}){0,2}(?:\.\d+)?$/.test(text.trim())) return undefined
  return Math.round(text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000)
}
