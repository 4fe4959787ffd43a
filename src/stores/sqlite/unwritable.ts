/**
 * A store that may be read but not written, neither itself nor its folder: on a disk that is mounted for reading, or of somebody
 * else. A file in WAL mode cannot be read there, because SQLite wants to lay its index of the log beside it; the flag that
 * would spare it that (`immutable`) is part of an address, and addresses are compiled out of better-sqlite3. So a copy is read,
 * the log worked in. Where the system allows it the copy has no name any more once it is open, and nothing is left behind.
 *
 * If a crawl runs on the store, its index is there, and none of this is needed.
 */
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/index.ts'

const CODES = ['SQLITE_READONLY_DIRECTORY', 'SQLITE_READONLY_CANTINIT', 'SQLITE_READONLY_RECOVERY', 'SQLITE_CANTOPEN']

/** Whether a copy may help. */
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

/** Calls `open` with the path of a copy, which is gone when it returns, or, where that cannot be, when `forget` is called. */
export function openCopy<T>(file: string, open: (copy: string) => T): { opened: T; forget: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-read-'))
  const forget = () => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'store.db')
    for (const part of ['', '-wal']) if (existsSync(file + part)) copyOf(file + part, copy + part)
    withoutLog(copy)
    const opened = open(copy)
    try {
      forget()
    } catch {
      // Windows keeps the name of a file that is open.
    }
    return { opened, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** The copy is ours to write. */
function copyOf(file: string, copy: string): void {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    chmodSync(copy, 0o600)
  } catch (cause) {
    const message = `could not open ${file}: it cannot be written, and no copy of it be made to read (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Allow the program to read it, and make room in TMPDIR.', { cause })
  }
}

function withoutLog(file: string): void {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}
