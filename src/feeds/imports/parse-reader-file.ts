/** Recognizes the format of a file that another reader exported, by its content, and parses it. */
import { parseOpmlInSteps } from '../opml/parse-opml.ts'
import { googleReaderEntry, isGoogleReaderItem } from './google-reader-items.ts'
import { isObject } from './json-values.ts'
import { createReaderDataCollector, MAX_IMPORTED_SUBSCRIPTIONS, type ReaderData } from './reader-data.ts'
import { collectJson, type JsonFormat } from './reader-json.ts'
import { collectBookmarks, collectCsv, isBookmarkFile } from './saved-pages.ts'
import { collectTtRssArticles, isTtRssExport } from './ttrss-articles.ts'

export type ReaderFormat = JsonFormat | 'opml'

/** `too-many`: more subscriptions or entries than the limit. */
export type ParsedReaderFile =
  | { kind: 'data'; format: ReaderFormat; data: ReaderData }
  | { kind: 'unknown'; reason: string }
  | { kind: 'too-many' }

/** Yields often, so that other work can run. */
export function* parseReaderFileInSteps(text: string): Generator<void, ParsedReaderFile> {
  const trimmed = text.replace(/^[\ufeff\s]+/, '')
  if (trimmed === '') return { kind: 'unknown', reason: 'it is empty' }
  const collector = createReaderDataCollector()
  const finish = (format: ReaderFormat): ParsedReaderFile =>
    collector.isFull() ? { kind: 'too-many' } : { kind: 'data', format, data: collector.data() }
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const format = yield* parseJson(trimmed, collector)
    return typeof format === 'string' ? finish(format) : format
  }
  if (isBookmarkFile(trimmed)) {
    yield* collectBookmarks(trimmed, collector)
    return finish('saved-pages')
  }
  if (isTtRssExport(trimmed)) {
    yield* collectTtRssArticles(trimmed, collector)
    return finish('tt-rss')
  }
  if (trimmed.startsWith('<')) {
    const opml = yield* parseOpmlInSteps(trimmed, MAX_IMPORTED_SUBSCRIPTIONS)
    if (opml.kind === 'not-opml') return { kind: 'unknown', reason: opml.reason }
    if (opml.isCut) return { kind: 'too-many' }
    return {
      kind: 'data',
      format: 'opml',
      data: { subscriptions: opml.outlines, entries: [], skipped: opml.unusable.length },
    }
  }
  if (yield* collectCsv(trimmed, collector)) return finish('saved-pages')
  return { kind: 'unknown', reason: 'it is neither OPML, JSON, CSV nor an export of articles' }
}

const UNKNOWN_JSON: ParsedReaderFile = { kind: 'unknown', reason: 'its JSON is not an export of a known reader' }

function* parseJson(
  text: string,
  collector: ReturnType<typeof createReaderDataCollector>,
): Generator<void, JsonFormat | ParsedReaderFile> {
  if (isTooDeep(text)) return { kind: 'unknown', reason: 'its JSON is nested too deeply' }
  const value = parsed(text)
  if (value !== undefined)
    return (yield* collectJson(value, collector)) ?? (isEmptyList(value) ? 'google-reader' : UNKNOWN_JSON)
  const isLines = yield* collectLines(text, collector)
  return isLines ? 'google-reader' : { kind: 'unknown', reason: 'its JSON is broken' }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** One item of the Google Reader format per line, as FreshRSS can export. */
function* collectLines(
  text: string,
  collector: ReturnType<typeof createReaderDataCollector>,
): Generator<void, boolean> {
  let items = 0
  for (let at = 0; at < text.length; ) {
    yield
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    const line = text.slice(at, stop).trim()
    at = stop + 1
    if (line === '') continue
    const item = parsed(line)
    if (!isObject(item) || !isGoogleReaderItem(item)) return false
    collector.addEntry(googleReaderEntry(item))
    items++
  }
  return items > 0
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Exports have at most six levels. A parser takes seconds for megabytes of brackets, and may overflow the stack. */
const MAX_DEPTH = 32
const QUOTE = 0x22
const BACKSLASH = 0x5c

function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isText) {
      if (code === BACKSLASH) i++
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
