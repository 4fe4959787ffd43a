/**
 * One writer at a time. The owner of a store holds a transaction open on an empty database beside it, `<file>.lock`, for
 * as long as he lives; the operating system lets go of it when he dies, however he dies. Who he is stands in the store
 * itself, which others can read meanwhile.
 */
import Database from 'better-sqlite3'
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import { makePrivateFile } from './private-file.ts'
import { inWords, isLocked } from './trouble.ts'

/** Returns how to let go; throws `in-use`, with the name of the owner, if there is one. */
export function becomeOwner(file: string): () => void {
  const lockFile = `${file}.lock`
  let lock: Database.Database | undefined
  try {
    makePrivateFile(lockFile)
    lock = new Database(lockFile, { timeout: 0 })
    lock.pragma('journal_mode = MEMORY') // nothing is ever written, so nothing need lie beside it
    lock.exec('BEGIN IMMEDIATE')
    const held = lock
    return () => held.close()
  } catch (error) {
    lock?.close()
    throw isLocked(error) ? inUse(file) : inWords(error, 'open', lockFile)
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
    throw inWords(error, 'write to', file)
  }
}

function inUse(file: string): StoreError {
  const owner = readOwner(file)
  const name = owner
    ? `process ${owner.pid}, since ${new Date(owner.since_at).toISOString()}${owner.url ? `, at ${owner.url}` : ''}`
    : 'another process, which has only just begun'
  return new StoreError(
    'in-use',
    `could not open ${file} for writing: it is in use by ${name}`,
    owner?.url ? 'Speak to the running program, or stop it first.' : 'Stop the running program first.',
    owner?.url ? { ownerUrl: owner.url } : {},
  )
}

interface Owner {
  pid: number
  since_at: Instant
  url: string | null
}

/** Nobody may have written the name yet, or the file may not even be there: then we do not know him. */
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
