/** What store migration does differently in SQLite, see ../sql/store-migration.ts. */
import type Database from 'better-sqlite3'
import type { LastIds } from '../../ports/index.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { DERIVED_COLUMNS, MIGRATION_TABLE, unfinishedMigrationError } from '../sql/exported-rows.ts'
import type { MigrationParts } from '../sql/store-migration.ts'

/** Tables whose ids are never reused. */
const TABLES_WITH_SEQUENCE = [
  'feeds',
  'sources',
  'entries',
  'articles',
  'groups',
  'users',
  'credentials',
  'saved_searches',
  'outgoing_feeds',
  'webhooks',
] as const satisfies readonly (keyof LastIds)[]

export function sqliteMigrationParts(file: string, close: () => Promise<void>): MigrationParts {
  return {
    name: file,
    close,
    tableExists: (name) => `EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ${name})`,
    sources: { robots: "(SELECT origin, coalesce(root, '') AS root, fetched_at, bytes, record FROM robots)" },
    derivedColumns: DERIVED_COLUMNS,
    firstByte: (column) => `unicode(substr(${column}, 1, 1))`,
    counterColumns: { names: '', values: '' },

    load(tx, kind, names, rows) {
      const values = names.map((name) => (kind === 'robots' && name === 'root' ? "nullif(g.root, '')" : `g.${name}`))
      const columns = names.map((name): TypedColumn => `${name} any`)
      return tx.runEach(
        `INSERT INTO ${kind} (${names.join(', ')}) SELECT ${values.join(', ')} FROM given g`,
        columns,
        rows,
      )
    },

    *lastIds(query) {
      const rows = yield* query.rows<{ name: string; last: number }>(
        "SELECT name, seq AS last FROM sqlite_sequence UNION ALL SELECT 'read_state_changes', last FROM read_state_changes",
      )
      const last = new Map(rows.map((row) => [row.name, row.last]))
      const names = [...TABLES_WITH_SEQUENCE, 'read_state_changes']
      return Object.fromEntries(names.map((name) => [name, last.get(name) ?? 0])) as LastIds
    },

    *setLastIds(tx, ids) {
      for (const name of TABLES_WITH_SEQUENCE) {
        const changed = yield* tx.run('UPDATE sqlite_sequence SET seq = max(seq, $2) WHERE name = $1', [
          name,
          ids[name],
        ])
        if (changed === 0) yield* tx.run('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', [name, ids[name]])
      }
      yield* tx.run('UPDATE read_state_changes SET last = max(last, $1)', [ids.read_state_changes])
    },
  }
}

/** Throws if a migration into this store was started and not finished. */
export function refuseIncompleteSqliteMigration(db: Database.Database, file: string): void {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck().get(MIGRATION_TABLE)
  if (!exists) return
  const source = db.prepare<[], string>(`SELECT source FROM ${MIGRATION_TABLE} LIMIT 1`).pluck().get()
  throw unfinishedMigrationError(file, source ?? '')
}
