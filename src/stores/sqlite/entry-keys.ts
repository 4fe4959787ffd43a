/** See ../sql/entry-keys.ts. */
import type { EntryId, FeedId } from '../../model/index.ts'
import { isNotRemovedSql } from '../sql/conditions.ts'
import { columnNames } from '../sql/dialect.ts'
import { type EntryKeys, INSERTED_ENTRY_COLUMNS, REKEYED_COLUMNS } from '../sql/entry-keys.ts'
import { enqueueEntries } from '../sql/pending-work.ts'
import { SQLITE } from './dialect.ts'

const names = columnNames(INSERTED_ENTRY_COLUMNS)
const INSERT = `INSERT INTO entries (${names.join(', ')}) SELECT ${names.map((name) => `g.${name}`).join(', ')} FROM given g
  WHERE NOT EXISTS (SELECT 1 FROM forgotten f WHERE f.feed_id = g.feed_id AND f.key_hash = g.key_hash)
  ON CONFLICT (feed_id, key_hash) DO NOTHING`

const KNOWN = `SELECT e.title, e.url, e.published_at, e.seen_at, typeof(e.extras) = 'null' AS bare, e.text_hash, e.changed_at FROM entries e
  WHERE e.feed_id = g.feed_id AND e.key_hash = g.key_hash AND ${isNotRemovedSql('e')}
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM forgotten f
  WHERE f.feed_id = g.feed_id AND f.key_hash = g.key_hash AND ${isNotRemovedSql('f')}`

export const SQLITE_KEYS: EntryKeys = {
  table: 'forgotten',
  find: { from: 'entries e', where: 'e.feed_id = g.feed_id AND e.key_hash = g.key_hash' },
  known: KNOWN,

  *add(tx, rows) {
    const ids = yield* tx.insertEach<EntryId>(INSERT, 'entries.id', INSERTED_ENTRY_COLUMNS, rows)
    const added = ids.filter((id) => id !== undefined)
    for (const line of ['unindexed', 'ungrouped'] as const) yield* enqueueEntries(tx, SQLITE, line, added)
    const counts = new Map<FeedId, number>()
    rows.forEach(([feedId], i) => {
      if (ids[i] !== undefined) counts.set(feedId as FeedId, (counts.get(feedId as FeedId) ?? 0) + 1)
    })
    return [...counts]
  },

  rekey: (tx, rows) =>
    tx.runEach(
      'UPDATE OR IGNORE entries SET key = g.key, key_hash = g.key_hash FROM given g WHERE entries.id = g.id',
      REKEYED_COLUMNS,
      rows,
    ),

  keepKeys: 'INSERT INTO forgotten SELECT e.feed_id, e.key_hash FROM given g, entries e WHERE e.id = g.id',
}
