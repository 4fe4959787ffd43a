/**
 * What a clock that was ahead has left behind. Whether there is anything is asked of indexes, and of the schedules, which are gone
 * through once; only if there is are larger tables gone through.
 */
import type { Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { notLaterThan } from '../sql/packed-run.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession, Transaction } from './session.ts'

/** Dates are written into the statements, which need two of them in any order. */
function signsAfter(now: Instant, furthest: Instant): string[] {
  return [
    `SELECT 1 FROM schedules WHERE state = 'active' AND due_at > ${furthest}`,
    `SELECT 1 FROM sources WHERE state = 'looking' AND due_at > ${furthest}`,
    `SELECT 1 FROM pushes WHERE due_at > ${furthest}`,
    `SELECT 1 FROM article_lines WHERE leased_until IS NULL AND due_at > ${furthest}`,
    `SELECT 1 FROM polls WHERE at > ${now}`,
    `SELECT 1 FROM schedules WHERE run IS NOT NULL AND polled_at > ${now}`, // without an index: every poll would have to write it
    `SELECT 1 FROM entries WHERE seen_at > ${now}`,
    `SELECT 1 FROM robots WHERE fetched_at > ${now}`,
  ]
}

/** A memory that is empty is learnt anew from what the feed shows next. */
function repairsAfter(now: Instant, furthest: Instant): string[] {
  return [
    `UPDATE schedules SET due_at = least(due_at, ${now}), polled_at = ${now - 1},
     succeeded_at = CASE WHEN succeeded_at > ${now - 1} THEN ${now - 1} ELSE succeeded_at END, memory = '', trust = NULL
     WHERE polled_at > ${now}`,
    `UPDATE schedules SET due_at = ${now} WHERE due_at > ${furthest}`,
    `UPDATE sources SET due_at = ${now} WHERE due_at > ${furthest}`,
    `DELETE FROM feed_leases WHERE until > ${furthest}`,
    `DELETE FROM source_leases WHERE until > ${furthest}`,
    `UPDATE entries SET seen_at = ${now}, sort_at = least(sort_at, ${now}) WHERE seen_at > ${now}`,
    `UPDATE signatures SET placed_at = ${now} WHERE placed_at > ${now}`,
    `UPDATE polls SET at = ${now - 1}, began_at = least(began_at, ${now - 1}) WHERE at > ${now}`,
    `UPDATE articles SET due_at = ${now} WHERE due_at > ${furthest}`,
    `UPDATE article_lines SET leased_until = NULL, lease = NULL, not_before_at = least(not_before_at, ${now}),
     due_at = least(due_at, ${now})
     WHERE due_at > ${furthest} OR not_before_at > ${furthest} OR leased_until > ${furthest}`,
    `UPDATE hosts SET crawl_delay = NULL WHERE (crawl_delay::json ->> 'until')::numeric > ${furthest}`,
    'UPDATE hosts SET incident = NULL WHERE incident IS NOT NULL',
    `UPDATE pushes SET due_at = ${now}, revision = revision + 1,
     facts = (facts::jsonb - 'leaseUntil' - 'askedAt' - 'provenAt' - 'missedAt')::text
     WHERE due_at > ${furthest} OR (facts::json ->> 'leaseUntil')::numeric > ${furthest}`,
    `DELETE FROM robots WHERE fetched_at > ${now}`,
  ]
}

/** Polls within runs, in the log and open; what else there is of them is repaired with the others. */
async function mendRuns(tx: Transaction, now: Instant): Promise<void> {
  for (const [table, key, at] of [
    ['polls', 'place', 'at'],
    ['schedules', 'feed_id', 'polled_at'],
  ] as const) {
    const rows = await tx.rows<{ key: number; run: Buffer }>(
      `SELECT ${key} AS key, run FROM ${table} WHERE run IS NOT NULL AND ${at} > ${now} ORDER BY 1 FOR UPDATE`,
    )
    const { sql, values } = manyRows(
      'm',
      ['key bigint', 'run bytea'],
      rows.map(({ key: id, run }) => [id, notLaterThan(run, now - 1)]),
    )
    if (rows.length > 0) await tx.run(`UPDATE ${table} t SET run = m.run FROM ${sql} WHERE t.${key} = m.key`, values)
  }
}

export function mendingMethods(session: PostgresSession): Pick<Store, 'mendDates'> {
  return {
    mendDates(now, furthest) {
      const [today, end] = [Math.floor(now), Math.floor(furthest)]
      return session.write(async (tx) => {
        const [sign] = await tx.rows<{ any: boolean }>(
          `SELECT ${signsAfter(today, end)
            .map((sql) => `EXISTS (${sql})`)
            .join(' OR ')} AS any`,
        )
        if (!sign?.any) return 0
        await mendRuns(tx, today)
        let mended = 0
        for (const sql of repairsAfter(today, end)) mended += await tx.run(sql)
        return mended
      })
    },
  }
}
