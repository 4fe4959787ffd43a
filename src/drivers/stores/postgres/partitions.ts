/**
 * Months of arrival. Entries, polls, texts and pages are numbered by the month in which they came and, within it, in their order; each
 * month of each of them is a table of its own, which is dropped as a whole once nothing in it is kept any more. The newest month
 * stays, for somebody may be about to write to it.
 */
import type { Instant } from '../../../model/index.ts'
import { StoreError } from '../../../ports/index.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

/** Under which whatever this transaction brings is numbered; made, if it is new. Before anything else is locked. */
export async function arrivalMonth(tx: Transaction, at: Instant): Promise<number> {
  const [row] = await tx.rows<{ month: number }>('SELECT arrival_month($1::bigint) AS month', [Math.trunc(at)])
  return row!.month
}

/** What comes in months, by which date it is old, and by which index that is found. */
const MONTHLY = { entries: 'seen_at', polls: 'at', article_texts: 'fetched_at', pages: 'at' } as const

type Monthly = keyof typeof MONTHLY

/** A table can be dropped only while nobody reads or writes any month of it; longer than this nobody is kept waiting for that. */
const PATIENCE_MS = 2000

/** Tables of months before the newest, of which nothing is as new as that date; empty ones are among them. */
async function pastMonths(query: RowAsker, table: Monthly, before: Instant): Promise<string[]> {
  const months = await query.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY c.relname`,
    [table],
  )
  const old = months.slice(0, -1).map(({ name }) => name)
  if (old.length === 0) return []
  const newest = (name: string) => `SELECT '${name}' AS name, (SELECT max(${MONTHLY[table]}) FROM ${name}) AS at`
  const past = await query.rows<{ name: string }>(
    `SELECT name FROM (${old.map(newest).join(' UNION ALL ')}) AS months WHERE at IS NULL OR at < $1 ORDER BY name`,
    [before],
  )
  return past.map(({ name }) => name)
}

/**
 * Drops all months of which nothing is as new as that date. `settle` is told of each before it goes, and notes what there is less of; its
 * answer is how many rows that are. Where others keep the table busy it is left for another time.
 */
export async function dropMonths(
  session: PostgresSession,
  table: Monthly,
  before: Instant,
  settle: (tx: Transaction, month: string) => Promise<number>,
): Promise<number> {
  let dropped = 0
  for (const month of await pastMonths(session, table, before)) {
    try {
      dropped += await session.write(async (tx) => {
        await tx.run(`SET LOCAL lock_timeout = ${PATIENCE_MS}`)
        await tx.run(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`)
        if (!(await pastMonths(tx, table, before)).includes(month)) return 0
        const rows = await settle(tx, month)
        await tx.run(`DROP TABLE ${month}`)
        return rows
      })
    } catch (error) {
      if (error instanceof StoreError && error.trouble === 'in-use' && error.isPassing) return dropped
      throw error
    }
  }
  return dropped
}

/** The same for months of which each row has to be let go of by itself, and all are gone. */
export async function dropEmptyMonths(session: PostgresSession, table: Monthly): Promise<void> {
  await dropMonths(session, table, Number.MIN_SAFE_INTEGER, async () => 0)
}
