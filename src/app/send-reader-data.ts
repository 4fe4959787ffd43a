/** Sends imported data to the server of the client, in parts, and adds up the reports. */
import type { ImportedFeedShape, ReaderImportShape } from '../api/index.ts'
import type { Client } from '../client/index.ts'
import { type ReaderData, readerDataParts } from '../feeds/index.ts'

/** The API accepts 12 MB. */
const MAX_PART_BYTES = 4_000_000

export async function sendReaderData(
  client: Client,
  data: ReaderData,
  isDryRun: boolean,
  progress: (done: number, of: number) => void,
): Promise<ReaderImportShape> {
  const feeds = new Map<string, ImportedFeedShape>()
  const unassigned: ReaderImportShape['unassigned'] = []
  const counts = { unassigned: 0, labeled: 0, skipped: data.skipped }
  const all = data.subscriptions.length + data.entries.length
  let sent = 0
  for (const part of readerDataParts(data, MAX_PART_BYTES)) {
    const body = new Blob([part.json])
    const report = await client.importReaderData({ body, query: { dryRun: isDryRun } })
    for (const feed of report.feeds) feeds.set(feed.url, withEarlier(feeds.get(feed.url), feed))
    unassigned.push(...report.unassigned)
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += report.totals[name]
    sent += part.items
    progress(Math.min(sent, all), all)
  }
  const list = [...feeds.values()]
  return { isDryRun, feeds: list, totals: { ...sumOf(list), ...counts }, unassigned }
}

const ENTRY_COUNTS = ['matched', 'read', 'starred', 'created', 'waiting', 'missing'] as const

/** The entries of a feed may need several parts; the first one adds the feed. */
function withEarlier(earlier: ImportedFeedShape | undefined, feed: ImportedFeedShape): ImportedFeedShape {
  if (!earlier) return feed
  const sum = { ...feed, result: earlier.result, ...(earlier.title && { title: earlier.title }) }
  for (const name of ENTRY_COUNTS) sum[name] += earlier[name]
  sum.createdEntries = [...earlier.createdEntries, ...feed.createdEntries]
  sum.missingStars = [...earlier.missingStars, ...feed.missingStars]
  return sum
}

function sumOf(feeds: readonly ImportedFeedShape[]) {
  const sum = { added: 0, existing: 0, refused: 0, matched: 0, read: 0, starred: 0, created: 0, waiting: 0, missing: 0 }
  for (const feed of feeds) {
    sum[feed.result]++
    for (const name of ENTRY_COUNTS) sum[name] += feed[name]
  }
  return sum
}
