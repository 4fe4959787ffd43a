/**
 * HTML -> tags and text, in one pass. It tells of the same things as htmlparser2's tokenizer (its test compares the two on
 * thousands of documents) in half the time, because it jumps: to the next "<", to the quotation mark that ends a value, to
 * "-->". What is told of is told by its place in the source, so that nothing is cut out that nobody wants.
 *
 * Whoever reads asks for one part after the other (`nextPart`), and calls are never made the other way round: so the engine
 * compiles these functions once, however many kinds of readers there are in a process.
 *
 * A document may break off anywhere. What is not whole then is left out; no search is ever done twice, so that the work is
 * linear in the document.
 */
import { type Element, elementAt } from './elements.ts'

/**
 * - text:      between two tags
 * - data:      the inside of <![CDATA[…]]>
 * - tag:       a start tag begins; `element` is that of the name, if it is known
 * - attribute: one of it
 * - opened:    the start tag is whole
 * - closed:    an end tag
 * - aside:     a comment, a declaration, an instruction
 * - end:       of the document
 */
export type HtmlPart = 'text' | 'data' | 'tag' | 'attribute' | 'opened' | 'closed' | 'aside' | 'end'

/** A document on the way through it, and where its present part stands. */
export interface HtmlParts {
  readonly source: string
  /** What reads on outside of tags. */
  readonly outside: (parts: HtmlParts) => HtmlPart
  /** To be said by who reads: in drawings, in formulas and in XML, <style> and <title> are elements like others. */
  isForeign: boolean
  /** Of a text all of it, of a tag or an attribute its name. */
  start: number
  end: number
  /** Of an attribute. */
  valueStart: number
  valueEnd: number
  element: Element | undefined
  /** Of a start tag: what follows it is raw text. */
  isRaw: boolean
  /** Of a start tag that is whole. */
  isSelfClosed: boolean
  /** What comes next begins here. */
  at: number
  /** What reads on from there. */
  within: (parts: HtmlParts) => HtmlPart
}

/** `isLoose`: it may be HTML or mere text; what is no likely tag is text then, and so are declarations. */
export function htmlParts(source: string, isLoose = false): HtmlParts {
  const outside = isLoose ? betweenLikelyTags : betweenTags
  return {
    source,
    outside,
    isForeign: false,
    start: 0,
    end: 0,
    valueStart: 0,
    valueEnd: 0,
    element: undefined,
    isRaw: false,
    isSelfClosed: false,
    at: 0,
    within: outside,
  }
}

/** Goes on to the next part, and answers what it is. */
export function nextPart(parts: HtmlParts): HtmlPart {
  return parts.within(parts)
}

const TAB = 9
const SPACE = 32
const BANG = 33
const QUOTE = 34
const APOSTROPHE = 39
const DASH = 45
const SLASH = 47
const OPENS = 60
const EQUALS = 61
const ENDS = 62
const QUESTION = 63
const CDATA = '![CDATA['
const LONGEST_NAME = 20 // and no element's is

function betweenTags(parts: HtmlParts): HtmlPart {
  const { source, at } = parts
  if (at >= source.length) return 'end'
  const next = afterOpening(source, at)
  if (isLetter(next)) return startTag(parts, at + 1)
  if (next === SLASH) return mayBeName(source, at + 2) ? endTag(parts) : aside(parts, behind(source, '>', at + 2))
  return next === BANG || next === QUESTION ? declaration(parts) : text(parts)
}

/** In text in which there may be tags. */
function betweenLikelyTags(parts: HtmlParts): HtmlPart {
  return parts.at >= parts.source.length || isLikelyMarkup(parts) ? betweenTags(parts) : text(parts)
}

/** Looks no further than a name can go: the next "<" may be in it, and is looked at, too. */
function isLikelyMarkup({ source, at }: HtmlParts): boolean {
  const next = afterOpening(source, at)
  if (next === BANG) return source.startsWith('!--', at + 1) || source.startsWith(CDATA, at + 1)
  const start = next === SLASH ? at + 2 : at + 1
  return next !== 0 && elementAt(source, start, endOfName(source, start, start + LONGEST_NAME))?.isLikely === true
}

/** What follows the "<" that stands here; 0 where none does, or nothing. */
function afterOpening(source: string, at: number): number {
  return at + 1 < source.length && source.charCodeAt(at) === OPENS ? source.charCodeAt(at + 1) : 0
}

function declaration(parts: HtmlParts): HtmlPart {
  const { source, at } = parts
  if (source.startsWith(CDATA, at + 1)) return data(parts)
  return aside(parts, source.startsWith('!--', at + 1) ? endOfComment(source, at + 4) : behind(source, '>', at + 2))
}

function aside(parts: HtmlParts, end: number): HtmlPart {
  parts.at = end
  return 'aside'
}

/** Up to the next "<". One that turns out to be no tag is text, and begins a text of its own. */
function text(parts: HtmlParts): HtmlPart {
  const { source, at } = parts
  const next = source.indexOf('<', at + 1)
  return told(parts, 'text', at, next < 0 || next + 1 === source.length ? source.length : next)
}

/** A part that is as long as what it tells of. */
function told(parts: HtmlParts, part: HtmlPart, start: number, end: number): HtmlPart {
  parts.start = start
  parts.end = end
  parts.at = end
  return part
}

/** What has no end ends the document. */
function brokenOff(parts: HtmlParts): HtmlPart {
  parts.at = parts.source.length
  parts.within = parts.outside
  return 'end'
}

function startTag(parts: HtmlParts, start: number): HtmlPart {
  const { source } = parts
  const end = endOfName(source, start)
  if (end === source.length) return brokenOff(parts)
  const element = elementAt(source, start, end)
  parts.element = element
  parts.isRaw = element?.isRaw === true && !parts.isForeign
  parts.within = insideTag
  return told(parts, 'tag', start, end)
}

