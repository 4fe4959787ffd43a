/** What holds at some place of a document, and inside all elements there: declared by attributes, and inherited. */
import { resolveAddress } from '../address.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { declareNames, type XmlNames } from './names.ts'
import { readAttributes, type Tag } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface Scope {
  /** Of relative addresses; '' where there is none. */
  base: string
  language: string | undefined
  names: XmlNames
}

/** `tag`: of the element that it is inside of. `atRoot`: the element is the document's first. */
export function scopeOf(xml: XmlText, tag: Tag, outer: Scope, atRoot = false): Scope {
  const { attributesFrom, attributesTo } = tag
  if (attributesFrom === attributesTo || !MAY_DECLARE.test(xml.text.slice(attributesFrom, attributesTo))) return outer
  let { base, language, names } = outer
  const declarations: [string, string][] = []
  const attributes = readAttributes(xml.text, attributesFrom, attributesTo)
  for (let index = 0; index < attributes.length; index += 2) {
    const name = attributes[index]!
    const value = attributes[index + 1]!
    if (name === 'xml:lang') language = value.trim() || undefined
    else if (name === 'xmlns') declarations.push(['', xml.decode(value)])
    else if (name.startsWith('xmlns:')) declarations.push([name.slice(6), xml.decode(value)])
    else if (name === 'xml:base') {
      const given = resolveAddress(xml.decode(value), outer.base)
      if (given.length <= FEED_LIMITS.base) base = given
    }
  }
  if (declarations.length > 0) names = declareNames(names, declarations, atRoot)
  return base === outer.base && language === outer.language && names === outer.names ? outer : { base, language, names }
}

const MAY_DECLARE = /xml/i
