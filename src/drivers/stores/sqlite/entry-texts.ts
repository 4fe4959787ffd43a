/**
 * What an entry says, in one column: its title, addresses, author, summary and what comes with it, written by the words of a
 * vocabulary (vocabulary.ts). A key that is the address is not written twice, and of an address that repeats the title
 * (`/the-title-in-lower-case/`) that part is left out. Texts too long to be written so in passing stand beside it as they are.
 *
 * Rows name their vocabulary, so that a better one may come (entry-room.ts) while others are still written by the last.
 */
import type { Entry, EntryDraft, EntryExtras, EntryId, KnownEntry } from '../../../model/index.ts'
import { extrasOf } from '../../../model/index.ts'
import { jsonInColumn } from './columns.ts'
import type { EntryRow } from './rows.ts'
import { type Bytes, makeRoom, type WordList } from './vocabulary.ts'

/** Of an entry's summary, content and extras together that are written by words: a millisecond for a few hundred entries. */
const LONGEST_IN_WORDS = 3000

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export interface Said {
  key: string
  url?: string
  title: string
  author?: string
  summary?: string
  content?: string
  /** JSON. */
  extras?: string
}

/** The columns that it is kept in. */
export interface SaidColumns {
  said: Buffer
  /** JSON: summary, content and extras of those that are long. */
  long: string | null
}

/** Which parts there are. */
const HAS_URL = 1
const KEY_IS_URL = 2
const HAS_AUTHOR = 4
const HAS_SUMMARY = 8
const HAS_CONTENT = 16
const HAS_EXTRAS = 32
const URL_HAS_TITLE = 64
const IS_LONG = 128

/** Vocabularies by number. */
export interface Vocabularies {
  newest(): { id: number; vocabulary: WordList }
  get(id: number): WordList | undefined
}

export interface EntryTexts {
  pack(said: Said): SaidColumns
  said(columns: SaidColumns): Said
  /** All but what comes after the addresses, for those who look whether they know an entry. */
  known(row: Pick<EntryRow, 'said' | 'published_at' | 'seen_at'>): Exclude<KnownEntry, 'forgotten'>
  entryOf(row: EntryRow): Entry
}

export function createEntryTexts(vocabularies: Vocabularies): EntryTexts {
  const scratch: Bytes = { bytes: Buffer.allocUnsafe(4096), at: 0 }

  function pack(said: Said): SaidColumns {
    const { key, url, title, author, summary, content, extras } = said
    const { id, vocabulary } = vocabularies.newest()
    const long = longColumn(said)
    const slug = url === undefined ? '' : slugOf(title)
    const hasTitle = slug.length >= SHORTEST_SLUG && url!.includes(slug)
    scratch.at = 0
    makeRoom(scratch, 8)
    writeNumber(id, scratch)
    scratch.bytes[scratch.at++] =
      (url === undefined ? 0 : HAS_URL) |
      (url === key ? KEY_IS_URL : 0) |
      (author === undefined ? 0 : HAS_AUTHOR) |
      (summary === undefined ? 0 : HAS_SUMMARY) |
      (content === undefined ? 0 : HAS_CONTENT) |
      (extras === undefined ? 0 : HAS_EXTRAS) |
      (hasTitle ? URL_HAS_TITLE : 0) |
      (long === null ? 0 : IS_LONG)
    vocabulary.write(title, scratch)
    if (url !== undefined) vocabulary.write(url, scratch, hasTitle ? slug : '')
    if (url !== key) vocabulary.write(key, scratch, siteOf(url))
    if (author !== undefined) vocabulary.write(author, scratch)
    if (long === null)
      for (const text of [summary, content, extras]) if (text !== undefined) vocabulary.write(text, scratch)
    return { said: Buffer.from(scratch.bytes.subarray(0, scratch.at)), long }
  }

  /** Where the bytes go on, title and address, and which parts there are. */
  function begin(bytes: Buffer) {
    const from = { bytes, at: 0 }
    const vocabulary = vocabularies.get(readNumber(from))
    const parts = bytes[from.at++] ?? 0
    if (!vocabulary) return { from, parts: 0, title: '' }
    const title = vocabulary.read(from)
    if ((parts & HAS_URL) === 0) return { from, vocabulary, parts, title }
    return {
      from,
      vocabulary,
      parts,
      title,
      url: parts & URL_HAS_TITLE ? vocabulary.read(from, slugBytes(title)) : vocabulary.read(from),
    }
  }

  function said({ said, long }: SaidColumns): Writable<Said> {
    const { from, vocabulary, parts, title, url } = begin(said)
    if (!vocabulary) return { key: '', title }
    const key = parts & KEY_IS_URL ? (url ?? '') : vocabulary.read(from, Buffer.from(siteOf(url)))
    const author = parts & HAS_AUTHOR ? vocabulary.read(from) : undefined
    const texts = parts & IS_LONG ? (jsonInColumn<(string | null)[]>(long) ?? []) : undefined
    const text = (part: number, i: number) => {
      if ((parts & part) === 0) return undefined
      return texts ? (texts[i] ?? undefined) : vocabulary.read(from)
    }
    const whole: Writable<Said> = { key, title }
    const [summary, content, extras] = [text(HAS_SUMMARY, 0), text(HAS_CONTENT, 1), text(HAS_EXTRAS, 2)]
    if (url !== undefined) whole.url = url
    if (author !== undefined) whole.author = author
    if (summary !== undefined) whole.summary = summary
    if (content !== undefined) whole.content = content
    if (extras !== undefined) whole.extras = extras
    return whole
  }

  return {
    pack,
    said,

    known({ said, published_at: publishedAt, seen_at: seenAt }) {
      const { parts, title, url } = begin(said)
      return {
        title,
        ...(url !== undefined && { url }),
        ...(publishedAt !== null && { publishedAt }),
        seenAt,
        ...((parts & HAS_EXTRAS) === 0 && { bare: true as const }),
      }
    },

    entryOf(row) {
      const { extras, ...texts } = said(row)
      return {
        ...texts,
        ...(row.published_at !== null && { publishedAt: row.published_at }),
        ...(row.updated_at !== null && { updatedAt: row.updated_at }),
        ...(row.date_only !== null && { dateOnly: true as const }),
        ...(row.date_fault !== null && { dateFault: row.date_fault }),
        ...(row.estimated_at !== null &&
          row.estimated_by !== null && { estimate: { at: row.estimated_at, by: row.estimated_by } }),
        ...(row.language !== null && { language: row.language }),
        ...(row.category !== null && { category: row.category }),
        ...jsonInColumn<EntryExtras>(extras),
        id: row.id as EntryId,
        feedId: row.feed_id,
        seenAt: row.seen_at,
        ...(row.changed_at !== null && { changedAt: row.changed_at }),
      }
    },
  }
}

