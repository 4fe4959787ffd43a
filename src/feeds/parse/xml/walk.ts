/**
 * One pass over a document's text: no tree, no events for irrelevant elements. Containers are opened and closed, fields are reported as
 * slices of the text, everything else is skipped.
 *
 * Error recovery: a field ends at its own end tag. If a container starts or ends first, the end tag is missing, and the text from the
 * field to there is scanned again leniently: there a field also ends where another known element starts, and unknown tags are ignored.
 * If its end tag was only misspelt, what follows is scanned normally, up to three times between two containers. So no text is scanned
 * more than five times and the work is linear for any input. There is no recursion, so depth costs nothing.
 */

import { createXmlElement, type XmlElement } from './element.ts'
import { lookupName } from './element-names.ts'
import { endOfSection, findEnd } from './find-end.ts'
import { type Scope, scopeOf } from './scope.ts'
import { endOfName, isNameStart, readTag } from './tag.ts'
import type { XmlText } from './xml-text.ts'

export interface Walker {
  open(container: XmlElement): void
  /** `cut`: the text ended before its end tag. */
  close(key: string, cut: boolean): void
  /** `cut`: the text ended before its end tag, so the value may be incomplete. */
  field(element: XmlElement, cut: boolean): void
}

export function walk(xml: XmlText, from: number, to: number, outer: Scope, walker: Walker): void {
  const { text } = xml
  const open: { key: string; outside: Scope }[] = []
  let scope = outer
  let lenientUntil = -1
  let misspelt = 0
  let at = from

  const closeDownTo = (depth: number, cut: boolean) => {
    while (open.length > depth) {
      const { key, outside } = open.pop()!
      walker.close(key, cut)
      scope = outside
    }
  }

  while (at < to) {
    const tagAt = text.indexOf('<', at)
    if (tagAt < 0 || tagAt >= to) break
    xml.work.steps += tagAt - at + 1
    const next = text.charCodeAt(tagAt + 1)
    if (next === BANG || next === QUESTION) {
      at = endOfSection(xml, tagAt, to, undefined)
      continue
    }
    if (next === SLASH) {
      const nameEnd = endOfName(text, tagAt + 2, to)
      const { key, role } = lookupName(scope.names, text.slice(tagAt + 2, nameEnd))
      at = nameEnd
      const depth = role === 'container' ? open.findLastIndex((container) => container.key === key) : -1
      if (depth >= 0) closeDownTo(depth, false)
      continue
    }
    if (!isNameStart(next)) {
      at = tagAt + 1
      continue
    }

    const tag = readTag(text, tagAt, to)
    xml.work.steps += tag.end - tagAt
    const inner = scopeOf(xml, tag, scope)
    const named = lookupName(inner.names, tag.name)
    const element = createXmlElement(named.key, tag, inner)
    at = tag.end

    if (named.role === 'container') {
      misspelt = 0
      // An item inside an item: the end tag of the first is missing.
      const depth = open.findLastIndex((container) => container.key === named.key)
      if (depth >= 0) closeDownTo(depth, false)
      walker.open(element)
      if (tag.selfClosed || open.length >= MAX_DEPTH) walker.close(named.key, false)
      else {
        open.push({ key: named.key, outside: scope })
        scope = inner
      }
      continue
    }

    const lenient = tagAt < lenientUntil
    const isField = named.role === 'field'
    if (tag.selfClosed || (lenient && !isField)) {
      if (isField) walker.field(element, false)
      continue
    }
    at = findEnd(xml, element, to, lenient)
    if (!element.closed && !lenient) {
      lenientUntil = at
      at = isField ? findEnd(xml, element, to, true) : tag.end
      if (isField && element.closed && ++misspelt <= MAX_MISSPELLED) lenientUntil = -1
    }
    if (isField) walker.field(element, !element.closed && at >= to)
  }
  closeDownTo(0, true)
}

const MAX_MISSPELLED = 3

const BANG = 33
const QUESTION = 63
const SLASH = 47

/** Limit of open containers; no format nests more than three. */
const MAX_DEPTH = 16
