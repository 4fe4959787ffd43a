/**
 * Delays between the publication of an entry and its arrival, by hour of the last day. Entries published before their feed was added do
 * not count, nor do imported ones, nor entries whose date has no time.
 */
import type { DelaysShape } from '../api/index.ts'
import { DAY, type Entry, type FeedId, HOUR, type Instant, type Millis } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { isoDate } from './shapes/values.ts'

const MAX_ENTRIES = 20_000
const PAGE = 1000

export async function publicationDelays(now: Instant, { catalogue }: { catalogue: Catalogue }): Promise<DelaysShape> {
  const since = now - DAY
  const entries = await entriesSince(since, catalogue)
  const addedAt = await feedAddedDates(entries, catalogue)
  const delays = entries.flatMap(({ feedId, publishedAt, seenAt, dateOnly, imported }) => {
    const isNews = !imported && publishedAt !== undefined && !dateOnly && publishedAt >= (addedAt.get(feedId) ?? seenAt)
    return isNews && publishedAt <= seenAt ? [{ at: seenAt, ms: seenAt - publishedAt }] : []
  })
  const firstHour = Math.floor(since / HOUR) * HOUR
  const series = Array.from({ length: Math.floor((now - firstHour) / HOUR) + 1 }, (_, i) => {
    const at = firstHour + i * HOUR
    const within = delays.filter((delay) => delay.at >= at && delay.at < at + HOUR).map(({ ms }) => ms)
    return { at: isoDate(at), count: within.length, ...quantile('medianMs', within, 0.5) }
  })
  const all = delays.map(({ ms }) => ms)
  return {
    since: isoDate(since),
    count: all.length,
    ...quantile('medianMs', all, 0.5),
    ...quantile('p90Ms', all, 0.9),
    series,
  }
}

async function entriesSince(since: Instant, catalogue: Catalogue): Promise<Entry[]> {
  const found: Entry[] = []
  let after: { at: Instant; id: Entry['id'] } | undefined
  do {
    const page = await catalogue.listEntries({ since, limit: PAGE, ...(after && { after }) })
    found.push(...page.entries)
    after = page.nextAfter
  } while (after && found.length < MAX_ENTRIES)
  return found
}

async function feedAddedDates(entries: readonly Entry[], catalogue: Catalogue): Promise<Map<FeedId, Instant>> {
  const ids = [...new Set(entries.map(({ feedId }) => feedId))]
  const feeds = await catalogue.feedsById(ids)
  return new Map(
    feeds.flatMap((scheduled) => (scheduled ? [[scheduled.feed.id, scheduled.feed.addedAt] as const] : [])),
  )
}

function quantile<Name extends string>(name: Name, values: Millis[], share: number): Partial<Record<Name, Millis>> {
  if (values.length === 0) return {}
  const sorted = values.toSorted((a, b) => a - b)
  return { [name]: sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] } as Record<Name, Millis>
}
