/** Translates errors of SQLite that the file, the disk or another program causes into errors with a hint. */
import Database from 'better-sqlite3'
import { StoreError, type StoreErrorKind } from '../../ports/index.ts'

/** Errors that may pass: space is freed, a lock is released, a network drive comes back. */
const TRANSIENT_CODES = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_BUSY']

const KNOWN_ERRORS: [code: string, kind: StoreErrorKind, summary: string, hint: string][] = [
  ['SQLITE_FULL', 'no-access', 'the disk is full', 'Free some space on the disk. No partial data was written.'],
  ['SQLITE_IOERR', 'no-access', 'the disk failed', 'Check that the disk works and has space, then start again.'],
  [
    'SQLITE_READONLY',
    'no-access',
    'it is read-only',
    'Allow the program to write the file and its folder, or name another file.',
  ],
  [
    'SQLITE_CANTOPEN',
    'no-access',
    'it cannot be opened',
    'Check that the path names a file, and that the program may read and write it and its folder.',
  ],
  ['SQLITE_PERM', 'no-access', 'access is denied', 'Allow the program to read and write the file and its folder.'],
  ['SQLITE_NOTADB', 'not-a-store', 'it is not a database', 'Name another file. This one was left unchanged.'],
  ['SQLITE_CORRUPT', 'not-a-store', 'it is damaged', 'Restore it from a backup, or name another file.'],
  ['SQLITE_BUSY', 'in-use', 'another program has locked it', 'Close the other program, then try again.'],
]

/** A StoreError if the file, the disk or another program is the cause; otherwise the error itself. */
export function toSqliteStoreError(error: unknown, action: 'open' | 'read' | 'write to', file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const match = KNOWN_ERRORS.find(([code]) => error.code.startsWith(code))
  if (!match) return error
  const [, kind, summary, hint] = match
  const isTransient = TRANSIENT_CODES.some((code) => error.code.startsWith(code))
  const message = `could not ${action} ${file}: ${summary} (${error.message})`
  return new StoreError(kind, message, hint, { cause: error, isTransient })
}

/** Another connection holds a lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
