/** What pieces say: of those that may answer a question, best first, the first that does. */

import { titleText } from '../../../markup/index.ts'
import { linkAddress } from '../address.ts'
import { type ParsedDate, parseDate } from '../dates/parse-date.ts'
import { type Category, FEED_LIMITS, type Person } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, type Piece, textOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { readPerson } from './person.ts'
import { line, type Words, wordsOf } from './words.ts'

/** The first answer that any of the pieces gives. */
function first<T>(pieces: readonly Piece[], ask: (piece: Piece) => T | undefined): T | undefined {
  for (const piece of pieces) {
    const answer = ask(piece)
    if (answer !== undefined) return answer
  }
  return undefined
}

export function firstText(xml: XmlText, pieces: readonly Piece[]): string | undefined {
  return first(pieces, (piece) => textOf(xml, piece) || undefined)
}

export function firstLine(xml: XmlText, pieces: readonly Piece[]): string | undefined {
  return first(pieces, (piece) => line(titleText(textOf(xml, piece))) || undefined)
}

export function firstWords(xml: XmlText, pieces: readonly Piece[]): Words | undefined {
  return first(pieces, (piece) => {
    const words = wordsOf(xml, piece)
    return words.value === '' ? undefined : words
  })
}

export function firstDate(xml: XmlText, pieces: readonly Piece[]): ParsedDate | undefined {
  return first(pieces, (piece) => parseDate(textOf(xml, piece)))
}

export function firstAddress(xml: XmlText, pieces: readonly Piece[]): string | undefined {
  return first(pieces, (piece) => linkAddress(attributeOf(xml, piece, 'url') ?? textOf(xml, piece), piece.scope.base))
}

/** An id is compared, never visited, so it stays as it is; one that is plainly a path makes no sense outside its feed. */
export function firstId(xml: XmlText, pieces: readonly Piece[]): string | undefined {
  return first(pieces, (piece) => {
    const id = textOf(xml, piece)
    if (id === '') return undefined
    return /^\.{0,2}\//.test(id) ? (linkAddress(id, piece.scope.base) ?? id) : id
  })
}

export function firstAttribute(xml: XmlText, pieces: readonly Piece[], name: string): string | undefined {
  return first(pieces, (piece) => attributeOf(xml, piece, name) || undefined)
}

export function attributeDate(xml: XmlText, piece: Piece, name: string): ParsedDate | undefined {
  const value = attributeOf(xml, piece, name)
  return value === undefined ? undefined : parseDate(value)
}

/** Those of the first element that names anybody: `author` and `dc:creator` side by side are the same person twice. */
export function people(xml: XmlText, pieces: readonly Piece[]): Person[] {
  const found: Person[] = []
  let naming: string | undefined
  for (const piece of pieces) {
    if (found.length >= FEED_LIMITS.list || (naming !== undefined && piece.key !== naming)) break
    const person = readPerson(xml, piece)
    if (person === undefined) continue
    found.push(person)
    naming = piece.key
  }
  return found
}

/** `listed`: several in one piece, with commas between them. */
export function categories(xml: XmlText, pieces: readonly Piece[], listed: readonly Piece[]): Category[] {
  const found: Category[] = []
  for (const piece of pieces) {
    addCategory(found, category(xml, piece))
    if (piece.hasMarkup) for (const child of childrenOf(xml, piece)) addCategory(found, category(xml, child))
  }
  const words = firstText(xml, listed)
  for (const term of words?.split(',', FEED_LIMITS.list) ?? []) addCategory(found, { term: line(titleText(term)) })
  return found
}

function addCategory(found: Category[], category: Category): void {
  if (category.term === '' || found.length >= FEED_LIMITS.list) return
  if (!found.some(({ term, scheme }) => term === category.term && scheme === category.scheme)) found.push(category)
}

function category(xml: XmlText, piece: Piece): Category {
  if (piece.attributes.length === 0) return { term: line(titleText(textOf(xml, piece))) }
  const term = attributeOf(xml, piece, 'term') || attributeOf(xml, piece, 'text') || titleText(textOf(xml, piece))
  const label = attributeOf(xml, piece, 'label')
  const scheme = attributeOf(xml, piece, 'scheme') || attributeOf(xml, piece, 'domain')
  return { term: line(term), ...(label ? { label: line(label) } : {}), ...(scheme ? { scheme: line(scheme) } : {}) }
}
