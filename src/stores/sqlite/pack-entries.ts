/**
 * Long texts of old entries are packed (sql/packed-content). Which are not yet, an index knows in which only those
 * stand (migration 34): so nothing has to be marked, whoever changes an entry, and a store of an earlier version is packed little by little.
 */
import type { EntryId, Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { LONG_CONTENT, packedContent } from '../sql/packed-content.ts'
import { bounded, type SqliteSession, withinText } from './session.ts'

export function entryPacking(session: SqliteSession): Pick<Store, 'packEntries'> {
  const { db } = session
  // The conditions are those of the index, to the letter.
  const long = db.prepare<[Instant, number], { id: EntryId; content: string }>(
    `SELECT id, content FROM entries WHERE typeof(content) = 'text' AND octet_length(content) >= ${LONG_CONTENT} AND seen_at < ?
     ORDER BY seen_at LIMIT ?`,
  )
  const keep = db.prepare<[Buffer, EntryId, string]>('UPDATE entries SET content = ? WHERE id = ? AND content = ?')

  return {
    /** Packed by other threads; what was changed meanwhile is left for another time. */
    async packEntries(before, limit) {
      const rows = await session.read(() => withinText(long.iterate(before, bounded(limit))))
      const packed = await Promise.all(
        rows.map(async ({ id, content }) => ({ id, content, bytes: await packedContent(content) })),
      )
      await session.write(() => {
        for (const { id, content, bytes } of packed) keep.run(bytes, id, content)
      })
      return rows.length
    },
  }
}