function insideTag(parts: HtmlParts): HtmlPart {
  const { source } = parts
  let { at } = parts
  let isSelfClosed = false
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === SLASH) isSelfClosed = true
    else if (!isSpace(code)) break
  }
  if (at >= source.length) return brokenOff(parts)
  if (source.charCodeAt(at) !== ENDS) return attribute(parts, at)
  parts.isSelfClosed = isSelfClosed
  parts.within = parts.isRaw ? rawText : parts.outside
  parts.at = at + 1
  return 'opened'
}

function attribute(parts: HtmlParts, start: number): HtmlPart {
  const { source } = parts
  const { length } = source
  const end = endOfAttributeName(source, start)
  const equals = afterSpaces(source, end)
  if (equals >= length) return brokenOff(parts)
  parts.start = start
  parts.end = end
  if (source.charCodeAt(equals) !== EQUALS) return valued(parts, end, end, equals)
  const valueStart = afterSpaces(source, equals + 1)
  if (valueStart >= length) return brokenOff(parts)
  const quote = source.charCodeAt(valueStart)
  if (quote === QUOTE || quote === APOSTROPHE) {
    const valueEnd = source.indexOf(quote === QUOTE ? '"' : "'", valueStart + 1)
    return valueEnd < 0 ? brokenOff(parts) : valued(parts, valueStart + 1, valueEnd, valueEnd + 1)
  }
  const valueEnd = endOfBareValue(source, valueStart)
  return valueEnd === length ? brokenOff(parts) : valued(parts, valueStart, valueEnd, valueEnd)
}

function valued(parts: HtmlParts, valueStart: number, valueEnd: number, at: number): HtmlPart {
  parts.valueStart = valueStart
  parts.valueEnd = valueEnd
  parts.at = at
  return 'attribute'
}

/** The inside of a script, a style or a title goes up to its end tag, whatever it looks like. */
function rawText(parts: HtmlParts): HtmlPart {
  const { source, at } = parts
  const end = at < source.length ? endOfRawText(source, at, parts.element!) : -1
  if (end < 0) {
    if (at === source.length) return brokenOff(parts)
    parts.within = parts.outside
    return told(parts, 'text', at, source.length)
  }
  parts.within = rawEnd
  return end > at ? told(parts, 'text', at, end) : rawEnd(parts)
}

/** -1 where it has none. */
function endOfRawText(source: string, start: number, element: Element): number {
  const { name } = element
  if (name === 'plaintext') return -1
  for (let at = source.indexOf('</', start); at >= 0; at = source.indexOf('</', at + 1)) {
    const end = at + 2 + name.length
    if (end >= source.length) return -1
    if (isEndOfName(source.charCodeAt(end)) && elementAt(source, at + 2, end) === element) return at
  }
  return -1
}

function rawEnd(parts: HtmlParts): HtmlPart {
  parts.within = parts.outside
  return closed(parts, parts.at + 2, parts.at + 2 + parts.element!.name.length)
}

function endTag(parts: HtmlParts): HtmlPart {
  const { source, at } = parts
  const start = at + 2
  if (start >= source.length) return told(parts, 'text', at, source.length)
  const end = endOfName(source, start)
  if (end >= source.length) return brokenOff(parts)
  parts.element = elementAt(source, start, end)
  return closed(parts, start, end)
}

function closed(parts: HtmlParts, start: number, end: number): HtmlPart {
  parts.start = start
  parts.end = end
  parts.at = behind(parts.source, '>', end)
  return 'closed'
}

function data(parts: HtmlParts): HtmlPart {
  const { source } = parts
  const start = parts.at + 1 + CDATA.length
  const end = source.indexOf(']]>', start)
  if (end < 0) return brokenOff(parts)
  told(parts, 'data', start, end)
  parts.at = end + 3
  return 'data'
}

/** HTML Standard, 13.2.5.43 to 52: "-->", "--!>", and right at the beginning ">" and "->". */
function endOfComment(source: string, start: number): number {
  if (source.startsWith('>', start)) return start + 1
  if (source.startsWith('->', start)) return start + 2
  for (let at = source.indexOf('--', start); at >= 0; at = source.indexOf('--', at)) {
    at += 2
    while (at < source.length && source.charCodeAt(at) === DASH) at++
    if (source.startsWith('>', at)) return at + 1
    if (source.startsWith('!>', at)) return at + 2
  }
  return source.length
}

/** The end of the document, where there is no such sign. */
function behind(source: string, sign: string, from: number): number {
  const at = source.indexOf(sign, from)
  return at < 0 ? source.length : at + 1
}

function mayBeName(source: string, start: number): boolean {
  return start >= source.length || isLetter(source.charCodeAt(start))
}

function endOfName(source: string, start: number, limit = source.length): number {
  const end = Math.min(limit, source.length)
  let at = start
  while (at < end && !isEndOfName(source.charCodeAt(at))) at++
  return at
}

/** What begins with a "=" has it in its name. */
function endOfAttributeName(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && !isEndOfName(source.charCodeAt(at)) && source.charCodeAt(at) !== EQUALS) at++
  return at
}

function endOfBareValue(source: string, start: number): number {
  let at = start
  while (at < source.length && !isSpace(source.charCodeAt(at)) && source.charCodeAt(at) !== ENDS) at++
  return at
}

function afterSpaces(source: string, start: number): number {
  let at = start
  while (at < source.length && isSpace(source.charCodeAt(at))) at++
  return at
}

function isEndOfName(code: number): boolean {
  return code === ENDS || code === SLASH || isSpace(code)
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= 13 && code !== 11)
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122
}
