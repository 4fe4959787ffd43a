/**
 * Files of the store are for their owner alone: they hold passwords of feeds, secret addresses and what people read. SQLite gives
 * its `-wal` and `-shm` the mode of the database beside which they lie, so it is enough to make that first. A file that is there
 * keeps its mode: an operator may have shared it on purpose.
 */
import { closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/** Makes an empty file, which SQLite takes for an empty database, unless there is one. */
export function makePrivateFile(file: string): void {
  if (file === ':memory:' || file === '') return
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY))
  } catch {
    // SQLite says in a moment what is wrong, in words that are known.
  }
}
