/**
 * A piece: one element that somebody wants, as a slice of the document. What it says is worked out when asked for, so that an
 * element that loses against a better one costs nothing.
 */

import { isHtml } from './namespaces.ts'
import { decodeOwnEntities } from './own-entities.ts'
import type { Scope } from './scope.ts'
import { readAttributes, type Tag, type XmlAttributes } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface XmlPiece {
  key: string
  tag: Tag
  /** Once somebody has asked for them, as meant. */
  attributes: XmlAttributes | undefined
  scope: Scope
  /** Where its end tag begins. What it says is between the two tags. */
  to: number
  hasMarkup: boolean
  /** There are CDATA sections or comments inside. */
  hasSections: boolean
  /** Its end tag was there. */
  closed: boolean
}

export function createPiece(key: string, tag: Tag, scope: Scope): XmlPiece {
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

export function attributesOf(xml: XmlText, piece: XmlPiece): XmlAttributes {
  piece.attributes ??= attributesIn(xml, piece.tag)
  return piece.attributes
}

function attributesIn(xml: XmlText, tag: Tag): XmlAttributes {
  const attributes = readAttributes(xml.text.slice(tag.attributesFrom, tag.attributesTo))
  const { values } = attributes
  for (let index = 0; index < values.length; index++) values[index] = xml.clean(xml.decode(values[index]!)).trim()
  return attributes
}

export function attributeOf(xml: XmlText, piece: XmlPiece, name: string): string | undefined {
  const { names, values } = attributesOf(xml, piece)
  const index = names.indexOf(name)
  return index < 0 ? undefined : values[index]
}

/** The characters it stands for: markup inside is left in, sections are opened, entities decoded. */
export function textOfPiece(xml: XmlText, piece: XmlPiece): string {
  const raw = xml.text.slice(piece.tag.end, piece.to)
  return xml.clean(piece.hasSections ? openSections(xml, raw, true) : xml.decode(raw)).trim()
}

/** The markup inside, as it stands; for pieces that have markup. */
export function markupOf(xml: XmlText, piece: XmlPiece): string {
  let raw = xml.text.slice(piece.tag.end, piece.to)
  if (piece.hasSections) raw = openSections(xml, raw, false)
  if (xml.entities) raw = decodeOwnEntities(raw, xml.entities)
  return xml.clean(withoutPrefixes(raw, piece)).trim()
}

const CDATA = '<![CDATA['

function openSections(xml: XmlText, raw: string, decode: boolean): string {
  // Most are one CDATA section and nothing else.
  if (raw.startsWith(CDATA) && raw.indexOf(']]>', CDATA.length) === raw.length - 3) return raw.slice(CDATA.length, -3)
  let out = ''
  let at = 0
  let commentsEnd = true
  const copyTo = (to: number) => {
    const between = raw.slice(at, to)
    out += decode ? xml.decode(between) : between
  }
  for (let mark = raw.indexOf('<!'); mark >= 0; mark = raw.indexOf('<!', at)) {
    copyTo(mark)
    if (raw.startsWith(CDATA, mark)) {
      const inside = mark + CDATA.length
      const close = raw.indexOf(']]>', inside)
      out += close < 0 ? raw.slice(inside) : raw.slice(inside, close)
      at = close < 0 ? raw.length : close + 3
      continue
    }
    const close = commentsEnd && raw.startsWith('<!--', mark) ? raw.indexOf('-->', mark + 4) : -1
    if (close >= 0) at = close + 3
    else {
      commentsEnd = false
      out += '<!'
      at = mark + 2
    }
  }
  copyTo(raw.length)
  return out
}

/** `<xhtml:p>` is `<p>` to everybody who will read this. */
function withoutPrefixes(raw: string, piece: XmlPiece): string {
  const { prefixes, hasHtmlPrefix } = piece.scope.names
  if (!hasHtmlPrefix && !raw.includes('<xhtml:')) return raw
  return raw.replace(/<(\/?)([\w.-]{1,32}):(?=[A-Za-z])/g, (tag, slash, prefix: string) =>
    isHtml(prefixes.get(prefix.toLowerCase()) ?? prefix.toLowerCase()) ? `<${slash}` : tag,
  )
}
