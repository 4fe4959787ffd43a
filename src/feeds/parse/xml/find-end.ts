/**
 * Finds where things end: elements, comments, CDATA sections and processing instructions. Unterminated ones cost only their opening
 * mark.
 */
import { elementOf } from '../../../html/index.ts'
import { attributeOf, type XmlElement } from './element.ts'
import { lookupName } from './element-names.ts'
import { endOfName, isNameStart, readTag } from './tag.ts'
import type { XmlText } from './xml-text.ts'

/**
 * Finds the end of an element, records what it contains, and returns where to continue. `lenient`: the next known element also ends it,
 * and so does an end tag that matches no start tag inside and no HTML element (`</titel>`): probably its own, misspelt.
 */
export function findEnd(xml: XmlText, element: XmlElement, limit: number, lenient: boolean): number {
  const { text } = xml
  const { name } = element.tag
  const initial = name.charCodeAt(0) | LOWER
  element.hasMarkup = false
  element.hasSections = false
  let nested = 0
  let at = element.tag.end
  const strangers = lenient ? createStrangers() : undefined

  for (;;) {
    const tagAt = text.indexOf('<', at)
    if (tagAt < 0 || tagAt >= limit) return end(xml, element, limit, false, limit)
    const next = text.charCodeAt(tagAt + 1)
    if (next === BANG) {
      element.hasSections = true
      at = endOfSection(xml, tagAt, limit, name)
      continue
    }
    const closing = next === SLASH
    at = tagAt + (closing ? 2 : 1)
    const first = closing ? text.charCodeAt(at) : next
    if (!isNameStart(first)) {
      if (closing && at >= limit) return end(xml, element, tagAt, true, limit)
      continue
    }
    const ownInitial = (first | LOWER) === initial
    if (!ownInitial && !lenient && !xml.mayBeContainer(first)) {
      element.hasMarkup = true
      continue
    }

    const isOwn = ownInitial && isNamed(text, at, name)
    if (isOwn && closing && nested === 0)
      return end(xml, element, tagAt, true, endOfEndTag(text, at + name.length, limit))
    const nameEnd = endOfName(text, at, limit)
    const found = text.slice(at, nameEnd)
    const named = lookupName(element.scope.names, found)
    if (isOwn || (closing && named.key === element.key && ownInitial)) {
      if (closing && nested === 0) return end(xml, element, tagAt, true, endOfEndTag(text, nameEnd, limit))
      if (closing) nested--
      else if (lenient) return end(xml, element, tagAt, false, tagAt)
      else if (!readTag(text, tagAt, limit).selfClosed) nested++
    } else {
      if (closing && nameEnd >= limit && name.startsWith(found)) return end(xml, element, tagAt, true, limit)
      if (named.role === 'container' && !isForeign(xml, element)) return end(xml, element, tagAt, false, tagAt)
      if (named.role === 'field' && lenient && !closing) return end(xml, element, tagAt, false, tagAt)
      if (nameEnd < limit && strangers?.(found, closing))
        return end(xml, element, tagAt, true, endOfEndTag(text, nameEnd, limit))
    }
    element.hasMarkup = true
  }
}

/** Call for each tag in order: returns whether it is an end tag that matches no open element and is not HTML. */
function createStrangers(): (name: string, closing: boolean) => boolean {
  const open = new Map<string, number>()
  return (name, closing) => {
    const lower = name.toLowerCase()
    if (isHtmlName(lower)) return false
    const count = open.get(lower) ?? 0
    if (closing && count === 0) return true
    open.set(lower, count + (closing ? -1 : 1))
    return false
  }
}

function isHtmlName(name: string): boolean {
  return elementOf(name).name !== '' && !FIELDS_TOO.has(name)
}

/** HTML elements that are also feed elements: an unmatched end tag of these belongs to the feed. */
const FIELDS_TOO = new Set(['title', 'link', 'source', 'summary'])

/**
 * Where the comment, CDATA section, instruction or declaration starting at `less` ends. If it is never closed, or closed only after a
 * second one started and the element around it (`name`) was closed, only its opening mark is skipped.
 */
export function endOfSection(xml: XmlText, tagAt: number, limit: number, name: string | undefined): number {
  const { text } = xml
  const section = sectionAt(text, tagAt)
  const inside = tagAt + section.opening.length
  const close = xml.find(section.closing, inside)
  if (close < 0 || close >= limit) return Math.min(inside, limit)
  if (name !== undefined && section !== DECLARATION) {
    const second = xml.find(section.mark, inside)
    if (second >= 0 && second < close && text.slice(inside, second).includes(`</${name}`)) return inside
  }
  return close + section.closing.length
}

interface Section {
  opening: string
  /** The opening mark without its "<", which is too frequent in HTML to search for. */
  mark: string
  closing: string
}

const CDATA: Section = { opening: '<![CDATA[', mark: '![CDATA[', closing: ']]>' }
const COMMENT: Section = { opening: '<!--', mark: '!--', closing: '-->' }
const INSTRUCTION: Section = { opening: '<?', mark: '?', closing: '?>' }
const DECLARATION: Section = { opening: '<!', mark: '!', closing: '>' }

function sectionAt(text: string, tagAt: number): Section {
  if (text.startsWith(CDATA.opening, tagAt)) return CDATA
  if (text.startsWith(COMMENT.opening, tagAt)) return COMMENT
  return text.startsWith(INSTRUCTION.opening, tagAt) ? INSTRUCTION : DECLARATION
}

const BANG = 33
const SLASH = 47
/** Bit that makes an ASCII letter lower case. */
const LOWER = 32

function end(xml: XmlText, element: XmlElement, to: number, closed: boolean, next: number): number {
  xml.work.steps += to - element.tag.end
  element.to = to
  element.closed = closed
  return next
}

function isNamed(text: string, at: number, name: string): boolean {
  if (!text.startsWith(name, at)) return false
  const next = text.charCodeAt(at + name.length)
  // NaN beyond the end of the text.
  return next === 62 || next <= 32 || next === SLASH || next === 60 || Number.isNaN(next)
}

function endOfEndTag(text: string, from: number, limit: number): number {
  let p = from
  for (; p < limit; p++) {
    const c = text.charCodeAt(p)
    if (c === 62) return p + 1
    if (c === 60) return p
  }
  return p
}

/** Atom content may be any XML, even a feed; nothing inside belongs to this feed. */
function isForeign(xml: XmlText, element: XmlElement): boolean {
  return element.key === 'content' && /xml/i.test(attributeOf(xml, element, 'type')?.replace(/xhtml\+xml/i, '') ?? '')
}
