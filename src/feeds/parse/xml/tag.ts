/**
 * Parses a start tag: its name, the range of its attributes, its end; and its attributes. A malformed tag ends where its author most
 * likely meant: at the first ">" if a quote is not closed, before the next "<" if there is no ">". Well-formed tags, nearly all, are
 * matched by one regular expression.
 */
import { copyString } from '../../../html/index.ts'

export interface Tag {
  name: string
  attributesFrom: number
  attributesTo: number
  /** Position after the tag. */
  end: number
  selfClosed: boolean
}

/**
 * `at`: position of "<". Scans each character once, or twice if malformed. XML allows no "<" inside quotes, so one there means that a
 * quote is missing.
 */
export function readTag(text: string, at: number, limit: number): Tag {
  const nameEnd = endOfName(text, at + 1, limit)
  const name = text.slice(at + 1, nameEnd)
  if (nameEnd < limit && text.charCodeAt(nameEnd) === GREATER) return tag(text, name, nameEnd, nameEnd, nameEnd + 1)
  USUAL_REST.lastIndex = nameEnd
  if (USUAL_REST.test(text) && USUAL_REST.lastIndex <= limit) {
    return tag(text, name, nameEnd, USUAL_REST.lastIndex - 1, USUAL_REST.lastIndex)
  }
  return readOddTag(text, name, nameEnd, limit)
}

/**
 * Attributes in double quotes and nothing else with quotes or equals signs. The number is limited because the engine stores a position
 * for each repetition and throws at millions.
 */
const USUAL_REST = /[^<>"'=]*(?:="[^"<]*"[^<>"'=]*){0,64}>/y

function readOddTag(text: string, name: string, nameEnd: number, limit: number): Tag {
  let quote = 0
  let firstClose = -1
  let p = nameEnd
  for (; p < limit; p++) {
    const c = text.charCodeAt(p)
    if (c === LESS) break
    if (c === GREATER) {
      if (quote === 0) return tag(text, name, nameEnd, p, p + 1)
      if (firstClose < 0) firstClose = p
    } else if (quote !== 0) {
      if (c === quote) quote = 0
    } else if ((c === DOUBLE_QUOTE || c === SINGLE_QUOTE) && opensValue(text, p)) quote = c
  }
  return firstClose >= 0 ? tag(text, name, nameEnd, firstClose, firstClose + 1) : tag(text, name, nameEnd, p, p)
}

export function isNameStart(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c > 127
}

export function endOfName(text: string, from: number, limit: number): number {
  let p = from
  for (; p < limit; p++) {
    const c = text.charCodeAt(p)
    if (c <= 32 || c === GREATER || c === SLASH || c === LESS) break
  }
  return p
}

/** Names in lower case and raw values; duplicates are kept. */
export interface XmlAttributes {
  names: string[]
  values: string[]
}

/** `inside`: the attribute range of a tag. */
export function readAttributes(inside: string): XmlAttributes {
  return inside === '' ? NONE : (readUsualAttributes(inside) ?? readOddAttributes(inside))
}

const NONE: XmlAttributes = { names: [], values: [] }

/** Undefined if any attribute has no value in double quotes. */
function readUsualAttributes(inside: string): XmlAttributes | undefined {
  const names: string[] = []
  const values: string[] = []
  let p = 0
  for (let equals = inside.indexOf('='); equals >= 0; equals = inside.indexOf('=', p)) {
    const name = usualName(inside.slice(p, equals))
    const close = inside.indexOf('"', equals + 2)
    if (close < 0 || inside.charCodeAt(equals + 1) !== DOUBLE_QUOTE || name === undefined) return undefined
    if (inside.charCodeAt(close - 1) === EQUALS) return undefined
    names.push(name)
    values.push(inside.slice(equals + 2, close))
    p = close + 1
  }
  return inside.slice(p).trim() === '' ? { names, values } : undefined
}

/** In lower case; cached, as most documents have the same. `written`: including preceding whitespace. */
function usualName(written: string): string | undefined {
  const cached = usualNames.get(written)
  if (cached !== undefined) return cached
  const name = written.trim().toLowerCase()
  if (!USUAL_NAME.test(name)) return undefined
  if (usualNames.size >= MAX_NAMES) usualNames.clear()
  if (written.length <= MAX_NAME_LENGTH) usualNames.set(copyString(written), copyString(name))
  return name
}

const USUAL_NAME = /^[a-z][a-z0-9:._-]*$/
const usualNames = new Map<string, string>()
const MAX_NAMES = 512
const MAX_NAME_LENGTH = 100

function readOddAttributes(text: string): XmlAttributes {
  const to = text.length
  const names: string[] = []
  const values: string[] = []
  const add = (name: string, value: string) => {
    if (name === '') return
    names.push(name)
    values.push(value)
  }
  let p = 0
  while (p < to) {
    while (p < to && isGapOrSlash(text.charCodeAt(p))) p++
    const nameFrom = p
    while (p < to && !endsAttributeName(text.charCodeAt(p))) p++
    const name = text.slice(nameFrom, p).toLowerCase()
    while (p < to && text.charCodeAt(p) <= 32) p++
    if (text.charCodeAt(p) !== EQUALS || p >= to) {
      add(name, '')
      continue
    }
    p++
    while (p < to && text.charCodeAt(p) <= 32) p++
    const [valueFrom, valueTo, next] = locateValue(text, p, to)
    add(name, text.slice(valueFrom, valueTo))
    p = Math.max(next, p + 1)
  }
  return { names, values }
}

const LESS = 60
const GREATER = 62
const SLASH = 47
const EQUALS = 61
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39

function tag(text: string, name: string, nameEnd: number, close: number, end: number): Tag {
  const selfClosed = end > close && close > nameEnd && text.charCodeAt(close - 1) === SLASH
  return { name, attributesFrom: nameEnd, attributesTo: selfClosed ? close - 1 : close, end, selfClosed }
}

/** A quote opens a value only after an equals sign: not in `<a title=don't>`. */
function opensValue(text: string, at: number): boolean {
  let p = at - 1
  while (text.charCodeAt(p) <= 32) p--
  return text.charCodeAt(p) === EQUALS
}

function locateValue(text: string, p: number, to: number): [number, number, number] {
  const quote = text.charCodeAt(p)
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    let close = p + 1
    while (close < to && text.charCodeAt(close) !== quote) close++
    return text.charCodeAt(close - 1) === EQUALS ? withoutClosingQuote(text, p + 1, close) : [p + 1, close, close + 1]
  }
  let end = p
  while (end < to && text.charCodeAt(end) > 32) end++
  return [p, end, end]
}

/** `url="a.mp3 type="audio/mpeg"`: the value contains the next attribute's name, so its closing quote is missing. */
function withoutClosingQuote(text: string, from: number, close: number): [number, number, number] {
  let gap = close - 2
  while (gap > from && isAttributeLetter(text.charCodeAt(gap))) gap--
  const isMissing = gap > from && gap < close - 2 && text.charCodeAt(gap) <= 32
  return isMissing ? [from, gap, gap] : [from, close, close + 1]
}

function isAttributeLetter(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 58 || c === 45
}

function isGapOrSlash(c: number): boolean {
  return c <= 32 || c === SLASH
}

function endsAttributeName(c: number): boolean {
  return c <= 32 || c === EQUALS
}
