/** What holds at some place of a document, and inside all elements there: declared by attributes, and inherited. */
import { ownCopy } from '../../../markup/index.ts'
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

/** `tag`: of the element that it is inside of. */
export function scopeOf(xml: XmlText, tag: Tag, outer: Scope): Scope {
  if (tag.attributesFrom === tag.attributesTo) return outer
  const written = xml.text.slice(tag.attributesFrom, tag.attributesTo)
  return MAY_DECLARE.test(written) ? declaredBy(xml, written, outer, false) : outer
}

/**
 * The same for the document's first element. A few programs write nearly all feeds, and each begins all of its own alike: what
 * such a beginning declares is remembered beyond the document. A base is not, nor what depends on the document's own entities.
 */
export function rootScope(xml: XmlText, tag: Tag, outer: Scope): Scope {
  const written = xml.text.slice(tag.attributesFrom, tag.attributesTo)
  const known = outer.names.roots.get(written)
  if (known !== undefined && xml.entities === undefined)
    return { base: outer.base, language: known.language, names: known.names }
  const scope = declaredBy(xml, written, outer, true)
  const { language, names } = scope
  if (xml.entities === undefined && written.length <= LONGEST_ROOT && !/xml:base/i.test(written)) {
    if (outer.names.roots.size >= MOST_ROOTS) outer.names.roots.clear()
    outer.names.roots.set(ownCopy(written), { language: language && ownCopy(language), names })
  }
  return scope
}

const MAY_DECLARE = /xml/i
const LONGEST_ROOT = 4_096
const MOST_ROOTS = 64

function declaredBy(xml: XmlText, written: string, outer: Scope, atRoot: boolean): Scope {
  let { base, language, names } = outer
  const declarations: [string, string][] = []
  const attributes = readAttributes(written)
  for (const [index, name] of attributes.names.entries()) {
    const value = attributes.values[index]!
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
