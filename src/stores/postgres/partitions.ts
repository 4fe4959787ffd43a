/**
 * Monthly partitions of entries, polls, texts and article pages. Their ids encode the month of arrival. A partition is dropped as a whole
 * once none of its rows is kept any more. The newest partition stays, because a process may be about to write to it.
 */
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import type { MonthlyTable, Months } from '../sql/months.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from '../sql/session.ts'

/** The date column by which rows age, which has an index. */
const DATE_COLUMNS: Record<MonthlyTable, string> = {
  entries: 'seen_at',
  polls: 'at',
  article_texts: 'fetched_at',
  pages: 'at',
}

/** Dropping a partition locks the whole table, and blocks other queries while it waits for the lock. */
const LOCK_TIMEOUT_MS = 2000

/** Updates counters before a partition is dropped, and returns the number of its rows. */
type Settle = (tx: SqlTransaction, month: string) => SqlWork<number>

export function createMonths(session: SqlSession): Months {
  return {
    drop: (table, before) => dropMonths(session, table, before, table === 'polls' ? settlePolls : settlePages),
    async dropEmpty(table) {
      await dropMonths(session, table, Number.MIN_SAFE_INTEGER, settleNothing)
    },
  }
}

/** Partitions before the newest whose rows are all older than `before`, including empty ones. */
function* pastMonths(query: SqlReader, table: MonthlyTable, before: Instant): SqlWork<string[]> {
  const months = yield* query.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY c.relname`,
    [table],
  )
  const old = months.slice(0, -1).map(({ name }) => name)
  if (old.length === 0) return []
  const newest = (name: string) => `SELECT '${name}' AS name, (SELECT max(${DATE_COLUMNS[table]}) FROM ${name}) AS at`
  const outdated = yield* query.rows<{ name: string }>(
    `SELECT name FROM (${old.map(newest).join(' UNION ALL ')}) AS months WHERE at IS NULL OR at < $1 ORDER BY name`,
    [before],
  )
  return outdated.map(({ name }) => name)
}

/** Drops the partitions whose rows are all older than `before`. If the table is locked, it leaves the rest for the next call. */
async function dropMonths(session: SqlSession, table: MonthlyTable, before: Instant, settle: Settle): Promise<number> {
  let dropped = 0
  for (const month of await session.read((query) => pastMonths(query, table, before))) {
    try {
      dropped += await session.write(function* (tx) {
        yield* tx.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
        yield* tx.run(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`)
        if (!(yield* pastMonths(tx, table, before)).includes(month)) return 0
        const rows = yield* settle(tx, month)
        yield* tx.run(`DROP TABLE ${month}`)
        return rows
      })
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'in-use' && error.isTransient) return dropped
      throw error
    }
  }
  return dropped
}

// biome-ignore lint/correctness/useYield: the rows of these partitions were deleted one by one
function* settleNothing(): SqlWork<number> {
  return 0
}

function* settlePolls(tx: SqlTransaction, month: string): SqlWork<number> {
  const row = yield* tx.row<{ lines: number; polls: number }>(
    `SELECT count(*) AS lines, coalesce(sum(times), 0)::bigint AS polls FROM ${month}`,
  )
  tx.countChanges.polls -= row!.polls
  return row!.lines
}

/** Also deletes the patterns that only these pages use. */
function* settlePages(tx: SqlTransaction, month: string): SqlWork<number> {
  const row = yield* tx.row<{ pages: number; bytes: number }>(
    `SELECT count(*) AS pages, coalesce(sum(octet_length(packed)), 0)::bigint AS bytes FROM ${month}`,
  )
  const patterns = yield* tx.rows<{ bytes: number }>(
    `DELETE FROM page_patterns p WHERE id IN (SELECT pattern_id FROM ${month})
     AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = p.id AND pages.tableoid <> $1::regclass)
     RETURNING octet_length(packed) AS bytes`,
    [month],
  )
  tx.countChanges.pages -= row!.pages
  tx.countChanges.pageBytes -= row!.bytes + patterns.reduce((sum, { bytes }) => sum + bytes, 0)
  return row!.pages
}
