/**
 * Finds entries by key. PostgreSQL has a separate table of keys, because entries are partitioned by month; SQLite has an index on entries
 * and a table of forgotten keys.
 */
import type { FeedId } from '../../model/index.ts'
import type { TypedColumn } from './dialect.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

/** In the order of `dateColumns` and `wordColumns`. */
export const ENTRY_CONTENT_COLUMNS: TypedColumn[] = [
  'published_at bigint',
  'updated_at bigint',
  'date_only smallint',
  'date_fault text',
  'estimated_at bigint',
  'estimated_by text',
  'language text',
  'category text',
  'key text',
  'url text',
  'title text',
  'author text',
  'summary text',
  'content text',
  'extras text',
  'text_hash bigint',
]

export const INSERTED_ENTRY_COLUMNS: TypedColumn[] = [
  'feed_id bigint',
  'key_hash bigint',
  'sort_at bigint',
  'seen_at bigint',
  ...ENTRY_CONTENT_COLUMNS,
]

/** Columns of `rekey`: the entry gets this key. */
export const REKEYED_COLUMNS: TypedColumn[] = ['id bigint', 'feed_id bigint', 'key text', 'key_hash bigint']

export interface EntryKeys {
  /** The table that holds keys of deleted entries, alone or among others. */
  table: 'forgotten' | 'entry_keys'
  /** SQL for FROM and WHERE that finds entry `e` by feed and key hash. */
  find: { from: string; where: string }
  /** Selects the `KnownEntryRow` of key hash `g.key_hash` in feed `g.feed_id`. */
  known: string
  /** Inserts and queues entries, except those whose key exists or existed. Returns the number of new entries by feed. */
  add(tx: SqlTransaction, rows: readonly unknown[][], month: number): SqlWork<[FeedId, number][]>
  rekey(tx: SqlTransaction, rows: readonly unknown[][]): SqlWork<void>
  /** Statement per `id` that keeps the key of an entry before it is deleted. Empty where keys stay anyway. */
  keepKeys: string
}
