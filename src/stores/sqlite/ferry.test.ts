/** Whoever adds a table or a column to the store says whether it is carried over. */
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { CARGO, CARGO_KINDS } from '../../ports/index.ts'
import { migrate, readMigrations } from './migrate.ts'

/** Tables of which nothing is carried over, and why. */
const LEFT_BEHIND = {
  feed_leases: 'nobody crawls meanwhile',
  source_leases: 'nobody crawls meanwhile',
  owner: 'it is another one',
  freshet_shape: 'the new store has its own',
  counters: 'counted anew',
  mark_changes: 'one of the last ids',
  unindexed: 'all entries wait for the new index',
  entry_places: 'the index',
  entry_beginnings: 'the index',
}

/** Columns that follow from others, or are about leases or counters. */
const WORKED_OUT: Record<string, string[]> = {
  feeds: ['haystack', 'private'],
  entries: ['key_hash'],
  articles: ['url_hash', 'page_hash'],
  article_lines: ['due_at', 'lease', 'leased_until'],
  removals: ['counted_to'],
  pushes: ['revision'],
}

it('carries over every column of every table, but for those that are named', () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', readMigrations())
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'entry_words%'",
    )
    .pluck()
    .all()
  expect(tables.sort()).toEqual([...CARGO_KINDS, ...Object.keys(LEFT_BEHIND)].sort())
  for (const kind of CARGO_KINDS) {
    const columns = (db.pragma(`table_info(${kind})`) as { name: string }[]).map(({ name }) => name)
    expect(columns.sort(), kind).toEqual([...CARGO[kind], ...(WORKED_OUT[kind] ?? [])].sort())
  }
  db.close()
})
