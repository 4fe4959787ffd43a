/** Opens the file of a store, resolves its path, and acquires its ownership. */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../../ports/index.ts'
import { makeFolder } from '../../runtime/make-folder.ts'
import { toSqliteStoreError } from './errors.ts'
import { readMigrations, shapeOf } from './migrate.ts'
import { acquireOwnerLock } from './owner.ts'

const BUSY_MS = 5000
/** 16 MB are no faster for writing; 64 MB are by 5%, but the process takes 60 MB more. */
const CACHE_KIB = 8 * 1024

/** Resolves symbolic links, so that all names of a file lead to the same lock. */
export function resolveStoreFile(name: string): string {
  const resolved = resolve(name)
  const file = fileExists(resolved) ? realpathSync(resolved) : resolved
  refuseFolder(file)
  return file
}

/** Makes this process the owner of the file. Nothing is written before the file is known to be a Freshet store. */
export function takeOwnership(name: string, migrations = readMigrations()): { file: string; release: () => void } {
  const file = resolveStoreFile(name)
  makeFolderOf(file)
  if (fileExists(file)) openFile(file, true, (db) => shapeOf(db, file, migrations.length)).close()
  return { file, release: acquireOwnerLock(file) }
}

/** SQLite would only report a disk failure. */
function refuseFolder(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  const message = `could not open ${file}: it is a folder`
  throw new StoreError('no-access', message, `Name a file, such as ${join(file, 'freshet.db')}.`)
}

/** Closes the connection again if `prepare` throws. */
export function openFile(file: string, readonly: boolean, prepare: (db: Database.Database) => void): Database.Database {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { readonly, fileMustExist: readonly, timeout: BUSY_MS })
    db.pragma(`cache_size = -${CACHE_KIB}`)
    prepare(db)
    return db
  } catch (error) {
    db?.close()
    throw toSqliteStoreError(error, 'open', file)
  }
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(dirname(file), { isPrivate: true })
  } catch (cause) {
    const message = `could not open ${file}: its folder cannot be created (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Name a file in a folder that can be written to.', { cause })
  }
}

export function fileExists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const message = `could not open ${file}: it cannot be reached (${(cause as Error).message})`
    throw new StoreError('no-access', message, 'Allow the program to read the file and its folder.', { cause })
  }
}
