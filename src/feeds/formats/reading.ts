/** Looking things up in the pieces of a feed or an entry: the first of several elements that says anything. */
import { linkAddress } from '../address.ts'
import { type ParsedDate, parseDate } from '../dates/parse-date.ts'
import { type Category, FEED_LIMITS, type Person } from '../parsed-feed.ts'
import { titleText } from '../text/plain-text.ts'
import { childrenOf } from '../xml/children.ts'
import type { Pieces } from '../xml/outline.ts'
import { attributeOf, type Piece, textOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { readPerson } from './person.ts'
import { line, type Words, wordsOf } from './words.ts'

/** The pieces with these keys, in the order of the keys. */
export function allOf(pieces: Pieces, keys: readonly string[]): Piece[] {
  const found: Piece[] = []
  for (const key of keys) {
    for (const piece of pieces) if (piece.key === key) found.push(piece)
  }
  return found
}

/** The first answer that any of the pieces gives; the keys are asked in their order. */
function first<T>(pieces: Pieces, keys: readonly string[], ask: (piece: Piece) => T | undefined): T | undefined {
  for (const key of keys) {
    for (const piece of pieces) {
      const answer = piece.key === key ? ask(piece) : undefined
      if (answer !== undefined) return answer
    }
  }
  return undefined
}

export function firstText(xml: XmlText, pieces: Pieces, keys: readonly string[]): string | undefined {
  return first(pieces, keys, (piece) => textOf(xml, piece) || undefined)
}

export function firstLine(xml: XmlText, pieces: Pieces, keys: readonly string[]): string | undefined {
  return first(pieces, keys, (piece) => line(titleText(textOf(xml, piece))) || undefined)
}

export function firstWords(xml: XmlText, pieces: Pieces, keys: readonly string[]): Words | undefined {
  return first(pieces, keys, (piece) => {
    const words = wordsOf(xml, piece)
    return words.value === '' ? undefined : words
  })
}

export function firstDate(xml: XmlText, pieces: Pieces, keys: readonly string[]): ParsedDate | undefined {
  return first(pieces, keys, (piece) => parseDate(textOf(xml, piece)))
}

export function firstAddress(xml: XmlText, pieces: Pieces, keys: readonly string[]): string | undefined {
  return first(pieces, keys, (piece) =>
    linkAddress(attributeOf(xml, piece, 'url') ?? textOf(xml, piece), piece.scope.base),
  )
}

/** An id is compared, never visited, so it stays as it is; one that is plainly a path makes no sense outside its feed. */
export function firstId(xml: XmlText, pieces: Pieces, keys: readonly string[]): string | undefined {
  return first(pieces, keys, (piece) => {
    const id = textOf(xml, piece)
    if (id === '') return undefined
    return /^\.{0,2}\//.test(id) ? (linkAddress(id, piece.scope.base) ?? id) : id
  })
}

export function firstAttribute(
  xml: XmlText,
  pieces: Pieces,
  keys: readonly string[],
  name: string,
): string | undefined {
  return first(pieces, keys, (piece) => attributeOf(xml, piece, name) || undefined)
}

export function attributeDate(xml: XmlText, piece: Piece, name: string): ParsedDate | undefined {
  const value = attributeOf(xml, piece, name)
  return value === undefined ? undefined : parseDate(value)
}

/** Those of the first key that names anybody: `author` and `dc:creator` side by side are the same person twice. */
export function people(xml: XmlText, pieces: Pieces, keys: readonly string[]): Person[] {
  const found: Person[] = []
  for (const key of keys) {
    for (const piece of pieces) {
      const person = piece.key === key && found.length < FEED_LIMITS.list ? readPerson(xml, piece) : undefined
      if (person !== undefined) found.push(person)
    }
    if (found.length > 0) break
  }
  return found
}

export function categories(
  xml: XmlText,
  pieces: Pieces,
  keys: readonly string[],
  listed: readonly string[],
): Category[] {
  const found: Category[] = []
  for (const piece of pieces) {
    if (!keys.includes(piece.key)) continue
    addCategory(found, category(xml, piece))
    if (piece.hasMarkup) for (const child of childrenOf(xml, piece)) addCategory(found, category(xml, child))
  }
  const words = firstText(xml, pieces, listed)
  for (const term of words?.split(',', FEED_LIMITS.list) ?? []) addCategory(found, { term: line(titleText(term)) })
  return found
}

function addCategory(found: Category[], category: Category): void {
  if (category.term === '' || found.length >= FEED_LIMITS.list) return
  if (!found.some(({ term, scheme }) => term === category.term && scheme === category.scheme)) found.push(category)
}

function category(xml: XmlText, piece: Piece): Category {
  if (piece.tag.attributesFrom === piece.tag.attributesTo) return { term: line(titleText(textOf(xml, piece))) }
  const term = attributeOf(xml, piece, 'term') || attributeOf(xml, piece, 'text') || titleText(textOf(xml, piece))
  const label = attributeOf(xml, piece, 'label')
  const scheme = attributeOf(xml, piece, 'scheme') || attributeOf(xml, piece, 'domain')
  return { term: line(term), ...(label ? { label: line(label) } : {}), ...(scheme ? { scheme: line(scheme) } : {}) }
}
