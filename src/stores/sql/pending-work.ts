/**
 * The queues of entries to index and entries to group. Queue positions are handled individually, so the order in which concurrent
 * transactions commit makes no difference, and an entry that changes meanwhile gets another position.
 */
import type { EntryId } from '../../model/index.ts'
import type { QueuePosition, Store } from '../../ports/index.ts'
import { tryReadContent } from './article-rows.ts'
import { withinTextLimit } from './chunks.ts'
import { isNotRemovedSql } from './conditions.ts'
import { articleTextJoin, type Dialect } from './dialect.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

export type WorkQueue = 'unindexed' | 'ungrouped'

/** Moves entries to the end of a queue, in this order, also if they are queued already. */
export function* enqueueEntries(
  tx: SqlTransaction,
  { moveToEnd }: Dialect,
  queue: WorkQueue,
  ids: Iterable<EntryId>,
): SqlWork<void> {
  const rows = [...new Set(ids)].map((id) => [id])
  yield* tx.runEach(moveToEnd(queue, 'entry_id', ['entry_id bigint']), ['entry_id bigint'], rows)
}

/** Removes exactly these positions. */
export function dequeueEntries(
  tx: SqlTransaction,
  queue: WorkQueue,
  positions: readonly QueuePosition[],
): SqlWork<void> {
  const rows = positions.map((position) => [position])
  return tx.runEach(`DELETE FROM ${queue} USING given g WHERE ${queue}.place = g.place`, ['place bigint'], rows)
}

const UNPACKED_FACTOR = 4 // estimated size of unpacked text, relative to packed

interface Sized {
  place: QueuePosition
  bytes: number
}

/**
 * Returns the first queued entries, at most `limit`, with columns of entry `e` and of the compressed text `t` of its article, if any.
 * Returns at least one entry, and otherwise only as much text as is read at once (`withinTextLimit`).
 */
export function* firstPending<Row>(
  query: SqlReader,
  { contents }: Dialect,
  queue: WorkQueue,
  { columns, condition, join = '' }: { columns: string; condition: string; join?: string },
  limit: number,
): SqlWork<{ rows: Row[]; hasMore: boolean }> {
  const from = `FROM ${queue} u LEFT JOIN entries e ON e.id = u.entry_id AND ${condition}
    LEFT JOIN article_entries l ON l.entry_id = u.entry_id LEFT JOIN articles a ON a.id = l.article_id
    LEFT JOIN ${articleTextJoin(contents)}`
  const sized = yield* query.rows<Sized>(
    `SELECT u.place, coalesce(octet_length(e.content), 0) + ${UNPACKED_FACTOR} * coalesce(octet_length(t.packed), 0) AS bytes
     ${from} ORDER BY u.place LIMIT $1`,
    [limit],
  )
  const lastRow = withinTextLimit(sized).at(-1)
  if (!lastRow) return { rows: [], hasMore: false }
  const rows = yield* query.rows<Row>(
    `SELECT u.place, u.entry_id, ${columns}, t.codec, t.packed ${from} ${join} WHERE u.place <= $1 ORDER BY u.place`,
    [lastRow.place],
  )
  return { rows, hasMore: sized.length >= limit || lastRow !== sized.at(-1) }
}

interface IndexRow extends EntryRow {
  place: QueuePosition
  entry_id: EntryId
  codec: number | null
  packed: Buffer | null
}

/** The queue of entries to index. */
export function indexQueueMethods({ dialect, ...session }: SqlSession): Pick<Store, 'unindexed' | 'markIndexed'> {
  return {
    async unindexed(limit) {
      const selection = { columns: ENTRY_COLUMNS, condition: isNotRemovedSql('e') }
      const { rows, hasMore } = await session.read((query) =>
        firstPending<IndexRow>(query, dialect, 'unindexed', selection, atMost(limit)),
      )
      const changes = rows.map((row) => {
        if (row.id === null) return { id: row.entry_id }
        const content = tryReadContent(row)
        const authors = content?.facts.authors
        return {
          id: row.entry_id,
          entry: entryOf(row),
          ...(content && { text: content.text }),
          ...(authors && { authors }),
        }
      })
      return { positions: rows.map(({ place }) => place), changes, hasMore }
    },

    markIndexed: (positions) => session.write((tx) => dequeueEntries(tx, 'unindexed', positions)),
  }
}
