/**
 * What is written in a thread of its own (drivers/threads), through a connection of its own, because it cannot be cut into pieces that are
 * short enough: the log's pages are moved into the file, and parts of the index become one. Nobody who reads has to wait for that, and
 * who writes waits without keeping others waiting (session.ts).
 */
import Database from 'better-sqlite3'

export interface WritingQuestion {
  file: string
  /** So many pages of the index are to be merged; else the log is moved. */
  merge?: number
}

const BUSY_MS = 5000
const CACHE_KIB = 256 // pages go from file to file
const MERGING_CACHE_KIB = 4 * 1024

const connections = new Map<string, Database.Database>()

/** Of a merge, whether there may be more to merge. */
export function answerWriting({ file, merge }: WritingQuestion): boolean {
  if (merge !== undefined) return mergeSome(connection(`${file} merging`, file, BUSY_MS, MERGING_CACHE_KIB), merge)
  connection(file, file, 0, CACHE_KIB).pragma('wal_checkpoint(PASSIVE)')
  return false
}

function connection(name: string, file: string, timeout: number, cacheKib: number): Database.Database {
  const known = connections.get(name)
  if (known) return known
  const db = new Database(file, { fileMustExist: true, timeout })
  db.pragma('synchronous = NORMAL')
  db.pragma(`cache_size = -${cacheKib}`)
  connections.set(name, db)
  return db
}

/** As many pages as are said, or all of a single word that has more: FTS5 stops between two words only. */
export function mergeSome(db: Database.Database, pages: number): boolean {
  const changed = () => db.prepare('SELECT total_changes()').pluck().get() as number
  const before = changed()
  db.prepare("INSERT INTO entry_words (entry_words, rank) VALUES ('merge', ?)").run(pages)
  return changed() - before >= 2 // less, says FTS5, where nothing was left to merge
}
