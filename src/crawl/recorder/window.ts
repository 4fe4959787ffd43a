/** A window, between what the feed shows and what the store knew. */
import { WEB_BEGAN } from '../../articles/index.ts'
import { withoutPrefix } from '../../feeds/index.ts'
import {
  DAY,
  type EntryDraft,
  type FeedId,
  type FeedQuirks,
  type FeedReading,
  type Instant,
  type KnownEntry,
  type Outcome,
} from '../../model/index.ts'
import type { Ledger, Rekeyed } from '../../ports/index.ts'

export interface Window {
  entries: EntryDraft[]
  /** Of a feed that was never read before, of one that was, or of one whose older entries are sought. */
  kind: 'first' | 'latest' | 'older'
  at: Instant
}

/** What the store knew of a window: its keys; and, where it knew none of them, what the feed's latest entries said. */
export interface KnownWindow {
  keys: ReadonlyMap<string, KnownEntry>
  said: ReadonlySet<string>
  /** Entries that the feed has given other keys. */
  rekeyed?: Rekeyed[]
  /** How the feed rewrites its entries, where that is something else than before; null: it does not any more. */
  quirks?: FeedQuirks | null
}

export const NOTHING_KNOWN: KnownWindow = { keys: new Map(), said: new Set() }

const KEYS = 100 // are asked for at once: some milliseconds, where millions are kept

/** Which of these keys each feed has shown before: asked together, and of long windows a part at a time. */
export async function knownKeys(
  ledger: Ledger,
  questions: { feedId: FeedId; keys: string[] }[],
): Promise<Map<string, KnownEntry>[]> {
  const answers = questions.map(() => new Map<string, KnownEntry>())
  const parts = questions.flatMap(({ feedId, keys }, place) =>
    Array.from({ length: Math.ceil(keys.length / KEYS) }, (_, i) => ({
      place,
      feedId,
      keys: keys.slice(i * KEYS, (i + 1) * KEYS),
    })),
  )
  for (let from = 0; from < parts.length; ) {
    let [to, room] = [from, KEYS]
    for (; to === from || (to < parts.length && parts[to]!.keys.length <= room); to++) room -= parts[to]!.keys.length
    const found = await ledger.known(parts.slice(from, to))
    for (const [i, known] of found.entries())
      for (const [key, entry] of known) answers[parts[from + i]!.place]!.set(key, entry)
    from = to
  }
  return answers
}

/** A date that is so much older than an entry's arrival is not that of its appearance. */
const LATE_MS = 30 * DAY

/**
 * When the entries of the window appeared, oldest first: by their date, which never lies behind their arrival; by their
 * arrival, if they came long after their date to a feed that was read before. Else a feed with wrong years seems dead.
 */
export function windowOf(
  { entries }: FeedReading,
  known: ReadonlyMap<string, KnownEntry>,
  at: Instant,
  readSince: Instant | undefined,
): Instant[] {
  const seen = [...known.values()].flatMap((entry) => (entry === 'forgotten' ? [] : [entry.seenAt]))
  const firstAt = seen.reduce((first, one) => Math.min(first, one), at) // of a backlog that came late
  return entries
    .map(({ key, publishedAt, updatedAt = at }) => {
      const before = known.get(key)
      const seenAt = before && before !== 'forgotten' ? before.seenAt : at
      const dated = Math.min(at, publishedAt ?? Math.min(updatedAt, seenAt))
      const isArrival = readSince !== undefined && before !== 'forgotten' && seenAt > Math.max(readSince, firstAt)
      return isArrival && dated < seenAt - LATE_MS ? seenAt : dated
    })
    .sort((a, b) => a - b)
}

/** How many entries of the window somebody else has brought since the last poll: news to those who learn from polls. */
export function seenSince(known: ReadonlyMap<string, KnownEntry>, polledAt: Instant | undefined): number {
  let seen = 0
  for (const entry of known.values()) if (entry !== 'forgotten' && entry.seenAt > (polledAt ?? entry.seenAt)) seen++
  return seen
}

export function withoutPrefixes(reading: FeedReading, prefix: string | undefined): FeedReading {
  if (!prefix) return reading
  return {
    ...reading,
    entries: reading.entries.map((entry) => ({ ...entry, title: withoutPrefix(entry.title, prefix) })),
  }
}

/** Feeds announce, err and lie: an entry that is here today was not published, or changed, tomorrow, nor before the web. */
export function soundlyDated(entry: EntryDraft, at: Instant): EntryDraft {
  const { publishedAt, updatedAt, ...rest } = entry
  const fault = faultOf(publishedAt, at)
  const published = fault === 'future' ? at : publishedAt
  const updated = faultOf(updatedAt, at) === 'future' ? at : updatedAt
  return {
    ...rest,
    ...(published !== undefined && fault !== 'ancient' && { publishedAt: published }),
    ...(updated !== undefined && updated >= WEB_BEGAN && { updatedAt: updated }),
    ...(fault && { dateFault: fault }),
  }
}

function faultOf(date: Instant | undefined, at: Instant): EntryDraft['dateFault'] {
  if (date === undefined) return undefined
  return date > at ? 'future' : date < WEB_BEGAN ? 'ancient' : undefined
}

export function readingIn({ result }: Pick<Outcome, 'result'>): FeedReading | undefined {
  return result.kind === 'window' || result.kind === 'found' ? result.reading : undefined
}

export function withReading(outcome: Outcome, reading: FeedReading): Outcome {
  const { result } = outcome
  return result.kind === 'window' || result.kind === 'found' ? { ...outcome, result: { ...result, reading } } : outcome
}
