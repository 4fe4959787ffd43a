/**
 * How entries are found by their keys. PostgreSQL keeps keys in a table of their own, for entries come in months; SQLite has them in an index
 * of the entries, and a table of those that were forgotten.
 */
import type { FeedId } from '../../model/index.ts'
import type { TypedColumn } from './dialect.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

/** In the order of `dateColumns` and `wordColumns`. */
export const SAID_COLUMNS: TypedColumn[] = [
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

export const ENTRY_COLUMNS_WRITTEN: TypedColumn[] = [
  'feed_id bigint',
  'key_hash bigint',
  'sort_at bigint',
  'seen_at bigint',
  ...SAID_COLUMNS,
]

/** Of `rekey`: the entry gets this key. */
export const REKEYED_COLUMNS: TypedColumn[] = ['id bigint', 'feed_id bigint', 'key text', 'key_hash bigint']

export interface EntryKeys {
  /** The table of keys of which no entry is left, among others or alone. */
  table: 'forgotten' | 'entry_keys'
  /** Behind FROM and WHERE: the entry `e` of the given feed and hash of a key. */
  find: { from: string; where: string }
  /** Adds entries, which wait then, but for those whose key is known, or was. Answers how many each feed has got. */
  add(tx: SqlTransaction, rows: readonly unknown[][], month: number): SqlWork<[FeedId, number][]>
  rekey(tx: SqlTransaction, rows: readonly unknown[][]): SqlWork<void>
  /** Before entries of which only the key stays are deleted: a statement for each `id`; empty where keys stay by themselves. */
  keep: string
}
