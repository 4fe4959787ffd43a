/** What SQLite says when the file, the disk or a neighbour is in the way, put as people need it. */
import Database from 'better-sqlite3'
import { StoreError, type StoreTrouble } from '../../ports/index.ts'

/** Those that may be over in a while: room is made, a lock is let go, a network drive comes back. */
const PASSING = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_BUSY']

const TROUBLES: [code: string, trouble: StoreTrouble, what: string, hint: string][] = [
  ['SQLITE_FULL', 'no-access', 'the disk is full', 'Make room on the disk; nothing was written halfway.'],
  ['SQLITE_IOERR', 'no-access', 'the disk failed', 'See that the disk has room and works, then start again.'],
  [
    'SQLITE_READONLY',
    'no-access',
    'it may only be read',
    'Allow the program to write the file and its folder, or name another file.',
  ],
  [
    'SQLITE_CANTOPEN',
    'no-access',
    'it cannot be opened',
    'See that the path names a file, and that the program may read and write it and its folder.',
  ],
  ['SQLITE_PERM', 'no-access', 'access is denied', 'Allow the program to read and write the file and its folder.'],
  ['SQLITE_NOTADB', 'not-a-store', 'it is not a database', 'Name another file; this one was left as it is.'],
  ['SQLITE_CORRUPT', 'not-a-store', 'it is damaged', 'Restore it from a backup, or name another file.'],
  ['SQLITE_BUSY', 'in-use', 'another program keeps it locked', 'Close the other program, then try again.'],
]

/** A StoreError if the world is to blame; else the error as it was. */
export function inWords(error: unknown, doing: 'open' | 'read' | 'write to', file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const known = TROUBLES.find(([code]) => error.code.startsWith(code))
  if (!known) return error
  const [, trouble, what, hint] = known
  const isPassing = PASSING.some((code) => error.code.startsWith(code))
  const message = `could not ${doing} ${file}: ${what} (${error.message})`
  return new StoreError(trouble, message, hint, { cause: error, isPassing })
}

/** Somebody else holds a lock, at this moment. */
export function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
