/** See ../sql/entry-keys.ts. */
import type { EntryId, FeedId } from '../../model/index.ts'
import { isNotRemovedSql } from '../sql/conditions.ts'
import { columnNames, type TypedColumn } from '../sql/dialect.ts'
import { type EntryKeys, INSERTED_ENTRY_COLUMNS, REKEYED_COLUMNS } from '../sql/entry-keys.ts'
import type { SqlTransaction, SqlWork } from '../sql/session.ts'

const WRITTEN: TypedColumn[] = ['id bigint', ...INSERTED_ENTRY_COLUMNS]
const names = columnNames(WRITTEN)

/** One statement, so the new entries of a poll are written in one round trip. */
const ADD = `WITH fresh AS MATERIALIZED (SELECT * FROM given g),
  keyed AS (INSERT INTO entry_keys (feed_id, key_hash, entry_id) SELECT feed_id, key_hash, id FROM fresh ORDER BY n
    ON CONFLICT (feed_id, key_hash) DO NOTHING RETURNING entry_id),
  kept AS (INSERT INTO entries (${names.join(', ')}) SELECT ${names.map((name) => `r.${name}`).join(', ')}
    FROM fresh r JOIN keyed ON keyed.entry_id = r.id RETURNING id, feed_id),
  to_index AS (INSERT INTO unindexed (entry_id) SELECT id FROM kept ORDER BY id),
  to_place AS (INSERT INTO ungrouped (entry_id) SELECT id FROM kept ORDER BY id)
  SELECT feed_id, count(*) AS count FROM kept GROUP BY feed_id`

const KNOWN = `SELECT e.title, e.url, e.published_at, e.seen_at, e.extras IS NULL AS bare, e.text_hash, e.changed_at
  FROM entry_keys k LEFT JOIN entries e ON e.id = k.entry_id
  WHERE k.feed_id = g.feed_id AND k.key_hash = g.key_hash AND ${isNotRemovedSql('k')}`

export const POSTGRES_KEYS: EntryKeys = {
  table: 'entry_keys',
  find: {
    from: 'entry_keys k, entries e',
    where: 'k.feed_id = g.feed_id AND k.key_hash = g.key_hash AND e.id = k.entry_id',
  },
  known: KNOWN,

  *add(tx, rows, month): SqlWork<[FeedId, number][]> {
    if (rows.length === 0) return []
    const given = yield* tx.row<{ ids: EntryId[] }>('SELECT new_entry_ids($1, $2) AS ids', [month, rows.length])
    const added = yield* tx.each<{ feed_id: FeedId; count: number }>(
      ADD,
      WRITTEN,
      rows.map((row, i) => [given!.ids[i], ...row]),
    )
    return added.map(({ feed_id, count }) => [feed_id, count])
  },

  /** The key of a deleted entry may be used again. */
  *rekey(tx: SqlTransaction, rows): SqlWork<void> {
    yield* tx.runEach(
      `DELETE FROM entry_keys k USING given g JOIN entries e ON e.id = g.id WHERE k.feed_id = g.feed_id
       AND k.key_hash IN (e.key_hash, g.key_hash)`,
      REKEYED_COLUMNS,
      rows,
    )
    yield* tx.runEach(
      [
        'UPDATE entries e SET key = g.key, key_hash = g.key_hash FROM given g WHERE e.id = g.id',
        'INSERT INTO entry_keys (feed_id, key_hash, entry_id) SELECT g.feed_id, g.key_hash, g.id FROM given g',
      ],
      REKEYED_COLUMNS,
      rows,
    )
  },

  keepKeys: '',
}
