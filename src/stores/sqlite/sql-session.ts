/** Runs shared SQL on SQLite, see ../sql/session.ts. Each text is prepared once. */
import type Database from 'better-sqlite3'
import type { CountChanges } from '../sql/count-changes.ts'
import { columnNames, type TypedColumn } from '../sql/dialect.ts'
import {
  immediate,
  runSync,
  type SqlReader,
  type SqlSession,
  type SqlTransaction,
  type SqlWork,
} from '../sql/session.ts'
import { SQLITE } from './dialect.ts'
import type { SqliteSession } from './session.ts'

interface Prepared {
  statement: Database.Statement<unknown[], unknown>
  /** The index of the value for each `?`. */
  order: number[]
  /** Each value occurs once, in order. */
  isInOrder: boolean
}

export interface SqliteSqlSession extends SqlSession {
  /** For synchronous work inside an open transaction. */
  within(tally: CountChanges): SqlTransaction
}

export function createSqlSession(session: SqliteSession): SqliteSqlSession {
  const { db } = session
  const statements = new Map<string, Prepared>()

  function prepared(sql: string, columns?: readonly TypedColumn[]): Prepared {
    const cached = statements.get(sql)
    if (cached) return cached
    const created = prepareNumbered(db, columns ? withGivenRow(sql, columns) : sql)
    statements.set(sql, created)
    return created
  }

  function all(sql: string, values: readonly unknown[]): unknown[] {
    const query = prepared(sql)
    return query.statement.all(...bindable(values, query))
  }

  function first(sql: string, values: readonly unknown[]): unknown {
    const query = prepared(sql)
    return query.statement.get(...bindable(values, query))
  }

  function run(sql: string, values: readonly unknown[]): number {
    const query = prepared(sql)
    return query.statement.run(...bindable(values, query)).changes
  }

  function each(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    if (rows.length === 0) return []
    const query = prepared(sql, columns)
    const answers: unknown[] = []
    for (const row of rows) for (const answer of query.statement.all(...bindable(row, query))) answers.push(answer)
    return answers
  }

  function rowOfEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    if (rows.length === 0) return []
    const query = prepared(sql, columns)
    return rows.map((row) => query.statement.get(...bindable(row, query)))
  }

  function changeEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): boolean[] {
    if (rows.length === 0) return []
    const query = prepared(sql, columns)
    return rows.map((row) => query.statement.run(...bindable(row, query)).changes > 0)
  }

  function runEach(sql: string | readonly string[], columns: readonly TypedColumn[], rows: readonly unknown[][]): void {
    if (rows.length === 0) return
    for (const text of typeof sql === 'string' ? [sql] : sql) {
      const query = prepared(text, columns)
      for (const row of rows) query.statement.run(...bindable(row, query))
    }
  }

  function insertWith(query: Prepared, values: readonly unknown[]): unknown {
    const { changes, lastInsertRowid } = query.statement.run(...bindable(values, query))
    return changes > 0 ? Number(lastInsertRowid) : undefined
  }

  function insert(sql: string, values: readonly unknown[]): unknown {
    return insertWith(prepared(sql), values)
  }

  function insertEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    const query = prepared(sql, columns)
    return rows.map((row) => insertWith(query, row))
  }

  const reader: SqlReader = {
    rows: (sql, values = NONE) => immediate(all(sql, values)) as SqlWork<never>,
    row: (sql, values = NONE) => immediate(first(sql, values)) as SqlWork<never>,
    each: (sql, columns, rows) => immediate(each(sql, columns, rows)) as SqlWork<never>,
    rowOfEach: (sql, columns, rows) => immediate(rowOfEach(sql, columns, rows)) as SqlWork<never>,
  }

  const writer: Omit<SqlTransaction, 'countChanges'> = {
    ...reader,
    run: (sql, values = NONE) => immediate(run(sql, values)),
    insert: (sql, values) => immediate(insert(sql, values)) as SqlWork<never>,
    runEach: (sql, columns, rows) => immediate(runEach(sql, columns, rows)),
    insertEach: (sql, _key, columns, rows) => immediate(insertEach(sql, columns, rows)) as SqlWork<never>,
    changeEach: (sql, _key, columns, rows) => immediate(changeEach(sql, columns, rows)),
  }

  return {
    dialect: SQLITE,
    rows: (sql, values = NONE) => session.read(() => all(sql, values) as never),
    row: (sql, values = NONE) => session.read(() => first(sql, values) as never),
    each: (sql, columns, rows) => session.read(() => each(sql, columns, rows) as never),
    rowOfEach: (sql, columns, rows) => session.read(() => rowOfEach(sql, columns, rows) as never),
    run: (sql, values = NONE) => session.write(() => run(sql, values)),
    insert: (sql, values) => session.write(() => insert(sql, values) as never),
    runEach: (sql, columns, rows) => session.write(() => runEach(sql, columns, rows)),
    read: (work) => session.read(() => runSync(work(reader))),
    write: (work) => session.write((countChanges) => runSync(work({ ...writer, countChanges }))),
    within: (countChanges) => ({ ...writer, countChanges }),
  }
}

const NONE: readonly unknown[] = []

/** Replaces the table `given` by parameters: it has one row at a time. */
function withGivenRow(sql: string, columns: readonly TypedColumn[]): string {
  const names = columnNames(columns)
  return sql
    .replace(/^(INSERT .*) SELECT (.*) FROM given g ORDER BY g\.\w+/, '$1 VALUES ($2)')
    .replaceAll(/\bFROM given g(,| CROSS JOIN LATERAL)/g, 'FROM')
    .replaceAll(/\b(FROM|USING) given g\b/g, '')
    .replaceAll(/\bg\.n\b/g, 'NULL') // a single row needs no number
    .replaceAll(/\bg\.(\w+)/g, (_, name) => `$${names.indexOf(name) + 1}`)
}

/** better-sqlite3 binds by position, so each `$2` becomes a `?` whose number is recorded. */
function prepareNumbered(db: Database.Database, sql: string): Prepared {
  const order: number[] = []
  const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
    order.push(Number(number) - 1)
    return '?'
  })
  return { statement: db.prepare(text), order, isInOrder: order.every((index, i) => index === i) }
}

function bindable(values: readonly unknown[], { order, isInOrder }: Prepared): readonly unknown[] {
  if (isInOrder && values.length === order.length && !values.some(isConverted)) return values
  return order.map((index) => bound(values[index]))
}

function isConverted(value: unknown): boolean {
  return typeof value === 'boolean' || Array.isArray(value)
}

function bound(value: unknown): unknown {
  if (Array.isArray(value)) return toJson(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return value
}

/** Replaces lone surrogates, as happens when text is bound by itself; JSON alone would keep them. */
function toJson(values: unknown[]): string {
  const json = JSON.stringify(values)
  if (!json.includes('\\ud')) return json
  return JSON.stringify(values, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
