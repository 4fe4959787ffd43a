/**
 * Compresses long texts of old entries (sql/packed-content). A partial index holds the entries that are not compressed yet (migration
 * 34), so no flag has to be updated when an entry changes, and a store of an earlier version is compressed little by little.
 */
import type { EntryId } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { withinTextLimit } from '../sql/chunks.ts'
import { MIN_PACKED_CONTENT_BYTES, packEntryContent } from '../sql/packed-content.ts'
import type { SqlSession } from '../sql/session.ts'
import { atMost } from '../sql/values.ts'

/** The conditions must be exactly those of the index. */
const LONG = `SELECT id, octet_length(content) AS bytes FROM entries
  WHERE typeof(content) = 'text' AND octet_length(content) >= ${MIN_PACKED_CONTENT_BYTES} AND seen_at < $1 ORDER BY seen_at LIMIT $2`

export function entryPacking({ dialect, ...session }: SqlSession): Pick<Store, 'compressEntries'> {
  return {
    /** Compression runs in other threads. Entries that change meanwhile are left for the next call. */
    async compressEntries(before, limit) {
      const rows = await session.read(function* (query) {
        const long = yield* query.rows<{ id: EntryId; bytes: number }>(LONG, [before, atMost(limit)])
        return yield* query.rows<{ id: EntryId; content: string }>(
          `SELECT e.id, e.content FROM ${dialect.list('$1')} CROSS JOIN entries e WHERE e.id = w.value`,
          [withinTextLimit(long).map(({ id }) => id)],
        )
      })
      const packed = await Promise.all(
        rows.map(async ({ id, content }) => [await packEntryContent(content), id, content] as const),
      )
      await session.runEach(
        'UPDATE entries SET content = g.packed FROM given g WHERE entries.id = g.id AND entries.content = g.content',
        ['packed bytea', 'id bigint', 'content text'],
        packed.map((row) => [...row]),
      )
      return rows.length
    },
  }
}
