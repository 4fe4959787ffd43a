/** Reads a field's value: from its elements, preferred first, the first that has one. */

import { titleText } from '../../../markup/index.ts'
import { linkAddress } from '../address.ts'
import { type ParsedDate, parseDate } from '../dates/parse-date.ts'
import { FEED_LIMITS, type FeedCategory, type FeedPerson } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, attributesOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { eachOnce, readPerson } from './person.ts'
import { boundedLine, type Words, wordsInPiece } from './words.ts'

/** Reads one element. Defined once, not per call: these functions are called thousands of times. */
type Ask<T> = (xml: XmlText, piece: XmlPiece) => T | undefined

/** The first defined value. */
function first<T>(xml: XmlText, pieces: readonly XmlPiece[], ask: Ask<T>): T | undefined {
  for (let index = 0; index < pieces.length; index++) {
    const answer = ask(xml, pieces[index]!)
    if (answer !== undefined) return answer
  }
  return undefined
}

export function firstText(xml: XmlText, pieces: readonly XmlPiece[]): string | undefined {
  return first(xml, pieces, textIn)
}

const textIn: Ask<string> = (xml, piece) => textOfPiece(xml, piece) || undefined

export function firstLine(xml: XmlText, pieces: readonly XmlPiece[]): string | undefined {
  return first(xml, pieces, lineIn)
}

const lineIn: Ask<string> = (xml, piece) => boundedLine(titleText(textOfPiece(xml, piece))) || undefined

export function firstWords(xml: XmlText, pieces: readonly XmlPiece[]): Words | undefined {
  return first(xml, pieces, wordsIn)
}

const wordsIn: Ask<Words> = (xml, piece) => {
  const words = wordsInPiece(xml, piece)
  return words.value === '' ? undefined : words
}

export function firstDate(xml: XmlText, pieces: readonly XmlPiece[]): ParsedDate | undefined {
  return first(xml, pieces, dateIn)
}

const dateIn: Ask<ParsedDate> = (xml, piece) => parseDate(textOfPiece(xml, piece))

export function firstAddress(xml: XmlText, pieces: readonly XmlPiece[]): string | undefined {
  return first(xml, pieces, addressIn)
}

const addressIn: Ask<string> = (xml, piece) =>
  linkAddress(attributeOf(xml, piece, 'url') ?? textOfPiece(xml, piece), piece.scope.base)

/** Ids are only compared, so they keep their spelling; a relative path is resolved, because it is meaningless outside its feed. */
export function firstId(xml: XmlText, pieces: readonly XmlPiece[]): string | undefined {
  return first(xml, pieces, idIn)
}

const idIn: Ask<string> = (xml, piece) => {
  const id = textOfPiece(xml, piece)
  if (id === '') return undefined
  return /^\.{0,2}\//.test(id) ? (linkAddress(id, piece.scope.base) ?? id) : id
}

export function firstAttribute(xml: XmlText, pieces: readonly XmlPiece[], name: string): string | undefined {
  for (const piece of pieces) {
    const value = attributeOf(xml, piece, name)
    if (value) return value
  }
  return undefined
}

export function attributeDate(xml: XmlText, piece: XmlPiece, name: string): ParsedDate | undefined {
  const value = attributeOf(xml, piece, name)
  return value === undefined ? undefined : parseDate(value)
}

/** Only from the first kind of element that names somebody: `author` and `dc:creator` usually name the same person. */
export function people(xml: XmlText, pieces: readonly XmlPiece[]): FeedPerson[] {
  const found: FeedPerson[] = []
  let naming: string | undefined
  for (const piece of pieces) {
    if (found.length >= FEED_LIMITS.list || (naming !== undefined && piece.key !== naming)) break
    const person = readPerson(xml, piece)
    if (person === undefined) continue
    found.push(person)
    naming = piece.key
  }
  return eachOnce(found)
}

/** `listed`: elements with several comma-separated categories. */
export function categories(xml: XmlText, pieces: readonly XmlPiece[], listed: readonly XmlPiece[]): FeedCategory[] {
  const found: FeedCategory[] = []
  for (const piece of pieces) {
    addCategory(found, category(xml, piece))
    if (piece.hasMarkup) for (const child of childrenOf(xml, piece)) addCategory(found, category(xml, child))
  }
  const words = firstText(xml, listed)
  if (words === undefined) return found
  for (const term of words.split(',', FEED_LIMITS.list)) addCategory(found, { term: boundedLine(titleText(term)) })
  return found
}

function addCategory(found: FeedCategory[], category: FeedCategory): void {
  if (category.term === '' || found.length >= FEED_LIMITS.list) return
  if (!found.some(({ term, scheme }) => term === category.term && scheme === category.scheme)) found.push(category)
}

function category(xml: XmlText, piece: XmlPiece): FeedCategory {
  if (attributesOf(xml, piece).names.length === 0) return { term: boundedLine(titleText(textOfPiece(xml, piece))) }
  const term = attributeOf(xml, piece, 'term') || attributeOf(xml, piece, 'text') || titleText(textOfPiece(xml, piece))
  const found: FeedCategory = { term: boundedLine(term) }
  const label = attributeOf(xml, piece, 'label')
  if (label) found.label = boundedLine(label)
  const scheme = attributeOf(xml, piece, 'scheme') || attributeOf(xml, piece, 'domain')
  if (scheme) found.scheme = boundedLine(scheme)
  return found
}
