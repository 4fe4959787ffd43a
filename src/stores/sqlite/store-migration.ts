/** Store migration for SQLite: exports the file as plain rows, and loads such rows into an empty file. */
import { type ColumnValue, EXPORT_COLUMNS, type LastIds, type RowKind, type StoreMigration } from '../../ports/index.ts'
import { counterQueries } from '../sql/counter-queries.ts'
import {
  DERIVED_COLUMNS,
  keyColumnsOf,
  keysAtPosition,
  MIGRATION_TABLE,
  otherMigrationError,
  positionOf,
  targetNotEmptyError,
  unfinishedMigrationError,
  withDerivedColumns,
} from '../sql/exported-rows.ts'
import { unpackEntryContent } from '../sql/packed-content.ts'
import type { EntryRow } from '../sql/rows.ts'
import type { SqliteSession } from './session.ts'

/** Columns that are converted: hashes exceed the safe integers of JavaScript. */
const READ_EXPRESSIONS: { readonly [Kind in RowKind]?: Record<string, string> } = {
  forgotten: { key_hash: 'CAST(key_hash AS TEXT)' },
  robots: { root: "coalesce(root, '')" },
}
const WRITE_EXPRESSIONS: { readonly [Kind in RowKind]?: Record<string, string> } = {
  forgotten: { key_hash: 'CAST(? AS INTEGER)' },
  robots: { root: "nullif(?, '')" },
}

/** Other stores hold content as plain text. */
const CONTENT = EXPORT_COLUMNS.entries.indexOf('content')
type Content = EntryRow['content']

/** A store can only be filled if these are empty. */
const MUST_BE_EMPTY: readonly RowKind[] = ['feeds', 'sources', 'entries', 'polls', 'credentials', 'folders']

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

/** Every store has a user without a name until the first account is created. It is deleted before rows are loaded. */
const NAMED = "SELECT 1 FROM users WHERE name <> ''"
const DROP_UNNAMED = "DELETE FROM users WHERE name = ''"

export function createSqliteMigration(session: SqliteSession, close: () => Promise<void>): StoreMigration {
  const { db, file } = session

  function sourceOfMigration(): string | undefined {
    const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck().get(MIGRATION_TABLE)
    if (!exists) return undefined
    return db.prepare<[], string>(`SELECT source FROM ${MIGRATION_TABLE} LIMIT 1`).pluck().get() ?? ''
  }

  return {
    name: file,

    size(kind) {
      return session.read(() => db.prepare<[], number>(`SELECT count(*) FROM ${kind}`).pluck().get() ?? 0)
    },

    readRows(kind, after, limit) {
      return session.read(() => {
        const keys = keyColumnsOf(kind)
        const columns = EXPORT_COLUMNS[kind].map((name) => READ_EXPRESSIONS[kind]?.[name] ?? name).join(', ')
        const condition = `(${keys.join(', ')}) > (${keys.map((key) => WRITE_EXPRESSIONS[kind]?.[key] ?? '?').join(', ')})`
        const sql = `SELECT ${columns} FROM ${kind} ${after === undefined ? '' : `WHERE ${condition}`}
          ORDER BY ${keys.map((key) => `${kind}.${key}`).join(', ')} LIMIT ?`
        const values = after === undefined ? [limit] : [...keysAtPosition(after), limit]
        const rows = db.prepare<unknown[], ColumnValue[]>(sql).raw().all(values)
        if (kind === 'entries') for (const row of rows) row[CONTENT] = unpackEntryContent(row[CONTENT] as Content)
        const last = rows.length === limit ? rows.at(-1) : undefined
        return { rows, ...(last && { after: positionOf(kind, last) }) }
      })
    },

    lastIds() {
      return session.read(() => {
        const sequence = db.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck()
        const lastChange = db.prepare<[], number>('SELECT last FROM read_state_changes').pluck().get() ?? 0
        return {
          ...Object.fromEntries(TABLES_WITH_SEQUENCE.map((name) => [name, sequence.get(name) ?? 0])),
          read_state_changes: lastChange,
        } as LastIds
      })
    },

    begin(from) {
      return session.write(() => {
        const source = sourceOfMigration()
        if (source !== undefined && source !== from) throw otherMigrationError(file, source)
        if (source === undefined) {
          const isEmpty = MUST_BE_EMPTY.every((kind) => db.prepare(`SELECT 1 FROM ${kind} LIMIT 1`).get() === undefined)
          if (!isEmpty || db.prepare(NAMED).get()) throw targetNotEmptyError(file)
          db.exec(DROP_UNNAMED)
          db.exec(
            `CREATE TABLE ${MIGRATION_TABLE} (kind TEXT PRIMARY KEY, after TEXT, source TEXT NOT NULL) WITHOUT ROWID`,
          )
          db.prepare(`INSERT INTO ${MIGRATION_TABLE} VALUES ('', NULL, ?)`).run(from)
        }
        const rows = db
          .prepare<[], { kind: RowKind; after: string | null }>(
            `SELECT kind, after FROM ${MIGRATION_TABLE} WHERE kind <> ''`,
          )
          .all()
        return new Map(rows.map(({ kind, after }) => [kind, after]))
      })
    },

    writeRows(kind, rows, after) {
      return session.write(() => {
        const completeRows = withDerivedColumns(kind, rows, DERIVED_COLUMNS[kind])
        const values = completeRows.names.map((name) => WRITE_EXPRESSIONS[kind]?.[name] ?? '?').join(', ')
        const insert = db.prepare(`INSERT INTO ${kind} (${completeRows.names.join(', ')}) VALUES (${values})`)
        for (const row of completeRows.rows) insert.run(row)
        db.prepare(
          `INSERT INTO ${MIGRATION_TABLE} SELECT ?, ?, source FROM ${MIGRATION_TABLE} WHERE kind = ''
           ON CONFLICT (kind) DO UPDATE SET after = excluded.after`,
        ).run(kind, after)
      })
    },

    finish(lastIds) {
      return session.write(() => {
        db.exec(DERIVE_ROWS)
        const sequence = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, $last) WHERE name = $name RETURNING seq')
        for (const name of TABLES_WITH_SEQUENCE)
          if (!sequence.get({ name, last: lastIds[name] }))
            db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, lastIds[name])
        db.prepare('UPDATE read_state_changes SET last = max(last, ?)').run(lastIds.read_state_changes)
        db.exec(`DROP TABLE ${MIGRATION_TABLE}`)
      })
    },

    close,
  }
}

/** Throws if a migration into this store was started and not finished. */
export function refuseIncompleteSqliteMigration({ db, file }: Pick<SqliteSession, 'db' | 'file'>): void {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck().get(MIGRATION_TABLE)
  if (!exists) return
  throw unfinishedMigrationError(
    file,
    db.prepare<[], string>(`SELECT source FROM ${MIGRATION_TABLE} LIMIT 1`).pluck().get() ?? '',
  )
}

const COUNTER_QUERIES = counterQueries(
  (table) => `SELECT ifnull(sum(length(packed)), 0) FROM ${table}`,
  'unicode(substr(run, 1, 1))',
)

/** Derives rows that are not exported. */
const DERIVE_ROWS = `
  UPDATE article_queues SET due_at = max(not_before_at, ifnull((SELECT min(a.due_at) FROM articles a
    WHERE a.root = article_queues.root AND a.due_at IS NOT NULL), 0));
  DELETE FROM counters;
  INSERT INTO counters (name, value) SELECT * FROM (
    ${COUNTER_QUERIES.map(([name, sql]) => `SELECT '${name}', (${sql})`).join(' UNION ALL ')});
  INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC;
`
