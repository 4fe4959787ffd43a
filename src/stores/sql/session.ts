/**
 * The database as the shared part of the two relational stores sees it. Statements are written once, in the SQL that SQLite
 * and PostgreSQL have in common, with parameters `$1`, `$2`; what they spell differently is asked of the dialect.
 *
 * Work of several statements is a generator function, which says `yield*` where asynchronous code says `await`. PostgreSQL
 * yields a promise for each statement. SQLite answers at once and never yields, so its transactions stay synchronous: nothing
 * else can run in the middle of one, and synchronous code can call shared work inside a transaction of its own. Where it is
 * called often, the generator function has a name: to make one anew for each call costs a microsecond.
 */
import type { Dialect, TypedColumn } from './dialect.ts'
import type { CountTally } from './tally.ts'

export type SqlWork<T> = Generator<Promise<unknown>, T, unknown>

export interface SqlReader {
  rows<Row>(sql: string, values?: readonly unknown[]): SqlWork<Row[]>
  /** The first of them, if any. */
  row<Row>(sql: string, values?: readonly unknown[]): SqlWork<Row | undefined>
  /**
   * A statement for each of many rows, which it calls the table `given g`. PostgreSQL is given all of them at once. On
   * SQLite the statement is run once for each row, without that table, so it must mean the same both ways. Values beyond the
   * columns are left out: a column that only PostgreSQL has comes last.
   */
  each<Row>(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): SqlWork<Row[]>
  /** For each given row the one that the SELECT finds, in their order. */
  rowOfEach<Row>(
    sql: `SELECT ${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<(Row | undefined)[]>
}

export interface SqlTransaction extends SqlReader {
  /** How many rows it changed. */
  run(sql: string, values?: readonly unknown[]): SqlWork<number>
  /** Adds a row. Answers its `id`; undefined if it was not added. */
  insert<Id>(sql: string, values: readonly unknown[]): SqlWork<Id | undefined>
  /**
   * The same as `each` for a statement that writes, or for several. PostgreSQL runs several as one, in which none sees what
   * another does, and no row may be changed twice.
   */
  runEach(sql: string | readonly string[], columns: readonly TypedColumn[], rows: readonly unknown[][]): SqlWork<void>
  /**
   * Answers for each row whether it changed anything. `key`, such as `feeds.id`, is a column of the table and of the rows by
   * which PostgreSQL tells which did.
   */
  changeEach(
    sql: string,
    key: `${string}.${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<boolean[]>
  /** The same for a statement that adds rows: answers the `id` of each that was added. */
  insertEach<Id>(
    sql: string,
    key: `${string}.${string}`,
    columns: readonly TypedColumn[],
    rows: readonly unknown[][],
  ): SqlWork<(Id | undefined)[]>
  readonly tally: CountTally
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
  /** One statement in a transaction of its own; answers how many rows it changed. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  insert<Id>(sql: string, values: readonly unknown[]): Promise<Id | undefined>
  runEach(sql: string, columns: readonly TypedColumn[], rows: readonly unknown[][]): Promise<void>
  /** Several statements on one snapshot. */
  read<T>(work: (query: SqlReader) => SqlWork<T>): Promise<T>
  /** One transaction. PostgreSQL may start the work again from its beginning, so it must not change anything outside. */
  write<T>(work: (tx: SqlTransaction) => SqlWork<T>): Promise<T>
}

/** Runs work that never waits, such as all work on SQLite, to its end. */
export function complete<T>(work: SqlWork<T>): T {
  const step = work.next()
  if (!step.done) throw new Error('synchronous work had to wait')
  return step.value
}

/** The result of work that was done at once. */
// biome-ignore lint/correctness/useYield: it never waits
export function* immediate<T>(result: T): SqlWork<T> {
  return result
}

export async function awaited<T>(work: SqlWork<T>): Promise<T> {
  for (let step = work.next(); ; ) {
    if (step.done) return step.value
    let answer: unknown
    try {
      answer = await step.value
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(answer)
  }
}

/** What a transaction throws that finds itself in the way of another: PostgreSQL begins all of it anew. */
export function onceMore(why: string): Error {
  return Object.assign(new Error(why), { code: '40001' })
}
