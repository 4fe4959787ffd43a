/**
 * Feed parser: bytes of a document -> feed and entries. Pure and synchronous; linear for any input; never throws. Texts are slices of
 * the document where possible: keeping one of them keeps the whole document in memory.
 *
 * bytes -> text (`text/decode-text.ts`) -> root element (`xml/prolog.ts`) -> outline (`xml/walk.ts`) -> feed and entries, using the
 * tables of the vocabulary (`formats/`) -> keys (`keys.ts`)
 */
import type { FeedFormat, Instant } from '../../model/index.ts'
import { ATOM } from './formats/atom.ts'
import { readEntry } from './formats/entry.ts'
import { type FeedHead, readHead } from './formats/feed.ts'
import { readJsonFeed } from './formats/json-feed.ts'
import { namesOf } from './formats/person.ts'
import { RSS } from './formats/rss.ts'
import { readSitemap, type SameHosts } from './formats/sitemap.ts'
import { assignKeys, detectFragments, type KeylessEntry } from './keys.ts'
import { FEED_LIMITS, type FeedPerson, type NotAFeed, type ParsedFeed } from './parsed-feed.ts'
import { decodeText } from './text/decode-text.ts'
import { parseDeclaredEntities } from './xml/declared-entities.ts'
import { attributeOf } from './xml/element.ts'
import { type EntryOutline, extractOutline, type FeedOutline } from './xml/outline.ts'
import { findRoot, type Root, rootElement } from './xml/prolog.ts'
import { createXmlText, type ParseWork, type XmlSource, type XmlText } from './xml/xml-text.ts'

export interface ParseContext {
  /** The Content-Type header, which may name the encoding. */
  contentType?: string
  /** The document's address: the base of relative addresses. */
  url?: string
  /** When it was fetched: later dates in a sitemap are wrong. */
  now?: Instant
  /** Whether two hosts belong to the same site; by default only equal ones. A sitemap speaks only for its own site. */
  sameSite?: SameHosts
  /** Counts the work done; for tests. */
  work?: ParseWork
}

/** Reads RSS 0.90 to 2.0, RSS 1.0, Atom 0.3 and 1.0, CDF, JSON Feed and sitemaps. */
export function parseFeed(bytes: Uint8Array, context: ParseContext = {}): ParsedFeed | NotAFeed {
  const { text, encoding } = decodeText(bytes, context.contentType)
  const url = context.url !== undefined && context.url.length <= FEED_LIMITS.base ? context.url : ''
  const work = context.work ?? { steps: 0 }
  const first = /[^\s\ufeff]/.exec(text.slice(0, 65_536))?.[0]
  if (first === undefined) return notAFeed('it is empty')
  const read = first === '{' ? readJsonFeed(text.trim(), url) : readXml({ bytes, text }, url, { ...context, work })
  if ('reason' in read) return notAFeed(read.reason)
  const entries = read.entries.filter(isNotEmpty)
  addFeedAuthors(entries, read.head.authors)
  const fragments = detectFragments(entries)
  return { kind: 'feed', ...read.head, ...(fragments && { fragments }), entries: assignKeys(entries), encoding }
}

function notAFeed(reason: string): NotAFeed {
  return { kind: 'not-a-feed', reason }
}

function readXml(
  source: XmlSource,
  url: string,
  { work, now, sameSite }: ParseContext & { work: ParseWork },
): { head: FeedHead; entries: KeylessEntry[] } | { reason: string } {
  const root = findRoot(source.text, work)
  if (root.name === undefined) return { reason: root.reason }
  const xml = createXmlText(source, root.written, parseDeclaredEntities(root.doctype), work)
  if (root.name === 'urlset') return readSitemap(xml, root, { url, now, sameSite })
  const vocabulary = root.family === 'atom' ? ATOM : RSS
  const entries: KeylessEntry[] = []
  let last: EntryOutline | undefined
  const found = extractOutline(xml, rootElement(xml, root, vocabulary.names, url), (entry) => {
    entries.push(readEntry(xml, vocabulary, entry))
    last = entry
  })
  if (root.name === 'rdf' && !found.channel && entries.length === 0) return { reason: 'it is RDF without a channel' }
  if (last?.cut && !hasCertainKey(entries)) entries.pop()
  const head = readHead(xml, vocabulary, formatOf(xml, root, found), found)
  return { head, entries }
}

function formatOf(xml: XmlText, root: Root, found: FeedOutline): FeedFormat {
  if (root.family === 'atom') return 'atom'
  if (root.name === 'rdf') return 'rdf'
  const isCdf = root.name === 'channel' && attributeOf(xml, found.root, 'href') !== undefined
  return isCdf ? 'cdf' : 'rss'
}

/**
 * The last entry of a truncated document is kept only if its key is certain: it has an id, or an address and no other entry has an id.
 * Otherwise it would reappear under another key once the document is complete.
 */
function hasCertainKey(entries: KeylessEntry[]): boolean {
  const last = entries.at(-1)!
  return last.id !== undefined || (last.url !== undefined && !entries.some(({ id }) => id !== undefined))
}

/** More than the empty title that every entry has. */
function isNotEmpty(entry: KeylessEntry): boolean {
  return entry.title !== '' || Object.keys(entry).length > 1
}

/** Entries without an author get the feed's. */
function addFeedAuthors(entries: KeylessEntry[], authors: FeedPerson[] | undefined): void {
  const author = authors && namesOf(authors)
  if (author === undefined) return
  for (const entry of entries) entry.author ??= author
}
