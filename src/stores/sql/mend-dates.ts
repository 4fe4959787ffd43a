/**
 * What a clock that was ahead has left behind. Whether there is anything is asked of indexes, and of the schedules, which are gone
 * through once; only if there is are larger tables gone through.
 */
import type { Instant, Push } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { jsonInColumn } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { notLaterThan } from './packed-run.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

/** In statements, `:now`, `:furthest` and `:empty`, which is a memory that is learnt anew from what the feed shows next. */
type Named = Record<'now' | 'furthest' | 'empty', unknown>

const SIGNS = [
  "SELECT 1 FROM schedules WHERE state = 'active' AND due_at > :furthest",
  "SELECT 1 FROM sources WHERE state = 'looking' AND due_at > :furthest",
  'SELECT 1 FROM pushes WHERE due_at > :furthest',
  'SELECT 1 FROM article_lines WHERE leased_until IS NULL AND due_at > :furthest',
  'SELECT 1 FROM polls WHERE at > :now',
  'SELECT 1 FROM schedules WHERE run IS NOT NULL AND polled_at > :now', // without an index: every poll would have to write it
  'SELECT 1 FROM entries WHERE seen_at > :now',
  'SELECT 1 FROM robots WHERE fetched_at > :now',
]

/** Of a column that may be empty, and a date that it is not later than afterwards. */
const notAfter = (column: string, date: string) =>
  `${column} = CASE WHEN ${column} > ${date} THEN ${date} ELSE ${column} END`

const REPAIRS = [
  `UPDATE schedules SET ${notAfter('due_at', ':now')}, polled_at = :now - 1, ${notAfter('succeeded_at', ':now - 1')},
   memory = :empty, trust = NULL WHERE polled_at > :now`,
  'UPDATE schedules SET due_at = :now WHERE due_at > :furthest',
  'UPDATE sources SET due_at = :now WHERE due_at > :furthest',
  'DELETE FROM feed_leases WHERE until > :furthest',
  'DELETE FROM source_leases WHERE until > :furthest',
  `UPDATE entries SET seen_at = :now, ${notAfter('sort_at', ':now')} WHERE seen_at > :now`,
  'UPDATE signatures SET placed_at = :now WHERE placed_at > :now',
  `UPDATE polls SET at = :now - 1, ${notAfter('began_at', ':now - 1')} WHERE at > :now`,
  'UPDATE articles SET due_at = :now WHERE due_at > :furthest',
  `UPDATE article_lines SET leased_until = NULL, lease = NULL, ${notAfter('not_before_at', ':now')}, ${notAfter('due_at', ':now')}
   WHERE due_at > :furthest OR not_before_at > :furthest OR leased_until > :furthest`,
  'UPDATE hosts SET incident = NULL WHERE incident IS NOT NULL',
  'DELETE FROM robots WHERE fetched_at > :now',
]

const PUSH_DATES = ['leaseUntil', 'askedAt', 'provenAt', 'missedAt'] as const

export function mendMethods({ dialect, ...session }: SqlSession): Pick<Store, 'mendDates'> {
  return {
    mendDates(now, furthest) {
      const named: Named = { now: Math.floor(now), furthest: Math.floor(furthest), empty: Buffer.alloc(0) }
      return session.write(function* (tx) {
        const signs = bound(`SELECT ${SIGNS.map((sign) => `EXISTS (${sign})`).join(' OR ')} AS found`, named)
        if (!(yield* tx.row<{ found: boolean | 0 | 1 }>(signs.sql, signs.values))?.found) return 0
        yield* mendRuns(tx, dialect, named)
        let mended = 0
        for (const repair of REPAIRS) {
          const { sql, values } = bound(repair, named)
          mended += yield* tx.run(sql, values)
        }
        mended += yield* mendDelays(tx, dialect, furthest)
        return mended + (yield* mendPushes(tx, dialect, Math.floor(now), furthest))
      })
    },
  }
}

/** With numbered parameters in the place of names. */
function bound(sql: string, named: Named): { sql: string; values: unknown[] } {
  const values: unknown[] = []
  const text = sql.replaceAll(/:(now|furthest|empty)\b/g, (_, name: keyof Named) => {
    const parameter = `$${values.push(named[name])}`
    return name === 'empty' ? parameter : `CAST(${parameter} AS bigint)`
  })
  return { sql: text, values }
}

/** Polls within runs, in the log and open; what else there is of them is repaired with the others. */
function* mendRuns(tx: SqlTransaction, { forUpdate }: Dialect, named: Named): SqlWork<void> {
  for (const [table, key, at] of [
    ['polls', 'place', 'at'],
    ['schedules', 'feed_id', 'polled_at'],
  ] as const) {
    const { sql, values } = bound(
      `SELECT ${key} AS id, run FROM ${table} WHERE run IS NOT NULL AND ${at} > :now ORDER BY 1 ${forUpdate}`,
      named,
    )
    const rows = yield* tx.rows<{ id: number; run: Buffer }>(sql, values)
    yield* tx.runEach(
      `UPDATE ${table} SET run = g.run FROM given g WHERE ${table}.${key} = g.id`,
      ['id bigint', 'run bytea'],
      rows.map(({ id, run }) => [id, notLaterThan(run, Number(named.now) - 1)]),
    )
  }
}

function* mendDelays(tx: SqlTransaction, { forUpdate }: Dialect, furthest: Instant): SqlWork<number> {
  const rows = yield* tx.rows<{ root: string; crawl_delay: string }>(
    `SELECT root, crawl_delay FROM hosts WHERE crawl_delay IS NOT NULL ORDER BY root ${forUpdate}`,
  )
  const late = rows.filter(({ crawl_delay }) => {
    return (jsonInColumn<{ until?: Instant }>(crawl_delay)?.until ?? 0) > furthest
  })
  yield* tx.runEach(
    'UPDATE hosts SET crawl_delay = NULL FROM given g WHERE hosts.root = g.root',
    ['root text'],
    late.map(({ root }) => [root]),
  )
  return late.length
}

function* mendPushes(tx: SqlTransaction, { forUpdate }: Dialect, now: Instant, furthest: Instant): SqlWork<number> {
  const rows = yield* tx.rows<{ token: string; due_at: Instant; facts: string }>(
    `SELECT token, due_at, facts FROM pushes ORDER BY token ${forUpdate}`,
  )
  const mended = rows.flatMap(({ token, due_at, facts }) => {
    const push: Partial<Push> = jsonInColumn<Partial<Push>>(facts) ?? {}
    if (due_at <= furthest && (push.leaseUntil ?? 0) <= furthest) return []
    for (const name of PUSH_DATES) delete push[name]
    return [[token, now, JSON.stringify(push)]]
  })
  yield* tx.runEach(
    `UPDATE pushes SET due_at = g.due_at, revision = pushes.revision + 1, facts = g.facts
     FROM given g WHERE pushes.token = g.token`,
    ['token text', 'due_at bigint', 'facts text'],
    mended,
  )
  return mended.length
}
