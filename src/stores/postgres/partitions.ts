/**
 * Months of arrival. Entries, polls, texts and pages are numbered by the month in which they came and, within it, in their order; each
 * month of each of them is a table of its own, which is dropped as a whole once nothing in it is kept any more. The newest month
 * stays, for somebody may be about to write to it.
 */
import type { Instant } from '../../model/index.ts'
import { StoreError } from '../../ports/index.ts'
import type { Monthly, Months } from '../sql/months.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from '../sql/session.ts'

/** By which date what comes in months is old, and by which index that is found. */
const DATE_OF: Record<Monthly, string> = { entries: 'seen_at', polls: 'at', article_texts: 'fetched_at', pages: 'at' }

/** A table can be dropped only while nobody reads or writes any month of it; longer than this nobody is kept waiting for that. */
const PATIENCE_MS = 2000

/** Is told of a month before it goes, and notes what there is less of; its answer is how many rows that are. */
type Settle = (tx: SqlTransaction, month: string) => SqlWork<number>

export function createMonths(session: SqlSession): Months {
  return {
    drop: (table, before) => dropMonths(session, table, before, table === 'polls' ? settlePolls : settlePages),
    async dropEmpty(table) {
      await dropMonths(session, table, Number.MIN_SAFE_INTEGER, settleNothing)
    },
  }
}

/** Tables of months before the newest, of which nothing is as new as that date; empty ones are among them. */
function* pastMonths(query: SqlReader, table: Monthly, before: Instant): SqlWork<string[]> {
  const months = yield* query.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY c.relname`,
    [table],
  )
  const old = months.slice(0, -1).map(({ name }) => name)
  if (old.length === 0) return []
  const newest = (name: string) => `SELECT '${name}' AS name, (SELECT max(${DATE_OF[table]}) FROM ${name}) AS at`
  const past = yield* query.rows<{ name: string }>(
    `SELECT name FROM (${old.map(newest).join(' UNION ALL ')}) AS months WHERE at IS NULL OR at < $1 ORDER BY name`,
    [before],
  )
  return past.map(({ name }) => name)
}

/** Drops all months of which nothing is as new as that date. Where others keep the table busy it is left for another time. */
async function dropMonths(session: SqlSession, table: Monthly, before: Instant, settle: Settle): Promise<number> {
  let dropped = 0
  for (const month of await session.read((query) => pastMonths(query, table, before))) {
    try {
      dropped += await session.write(function* (tx) {
        yield* tx.run(`SET LOCAL lock_timeout = ${PATIENCE_MS}`)
        yield* tx.run(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`)
        if (!(yield* pastMonths(tx, table, before)).includes(month)) return 0
        const rows = yield* settle(tx, month)
        yield* tx.run(`DROP TABLE ${month}`)
        return rows
      })
    } catch (error) {
      if (error instanceof StoreError && error.trouble === 'in-use' && error.isPassing) return dropped
      throw error
    }
  }
  return dropped
}

// biome-ignore lint/correctness/useYield: of these months each row was let go of by itself
function* settleNothing(): SqlWork<number> {
  return 0
}

function* settlePolls(tx: SqlTransaction, month: string): SqlWork<number> {
  const row = yield* tx.row<{ lines: number; polls: number }>(
    `SELECT count(*) AS lines, coalesce(sum(times), 0)::bigint AS polls FROM ${month}`,
  )
  tx.tally.polls -= row!.polls
  return row!.lines
}

/** With the patterns that only these pages need. */
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
  tx.tally.pages -= row!.pages
  tx.tally.pageBytes -= row!.bytes + patterns.reduce((sum, { bytes }) => sum + bytes, 0)
  return row!.pages
}
