/**
 * Schema migrations. The schema has a version, `user_version`, and changes by migrations: plain SQL files that are only ever added to the
 * folder, never changed once published. Each runs in one transaction together with its version. `application_id` says that the file is
 * ours. SQL functions of ours do what SQL cannot. A store of a newer version can be used as long as only additive migrations lie between
 * (sql/additive-migrations.ts); the table freshet_shape holds the oldest version that may use the store.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { credentialsIn, isSecretAddress, withoutCredentials } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import { oldestCompatibleAfter } from '../sql/additive-migrations.ts'
import { folderKey } from '../sql/folder-key.ts'
import { keyHash } from '../sql/rows.ts'
import { toSqliteStoreError } from './errors.ts'

/** "Frsh": SQLite stores it at a fixed offset of the file. */
const APPLICATION_ID = 0x46727368

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations beside this module: the first creates schema version 1, the second migrates version 1 to version 2, and so on. */
export function readMigrations(): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
}

/** The schema version, 0 for an empty database. Throws if this is not a store that this program can use. */
export function shapeOf(db: Database.Database, file: string, newest: number): number {
  const shape = db.pragma('user_version', { simple: true }) as number
  const application = db.pragma('application_id', { simple: true })
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (application !== APPLICATION_ID && !(isEmpty && application === 0 && shape === 0)) {
    throw new StoreError(
      'not-a-store',
      `could not open ${file}: it is the database of another program`,
      'Name another file. This one was left unchanged.',
    )
  }
  if (shape > newest && oldestShape(db, shape) > newest) {
    throw new StoreError(
      'too-new',
      `could not open ${file}: a newer version of Freshet wrote it (schema version ${shape}, supported up to ${newest})`,
      'Install the newest version of Freshet, or name another file.',
    )
  }
  return shape
}

/** Migrates the store to the newest schema. A migration that fails leaves the store unchanged. */
export function migrate(db: Database.Database, file: string, migrations: string[]): void {
  registerFunctions(db)
  const step = db.transaction((sql: string, shape: number) => {
    const oldest = oldestCompatibleAfter(sql, shape, oldestShape(db, shape - 1))
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
      const error = toSqliteStoreError(cause, 'write to', file)
      if (error instanceof StoreError) throw error
      throw new Error(`could not migrate ${file} to schema version ${shape}; it was left unchanged`, { cause })
    }
  }
}

/** The oldest schema version whose program may use a store of this version; the version itself if none is stored. */
function oldestShape(db: Database.Database, shape: number): number {
  const isNoted = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'freshet_shape'").get()
  const oldest = isNoted && db.prepare('SELECT oldest FROM freshet_shape WHERE shape = ?').pluck().get(shape)
  return typeof oldest === 'number' ? oldest : shape
}

/** SQL functions for migrations. They return NULL for NULL. */
function registerFunctions(db: Database.Database): void {
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
