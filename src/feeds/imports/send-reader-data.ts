/** Splits imported data into parts that a server accepts in one request each, in the JSON that `parseReaderFileInSteps` reads. */
import type { OpmlOutline } from '../opml/parse-opml.ts'
import { assignFeeds, type KnownFeed } from './assign-feeds.ts'
import type { ImportedEntry, ReaderData } from './reader-data.ts'

/** Read entries of a feed that may still be in its document, so that it is worth to remember them: the newest. */
export const MAX_REMEMBERED_PER_FEED = 100
const MAX_SUBSCRIPTIONS = 1000

/** What identifies the feeds of subscriptions, for `assignFeeds`. */
export function knownFeedsOf(subscriptions: readonly OpmlOutline[]): KnownFeed[] {
  return subscriptions.map(({ url, siteUrl, title = '' }) => ({ url, siteUrl, titles: [title] }))
}

interface Part {
  json: string
  items: number
}

/** The JSON of each request, of about `maxBytes`. A feed is in the same part as its entries, unless these need several. */
export function* readerDataParts(data: ReaderData, maxBytes: number): Generator<Part> {
  const subscriptions = new Map(data.subscriptions.map((outline) => [outline.url as string, outline]))
  const entries = assignFeeds(withoutNeedless(data.entries), knownFeedsOf(data.subscriptions))
  let part = { subscriptions: [] as OpmlOutline[], entries: [] as ImportedEntry[] }
  let bytes = 0
  function* add(name: 'subscriptions' | 'entries', item: OpmlOutline | ImportedEntry): Generator<Part> {
    const itemBytes = Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes + itemBytes > maxBytes || part.subscriptions.length >= MAX_SUBSCRIPTIONS) yield* take()
    ;(part[name] as unknown[]).push(item)
    bytes += itemBytes
  }
  function* take(): Generator<Part> {
    const items = part.subscriptions.length + part.entries.length
    if (items > 0) yield { json: JSON.stringify({ freshetImport: 1, ...part }), items }
    part = { subscriptions: [], entries: [] }
    bytes = 0
  }
  const byFeed = Map.groupBy(entries, ({ feedUrl = '' }) => feedUrl as string)
  for (const url of new Set([...subscriptions.keys(), ...byFeed.keys()])) {
    const subscription = subscriptions.get(url)
    if (subscription) yield* add('subscriptions', subscription)
    for (const entry of byFeed.get(url) ?? []) yield* add('entries', entry)
  }
  yield* take()
}

/** Without unread entries, which need no import, and without texts of read entries that are not among the newest of their feed. */
function withoutNeedless(entries: readonly ImportedEntry[]): ImportedEntry[] {
  const kept = entries.filter(({ starred, read, labels }) => starred || read || labels)
  const counts = new Map<string, number>()
  const newestFirst = kept.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0))
  return newestFirst.map((entry) => {
    const feed = entry.feedUrl ?? entry.siteUrl ?? entry.feedTitle ?? ''
    const count = (counts.get(feed) ?? 0) + 1
    counts.set(feed, count)
    if (entry.starred || count <= MAX_REMEMBERED_PER_FEED) return entry
    const { content: _, ...rest } = entry
    return rest
  })
}