export function isLong({ summary = '', content = '', extras = '' }: Said): boolean {
  return summary.length + content.length + extras.length > LONGEST_IN_WORDS
}

export function longColumn(said: Said): string | null {
  return isLong(said) ? JSON.stringify([said.summary, said.content, said.extras]) : null
}

/** What a draft says, as it is kept. */
export function saidBy(draft: EntryDraft): Said {
  const { key, url, title, author, summary, content } = draft
  const extras = extrasOf(draft)
  return {
    key,
    ...(url !== undefined && { url }),
    title,
    ...(author !== undefined && { author }),
    ...(summary !== undefined && { summary }),
    ...(content !== undefined && { content }),
    ...(extras && { extras: JSON.stringify(extras) }),
  }
}

const SHORTEST_SLUG = 4

/** As most sites make an address of a title: letters and digits in small, a dash for whatever is between. */
function slugBytes(title: string): Uint8Array {
  if (slugRoom.length < title.length) slugRoom = Buffer.allocUnsafe(title.length * 2)
  let length = 0
  let apart = false
  for (let i = 0; i < title.length; i++) {
    const unit = title.charCodeAt(i)
    const small = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit
    if ((small >= 0x61 && small <= 0x7a) || (small >= 0x30 && small <= 0x39)) {
      if (apart && length > 0) slugRoom[length++] = DASH
      apart = false
      slugRoom[length++] = small
    } else apart = true
  }
  return slugRoom.subarray(0, length)
}

const DASH = 0x2d
let slugRoom = Buffer.allocUnsafe(256)

function slugOf(title: string): string {
  return Buffer.from(slugBytes(title)).toString('latin1')
}

/** `https://site.example/`, which keys begin with, too. */
function siteOf(url: string | undefined): string {
  if (url === undefined) return ''
  const slash = url.indexOf('/', 8)
  return slash < 0 ? '' : url.slice(0, slash + 1)
}

function writeNumber(number: number, to: Bytes): void {
  for (let rest = number; ; rest >>= 7) {
    to.bytes[to.at++] = (rest & 127) | (rest > 127 ? 128 : 0)
    if (rest <= 127) return
  }
}

function readNumber(from: Bytes): number {
  let number = 0
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = from.bytes[from.at++] ?? 0
    number |= (byte & 127) << shift
    if (byte < 128) break
  }
  return number
}
