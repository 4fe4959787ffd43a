/**
 * What a clock that was ahead has left behind. Whether there is anything is asked of indexes, and of the schedules, which are gone
 * through once; only if there is are larger tables gone through.
 */
import type { Instant } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { notLaterThan } from '../sql/packed-run.ts'
import type { SqliteSession } from './session.ts'

interface Span {
  now: Instant
  furthest: Instant
}

const SIGNS = [
  "SELECT 1 FROM schedules WHERE state = 'active' AND due_at > @furthest",
  "SELECT 1 FROM sources WHERE state = 'looking' AND due_at > @furthest",
  'SELECT 1 FROM pushes WHERE due_at > @furthest',
  'SELECT 1 FROM article_lines WHERE leased_until IS NULL AND due_at > @furthest',
  'SELECT 1 FROM polls WHERE at > @now',
  'SELECT 1 FROM schedules WHERE run IS NOT NULL AND polled_at > @now', // without an index, see open-runs.ts
  'SELECT 1 FROM entries WHERE seen_at > @now',
  'SELECT 1 FROM robots WHERE fetched_at > @now',
]

/** A memory that is empty is learnt anew from what the feed shows next. */
const REPAIRS = [
  `UPDATE schedules SET due_at = min(due_at, @now), polled_at = @now - 1, succeeded_at = min(succeeded_at, @now - 1),
   memory = x'', trust = NULL, run = run_until(run, @now - 1) WHERE polled_at > @now`,
  'UPDATE schedules SET due_at = @now WHERE due_at > @furthest',
  'UPDATE sources SET due_at = @now WHERE due_at > @furthest',
  'DELETE FROM feed_leases WHERE until > @furthest',
  'DELETE FROM source_leases WHERE until > @furthest',
  'UPDATE entries SET seen_at = @now, sort_at = min(sort_at, @now) WHERE seen_at > @now',
  'UPDATE signatures SET placed_at = @now WHERE placed_at > @now',
  `UPDATE polls SET at = @now - 1, began_at = min(began_at, @now - 1), run = run_until(run, @now - 1) WHERE at > @now`,
  'UPDATE articles SET due_at = @now WHERE due_at > @furthest',
  `UPDATE article_lines SET leased_until = NULL, lease = NULL, not_before_at = min(not_before_at, @now), due_at = min(due_at, @now)
   WHERE due_at > @furthest OR not_before_at > @furthest OR leased_until > @furthest`,
  "UPDATE hosts SET crawl_delay = NULL WHERE json_extract(crawl_delay, '$.until') > @furthest",
  'UPDATE hosts SET incident = NULL WHERE incident IS NOT NULL',
  `UPDATE pushes SET due_at = @now, revision = revision + 1, facts = json_remove(facts, '$.leaseUntil', '$.askedAt', '$.provenAt', '$.missedAt')
   WHERE due_at > @furthest OR json_extract(facts, '$.leaseUntil') > @furthest`,
  'DELETE FROM robots WHERE fetched_at > @now',
]

export function mendQueries(session: SqliteSession): Pick<Store, 'mendDates'> {
  const { db } = session
  db.function('run_until', { deterministic: true }, (run, latest) =>
    run instanceof Uint8Array ? notLaterThan(run, Number(latest)) : null,
  )
  const anySign = db.prepare<[Span], number>(`SELECT ${SIGNS.map((sign) => `EXISTS (${sign})`).join(' OR ')}`).pluck()

  return {
    mendDates(now, furthest) {
      return session.write(() => {
        if (anySign.get({ now, furthest }) === 0) return 0
        return REPAIRS.reduce((sum, sql) => sum + db.prepare<[Span]>(sql).run({ now, furthest }).changes, 0)
      })
    },
  }
}
