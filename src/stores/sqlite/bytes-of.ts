/** Size of a table or an index in the file, by SQLite's page statistics, which scan all its pages. */
import type Database from 'better-sqlite3'

export function bytesOf(db: Database.Database, tree: string): number {
  const bytes = db.prepare<[string], number>('SELECT pgsize FROM dbstat WHERE aggregate = TRUE AND name = ?').pluck()
  return bytes.get(tree) ?? 0
}
