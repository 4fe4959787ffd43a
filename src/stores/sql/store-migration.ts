/** Store migration: exports a database as plain rows, and loads such rows into an empty one. */
import {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  type LastIds,
  type RowKind,
  type StoreMigration,
} from '../../ports/index.ts'
import { counterQueries } from './counter-queries.ts'
import {
  type DerivedColumns,
  keyColumnsOf,
  keysAtPosition,
  MIGRATION_TABLE,
  otherMigrationError,
  positionOf,
  targetNotEmptyError,
  withDerivedColumns,
} from './exported-rows.ts'
import { unpackEntryContent } from './packed-content.ts'
import type { EntryRow } from './rows.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'

/** What differs between databases. */
export interface MigrationParts {
  /** Description of the store for users. */
  name: string
  close(): Promise<void>
  /** Condition: the table exists whose name is the parameter. */
  tableExists(parameter: string): string
  /** Queries for kinds of rows that are not a table. */
  sources: { readonly [Kind in RowKind]?: string }
  derivedColumns: { readonly [Kind in RowKind]?: DerivedColumns }
  /** Inserts rows with these columns. */
  load(tx: SqlTransaction, kind: RowKind, names: string[], rows: unknown[][]): SqlWork<void>
  lastIds(query: SqlReader): SqlWork<LastIds>
  setLastIds(tx: SqlTransaction, ids: LastIds): SqlWork<void>
  /** SQL for the first byte of a column. */
  firstByte(column: string): string
  /** Columns of counters before `name` and `value`, with their values. */
  counterColumns: { names: string; values: string }
  /** After all rows have been loaded. */
  loaded?(): Promise<void>
}

/** Hashes exceed the safe integers of JavaScript. */
const READ_EXPRESSIONS: Record<string, string> = { key_hash: 'CAST(c.key_hash AS text) AS key_hash' }

/** Other stores hold content as plain text. */
const CONTENT = EXPORT_COLUMNS.entries.indexOf('content')

/** A store can only be filled if these are empty. */
const MUST_BE_EMPTY: readonly RowKind[] = ['feeds', 'sources', 'entries', 'polls', 'credentials', 'folders']

/** Every store has a user without a name until the first account is created. It is deleted before rows are loaded. */
const IS_UNNAMED = "name = ''"

export function createStoreMigration(session: SqlSession, parts: MigrationParts): StoreMigration {
  const { name, close } = parts
  const from = (kind: RowKind) => `FROM ${parts.sources[kind] ?? kind} AS c`

  return {
    name,
    close,

    async size(kind) {
      return (await session.row<{ count: number }>(`SELECT count(*) AS count ${from(kind)}`))!.count
    },

    async readRows(kind, after, limit) {
      const columns = EXPORT_COLUMNS[kind].map((column) => READ_EXPRESSIONS[column] ?? `c.${column}`)
      const keys = keyColumnsOf(kind).map((key) => `c.${key}`)
      const start = keys.map((key, i) => (key === 'c.key_hash' ? `CAST($${i + 2} AS bigint)` : `$${i + 2}`))
      const isAfter = after === undefined ? '' : `WHERE (${keys.join(', ')}) > (${start.join(', ')})`
      const found = await session.rows<Record<string, ColumnValue>>(
        `SELECT ${columns.join(', ')} ${from(kind)} ${isAfter} ORDER BY ${keys.join(', ')} LIMIT $1`,
        [limit, ...(after === undefined ? [] : keysAtPosition(after))],
      )
      const rows = found.map((row) => EXPORT_COLUMNS[kind].map((column) => row[column] ?? null))
      if (kind === 'entries')
        for (const row of rows) row[CONTENT] = unpackEntryContent(row[CONTENT] as EntryRow['content'])
      const last: ExportedRow | undefined = rows.length === limit ? rows.at(-1) : undefined
      return { rows, ...(last && { after: positionOf(kind, last) }) }
    },

    lastIds: () => session.read((query) => parts.lastIds(query)),

    begin(source) {
      return session.write(function* (tx) {
        const unfinished = yield* sourceOfMigration(tx, parts)
        if (unfinished !== undefined && unfinished !== source) throw otherMigrationError(name, unfinished)
        if (unfinished === undefined) {
          const anyRow = [...MUST_BE_EMPTY, `users WHERE NOT ${IS_UNNAMED}`].map(
            (rows) => `EXISTS (SELECT 1 FROM ${rows})`,
          )
          if (yield* tx.row(`SELECT 1 WHERE ${anyRow.join(' OR ')}`)) throw targetNotEmptyError(name)
          yield* tx.run(`DELETE FROM users WHERE ${IS_UNNAMED}`)
          yield* tx.run(`CREATE TABLE ${MIGRATION_TABLE} (kind text PRIMARY KEY, after text, source text NOT NULL)`)
          yield* tx.run(`INSERT INTO ${MIGRATION_TABLE} VALUES ('', NULL, $1)`, [source])
        }
        const progress = yield* tx.rows<{ kind: RowKind; after: string | null }>(
          `SELECT kind, after FROM ${MIGRATION_TABLE} WHERE kind <> ''`,
        )
        return new Map(progress.map(({ kind, after }) => [kind, after]))
      })
    },

    writeRows(kind, rows, after) {
      return session.write(function* (tx) {
        const complete = withDerivedColumns(kind, rows, parts.derivedColumns[kind])
        if (rows.length > 0) yield* parts.load(tx, kind, complete.names, complete.rows)
        yield* tx.run(
          `INSERT INTO ${MIGRATION_TABLE} SELECT $1, $2, source FROM ${MIGRATION_TABLE} WHERE kind = ''
           ON CONFLICT (kind) DO UPDATE SET after = excluded.after`,
          [kind, after],
        )
      })
    },

    async finish(lastIds) {
      await session.write(function* (tx) {
        for (const sql of derivedRowsSql(session.dialect.greatest, parts)) yield* tx.run(sql)
        yield* parts.setLastIds(tx, lastIds)
        yield* tx.run(`DROP TABLE ${MIGRATION_TABLE}`)
      })
      await parts.loaded?.()
    },
  }
}

/** The source of the unfinished migration into this store, if there is one. */
export function* sourceOfMigration(
  query: SqlReader,
  { tableExists }: Pick<MigrationParts, 'tableExists'>,
): SqlWork<string | undefined> {
  if (!(yield* query.row(`SELECT 1 AS one WHERE ${tableExists('$1')}`, [MIGRATION_TABLE]))) return undefined
  return (yield* query.row<{ source: string }>(`SELECT source FROM ${MIGRATION_TABLE} LIMIT 1`))?.source ?? ''
}

/** Statements that derive rows that are not exported: due dates of article queues, counters, and pending work. */
function derivedRowsSql(greatest: string, { firstByte, counterColumns }: MigrationParts): string[] {
  const counters = counterQueries(firstByte('run')).map(
    ([counter, sql]) => `SELECT ${counterColumns.values} '${counter}', (${sql})`,
  )
  return [
    `UPDATE article_queues SET due_at = ${greatest}(not_before_at, coalesce((SELECT min(a.due_at) FROM articles a
       WHERE a.root = article_queues.root AND a.due_at IS NOT NULL), 0))`,
    'DELETE FROM counters',
    `INSERT INTO counters (${counterColumns.names} name, value) ${counters.join(' UNION ALL ')}`,
    'INSERT INTO unindexed (entry_id) SELECT id FROM entries WHERE id NOT IN (SELECT entry_id FROM unindexed) ORDER BY id DESC',
  ]
}
