/** Months of arrival, in which PostgreSQL keeps what grows without end: each can be dropped as a whole. SQLite has none. */
import type { Instant } from '../../model/index.ts'
import type { Dialect } from './dialect.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

export type Monthly = 'entries' | 'polls' | 'article_texts' | 'pages'

export interface Months {
  /** Drops months of which all is older than that, with all that has to be noted then; how many rows that were. */
  drop(table: 'polls' | 'pages', before: Instant): Promise<number>
  /** Drops months of which nothing is left. */
  dropEmpty(table: 'entries' | 'article_texts'): Promise<void>
}

export const NO_MONTHS: Months = { drop: async () => 0, dropEmpty: async () => {} }

/** Under which whatever this transaction brings is numbered; made, if it is new. Before anything else is locked. */
export function* arrivalMonth(tx: SqlTransaction, dialect: Dialect, dates: readonly Instant[]): SqlWork<number> {
  if (!dialect.arrivalMonth) return 0
  const row = yield* tx.row<{ month: number }>(dialect.arrivalMonth, [Math.trunc(Math.max(0, ...dates))])
  return row!.month
}
