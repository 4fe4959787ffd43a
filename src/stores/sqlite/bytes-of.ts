/** What a table or an index takes of the file, by SQLite's own account of its pages, all of which it looks at. */
import type Database from 'better-sqlite3'

export function bytesOf(db: Database.Database, tree: string): number {
  const bytes = db.prepare<[string], number>('SELECT pgsize FROM dbstat WHERE aggregate = TRUE AND name = ?').pluck()
  return bytes.get(tree) ?? 0
}
