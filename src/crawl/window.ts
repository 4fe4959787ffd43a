/** A window, between what the feed shows and what the store knew. */
import { withoutPrefix } from '../feeds/index.ts'
import type { EntryDraft, Instant, KnownEntry, Reading } from '../model/index.ts'

/** What the store knew of a window: its keys; and, where it knew none of them, what the feed's latest entries said. */
export interface Known {
  keys: ReadonlyMap<string, KnownEntry>
  said: ReadonlySet<string>
}

/** When the entries of the window were published, oldest first. */
export function windowOf({ entries }: Reading, known: ReadonlyMap<string, KnownEntry>, at: Instant): Instant[] {
  return entries
    .map(({ key, publishedAt }) => {
      const before = known.get(key)
      return Math.min(at, publishedAt ?? (before && before !== 'forgotten' ? before.seenAt : at))
    })
    .sort((a, b) => a - b)
}

/** How many entries of the window somebody else has brought since the last poll: news to those who learn from polls. */
export function seenSince(known: ReadonlyMap<string, KnownEntry>, polledAt: Instant | undefined): number {
  let seen = 0
  for (const entry of known.values()) if (entry !== 'forgotten' && entry.seenAt > (polledAt ?? entry.seenAt)) seen++
  return seen
}

export function withoutPrefixes(reading: Reading, prefix: string | undefined): Reading {
  if (!prefix) return reading
  return {
    ...reading,
    entries: reading.entries.map((entry) => ({ ...entry, title: withoutPrefix(entry.title, prefix) })),
  }
}

/** Feeds announce, err and lie: an entry that is here today was not published, or changed, tomorrow. */
export function notLaterThan(entry: EntryDraft, at: Instant): EntryDraft {
  const { publishedAt = at, updatedAt = at } = entry
  if (publishedAt <= at && updatedAt <= at) return entry
  return { ...entry, ...(publishedAt > at && { publishedAt: at }), ...(updatedAt > at && { updatedAt: at }) }
}
