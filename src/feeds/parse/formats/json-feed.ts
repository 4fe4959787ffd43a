/** JSON Feed 1.0 and 1.1. Every value is type-checked before use. */

import { collapseWhitespace, repairJson, textAsHtml, titleText } from '../../../html/index.ts'
import { type FeedFacts, type WebAddress, webAddress } from '../../../model/index.ts'
import { makeLinksAbsolute } from '../absolute-links.ts'
import { httpAddress, linkAddress } from '../address.ts'
import { parseDate } from '../dates/parse-date.ts'
import type { KeylessEntry } from '../keys.ts'
import { type Enclosure, FEED_LIMITS, type FeedCategory, type FeedPerson } from '../parsed-feed.ts'
import { removeControlCharacters } from '../text/control-characters.ts'
import type { FeedHead } from './feed.ts'
import { enclosure } from './links.ts'
import { mergeDuplicatePeople, namesOf } from './person.ts'
import { truncateLine } from './text-construct.ts'

type Fields = Record<string, unknown>

export type JsonFeed = { head: FeedHead; entries: KeylessEntry[] } | { reason: string }

export function readJsonFeed(text: string, url: string): JsonFeed {
  const { document, cut } = parseJson(text)
  if (document === undefined) return { reason: 'it is invalid JSON' }
  if (!isFields(document)) return { reason: 'it is JSON, but not a JSON Feed' }
  const version = textIn(document, 'version') ?? ''
  if (!Array.isArray(document.items) && !version.includes('jsonfeed'))
    return { reason: 'it is JSON, but not a JSON Feed' }
  const items = Array.isArray(document.items) ? document.items.filter(isFields) : []
  const base = linkAddress(textIn(document, 'home_page_url'), url) ?? url
  const head = readHead(document, url)
  const entries = items.slice(0, FEED_LIMITS.entries).map((item) => readItem(item, base))
  if (items.length > entries.length) head.droppedEntries = items.length - entries.length
  if (cut) head.cut = true
  return { head, entries }
}

function parseJson(text: string): { document?: unknown; cut?: boolean } {
  try {
    return { document: JSON.parse(text) }
  } catch {
    try {
      return { document: JSON.parse(repairJson(text, WHOLE_ITEMS)), cut: true }
    } catch {
      return {}
    }
  }
}

/** Nesting depth of an item: truncated feeds are repaired by dropping the incomplete item. */
const WHOLE_ITEMS = 2

function readHead(document: Fields, url: string): FeedHead {
  const facts: FeedFacts = { format: 'json' }
  const head: FeedHead = { facts }
  const people = readPeople(document, url)
  set(facts, 'title', lineIn(document, 'title'))
  set(facts, 'description', lineIn(document, 'description'))
  set(facts, 'siteUrl', addressIn(document, 'home_page_url', url))
  set(facts, 'selfUrl', addressIn(document, 'feed_url', url))
  set(facts, 'language', lineIn(document, 'language'))
  set(
    facts,
    'hub',
    fieldsIn(document, 'hubs')
      .map((hub) => addressIn(hub, 'url', url))
      .find(Boolean),
  )
  set(head, 'authors', people.length > 0 ? people : undefined)
  set(head, 'nextUrl', addressIn(document, 'next_url', url))
  set(head, 'icon', linkAddress(textIn(document, 'favicon'), url))
  set(head, 'image', linkAddress(textIn(document, 'icon'), url))
  return head
}

