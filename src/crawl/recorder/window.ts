/** A window: the entries that a feed shows at one time, compared with the stored ones. */
import { EARLIEST_WEB_DATE } from '../../articles/index.ts'
import { removePrefix } from '../../feeds/index.ts'
import {
  DAY,
  type EntryDraft,
  type FeedId,
  type FeedQuirks,
  type FetchedFeed,
  type Instant,
  type KnownEntry,
  type Outcome,
} from '../../model/index.ts'
import type { KeyChange, PollResults } from '../../ports/index.ts'

export interface Window {
  entries: EntryDraft[]
  /** first: the first document of a feed. latest: a later one. older: one of its archive. */
  kind: 'first' | 'latest' | 'older'
  at: Instant
}

/** The stored entries of a window by key, and if there are none, the texts of the feed's latest entries. */
export interface KnownEntries {
  keys: ReadonlyMap<string, KnownEntry>
  recentTexts: ReadonlySet<string>
  /** Entries that the feed has given other keys. */
  keyChanges?: KeyChange[]
  /** How the feed rewrites its entries, if that changed; null: it no longer does. */
  quirks?: FeedQuirks | null
}

export const NO_KNOWN_ENTRIES: KnownEntries = { keys: new Map(), recentTexts: new Set() }

const KEYS_PER_QUERY = 100 // some milliseconds in a store of millions of entries

/** Finds the stored entries of these keys by feed. Short windows share a query, long ones are split. */
export async function findKnownKeys(
  pollResults: PollResults,
  queries: { feedId: FeedId; keys: string[] }[],
): Promise<Map<string, KnownEntry>[]> {
  const answers = queries.map(() => new Map<string, KnownEntry>())
  const parts = queries.flatMap(({ feedId, keys }, index) =>
    Array.from({ length: Math.ceil(keys.length / KEYS_PER_QUERY) }, (_, i) => ({
      index,
      feedId,
      keys: keys.slice(i * KEYS_PER_QUERY, (i + 1) * KEYS_PER_QUERY),
    })),
  )
  for (let from = 0; from < parts.length; ) {
    let [to, capacity] = [from, KEYS_PER_QUERY]
    for (; to === from || (to < parts.length && parts[to]!.keys.length <= capacity); to++)
      capacity -= parts[to]!.keys.length
    const found = await pollResults.knownEntries(parts.slice(from, to))
    for (const [i, known] of found.entries())
      for (const [key, entry] of known) answers[parts[from + i]!.index]!.set(key, entry)
    from = to
  }
  return answers
}

/** A date that precedes the arrival by more is not the time of publication. */
const LATE_MS = 30 * DAY

/**
 * Publication times of the window's entries, oldest first: their date, at most their arrival; or their arrival, if that is long after their
 * date and the feed was read before. Without this rule, a feed with wrong years would seem dead.
 */
export function publicationTimes(
  { entries }: FetchedFeed,
  known: ReadonlyMap<string, KnownEntry>,
  at: Instant,
  readSince: Instant | undefined,
): Instant[] {
  const seen = [...known.values()].flatMap((entry) => (entry === 'forgotten' ? [] : [entry.seenAt]))
  const firstAt = seen.reduce((first, one) => Math.min(first, one), at) // for a backlog that arrived late
  return entries
    .map(({ key, publishedAt, updatedAt = at }) => {
      const before = known.get(key)
      const seenAt = before && before !== 'forgotten' ? before.seenAt : at
      const date = Math.min(at, publishedAt ?? Math.min(updatedAt, seenAt))
      const isArrival = readSince !== undefined && before !== 'forgotten' && seenAt > Math.max(readSince, firstAt)
      return isArrival && date < seenAt - LATE_MS ? seenAt : date
    })
    .sort((a, b) => a - b)
}

/** How many entries of the window were stored since the last poll, by pushes: they are new to the strategy. */
export function countSeenSince(known: ReadonlyMap<string, KnownEntry>, polledAt: Instant | undefined): number {
  let seen = 0
  for (const entry of known.values()) if (entry !== 'forgotten' && entry.seenAt > (polledAt ?? entry.seenAt)) seen++
  return seen
}

export function withoutPrefixes(reading: FetchedFeed, prefix: string | undefined): FetchedFeed {
  if (!prefix) return reading
  return {
    ...reading,
    entries: reading.entries.map((entry) => ({ ...entry, title: removePrefix(entry.title, prefix) })),
  }
}

/** Corrects impossible dates: an entry that exists was not published or changed in the future, nor published before the web. */
export function withValidDates(entry: EntryDraft, at: Instant): EntryDraft {
  const { publishedAt, updatedAt, ...rest } = entry
  const fault = faultOf(publishedAt, at)
  const published = fault === 'future' ? at : publishedAt
  const updated = faultOf(updatedAt, at) === 'future' ? at : updatedAt
  return {
    ...rest,
    ...(published !== undefined && fault !== 'ancient' && { publishedAt: published }),
    ...(updated !== undefined && updated >= EARLIEST_WEB_DATE && { updatedAt: updated }),
    ...(fault && { dateFault: fault }),
  }
}

function faultOf(date: Instant | undefined, at: Instant): EntryDraft['dateFault'] {
  if (date === undefined) return undefined
  return date > at ? 'future' : date < EARLIEST_WEB_DATE ? 'ancient' : undefined
}

export function readingIn({ result }: Pick<Outcome, 'result'>): FetchedFeed | undefined {
  return result.kind === 'window' || result.kind === 'found' ? result.reading : undefined
}

export function withReading(outcome: Outcome, reading: FetchedFeed): Outcome {
  const { result } = outcome
  return result.kind === 'window' || result.kind === 'found' ? { ...outcome, result: { ...result, reading } } : outcome
}
