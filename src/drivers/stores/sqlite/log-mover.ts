/**
 * When the log is moved into the file. SQLite does it at the end of a write, once the log has grown enough: ten milliseconds and more
 * in which nothing else happens. So a thread is asked to, at a smaller size, and SQLite itself finds next to nothing left to move, or,
 * should there be no thread, moves all of it.
 */
import type Database from 'better-sqlite3'
import type { Thread } from '../../threads/thread.ts'
import type { WritingQuestion } from './writing-thread.ts'

/** Pages, of 4 KiB each. Four times as many write a tenth faster, for polls touch the same pages again and again. */
const MOVED_FROM = 1000
/** What SQLite moves itself: with a thread, and without one, when it stops everything for some milliseconds. */
const MOVED_AT_LAST = 8000
/** To look takes some microseconds. */
const LOOKS_EVERY_MS = 20

export interface LogMover {
  /** To be told after each write. */
  written(): void
  close(): Promise<void>
}

export function createLogMover(db: Database.Database, file: string, thread: Thread | undefined): LogMover {
  db.pragma(`wal_autocheckpoint = ${thread ? MOVED_AT_LAST : MOVED_FROM}`)
  if (!thread) return { written: () => {}, close: async () => {} }
  const look = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  let lookedAt = 0
  let isMoving = false

  return {
    written() {
      const now = performance.now()
      if (isMoving || now - lookedAt < LOOKS_EVERY_MS) return
      lookedAt = now
      const { log, checkpointed } = look.get()!
      if (log - checkpointed < MOVED_FROM) return
      isMoving = true
      // What a full disk or a lock keeps it from, SQLite tries again itself, and says.
      void thread.ask({ file } satisfies WritingQuestion).then(() => {
        isMoving = false
      })
    },
    close: () => thread.close(),
  }
}
