/** People in feeds: an element with name, email and address, or a line such as "jo@example.org (Jo Blake)". */

import { titleText } from '../../../html/index.ts'
import { linkAddress } from '../address.ts'
import { FEED_LIMITS, type FeedPerson } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, elementMarkup, elementText, type XmlElement } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { truncateLine } from './text-construct.ts'

export function readPerson(xml: XmlText, element: XmlElement): FeedPerson | undefined {
  const person: FeedPerson = {}
  for (const child of childrenOf(xml, element)) {
    const field = NAME_AND_EMAIL.get(child.key.slice(child.key.indexOf(':') + 1))
    if (field === undefined || person[field] !== undefined) continue
    const value =
      field === 'url'
        ? linkAddress(elementText(xml, child), child.scope.base)
        : truncateLine(titleText(elementText(xml, child)))
    if (value) person[field] = value
  }
  if (person.name === undefined && person.email === undefined && person.url === undefined) {
    return readLine(withoutTags(element.hasMarkup ? elementMarkup(xml, element) : elementText(xml, element)))
  }
  return person
}

/** Text in and around unknown child elements: empty or misspelt ones ("nmae"), markup in a name. */
function withoutTags(text: string): string {
  return titleText(text.includes('<') ? text.replace(TAG, ' ') : text)
}

/** Does not match addresses in angle brackets ("Jo <jo@example.org>"). */
const TAG = /<\/?[a-z][\w:.-]{0,60}(?:\s[^<>]{0,500})?\/?>/gi

/** `podcast:person`; the default role is host. */
export function readPersons(xml: XmlText, elements: readonly XmlElement[]): FeedPerson[] {
  return elements.slice(0, FEED_LIMITS.list).flatMap((element): FeedPerson[] => {
    const name = truncateLine(titleText(elementText(xml, element)))
    if (name === '') return []
    const url = linkAddress(attributeOf(xml, element, 'href'), element.scope.base)
    const image = linkAddress(attributeOf(xml, element, 'img'), element.scope.base)
    const role = truncateLine(attributeOf(xml, element, 'role')?.trim().toLowerCase() || 'host')
    return [{ name, role, ...(url ? { url } : {}), ...(image ? { image } : {}) }]
  })
}

/** Merges duplicates: combines their fields. */
export function mergeDuplicatePeople(people: FeedPerson[]): FeedPerson[] {
  if (people.length < 2) return people
  const found: FeedPerson[] = []
  for (const person of people) {
    const existing = found.find((candidate) => isSame(candidate, person))
    if (existing) Object.assign(existing, { ...person, ...existing })
    else found.push(person)
  }
  return found
}

/** The names on one line. */
export function namesOf(people: FeedPerson[]): string | undefined {
  if (people.length === 0) return undefined
  const names = people.map(({ name, email, url }) => name ?? email ?? url).filter((name) => name !== undefined)
  return names.length > 1 ? truncateLine([...new Set(names)].join(', ')) : names[0]
}

export function readLine(text: string): FeedPerson | undefined {
  const line = truncateLine(text).trim()
  if (line === '') return undefined
  if (!line.includes('@')) return { name: line }
  const open = Math.max(line.lastIndexOf('('), line.lastIndexOf('<'))
  const closed = line.endsWith(')') || line.endsWith('>')
  const [outside, inside] =
    open >= 0 && closed ? [line.slice(0, open).trim(), line.slice(open + 1, -1).trim()] : [line, '']
  const person: FeedPerson = {}
  for (const part of [outside, inside]) {
    const bare = part.replace(/^mailto:/i, '')
    if (bare === '') continue
    if (isMail(bare)) person.email ??= bare
    else person.name ??= bare
  }
  // "Jo Blake (@jo)" has no address, so the brackets belong to the name.
  return person.email === undefined ? { name: line } : person
}

const NAME_AND_EMAIL = new Map<string, 'name' | 'email' | 'url'>(
  Object.entries({ name: 'name', email: 'email', uri: 'url', url: 'url', homepage: 'url' }),
)

function isMail(text: string): boolean {
  return /^[^\s@<>()]+@[^\s@<>()]+$/.test(text)
}

/** The same name, or the same address if one has no name; people with different addresses are different. */
function isSame(a: FeedPerson, b: FeedPerson): boolean {
  const [name, email, url] = (['name', 'email', 'url'] as const).map((field) => mergeValues(a[field], b[field]))
  if (name === false || email === false || url === false) return false
  return name === true || email === true || url === true
}

/** Undefined if either is missing. */
function mergeValues(a: string | undefined, b: string | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : a.toLowerCase() === b.toLowerCase()
}
