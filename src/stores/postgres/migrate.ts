/**
 * Schema migrations: plain SQL files that are only ever added to the folder, never changed once published. Each runs in one transaction
 * together with its version number. A process that opens the store while another migrates it waits for that one (an advisory lock). A
 * program that finds a newer schema can use it as long as only additive migrations lie between (sql/additive-migrations.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { StoreError } from '../../ports/index.ts'
import { oldestCompatibleAfter } from '../sql/additive-migrations.ts'
import { toPostgresStoreError } from './errors.ts'
import type { PostgresSession, RowReader } from './session.ts'

/** "Frsh": the class of all our advisory locks. */
const OUR_LOCKS = 0x46727368

const MIGRATING = 0

const FOLDER = new URL('./migrations/', import.meta.url)

/** The oldest server version that is supported. */
const OLDEST_SERVER = 150_000

/** The migrations beside this module: the first creates schema version 1, the second migrates version 1 to version 2, and so on. */
export function postgresMigrations(): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
}

/** Migrates the store to the newest schema. A migration that fails leaves the store unchanged. */
export async function migratePostgres(session: PostgresSession, migrations: string[]): Promise<void> {
  while ((await shapeOf(session, session.name, migrations.length)) < migrations.length) {
    await session.write(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1, $2)', [OUR_LOCKS, MIGRATING])
      const shape = await shapeOf(tx, session.name, migrations.length)
      if (shape >= migrations.length) return
      try {
        await tx.run(
          'CREATE TABLE IF NOT EXISTS freshet_shape (shape integer PRIMARY KEY, made_at timestamptz DEFAULT now())',
        )
        await tx.run('ALTER TABLE freshet_shape ADD COLUMN IF NOT EXISTS oldest integer')
        const oldest = oldestCompatibleAfter(migrations[shape]!, shape + 1, await oldestShape(tx, shape))
        await tx.run(migrations[shape]!)
        await tx.run('INSERT INTO freshet_shape (shape, oldest) VALUES ($1, $2)', [shape + 1, oldest])
      } catch (cause) {
        const error = toPostgresStoreError(cause, 'write to', session.name)
        if (error instanceof StoreError) throw cause
        throw new Error(`could not migrate ${session.name} to schema version ${shape + 1}; it was left unchanged`, {
          cause,
        })
      }
    })
  }
}

/** For readers, which never migrate: throws unless the schema is up to date. */
export async function checkShape(session: PostgresSession, newest: number): Promise<void> {
  const shape = await shapeOf(session, session.name, newest)
  if (shape >= newest) return
  throw new StoreError(
    shape === 0 ? 'missing' : 'no-access',
    shape === 0
      ? `could not open ${session.name}: there is no store in this database yet`
      : `could not open ${session.name} for reading: an older version of Freshet wrote it`,
    shape === 0 ? 'Run Freshet once to create it.' : 'Run Freshet once to migrate it.',
  )
}

interface Found {
  server: number
  isFreshet: boolean
  tables: number
}

/** The schema version, 0 for a database without tables. Throws if this is not a store that this program can use. */
async function shapeOf(query: RowReader, name: string, newest: number): Promise<number> {
  const [found] = await query.rows<Found>(
    `SELECT current_setting('server_version_num')::integer AS server, to_regclass('freshet_shape') IS NOT NULL AS "isFreshet",
     (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables`,
  )
  if (found!.server < OLDEST_SERVER) {
    throw new StoreError(
      'no-access',
      `could not open ${name}: its server is PostgreSQL ${Math.floor(found!.server / 10_000)}`,
      'Freshet needs PostgreSQL 15 or newer.',
    )
  }
  if (!found!.isFreshet && found!.tables > 0) {
    throw new StoreError(
      'not-a-store',
      `could not open ${name}: it is the database of another program`,
      'Create a database for Freshet alone and name that one. This one was left unchanged.',
    )
  }
  if (!found!.isFreshet) return 0
  const [row] = await query.rows<{ shape: number }>('SELECT coalesce(max(shape), 0) AS shape FROM freshet_shape')
  if (row!.shape > newest && (await oldestShape(query, row!.shape)) > newest) {
    throw new StoreError(
      'too-new',
      `could not open ${name}: a newer version of Freshet wrote it (schema version ${row!.shape}, supported up to ${newest})`,
      'Install the newest version of Freshet, or name another database.',
    )
  }
  return row!.shape
}

/** The oldest schema version whose program may use a store of this version; the version itself if none is stored. */
async function oldestShape(query: RowReader, shape: number): Promise<number> {
  // As JSON: a store of an older version has no such column.
  const [row] = await query.rows<{ noted: { oldest?: number | null } }>(
    'SELECT to_jsonb(s) AS noted FROM freshet_shape s WHERE shape = $1',
    [shape],
  )
  return row?.noted.oldest ?? shape
}
