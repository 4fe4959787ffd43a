/**
 * The database interface that the shared code of SQLite and PostgreSQL uses. Statements are written once, in the SQL that both have in
 * common, with parameters `$1`, `$2`; differences come from the dialect.
 *
 * Work of several statements is a generator function that uses `yield*` where asynchronous code uses `await`. PostgreSQL yields a promise
 * for each statement. SQLite answers synchronously and never yields, so its transactions stay synchronous: nothing else can run in the
 * middle of one, and synchronous code can call shared work inside its own transaction. Generator functions on hot paths are declared
 * once: creating one per call costs a microsecond.
 */

import type { CountChanges } from './count-changes.ts'
import type { Dialect, TypedColumn } from './dialect.ts'

export type SqlWork<T> = Generator<Promise<unknown>, T, unknown>

export interface SqlReader {
  rows<Row>(sql: string, values?: readonly unknown[]): SqlWork<Row[]>
  /** The first row, if any. */
  row<Row>(sql: string, values?: readonly unknown[]): SqlWork<Row | undefined>
  /**
   * Runs a statement for many rows, which it refers to as table `given g`. PostgreSQL gets all rows at once. SQLite runs the statement once
   * per row, without that table, so it must mean the same both ways. Values beyond the columns are ignored: a column that only PostgreSQL
   * has comes last.
   */
  each<Row>(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): SqlWork<Row[]>
  /** Returns the row that the SELECT finds for each given row, in their order. */
  rowOfEach<Row>(
    sql: `SELECT ${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<(Row | undefined)[]>
}

export interface SqlTransaction extends SqlReader {
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly unknown[]): SqlWork<number>
  /** Inserts a row and returns its `id`; undefined if it was not inserted. */
  insert<Id>(sql: string, values: readonly unknown[]): SqlWork<Id | undefined>
  /**
   * Like `each`, for one or several statements that write. PostgreSQL combines several into one, in which none sees the changes of
   * another, and no row may be changed twice.
   */
  runEach(sql: string | readonly string[], columns: readonly TypedColumn[], rows: readonly unknown[][]): SqlWork<void>
  /**
   * Returns for each row whether it changed anything. `key`, such as `feeds.id`, is a column of both the table and the rows, by which
   * PostgreSQL matches them.
   */
  changeEach(
    sql: string,
    key: `${string}.${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<boolean[]>
  /** Likewise for a statement that inserts rows; returns the `id` of each inserted row. */
  insertEach<Id>(
    sql: string,
    key: `${string}.${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<(Id | undefined)[]>
  readonly countChanges: CountChanges
}

export interface SqlSession {
  readonly dialect: Dialect
  /** One statement on its own. */
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  row<Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined>
  each<Row>(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): Promise<Row[]>
  rowOfEach<Row>(
    sql: `SELECT ${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): Promise<(Row | undefined)[]>
  /** One statement in its own transaction. Returns the number of changed rows. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  insert<Id>(sql: string, values: readonly unknown[]): Promise<Id | undefined>
  runEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): Promise<void>
  /** Several statements on one snapshot. */
  read<T>(work: (query: SqlReader) => SqlWork<T>): Promise<T>
  /** One transaction. PostgreSQL may restart the work, so it must have no side effects outside the transaction. */
  write<T>(work: (tx: SqlTransaction) => SqlWork<T>): Promise<T>
}

/** Runs synchronous work, such as all work on SQLite. */
export function runSync<T>(work: SqlWork<T>): T {
  const state = work.next()
  if (!state.done) throw new Error('could not run the work: it is not synchronous')
  return state.value
}

/** Wraps a result that is already available. */
// biome-ignore lint/correctness/useYield: it never yields
export function* immediate<T>(result: T): SqlWork<T> {
  return result
}

export async function runAsync<T>(work: SqlWork<T>): Promise<T> {
  for (let state = work.next(); ; ) {
    if (state.done) return state.value
    let answer: unknown
    try {
      answer = await state.value
    } catch (error) {
      state = work.throw(error)
      continue
    }
    state = work.next(answer)
  }
}

/** Thrown by a transaction that conflicts with another: PostgreSQL retries all of it. */
export function retryTransactionError(why: string): Error {
  return Object.assign(new Error(why), { code: '40001' })
}
