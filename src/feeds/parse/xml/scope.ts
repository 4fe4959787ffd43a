/** What attributes declare for an element and everything inside: base address, language, namespaces. */
import { copyString } from '../../../html/index.ts'
import { resolveAddress } from '../address.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { declareNames, type XmlNames } from './element-names.ts'
import { readAttributes, type Tag } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface Scope {
  /** For relative addresses; '' if none. */
  base: string
  language: string | undefined
  names: XmlNames
}

/** `tag`: the enclosing element's. */
export function scopeOf(xml: XmlText, tag: Tag, outer: Scope): Scope {
  if (tag.attributesFrom === tag.attributesTo) return outer
  const written = xml.text.slice(tag.attributesFrom, tag.attributesTo)
  return MAY_DECLARE.test(written) ? declaredBy(xml, written, outer, false) : outer
}

/**
 * The scope of the root element. A few programs write nearly all feeds, each with the same root tag, so scopes are cached between
 * documents. Not cached: a base, and anything that depends on declared entities.
 */
export function rootScope(xml: XmlText, tag: Tag, outer: Scope): Scope {
  const written = xml.text.slice(tag.attributesFrom, tag.attributesTo)
  const cached = outer.names.roots.get(written)
  if (cached !== undefined && xml.entities === undefined)
    return { base: outer.base, language: cached.language, names: cached.names }
  const scope = declaredBy(xml, written, outer, true)
  const { language, names } = scope
  if (xml.entities === undefined && written.length <= MAX_ROOT_LENGTH && !/xml:base/i.test(written)) {
    if (outer.names.roots.size >= MAX_ROOTS) outer.names.roots.clear()
    outer.names.roots.set(copyString(written), { language: language && copyString(language), names })
  }
  return scope
}

const MAY_DECLARE = /xml/i
const MAX_ROOT_LENGTH = 4_096
const MAX_ROOTS = 64

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
      const resolved = resolveAddress(xml.decode(value), outer.base)
      if (resolved.length <= FEED_LIMITS.base) base = resolved
    }
  }
  if (declarations.length > 0) names = declareNames(names, declarations, atRoot)
  return base === outer.base && language === outer.language && names === outer.names ? outer : { base, language, names }
}
