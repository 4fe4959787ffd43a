/** Reads the few columns of known entries that a poll compares its document with. */
import type { Instant, KnownEntry } from '../../model/index.ts'

export type KnownEntryRow = ForgottenRow | FoundRow

/** The title is null if the entry was deleted by age. */
interface ForgottenRow {
  title: null
}

interface FoundRow {
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
  if (row.title === null) return 'forgotten'
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
