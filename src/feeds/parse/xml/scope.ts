/** What holds at some place of a document, and inside all elements there: declared by attributes, and inherited. */
import { resolveAddress } from '../address.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { declareNames, type XmlNames } from './names.ts'
import type { XmlAttributes } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface Scope {
  /** Of relative addresses; '' where there is none. */
  base: string
  language: string | undefined
  names: XmlNames
}

/** `attributes`: of the element that it is inside of. `atRoot`: the element is the document's first. */
export function scopeOf(xml: XmlText, attributes: XmlAttributes, outer: Scope, atRoot = false): Scope {
  if (!attributes.some(([name]) => name.startsWith('xml'))) return outer
  let { base, language, names } = outer
  const declarations: [string, string][] = []
  for (const [name, value] of attributes) {
    if (name === 'xml:lang') language = value.trim() || undefined
    else if (name === 'xmlns') declarations.push(['', xml.decode(value)])
    else if (name.startsWith('xmlns:')) declarations.push([name.slice(6), xml.decode(value)])
    else if (name === 'xml:base') {
      const given = resolveAddress(xml.decode(value), outer.base)
      if (given.length <= FEED_LIMITS.base) base = given
    }
  }
  if (declarations.length > 0) names = declareNames(names, declarations, atRoot)
  return { base, language, names }
}
