/** Moves the log's pages into the file, in a thread of its own (drivers/threads): nobody who writes or reads has to wait for that. */
import Database from 'better-sqlite3'

export interface LogQuestion {
  file: string
}

const CACHE_KIB = 256 // pages go from file to file

const connections = new Map<string, Database.Database>()

export function answerMoveLog({ file }: LogQuestion): void {
  const db = connections.get(file) ?? new Database(file, { fileMustExist: true, timeout: 0 })
  if (!connections.has(file)) {
    db.pragma('synchronous = NORMAL')
    db.pragma(`cache_size = -${CACHE_KIB}`)
    connections.set(file, db)
  }
  db.pragma('wal_checkpoint(PASSIVE)')
}
