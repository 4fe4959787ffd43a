/** Monthly partitions by arrival. PostgreSQL uses them for tables that grow without limit; each can be dropped as a whole. SQLite has none. */
import type { Instant } from '../../model/index.ts'
import type { Dialect } from './dialect.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

export type MonthlyTable = 'entries' | 'polls' | 'article_texts' | 'pages'

export interface Months {
  /** Drops months whose rows are all older than `before`, and updates dependent data. Returns the number of rows. */
  drop(table: 'polls' | 'pages', before: Instant): Promise<number>
  /** Drops empty months. */
  dropEmpty(table: 'entries' | 'article_texts'): Promise<void>
}

export const NO_MONTHS: Months = { drop: async () => 0, dropEmpty: async () => {} }

/** Returns the month in which this transaction's rows are stored, creating it if needed. Call it before anything else is locked. */
export function* arrivalMonth(tx: SqlTransaction, dialect: Dialect, dates: readonly Instant[]): SqlWork<number> {
  if (!dialect.arrivalMonth) return 0
  const row = yield* tx.row<{ month: number }>(dialect.arrivalMonth, [Math.trunc(Math.max(0, ...dates))])
  return row!.month
}
