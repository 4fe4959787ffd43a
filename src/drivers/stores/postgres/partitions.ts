/**
 * Months of arrival. Entries, polls, texts and pages are numbered by the month in which they came and, within it, in their order; each
 * month of each of them is a table of its own, which goes as a whole once all in it is old enough.
 */
import type { Instant } from '../../../model/index.ts'
import type { Transaction } from './session.ts'

/** Under which whatever this transaction brings is numbered; made, if it is new. Before anything else is locked. */
export async function arrivalMonth(tx: Transaction, at: Instant): Promise<number> {
  const [row] = await tx.rows<{ month: number }>('SELECT arrival_month($1::bigint) AS month', [Math.trunc(at)])
  return row!.month
}
