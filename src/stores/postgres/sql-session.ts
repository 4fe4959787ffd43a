/** Runs shared SQL on PostgreSQL, see ../sql/session.ts. */

import { columnNames, type TypedColumn } from '../sql/dialect.ts'
import { runAsync, type SqlReader, type SqlSession, type SqlTransaction } from '../sql/session.ts'
import { manyRows } from './columns.ts'
import { POSTGRES } from './dialect.ts'
import type { PostgresSession, RowReader, Transaction } from './session.ts'

export function createSharedSession(session: PostgresSession): SqlSession {
  return {
    dialect: POSTGRES,
    rows: (sql, values) => session.rows(sql, values),
    row: async (sql, values) => (await session.rows<never>(sql, values))[0],
    each: (sql, columns, rows) => queryEach<never>(session, sql, columns, rows),
    rowOfEach: (sql, columns, rows) => rowOfEach(session, sql, columns, rows),
    run: (sql, values) => session.write((tx) => tx.run(sql, values)),
    insert: (sql, values) => session.write((tx) => insert(tx, sql, values)),
    runEach: (sql, columns, rows) => session.write((tx) => runEach(tx, sql, columns, rows)),
    read: (work) => session.read((query) => runAsync(work(sharedReader(query)))),
    write: (work) => session.write((tx) => runAsync(work(sharedTransaction(tx)))),
  }
}

async function queryEach<Row>(
  query: RowReader,
  sql: string,
  columns: readonly TypedColumn[],
  rows: readonly unknown[][],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const given = manyRows('g', columns, rows)
  return query.rows(
    sql.replaceAll(/\bgiven g\b/g, () => given.sql),
    given.values,
  )
}

async function rowOfEach(
  query: RowReader,
  sql: string,
  columns: readonly TypedColumn[],
  rows: readonly unknown[][],
): Promise<never[]> {
  const numbered = sql.replace('SELECT', 'SELECT g.n AS given_n,')
  const found = await queryEach<{ given_n: number }>(query, numbered, columns, rows)
  const byNumber = new Map(found.map((row) => [row.given_n, row]))
  return rows.map((_, i) => byNumber.get(i + 1)) as never[]
}

async function runEach(
  tx: RowReader,
  sql: string | readonly string[],
  columns: readonly TypedColumn[],
  rows: readonly unknown[][],
): Promise<void> {
  if (rows.length === 0) return
  if (typeof sql === 'string') {
    await queryEach(tx, sql, columns, rows)
    return
  }
  const given = manyRows('given_rows', columns, rows)
  const precedingStatements = sql.slice(0, -1).map((one, i) => `part_${i} AS (${one})`)
  const parts = [`given AS MATERIALIZED (SELECT * FROM ${given.sql})`, ...precedingStatements]
  await tx.rows(`WITH ${parts.join(', ')} ${sql.at(-1)}`, given.values)
}

async function insert(tx: Transaction, sql: string, values: readonly unknown[]): Promise<never | undefined> {
  const [row] = await tx.rows<{ id: never }>(`${sql} RETURNING id`, values)
  return row?.id
}

function sharedReader(query: RowReader): SqlReader {
  return {
    *rows(sql, values) {
      return (yield query.rows(sql, values)) as never
    },
    *row(sql, values) {
      return ((yield query.rows(sql, values)) as never[])[0]
    },
    *each(sql, columns, rows) {
      return (yield queryEach(query, sql, columns, rows)) as never
    },
    *rowOfEach(sql, columns, rows) {
      return (yield rowOfEach(query, sql, columns, rows)) as never
    },
  }
}

function sharedTransaction(tx: Transaction): SqlTransaction {
  return {
    ...sharedReader(tx),
    *run(sql, values) {
      return (yield tx.run(sql, values)) as number
    },
    *insert(sql, values) {
      return (yield insert(tx, sql, values)) as never
    },
    *runEach(sql, columns, rows) {
      yield runEach(tx, sql, columns, rows)
    },
    *changeEach(sql, key, columns, rows) {
      const changed = (yield queryEach(tx, `${sql} RETURNING ${key} AS key`, columns, rows)) as { key: unknown }[]
      const keys = new Set(changed.map((row) => row.key))
      const place = placeOf(key, columns)
      return rows.map((row) => keys.has(row[place]))
    },
    *insertEach(sql, key, columns, rows) {
      const added = (yield queryEach(tx, `${sql} RETURNING id, ${key} AS key`, columns, rows)) as {
        id: never
        key: unknown
      }[]
      const ids = new Map(added.map((row) => [row.key, row.id]))
      const place = placeOf(key, columns)
      return rows.map((row) => ids.get(row[place]))
    },
    countChanges: tx.tally,
  }
}

function placeOf(key: string, columns: readonly TypedColumn[]): number {
  return columnNames(columns).indexOf(key.slice(key.indexOf('.') + 1))
}
