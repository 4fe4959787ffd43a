/** The file of a store: found under any of its names, opened as SQLite, owned by one process. */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/index.ts'
import { makeFolder } from '../../runtime/make-folder.ts'
import { readMigrations, shapeOf } from './migrate.ts'
import { becomeOwner } from './owner.ts'
import { inWords } from './trouble.ts'

const BUSY_MS = 5000
/** 16 MB write no faster; 64 MB do by a twentieth, and the process is 60 MB larger. */
const CACHE_KIB = 8 * 1024

/** Whoever comes by another name must find the same lock. */
export function realFile(name: string): string {
  const named = resolve(name)
  const file = isThere(named) ? realpathSync(named) : named
  refuseFolder(file)
  return file
}

/** Makes this process the owner of the file, and answers how to let go. Nothing is written before the file is known to be ours. */
export function takeOwnership(name: string, migrations = readMigrations()): { file: string; release: () => void } {
  const file = realFile(name)
  makeFolderOf(file)
  if (isThere(file)) openFile(file, true, (db) => shapeOf(db, file, migrations.length)).close()
  return { file, release: becomeOwner(file) }
}

/** SQLite only finds that the disk fails. */
function refuseFolder(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  const message = `could not open ${file}: it is a folder`
  throw new StoreError('no-access', message, `Name a file, such as ${join(file, 'freshet.db')}.`)
}

/** Closes the connection again if `prepare` finds something wrong with it. */
export function openFile(file: string, readonly: boolean, prepare: (db: Database.Database) => void): Database.Database {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { readonly, fileMustExist: readonly, timeout: BUSY_MS })
    db.pragma(`cache_size = -${CACHE_KIB}`)
    prepare(db)
    return db
  } catch (error) {
    db?.close()
    throw inWords(error, 'open', file)
  }
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(dirname(file), { isPrivate: true })
  } catch (cause) {
    const message = `could not open ${file}: its folder cannot be made (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Name a file in a folder that can be written to.', { cause })
  }
}

export function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const message = `could not open ${file}: it cannot be reached (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Allow the program to read the file and its folder.', { cause })
  }
}