function readItem(item: Fields, base: string): KeylessEntry {
  const entry: KeylessEntry = { title: titleText(lineIn(item, 'title') ?? '') }
  set(entry, 'id', textIn(item, 'id'))
  set(entry, 'url', pageIn(item, 'url', base) ?? pageIn(item, 'external_url', base))
  const html = textIn(item, 'content_html')
  const text = textIn(item, 'content_text')
  set(
    entry,
    'content',
    html ? makeLinksAbsolute(html, entry.url ?? base) : text && textAsHtml(text).replaceAll('\n', '<br>\n'),
  )
  if (!html) set(entry, 'contentText', text)
  const summary = textIn(item, 'summary')
  set(entry, 'summary', summary && textAsHtml(summary))
  set(entry, 'summaryText', summary)
  const published = parseDate(textIn(item, 'date_published') ?? '')
  const updated = parseDate(textIn(item, 'date_modified') ?? '')
  set(entry, 'publishedAt', published?.at)
  set(entry, 'updatedAt', updated?.at)
  if ((published ?? updated)?.dateOnly) entry.dateOnly = true
  const people = readPeople(item, base)
  set(entry, 'authors', people.length > 0 ? people : undefined)
  set(entry, 'author', namesOf(people))
  const tags = readTags(item)
  set(entry, 'categories', tags.length > 0 ? tags : undefined)
  const files = readFiles(item, base)
  set(entry, 'enclosures', files.length > 0 ? files : undefined)
  set(entry, 'image', linkAddress(textIn(item, 'image') ?? textIn(item, 'banner_image'), base))
  set(entry, 'language', lineIn(item, 'language'))
  return entry
}

/** 1.1 has a list `authors`, 1.0 a single `author`; some feeds mix the two, or give a string instead of an object. */
function readPeople(from: Fields, base: string): FeedPerson[] {
  const people = personsIn(from, 'authors', base)
  return people.length > 0 ? people : personsIn(from, 'author', base)
}

function personsIn(from: Fields, name: string, base: string): FeedPerson[] {
  const people = listIn(from, name).flatMap((author): FeedPerson[] => {
    if (typeof author === 'string')
      return author.trim() === '' ? [] : [{ name: truncateLine(collapseWhitespace(removeControlCharacters(author))) }]
    if (!isFields(author)) return []
    const person: FeedPerson = {}
    set(person, 'name', lineIn(author, 'name'))
    set(person, 'url', linkAddress(textIn(author, 'url'), base))
    return person.name === undefined && person.url === undefined ? [] : [person]
  })
  return mergeDuplicatePeople(people)
}

function readTags(item: Fields): FeedCategory[] {
  const terms = listIn(item, 'tags')
    .filter((tag) => typeof tag === 'string' && tag.trim() !== '')
    .map((tag) => truncateLine(collapseWhitespace(removeControlCharacters(tag as string))))
  return [...new Set(terms)].slice(0, FEED_LIMITS.list).map((term) => ({ term }))
}

function readFiles(item: Fields, base: string): Enclosure[] {
  return fieldsIn(item, 'attachments').flatMap((file): Enclosure[] => {
    const url = linkAddress(textIn(file, 'url'), base)
    if (!url) return []
    const seconds = file.duration_in_seconds
    const found = enclosure(url, textIn(file, 'mime_type'), textIn(file, 'size_in_bytes'))
    set(found, 'title', lineIn(file, 'title'))
    if (typeof seconds === 'number' && seconds > 0) found.durationMs = Math.round(seconds * 1000)
    return [found]
  })
}

function set<T extends object, K extends keyof T>(target: T, name: K, value: T[K] | undefined | ''): void {
  if (value !== undefined && value !== '') target[name] = value as T[K]
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A single value in place of a list is accepted. */
function listIn(from: Fields, name: string): unknown[] {
  const value = from[name]
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, FEED_LIMITS.list) : [value]
}

function fieldsIn(from: Fields, name: string): Fields[] {
  return listIn(from, name).filter(isFields)
}

/** Numbers are accepted as text: many feeds have numeric ids. */
function textIn(from: Fields, name: string): string | undefined {
  const value = from[name]
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? removeControlCharacters(value).trim() : ''
  return text === '' ? undefined : text
}

function pageIn(from: Fields, name: string, base: string): string | undefined {
  return httpAddress(linkAddress(textIn(from, name), base))
}

/** A valid web address. */
function addressIn(from: Fields, name: string, base: string): WebAddress | undefined {
  return webAddress(linkAddress(textIn(from, name), base))
}

function lineIn(from: Fields, name: string): string | undefined {
  const text = textIn(from, name)
  return text === undefined ? undefined : truncateLine(collapseWhitespace(text))
}
