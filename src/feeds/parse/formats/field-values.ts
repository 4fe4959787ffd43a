/** Reads a field's value: from its elements, preferred first, the first that has one. */

import { titleText } from '../../../html/index.ts'
import { linkAddress } from '../address.ts'
import { type ParsedDate, parseDate } from '../dates/parse-date.ts'
import { FEED_LIMITS, type FeedCategory, type FeedPerson } from '../parsed-feed.ts'
import { childrenOf } from '../xml/children.ts'
import { attributeOf, attributesOf, elementText, type XmlElement } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { mergeDuplicatePeople, readPerson } from './person.ts'
import { readTextConstruct, type TextConstruct, truncateLine } from './text-construct.ts'

/** Reads one element. Defined once, not per call: these functions are called thousands of times. */
type ElementReader<T> = (xml: XmlText, element: XmlElement) => T | undefined

/** The first defined value. */
function first<T>(xml: XmlText, elements: readonly XmlElement[], read: ElementReader<T>): T | undefined {
  for (let index = 0; index < elements.length; index++) {
    const answer = read(xml, elements[index]!)
    if (answer !== undefined) return answer
  }
  return undefined
}

export function firstText(xml: XmlText, elements: readonly XmlElement[]): string | undefined {
  return first(xml, elements, textIn)
}

const textIn: ElementReader<string> = (xml, element) => elementText(xml, element) || undefined

export function firstLine(xml: XmlText, elements: readonly XmlElement[]): string | undefined {
  return first(xml, elements, lineIn)
}

const lineIn: ElementReader<string> = (xml, element) => truncateLine(titleText(elementText(xml, element))) || undefined

export function firstWords(xml: XmlText, elements: readonly XmlElement[]): TextConstruct | undefined {
  return first(xml, elements, wordsIn)
}

const wordsIn: ElementReader<TextConstruct> = (xml, element) => {
  const construct = readTextConstruct(xml, element)
  return construct.value === '' ? undefined : construct
}

export function firstDate(xml: XmlText, elements: readonly XmlElement[]): ParsedDate | undefined {
  return first(xml, elements, dateIn)
}

const dateIn: ElementReader<ParsedDate> = (xml, element) => parseDate(elementText(xml, element))

export function firstAddress(xml: XmlText, elements: readonly XmlElement[]): string | undefined {
  return first(xml, elements, addressIn)
}

const addressIn: ElementReader<string> = (xml, element) =>
  linkAddress(attributeOf(xml, element, 'url') ?? elementText(xml, element), element.scope.base)

/** Ids are only compared, so they keep their spelling; a relative path is resolved, because it is meaningless outside its feed. */
export function firstId(xml: XmlText, elements: readonly XmlElement[]): string | undefined {
  return first(xml, elements, idIn)
}

const idIn: ElementReader<string> = (xml, element) => {
  const id = elementText(xml, element)
  if (id === '') return undefined
  return /^\.{0,2}\//.test(id) ? (linkAddress(id, element.scope.base) ?? id) : id
}

export function firstAttribute(xml: XmlText, elements: readonly XmlElement[], name: string): string | undefined {
  for (const element of elements) {
    const value = attributeOf(xml, element, name)
    if (value) return value
  }
  return undefined
}

export function attributeDate(xml: XmlText, element: XmlElement, name: string): ParsedDate | undefined {
  const value = attributeOf(xml, element, name)
  return value === undefined ? undefined : parseDate(value)
}

/** Only from the first kind of element that names somebody: `author` and `dc:creator` usually name the same person. */
export function readPeople(xml: XmlText, elements: readonly XmlElement[]): FeedPerson[] {
  const found: FeedPerson[] = []
  let namedPerson: string | undefined
  for (const element of elements) {
    if (found.length >= FEED_LIMITS.list || (namedPerson !== undefined && element.key !== namedPerson)) break
    const person = readPerson(xml, element)
    if (person === undefined) continue
    found.push(person)
    namedPerson = element.key
  }
  return mergeDuplicatePeople(found)
}

/** `listed`: elements with several comma-separated categories. */
export function categories(
  xml: XmlText,
  elements: readonly XmlElement[],
  listed: readonly XmlElement[],
): FeedCategory[] {
  const found: FeedCategory[] = []
  for (const element of elements) {
    addCategory(found, category(xml, element))
    if (element.hasMarkup) for (const child of childrenOf(xml, element)) addCategory(found, category(xml, child))
  }
  const words = firstText(xml, listed)
  if (words === undefined) return found
  for (const term of words.split(',', FEED_LIMITS.list)) addCategory(found, { term: truncateLine(titleText(term)) })
  return found
}

function addCategory(found: FeedCategory[], category: FeedCategory): void {
  if (category.term === '' || found.length >= FEED_LIMITS.list) return
  if (!found.some(({ term, scheme }) => term === category.term && scheme === category.scheme)) found.push(category)
}

function category(xml: XmlText, element: XmlElement): FeedCategory {
  if (attributesOf(xml, element).names.length === 0) return { term: truncateLine(titleText(elementText(xml, element))) }
  const term =
    attributeOf(xml, element, 'term') || attributeOf(xml, element, 'text') || titleText(elementText(xml, element))
  const found: FeedCategory = { term: truncateLine(term) }
  const label = attributeOf(xml, element, 'label')
  if (label) found.label = truncateLine(label)
  const scheme = attributeOf(xml, element, 'scheme') || attributeOf(xml, element, 'domain')
  if (scheme) found.scheme = truncateLine(scheme)
  return found
}
