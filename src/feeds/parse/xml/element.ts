/**
 * An element of interest, as a slice of the document. Its text is extracted on demand, so that elements whose field is taken from
 * another one cost nothing.
 */

import { decodeDeclaredEntities } from './declared-entities.ts'
import { isHtml } from './namespaces.ts'
import type { Scope } from './scope.ts'
import { readAttributes, type Tag, type XmlAttributes } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface XmlElement {
  key: string
  tag: Tag
  /** Decoded on first access. */
  attributes: XmlAttributes | undefined
  scope: Scope
  /** The start of its end tag. The content is between the two tags. */
  to: number
  hasMarkup: boolean
  /** Contains CDATA sections or comments. */
  hasSections: boolean
  /** Whether it has an end tag. */
  closed: boolean
}

export function createXmlElement(key: string, tag: Tag, scope: Scope): XmlElement {
  return {
    key,
    tag,
    attributes: undefined,
    scope,
    to: tag.end,
    hasMarkup: false,
    hasSections: false,
    closed: true,
  }
}

export function attributesOf(xml: XmlText, element: XmlElement): XmlAttributes {
  element.attributes ??= attributesIn(xml, element.tag)
  return element.attributes
}

function attributesIn(xml: XmlText, tag: Tag): XmlAttributes {
  const attributes = readAttributes(xml.text.slice(tag.attributesFrom, tag.attributesTo))
  const { values } = attributes
  for (let index = 0; index < values.length; index++) values[index] = xml.clean(xml.decode(values[index]!)).trim()
  return attributes
}

export function attributeOf(xml: XmlText, element: XmlElement, name: string): string | undefined {
  const { names, values } = attributesOf(xml, element)
  const index = names.indexOf(name)
  return index < 0 ? undefined : values[index]
}

/** Its text: with inner markup kept, CDATA unwrapped, entities decoded. */
export function elementText(xml: XmlText, element: XmlElement): string {
  const raw = xml.text.slice(element.tag.end, element.to)
  return xml.clean(element.hasSections ? openSections(xml, raw, true) : xml.decode(raw)).trim()
}

/** Its inner markup as written; for elements that have markup. */
export function elementMarkup(xml: XmlText, element: XmlElement): string {
  let raw = xml.text.slice(element.tag.end, element.to)
  if (element.hasSections) raw = openSections(xml, raw, false)
  if (xml.entities) raw = decodeDeclaredEntities(raw, xml.entities)
  return xml.clean(withoutPrefixes(raw, element)).trim()
}

const CDATA = '<![CDATA['

function openSections(xml: XmlText, raw: string, decode: boolean): string {
  // Fast path: a single CDATA section.
  if (raw.startsWith(CDATA) && raw.indexOf(']]>', CDATA.length) === raw.length - 3) return raw.slice(CDATA.length, -3)
  let out = ''
  let at = 0
  let commentsEnd = true
  const copyTo = (to: number) => {
    const between = raw.slice(at, to)
    out += decode ? xml.decode(between) : between
  }
  for (let declarationAt = raw.indexOf('<!'); declarationAt >= 0; declarationAt = raw.indexOf('<!', at)) {
    copyTo(declarationAt)
    if (raw.startsWith(CDATA, declarationAt)) {
      const inside = declarationAt + CDATA.length
      const close = raw.indexOf(']]>', inside)
      out += close < 0 ? raw.slice(inside) : raw.slice(inside, close)
      at = close < 0 ? raw.length : close + 3
      continue
    }
    const close = commentsEnd && raw.startsWith('<!--', declarationAt) ? raw.indexOf('-->', declarationAt + 4) : -1
    if (close >= 0) at = close + 3
    else {
      commentsEnd = false
      out += '<!'
      at = declarationAt + 2
    }
  }
  copyTo(raw.length)
  return out
}

/** Removes prefixes of HTML elements: `<xhtml:p>` becomes `<p>`. */
function withoutPrefixes(raw: string, element: XmlElement): string {
  const { prefixes, hasHtmlPrefix } = element.scope.names
  if (!hasHtmlPrefix && !raw.includes('<xhtml:')) return raw
  return raw.replace(/<(\/?)([\w.-]{1,32}):(?=[A-Za-z])/g, (tag, slash, prefix: string) =>
    isHtml(prefixes.get(prefix.toLowerCase()) ?? prefix.toLowerCase()) ? `<${slash}` : tag,
  )
}
