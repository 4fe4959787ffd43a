/** What a poll compares its document with: the little that is read of an entry which is known already. */
import type { Instant, KnownEntry } from '../../model/index.ts'

export interface KnownRow {
  title: string
  url: string | null
  published_at: Instant | null
  seen_at: Instant
  /** As each database says it. */
  bare: boolean | 0 | 1
  text_hash: number | null
  changed_at: Instant | null
}

export function knownOf(row: KnownRow): KnownEntry {
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
