/**
 * What is imported from another reader: subscriptions, and entries with their read and starred state. Every format is parsed into this
 * model through a collector, which limits numbers and lengths, drops what is not a web address, and merges what is listed twice.
 */
import { type Instant, type WebAddress, webAddress } from '../../model/index.ts'
import { normalizeUserAddress } from '../discover/user-address.ts'
import type { OpmlOutline } from '../opml/parse-opml.ts'

export interface ImportedEntry {
  /** The address of its feed. If the file does not state it, `siteUrl` or `feedTitle` may identify the feed. */
  feedUrl?: WebAddress
  siteUrl?: WebAddress
  feedTitle?: string
  url?: WebAddress
  guid?: string
  title: string
  publishedAt?: Instant
  author?: string
  /** Untrusted HTML. */
  content?: string
  /** Absent if the file does not say. */
  read?: boolean
  starred?: true
  labels?: string[]
}

export interface ReaderData {
  subscriptions: OpmlOutline[]
  entries: ImportedEntry[]
  /** Items that could not be used: without a web address, or neither title nor address. */
  skipped: number
}

/** An entry as a format states it, before it is checked. */
export interface RawEntry {
  feedUrl?: string | undefined
  siteUrl?: string | undefined
  feedTitle?: string | undefined
  url?: string | undefined
  guid?: string | undefined
  title?: string | undefined
  publishedAt?: Instant | undefined
  author?: string | undefined
  content?: string | undefined
  read?: boolean | undefined
  starred?: boolean | undefined
  labels?: string[] | undefined
}

/** Far more than the entries of any reader that exports them. */
export const MAX_IMPORTED_ENTRIES = 100_000
export const MAX_IMPORTED_SUBSCRIPTIONS = 100_000
/** As for entries of feeds: the length of a book. */
const MAX_CONTENT = 500_000
const MAX_TITLE = 1000
const MAX_URL = 2000
const MAX_LABELS = 20
const MAX_LABEL = 200
/** Later dates are no instants of JavaScript. */
const LAST_INSTANT = 8.64e15

export interface ReaderDataCollector {
  addSubscription(outline: OpmlOutline): void
  addEntry(entry: RawEntry): void
  skip(): void
  /** Whether a limit was exceeded; what follows is not kept. */
  isFull(): boolean
  data(): ReaderData
}

export function createReaderDataCollector(): ReaderDataCollector {
  const subscriptions = new Map<string, OpmlOutline>()
  const entries = new Map<string, ImportedEntry>()
  let skipped = 0
  let isCut = false
  return {
    addSubscription(outline) {
      const before = subscriptions.get(outline.url)
      if (!before && subscriptions.size >= MAX_IMPORTED_SUBSCRIPTIONS) isCut = true
      else subscriptions.set(outline.url, { ...outline, ...before })
    },
    addEntry(raw) {
      const entry = checkedEntry(raw)
      if (!entry) return void skipped++
      const name = identityOf(entry)
      const before = entries.get(name)
      if (!before && entries.size >= MAX_IMPORTED_ENTRIES) isCut = true
      else entries.set(name, before ? mergedEntry(before, entry) : entry)
    },
    skip: () => void skipped++,
    isFull: () => isCut,
    data: () => ({ subscriptions: [...subscriptions.values()], entries: [...entries.values()], skipped }),
  }
}

/** The data of several files together. */
export function mergeReaderData(parts: readonly ReaderData[]): ReaderData {
  const collector = createReaderDataCollector()
  for (const { subscriptions, entries } of parts) {
    for (const outline of subscriptions) collector.addSubscription(outline)
    for (const entry of entries) collector.addEntry(entry)
  }
  const merged = collector.data()
  return { ...merged, skipped: merged.skipped + parts.reduce((sum, { skipped }) => sum + skipped, 0) }
}

function identityOf({ feedUrl, siteUrl, feedTitle, url, guid, title, publishedAt }: ImportedEntry): string {
  return [feedUrl ?? siteUrl ?? feedTitle ?? '', guid ?? url ?? `${title} ${publishedAt ?? ''}`].join('\n')
}

function mergedEntry(one: ImportedEntry, other: ImportedEntry): ImportedEntry {
  const labels = [...new Set([...(one.labels ?? []), ...(other.labels ?? [])])].slice(0, MAX_LABELS)
  const read = one.read || other.read ? true : (one.read ?? other.read)
  return {
    ...other,
    ...one,
    ...(read !== undefined && { read }),
    ...((one.starred || other.starred) && { starred: true }),
    ...(labels.length > 0 && { labels }),
  }
}

function checkedEntry(raw: RawEntry): ImportedEntry | undefined {
  const url = entryAddress(raw.url)
  const title = line(raw.title, MAX_TITLE) ?? ''
  if (url === undefined && title === '') return undefined
  const feedUrl = raw.feedUrl ? normalizeUserAddress(raw.feedUrl) : undefined
  const siteUrl = raw.siteUrl ? normalizeUserAddress(raw.siteUrl) : undefined
  const feedTitle = line(raw.feedTitle, MAX_TITLE)
  const guid = raw.guid?.trim().slice(0, MAX_URL).toWellFormed()
  const author = line(raw.author, MAX_LABEL)
  const content = raw.content?.slice(0, MAX_CONTENT).toWellFormed()
  const labels = [...new Set((raw.labels ?? []).flatMap((label) => line(label, MAX_LABEL) ?? []))].slice(0, MAX_LABELS)
  const { publishedAt, read, starred } = raw
  const hasDate = publishedAt !== undefined && publishedAt > 0 && publishedAt < LAST_INSTANT
  return {
    ...(feedUrl && { feedUrl }),
    ...(siteUrl && { siteUrl }),
    ...(feedTitle && { feedTitle }),
    ...(url && { url }),
    ...(guid && { guid }),
    title,
    ...(hasDate && { publishedAt: Math.floor(publishedAt) }),
    ...(author && { author }),
    ...(content && { content }),
    ...(read !== undefined && { read }),
    ...(starred && { starred: true }),
    ...(labels.length > 0 && { labels }),
  }
}

function entryAddress(text: string | undefined): WebAddress | undefined {
  const bare = text?.trim()
  return bare === undefined || bare.length > MAX_URL || !/^https?:/i.test(bare) ? undefined : webAddress(bare)
}

function line(text: string | undefined, maxLength: number): string | undefined {
  const cleaned = text?.slice(0, maxLength).replace(/\s+/g, ' ').trim().toWellFormed()
  return cleaned || undefined
}
