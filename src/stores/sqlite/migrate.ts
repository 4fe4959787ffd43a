/**
 * A store's shape has a number, `user_version`, and grows by migrations: plain SQL files that are only ever added to the
 * folder, never changed once published. Each runs in one transaction together with its number, so a store is always of
 * one shape or of the next; whose file it is stands in `application_id`. What SQL cannot say, functions of ours say for it. A store of a newer shape can
 * be used as long as only additive migrations lie between (sql/additive.ts): which shapes may is noted in freshet_shape.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { credentialsIn, isSecretAddress, withoutCredentials } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import { oldestAfter } from '../sql/additive.ts'
import { folderKey } from '../sql/folder-key.ts'
import { keyHash } from '../sql/rows.ts'
import { inWords } from './trouble.ts'

/** "Frsh", as SQLite keeps it: four bytes at a fixed place of the file. */
const APPLICATION_ID = 0x46727368

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations beside this module: the first makes shape 1 of nothing, the second shape 2 of shape 1, and so on. */
export function readMigrations(): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
}

/** The number of the store's shape, 0 for an empty database; throws if this is not a store that we can use. */
export function shapeOf(db: Database.Database, file: string, newest: number): number {
  const shape = db.pragma('user_version', { simple: true }) as number
  const application = db.pragma('application_id', { simple: true })
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (application !== APPLICATION_ID && !(isEmpty && application === 0 && shape === 0)) {
    throw new StoreError(
      'not-a-store',
      `could not open ${file}: it is the database of another program`,
      'Name another file; this one was left as it is.',
    )
  }
  if (shape > newest && oldestShape(db, shape) > newest) {
    throw new StoreError(
      'too-new',
      `could not open ${file}: a newer version of Freshet wrote it (its shape is ${shape}, we know shapes up to ${newest})`,
      'Install the newest version of Freshet, or name another file.',
    )
  }
  return shape
}

/** Brings the store to the newest shape. A migration that fails leaves it in the shape it had. */
export function migrate(db: Database.Database, file: string, migrations: string[]): void {
  lendFunctions(db)
  const step = db.transaction((sql: string, shape: number) => {
    const oldest = oldestAfter(sql, shape, oldestShape(db, shape - 1))
    db.exec(sql)
    db.exec(`CREATE TABLE IF NOT EXISTS freshet_shape (shape INTEGER PRIMARY KEY, oldest INTEGER NOT NULL);
      DELETE FROM freshet_shape; INSERT INTO freshet_shape VALUES (${shape}, ${oldest})`)
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${shape}`)
  })
  for (let shape = shapeOf(db, file, migrations.length) + 1; shape <= migrations.length; shape++) {
    try {
      step.immediate(migrations[shape - 1]!, shape)
    } catch (cause) {
      const error = inWords(cause, 'write to', file)
      if (error instanceof StoreError) throw error
      throw new Error(`could not bring ${file} to shape ${shape}; it was left as it is`, { cause })
    }
  }
}

/** The oldest shape whose program may use a store of this one; itself, where nothing is noted. */
function oldestShape(db: Database.Database, shape: number): number {
  const isNoted = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'freshet_shape'").get()
  const oldest = isNoted && db.prepare('SELECT oldest FROM freshet_shape WHERE shape = ?').pluck().get(shape)
  return typeof oldest === 'number' ? oldest : shape
}

/** NULL stays NULL. */
function lendFunctions(db: Database.Database): void {
  const lend = (name: string, work: (text: string) => unknown) =>
    db.function(name, { deterministic: true }, (text) => (typeof text === 'string' ? work(text) : null))
  lend('login_in', (url) => {
    const credentials = credentialsIn(url)
    return credentials ? JSON.stringify(credentials) : null
  })
  lend('without_logins', withoutCredentials)
  lend('is_secret_address', (url) => (isSecretAddress(url) ? 1 : 0))
  lend('key_hash', keyHash)
  lend('folder_key', folderKey)
}
