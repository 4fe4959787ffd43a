/** Reads the few columns of known entries that a poll compares its document with. */
import type { Instant, KnownEntry } from '../../model/index.ts'

export interface KnownEntryRow {
  title: string
  url: string | null
  published_at: Instant | null
  seen_at: Instant
  /** Boolean in PostgreSQL, 0 or 1 in SQLite. */
  bare: boolean | 0 | 1
  text_hash: number | null
  changed_at: Instant | null
}

export function knownEntryOf(row: KnownEntryRow): KnownEntry {
  const { title, url, published_at: publishedAt, bare, text_hash: textHash, changed_at: changedAt } = row
  return {
    title,
    ...(url !== null && { url }),
    ...(publishedAt !== null && { publishedAt }),
    seenAt: row.seen_at,
    ...(bare && { bare: true }),
    ...(textHash !== null && { textHash }),
    ...(changedAt !== null && { changedAt }),
  }
}
