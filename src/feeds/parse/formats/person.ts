/** People, as feeds name them: an element with name, email and address, or a line such as "jo@example.org (Jo Blake)". */

import { titleText } from '../../../markup/index.ts'
import { linkAddress } from '../address.ts'
import { FEED_LIMITS, type Person } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, markupOf, textOfPiece, type XmlPiece } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { boundedLine } from './words.ts'

export function readPerson(xml: XmlText, piece: XmlPiece): Person | undefined {
  const person: Person = {}
  for (const child of childrenOf(xml, piece)) {
    const field = PARTS.get(child.key.slice(child.key.indexOf(':') + 1))
    if (field === undefined || person[field] !== undefined) continue
    const value =
      field === 'url'
        ? linkAddress(textOfPiece(xml, child), child.scope.base)
        : boundedLine(titleText(textOfPiece(xml, child)))
    if (value) person[field] = value
  }
  if (person.name === undefined && person.email === undefined && person.url === undefined) {
    return readLine(titleText(piece.hasMarkup ? markupOf(xml, piece) : textOfPiece(xml, piece)))
  }
  return person
}

/** A podcast's (`podcast:person`): who neither says what they do is its host. */
export function readPersons(xml: XmlText, pieces: readonly XmlPiece[]): Person[] {
  return pieces.slice(0, FEED_LIMITS.list).flatMap((piece): Person[] => {
    const name = boundedLine(titleText(textOfPiece(xml, piece)))
    if (name === '') return []
    const url = linkAddress(attributeOf(xml, piece, 'href'), piece.scope.base)
    const image = linkAddress(attributeOf(xml, piece, 'img'), piece.scope.base)
    const role = boundedLine(attributeOf(xml, piece, 'role')?.trim().toLowerCase() || 'host')
    return [{ name, role, ...(url ? { url } : {}), ...(image ? { image } : {}) }]
  })
}

/** What to call them, in one line. */
export function namesOf(people: Person[]): string | undefined {
  const names = people.map(({ name, email, url }) => name ?? email ?? url).filter((name) => name !== undefined)
  return names.length > 0 ? boundedLine(names.join(', ')) : undefined
}

export function readLine(text: string): Person | undefined {
  const given = boundedLine(text).trim()
  if (given === '') return undefined
  if (!given.includes('@')) return { name: given }
  const open = Math.max(given.lastIndexOf('('), given.lastIndexOf('<'))
  const closed = given.endsWith(')') || given.endsWith('>')
  const [before, inside] =
    open >= 0 && closed ? [given.slice(0, open).trim(), given.slice(open + 1, -1).trim()] : [given, '']
  const person: Person = {}
  for (const part of [before, inside]) {
    const bare = part.replace(/^mailto:/i, '')
    if (bare === '') continue
    if (isMail(bare)) person.email ??= bare
    else person.name ??= bare
  }
  // "Jo Blake (@jo)": no address, so the brackets belong to the name.
  return person.email === undefined ? { name: given } : person
}

const PARTS = new Map<string, 'name' | 'email' | 'url'>(
  Object.entries({ name: 'name', email: 'email', uri: 'url', url: 'url', homepage: 'url' }),
)

function isMail(text: string): boolean {
  return /^[^\s@<>()]+@[^\s@<>()]+$/.test(text)
}
