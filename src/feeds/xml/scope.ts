/** What holds at some place of a document, and inside all elements there: declared by attributes, and inherited. */
import { resolveAddress } from '../address.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'
import { declareNames, type Names } from './names.ts'
import { readAttributes, type Tag } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface Scope {
  /** Of relative addresses; '' where there is none. */
  base: string
  language: string | undefined
  names: Names
}

/** `atRoot`: the tag is the document's first. */
export function scopeOf(xml: XmlText, tag: Tag, outer: Scope, atRoot = false): Scope {
  const { attributesFrom, attributesTo } = tag
  if (attributesTo - attributesFrom < SHORTEST_DECLARATION) return outer
  if (!/xml/i.test(xml.text.slice(attributesFrom, attributesTo))) return outer
  const inner = { ...outer }
  const declarations: [string, string][] = []
  for (const [name, value] of readAttributes(xml.text, attributesFrom, attributesTo)) {
    if (name === 'xml:lang') inner.language = value.trim() || undefined
    else if (name === 'xmlns') declarations.push(['', xml.decode(value)])
    else if (name.startsWith('xmlns:')) declarations.push([name.slice(6), xml.decode(value)])
    else if (name === 'xml:base') {
      const base = resolveAddress(xml.decode(value), outer.base)
      if (base.length <= FEED_LIMITS.base) inner.base = base
    }
  }
  if (declarations.length > 0) inner.names = declareNames(outer.names, declarations, atRoot)
  return inner
}

const SHORTEST_DECLARATION = ' xmlns=a'.length
