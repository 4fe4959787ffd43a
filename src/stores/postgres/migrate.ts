/**
 * A store's shape has a number and grows by migrations: plain SQL files that are only ever added to the folder, never changed
 * once published. Each runs in one transaction together with its number. Whoever comes while another brings the store to its
 * newest shape waits for that one (an advisory lock); whoever finds a newer shape than it knows uses it as long as only additive migrations lie between
 * (sql/additive.ts), and else goes away with a sentence.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { StoreError } from '../../ports/index.ts'
import { oldestAfter } from '../sql/additive.ts'
import type { PostgresSession, RowAsker } from './session.ts'
import { troubleInWords } from './trouble.ts'

/** "Frsh": under it stand all locks that are ours. */
const OUR_LOCKS = 0x46727368

const MIGRATING = 0

const FOLDER = new URL('./migrations/', import.meta.url)

/** The oldest that has all that we use. */
const OLDEST_SERVER = 150_000

/** The migrations beside this module: the first makes shape 1 of nothing, the second shape 2 of shape 1, and so on. */
export function postgresMigrations(): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
}

/** Brings the store to the newest shape. A migration that fails leaves it in the shape it had. */
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
        const oldest = oldestAfter(migrations[shape]!, shape + 1, await oldestShape(tx, shape))
        await tx.run(migrations[shape]!)
        await tx.run('INSERT INTO freshet_shape (shape, oldest) VALUES ($1, $2)', [shape + 1, oldest])
      } catch (cause) {
        const error = troubleInWords(cause, 'write to', session.name)
        if (error instanceof StoreError) throw cause
        throw new Error(`could not bring ${session.name} to shape ${shape + 1}; it was left as it is`, { cause })
      }
    })
  }
}

/** For who only reads: he changes nothing, and so can use a store of just this shape only. */
export async function checkShape(session: PostgresSession, newest: number): Promise<void> {
  const shape = await shapeOf(session, session.name, newest)
  if (shape >= newest) return
  throw new StoreError(
    shape === 0 ? 'missing' : 'no-access',
    shape === 0
      ? `could not open ${session.name}: there is no store in this database yet`
      : `could not open ${session.name} for reading: an older version of Freshet wrote it`,
    shape === 0 ? 'Run Freshet once to create it.' : 'Run Freshet once to bring it up to date.',
  )
}

interface Found {
  server: number
  ours: boolean
  tables: number
}

/** The number of the store's shape, 0 for a database without tables; throws if this is not a store that we can use. */
async function shapeOf(query: RowAsker, name: string, newest: number): Promise<number> {
  const [found] = await query.rows<Found>(
    `SELECT current_setting('server_version_num')::integer AS server, to_regclass('freshet_shape') IS NOT NULL AS ours,
     (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables`,
  )
  if (found!.server < OLDEST_SERVER) {
    throw new StoreError(
      'no-access',
      `could not open ${name}: its server is PostgreSQL ${Math.floor(found!.server / 10_000)}`,
      'Freshet needs PostgreSQL 15 or newer.',
    )
  }
  if (!found!.ours && found!.tables > 0) {
    throw new StoreError(
      'not-a-store',
      `could not open ${name}: it is the database of another program`,
      'Make a database of its own for Freshet and name that; this one was left as it is.',
    )
  }
  if (!found!.ours) return 0
  const [row] = await query.rows<{ shape: number }>('SELECT coalesce(max(shape), 0) AS shape FROM freshet_shape')
  if (row!.shape > newest && (await oldestShape(query, row!.shape)) > newest) {
    throw new StoreError(
      'too-new',
      `could not open ${name}: a newer version of Freshet wrote it (its shape is ${row!.shape}, we know shapes up to ${newest})`,
      'Install the newest version of Freshet, or name another database.',
    )
  }
  return row!.shape
}

/** The oldest shape whose program may use a store of this one; itself, where nothing is noted. */
async function oldestShape(query: RowAsker, shape: number): Promise<number> {
  // As JSON: a store of an older version has no such column.
  const [row] = await query.rows<{ noted: { oldest?: number | null } }>(
    'SELECT to_jsonb(s) AS noted FROM freshet_shape s WHERE shape = $1',
    [shape],
  )
  return row?.noted.oldest ?? shape
}
