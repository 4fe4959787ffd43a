/**
 * When the log is moved into the file. SQLite does it at the end of a write, once the log has grown enough: ten milliseconds and more
 * in which nothing else happens. So a thread is asked to, at a smaller size, and SQLite itself moves nothing unless the thread gives up.
 *
 * The log begins anew only when all of it is moved. Who writes without a pause is always some pages ahead of the thread; so, once the log
 * is long, whoever wants to write waits until the thread has caught up, without keeping anybody else waiting.
 */
import type Database from 'better-sqlite3'
import type { Thread } from '../../threads/thread.ts'
import type { WritingQuestion } from './writing-thread.ts'

/** Pages, of 4 KiB each. Four times as many write a tenth faster, for polls touch the same pages again and again. */
const MOVED_FROM = 1000
/** From here on who writes waits for the thread; and where that did not help, because somebody reads for long, again so many pages later. */
const WAITS_FROM = 4000
const WAITS_AGAIN_AFTER = 4000
const LONGEST_WAIT_MS = 1000
const MOST_TRIES = 3
/** What SQLite moves itself when the thread gave up, and without one, when it stops everything for some milliseconds. */
const MOVED_AT_LAST = 8000
const NEVER = 0
/** To look takes some microseconds. */
const LOOKS_EVERY_MS = 20

export interface LogMover {
  /** To be told after each write. */
  written(): void
  /** To be waited for before a write, if anything. */
  catchingUp(): Promise<void> | undefined
  close(): Promise<void>
}

export function createLogMover(db: Database.Database, file: string, thread: Thread | undefined): LogMover {
  const movedBySqlite = (pages: number) => db.pragma(`wal_autocheckpoint = ${pages}`)
  movedBySqlite(thread ? NEVER : MOVED_FROM)
  if (!thread) return { written: () => {}, catchingUp: () => undefined, close: async () => {} }
  const look = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  let lookedAt = 0
  let length = 0
  let waitsFrom = WAITS_FROM
  let moving: Promise<void> | undefined
  let catching: Promise<void> | undefined

  /** How many pages are still to be moved. */
  function left(): number {
    const { log, checkpointed } = look.get()!
    if (log < length) waitsFrom = WAITS_FROM // it has begun anew
    length = log
    return log - checkpointed
  }

  async function move(): Promise<void> {
    const told = await thread!.ask({ file } satisfies WritingQuestion)
    // What a full disk or a lock keeps the thread from, SQLite tries again itself, and says.
    if (db.open) movedBySqlite('gaveUp' in told ? MOVED_AT_LAST : NEVER)
    moving = undefined
  }

  async function catchUp(): Promise<void> {
    const patience = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => patience.resolve('late'), LONGEST_WAIT_MS)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      moving ??= move()
      const how = await Promise.race([moving, patience.promise])
      if (how === 'late' || !db.open || left() === 0) break
    }
    clearTimeout(timer)
    waitsFrom = length + WAITS_AGAIN_AFTER
    catching = undefined
  }

  return {
    written() {
      const now = performance.now()
      if (now - lookedAt < LOOKS_EVERY_MS) return
      lookedAt = now
      if (left() >= MOVED_FROM) moving ??= move()
    },
    catchingUp() {
      if (length >= waitsFrom) catching ??= catchUp()
      return catching
    },
    close: () => thread.close(),
  }
}
