/**
 * Opens a store whose file and folder are both read-only: on a disk that is mounted read-only, or owned by another user. A file in WAL
 * mode cannot be read there, because SQLite needs to create the WAL index beside it. The flag against that (`immutable`) is part of URI
 * filenames, which better-sqlite3 does not support. So a copy is read, after a checkpoint of its WAL. Where the system allows it, the
 * copy is deleted as soon as it is open, so nothing is left behind.
 *
 * If a crawl runs on the store, the WAL index exists, and no copy is needed.
 */
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/index.ts'

const CODES = ['SQLITE_READONLY_DIRECTORY', 'SQLITE_READONLY_CANTINIT', 'SQLITE_READONLY_RECOVERY', 'SQLITE_CANTOPEN']

/** Whether the store can be opened as a copy. */
export function isUnwritable(error: unknown, file: string): boolean {
  const cause = error instanceof StoreError ? error.cause : undefined
  return cause instanceof Database.SqliteError && CODES.includes(cause.code) && isReadable(file)
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Calls `open` with the path of a copy. The copy is deleted when this returns, or, where the system does not allow that, by `forget`. */
export function openCopy<T>(file: string, open: (copy: string) => T): { opened: T; forget: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-read-'))
  const removeCopy = () => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'store.db')
    for (const part of ['', '-wal']) if (existsSync(file + part)) copyForReading(file + part, copy + part)
    checkpointLog(copy)
    const opened = open(copy)
    try {
      removeCopy()
    } catch {
      // Windows keeps the name of a file that is open.
    }
    return { opened, forget: removeCopy }
  } catch (error) {
    removeCopy()
    throw error
  }
}

/** The copy is writable. */
function copyForReading(file: string, copy: string): void {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    chmodSync(copy, 0o600)
  } catch (cause) {
    const message = `could not open ${file}: it is read-only, and copying it failed (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Allow the program to read it, and free some space in TMPDIR.', {
      cause,
    })
  }
}

function checkpointLog(file: string): void {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}
