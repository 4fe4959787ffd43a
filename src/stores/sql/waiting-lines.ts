/**
 * The two lines in which entries wait, for the search index and for their place. A place is dealt with by itself: which of two
 * who write at once commits first makes no difference, and what changes meanwhile stands at another place.
 */
import type { EntryId } from '../../model/index.ts'
import type { Mark, Store } from '../../ports/index.ts'
import { contentIfAny } from './article-rows.ts'
import { isKept } from './conditions.ts'
import { type Dialect, textOf } from './dialect.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './rows.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

export type WaitingLine = 'unindexed' | 'unplaced'

/** To the end of the line, in this order, also if they wait already. */
export function* toLine(
  tx: SqlTransaction,
  { toEnd }: Dialect,
  line: WaitingLine,
  ids: Iterable<EntryId>,
): SqlWork<void> {
  const rows = [...new Set(ids)].map((id) => [id])
  yield* tx.runEach(toEnd(line, 'entry_id', ['entry_id bigint']), ['entry_id bigint'], rows)
}

/** Takes just these out. */
export function takeOut(tx: SqlTransaction, line: WaitingLine, marks: readonly Mark[]): SqlWork<void> {
  const rows = marks.map((mark) => [mark])
  return tx.runEach(`DELETE FROM ${line} USING given g WHERE ${line}.place = g.place`, ['place bigint'], rows)
}

/** Bytes of texts that are read at once, as they are unpacked: some milliseconds. */
const MOST_TEXT_BYTES = 1_000_000
const UNPACKED = 4 // times as much as packed

interface Sized {
  place: Mark
  bytes: number
}

/**
 * The first who wait, at most `limit`, with columns of their entry `e` and of the packed text `t` of its article, where there are
 * any: as many as have no more text than is read at once, and one at least.
 */
export function* firstOf<Row>(
  query: SqlReader,
  { contents }: Dialect,
  line: WaitingLine,
  { columns, kept, join = '' }: { columns: string; kept: string; join?: string },
  limit: number,
): SqlWork<Row[]> {
  const from = `FROM ${line} u LEFT JOIN entries e ON e.id = u.entry_id AND ${kept}
    LEFT JOIN article_entries l ON l.entry_id = u.entry_id LEFT JOIN articles a ON a.id = l.article_id
    LEFT JOIN ${textOf(contents)}`
  const sized = yield* query.rows<Sized>(
    `SELECT u.place, coalesce(octet_length(e.content), 0) + ${UNPACKED} * coalesce(octet_length(t.packed), 0) AS bytes
     ${from} ORDER BY u.place LIMIT $1`,
    [limit],
  )
  let sum = 0
  const last = sized.find(({ bytes }) => {
    sum += bytes
    return sum > MOST_TEXT_BYTES
  })
  const end = last ?? sized.at(-1)
  if (!end) return []
  return yield* query.rows<Row>(
    `SELECT u.place, u.entry_id, ${columns}, t.codec, t.packed ${from} ${join} WHERE u.place <= $1 ORDER BY u.place`,
    [end.place],
  )
}

interface IndexRow extends EntryRow {
  place: Mark
  entry_id: EntryId
  codec: number | null
  packed: Buffer | null
}

/** The line for the search index. */
export function indexLineMethods({ dialect, ...session }: SqlSession): Pick<Store, 'unindexed' | 'indexed'> {
  return {
    async unindexed(limit) {
      const wanted = { columns: ENTRY_COLUMNS, kept: isKept('e') }
      const rows = await session.read((query) => firstOf<IndexRow>(query, dialect, 'unindexed', wanted, atMost(limit)))
      const changes = rows.map((row) => {
        if (row.id === null) return { id: row.entry_id }
        const content = contentIfAny(row)
        const authors = content?.facts.authors
        return {
          id: row.entry_id,
          entry: entryOf(row),
          ...(content && { text: content.text }),
          ...(authors && { authors }),
        }
      })
      return { marks: rows.map(({ place }) => place), changes }
    },

    indexed: (marks) => session.write((tx) => takeOut(tx, 'unindexed', marks)),
  }
}
