/** Every table and column is either exported by a store migration or listed here. */
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { EXPORT_COLUMNS, ROW_KINDS } from '../../ports/index.ts'
import { migrate, readMigrations } from './migrate.ts'

/** Tables that are not exported, and why. */
const LEFT_BEHIND = {
  feed_leases: 'no crawl runs during a migration',
  source_leases: 'no crawl runs during a migration',
  owner: 'the new store has its own',
  freshet_shape: 'the new store has its own',
  counters: 'counted anew',
  read_state_changes: 'one of the last ids',
  one_time_values: 'valid for minutes',
  unindexed: 'the new store indexes all entries',
  search_positions: 'the index',
  search_prefixes: 'the index',
}

/** Columns that are derived from others, or hold leases or counters. */
const WORKED_OUT: Record<string, string[]> = {
  feeds: ['haystack', 'private'],
  entries: ['key_hash'],
  articles: ['url_hash', 'page_hash'],
  article_queues: ['due_at', 'lease', 'leased_until'],
  removals: ['counted_to'],
  hub_subscriptions: ['revision'],
}

it('exports every column of every table, except for those that are listed', () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', readMigrations())
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'entry_words%'",
    )
    .pluck()
    .all()
  expect(tables.sort()).toEqual([...ROW_KINDS, ...Object.keys(LEFT_BEHIND)].sort())
  for (const kind of ROW_KINDS) {
    const columns = (db.pragma(`table_info(${kind})`) as { name: string }[]).map(({ name }) => name)
    expect(columns.sort(), kind).toEqual([...EXPORT_COLUMNS[kind], ...(WORKED_OUT[kind] ?? [])].sort())
  }
  db.close()
})
