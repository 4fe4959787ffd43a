/** An article as somebody reads it, wherever it comes from: the store, or the web as it is now. */
import { sanitise } from '../articles/index.ts'
import type { EntryId, Instant } from '../model/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { readPage } from './looking.ts'
import { openReading } from './wire.ts'

export interface Paper {
  title: string
  url?: string
  authors?: string[]
  at?: Instant
  dateOnly?: true
  /** The feed's or the site's name. */
  source?: string
  words?: number
  /** What a reader should know of it. */
  note?: string
  /** Safe for a browser. */
  html: string
}

/** Of the page that is at an address now. */
export async function paperAt(config: Config, word: string, signal: AbortSignal): Promise<Paper> {
  const { article } = await readPage(config, { word, stdin: nothing }, signal)
  const { url, title, authors, published, siteName, words, paywall, html } = article
  return {
    title: title?.value ?? '',
    url,
    ...(authors && { authors: authors.value }),
    ...(published && { at: published.at, ...(published.dateOnly && { dateOnly: true }) }),
    ...(siteName && { source: siteName.value }),
    words,
    ...(paywall && { note: PAYWALL }),
    html: sanitise(html, url),
  }
}

const PAYWALL = 'its whole text is for subscribers'

/** Of an entry: what its feed says. */
export async function paperOf(config: Config, id: number): Promise<Paper> {
  const { store, close } = await openReading(config)
  try {
    const [entry] = await store.entriesById([id as EntryId])
    if (!entry) throw new InputError(`there is no entry e${id}`, 'freshet entries lists them with their numbers')
    const [held] = await store.feedsById([entry.feedId])
    const { title, url, author, publishedAt, dateOnly, content, summary } = entry
    return {
      title,
      ...(url && { url }),
      ...(author && { authors: [author] }),
      ...(publishedAt !== undefined && { at: publishedAt }),
      ...(dateOnly && { dateOnly }),
      ...(held && { source: held.feed.title }),
      html: sanitise(content ?? summary ?? '', url),
    }
  } finally {
    await close()
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}
