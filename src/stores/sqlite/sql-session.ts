/** Runs the shared statements on SQLite, see ../sql/session.ts. Each text is prepared once. */
import type Database from 'better-sqlite3'
import { columnNames, type TypedColumn } from '../sql/dialect.ts'
import {
  complete,
  immediate,
  type SqlReader,
  type SqlSession,
  type SqlTransaction,
  type SqlWork,
} from '../sql/session.ts'
import type { CountTally } from '../sql/tally.ts'
import { SQLITE } from './dialect.ts'
import type { SqliteSession } from './session.ts'

interface Prepared {
  statement: Database.Statement<unknown[], unknown>
  /** The index of the value for each `?`. */
  order: number[]
  /** Each value once, as they come. */
  isInOrder: boolean
}

export interface SqliteSqlSession extends SqlSession {
  /** For synchronous work inside a transaction of its own. */
  within(tally: CountTally): SqlTransaction
}

export function createSqlSession(session: SqliteSession): SqliteSqlSession {
  const { db } = session
  const statements = new Map<string, Prepared>()

  function prepared(sql: string, columns?: readonly TypedColumn[]): Prepared {
    const known = statements.get(sql)
    if (known) return known
    const made = prepareNumbered(db, columns ? withGivenRow(sql, columns) : sql)
    statements.set(sql, made)
    return made
  }

  function all(sql: string, values: readonly unknown[]): unknown[] {
    const one = prepared(sql)
    return one.statement.all(...bindable(values, one))
  }

  function first(sql: string, values: readonly unknown[]): unknown {
    const one = prepared(sql)
    return one.statement.get(...bindable(values, one))
  }

  function run(sql: string, values: readonly unknown[]): number {
    const one = prepared(sql)
    return one.statement.run(...bindable(values, one)).changes
  }

  function each(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    if (rows.length === 0) return []
    const one = prepared(sql, columns)
    const answers: unknown[] = []
    for (const row of rows) for (const answer of one.statement.all(...bindable(row, one))) answers.push(answer)
    return answers
  }

  function rowOfEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    if (rows.length === 0) return []
    const one = prepared(sql, columns)
    return rows.map((row) => one.statement.get(...bindable(row, one)))
  }

  function changeEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): boolean[] {
    if (rows.length === 0) return []
    const one = prepared(sql, columns)
    return rows.map((row) => one.statement.run(...bindable(row, one)).changes > 0)
  }

  function runEach(sql: string | readonly string[], columns: readonly TypedColumn[], rows: readonly unknown[][]): void {
    if (rows.length === 0) return
    for (const text of typeof sql === 'string' ? [sql] : sql) {
      const one = prepared(text, columns)
      for (const row of rows) one.statement.run(...bindable(row, one))
    }
  }

  function insertWith(one: Prepared, values: readonly unknown[]): unknown {
    const { changes, lastInsertRowid } = one.statement.run(...bindable(values, one))
    return changes > 0 ? Number(lastInsertRowid) : undefined
  }

  function insert(sql: string, values: readonly unknown[]): unknown {
    return insertWith(prepared(sql), values)
  }

  function insertEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): unknown[] {
    const one = prepared(sql, columns)
    return rows.map((row) => insertWith(one, row))
  }

  const reader: SqlReader = {
    rows: (sql, values = NONE) => immediate(all(sql, values)) as SqlWork<never>,
    row: (sql, values = NONE) => immediate(first(sql, values)) as SqlWork<never>,
    each: (sql, columns, rows) => immediate(each(sql, columns, rows)) as SqlWork<never>,
    rowOfEach: (sql, columns, rows) => immediate(rowOfEach(sql, columns, rows)) as SqlWork<never>,
  }

  const writer: Omit<SqlTransaction, 'tally'> = {
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
    read: (work) => session.read(() => complete(work(reader))),
    write: (work) => session.write((tally) => complete(work({ ...writer, tally }))),
    within: (tally) => ({ ...writer, tally }),
  }
}

const NONE: readonly unknown[] = []

/** The table `given` has one row at a time, whose columns are parameters. */
function withGivenRow(sql: string, columns: readonly TypedColumn[]): string {
  const names = columnNames(columns)
  return sql
    .replace(/^(INSERT .*) SELECT (.*) FROM given g ORDER BY g\.\w+/, '$1 VALUES ($2)')
    .replaceAll(/\bFROM given g(,| CROSS JOIN LATERAL)/g, 'FROM')
    .replaceAll(/\b(FROM|USING) given g\b/g, '')
    .replaceAll(/\bg\.n\b/g, 'NULL') // there is one row, so it has no order
    .replaceAll(/\bg\.(\w+)/g, (_, name) => `$${names.indexOf(name) + 1}`)
}

/** better-sqlite3 binds by position, so `$2` becomes a `?` that knows its number. */
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
  if (Array.isArray(value)) return inJson(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return value
}

/** Halves of characters are replaced as they are where text is bound by itself; JSON alone would keep them. */
function inJson(values: unknown[]): string {
  const json = JSON.stringify(values)
  if (!json.includes('\\ud')) return json
  return JSON.stringify(values, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
