/**
 * Creates store files that only their owner can read: they hold passwords of feeds, secret addresses and reading histories. SQLite gives
 * the `-wal` and `-shm` files the mode of the database, so creating the database first is enough. An existing file keeps its mode: an
 * operator may have shared it on purpose.
 */
import { closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/** Creates an empty file, which SQLite accepts as an empty database, unless the file exists. */
export function makePrivateFile(file: string): void {
  if (file === ':memory:' || file === '') return
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY))
  } catch {
    // SQLite reports the problem when it opens the file.
  }
}
