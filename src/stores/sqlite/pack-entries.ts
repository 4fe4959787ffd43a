/**
 * Compresses long texts of old entries (sql/packed-content). A partial index holds the entries that are not compressed yet (migration
 * 34), so no flag has to be updated when an entry changes, and a store of an earlier version is compressed little by little.
 */
import type { EntryId, Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { MIN_PACKED_CONTENT_BYTES, packEntryContent } from '../sql/packed-content.ts'
import { clampLimit, type SqliteSession, withinText } from './session.ts'

export function entryPacking(session: SqliteSession): Pick<Store, 'compressEntries'> {
  const { db } = session
  // The conditions must be exactly those of the index.
  const long = db.prepare<[Instant, number], { id: EntryId; content: string }>(
    `SELECT id, content FROM entries WHERE typeof(content) = 'text' AND octet_length(content) >= ${MIN_PACKED_CONTENT_BYTES} AND seen_at < ?
     ORDER BY seen_at LIMIT ?`,
  )
  const keep = db.prepare<[Buffer, EntryId, string]>('UPDATE entries SET content = ? WHERE id = ? AND content = ?')

  return {
    /** Compression runs in other threads. Entries that change meanwhile are left for the next call. */
    async compressEntries(before, limit) {
      const rows = await session.read(() => withinText(long.iterate(before, clampLimit(limit))))
      const packed = await Promise.all(
        rows.map(async ({ id, content }) => ({ id, content, bytes: await packEntryContent(content) })),
      )
      await session.write(() => {
        for (const { id, content, bytes } of packed) keep.run(bytes, id, content)
      })
      return rows.length
    },
  }
}
