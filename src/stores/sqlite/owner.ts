/**
 * Ownership of a store: one writer at a time. The owner holds a transaction open on an empty database beside the store, `<file>.lock`, as
 * long as it runs; the operating system releases the lock when the process ends, however it ends. The store itself says who the owner is,
 * and other processes can read it meanwhile.
 */
import Database from 'better-sqlite3'
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import { isLocked, toSqliteStoreError } from './errors.ts'
import { makePrivateFile } from './private-file.ts'

/** Returns a function that releases the lock. Throws `in-use`, naming the owner, if another process has it. */
export function acquireOwnerLock(file: string): () => void {
  const lockFile = `${file}.lock`
  let lock: Database.Database | undefined
  try {
    makePrivateFile(lockFile)
    lock = new Database(lockFile, { timeout: 0 })
    lock.pragma('journal_mode = MEMORY') // nothing is ever written, so no journal file is needed
    lock.exec('BEGIN IMMEDIATE')
    const ownLock = lock
    return () => ownLock.close()
  } catch (error) {
    lock?.close()
    throw isLocked(error) ? inUse(file) : toSqliteStoreError(error, 'open', lockFile)
  }
}

export function writeOwner(db: Database.Database, sinceAt: Instant, url: string | undefined): void {
  db.transaction(() => {
    db.exec('DELETE FROM owner')
    db.prepare('INSERT INTO owner (pid, since_at, url) VALUES (?, ?, ?)').run(process.pid, sinceAt, url ?? null)
  }).immediate()
}

export function announceOwner(db: Database.Database, file: string, url: string): void {
  try {
    db.prepare('UPDATE owner SET url = ?').run(url)
  } catch (error) {
    throw toSqliteStoreError(error, 'write to', file)
  }
}

function inUse(file: string): StoreError {
  const owner = readOwner(file)
  const name = owner
    ? `process ${owner.pid}, since ${new Date(owner.since_at).toISOString()}${owner.url ? `, at ${owner.url}` : ''}`
    : 'another process, which has just started'
  return new StoreError(
    'in-use',
    `could not open ${file} for writing: it is in use by ${name}`,
    owner?.url ? 'Use the running program, or stop it first.' : 'Stop the running program first.',
    owner?.url ? { ownerUrl: owner.url } : {},
  )
}

interface Owner {
  pid: number
  since_at: Instant
  url: string | null
}

/** Undefined if the owner has not written its name yet, or the file does not exist. */
function readOwner(file: string): Owner | undefined {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
    return db.prepare<[], Owner>('SELECT * FROM owner').get()
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}
