/**
 * Repairs dates that were written while the clock was ahead. First checks for wrong dates by indexes, and by one scan of the schedules;
 * larger tables are scanned only if there are some.
 */
import type { HubSubscription, Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { parseJsonColumn } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { clampRunDates } from './packed-run.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'

/** Parameters `:now`, `:furthest` and `:empty` of statements. `:empty` resets a strategy memory, which is learned again from the next polls. */
type NamedParameters = Record<'now' | 'furthest' | 'empty', unknown>

const WRONG_DATE_CHECKS = [
  "SELECT 1 FROM schedules WHERE state = 'active' AND due_at > :furthest",
  "SELECT 1 FROM sources WHERE state = 'looking' AND due_at > :furthest",
  'SELECT 1 FROM hub_subscriptions WHERE due_at > :furthest',
  'SELECT 1 FROM article_queues WHERE leased_until IS NULL AND due_at > :furthest',
  'SELECT 1 FROM polls WHERE at > :now',
  'SELECT 1 FROM schedules WHERE run IS NOT NULL AND polled_at > :now', // without an index: every poll would have to write it
  'SELECT 1 FROM entries WHERE seen_at > :now',
  'SELECT 1 FROM robots WHERE fetched_at > :now',
]

/** Assignment that limits a nullable column to a date. */
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
  'UPDATE signatures SET grouped_at = :now WHERE grouped_at > :now',
  `UPDATE polls SET at = :now - 1, ${notAfter('began_at', ':now - 1')} WHERE at > :now`,
  'UPDATE articles SET due_at = :now WHERE due_at > :furthest',
  `UPDATE article_queues SET leased_until = NULL, lease = NULL, ${notAfter('not_before_at', ':now')}, ${notAfter('due_at', ':now')}
   WHERE due_at > :furthest OR not_before_at > :furthest OR leased_until > :furthest`,
  'UPDATE hosts SET incident = NULL WHERE incident IS NOT NULL',
  'DELETE FROM robots WHERE fetched_at > :now',
]

const HUB_SUBSCRIPTION_DATES = ['leaseUntil', 'askedAt', 'provenAt', 'missedAt'] as const

export function repairDateMethods({ dialect, ...session }: SqlSession): Pick<Store, 'repairDates'> {
  return {
    repairDates(now, furthest) {
      const parameters: NamedParameters = {
        now: Math.floor(now),
        furthest: Math.floor(furthest),
        empty: Buffer.alloc(0),
      }
      return session.write(function* (tx) {
        const checks = bindParameters(
          `SELECT ${WRONG_DATE_CHECKS.map((sign) => `EXISTS (${sign})`).join(' OR ')} AS found`,
          parameters,
        )
        if (!(yield* tx.row<{ found: boolean | 0 | 1 }>(checks.sql, checks.values))?.found) return 0
        yield* repairRuns(tx, dialect, parameters)
        let repaired = 0
        for (const statement of REPAIRS) {
          const { sql, values } = bindParameters(statement, parameters)
          repaired += yield* tx.run(sql, values)
        }
        repaired += yield* repairCrawlDelays(tx, dialect, furthest)
        return repaired + (yield* repairHubSubscriptions(tx, dialect, Math.floor(now), furthest))
      })
    },
  }
}

/** Replaces named parameters with numbered ones. */
function bindParameters(sql: string, parameters: NamedParameters): { sql: string; values: unknown[] } {
  const values: unknown[] = []
  const text = sql.replaceAll(/:(now|furthest|empty)\b/g, (_, name: keyof NamedParameters) => {
    const parameter = `$${values.push(parameters[name])}`
    return name === 'empty' ? parameter : `CAST(${parameter} AS bigint)`
  })
  return { sql: text, values }
}

/** Repairs dates of polls within packed runs, in the log and open. The other columns of these rows are repaired by `REPAIRS`. */
function* repairRuns(tx: SqlTransaction, { forUpdate }: Dialect, parameters: NamedParameters): SqlWork<void> {
  for (const [table, key, at] of [
    ['polls', 'place', 'at'],
    ['schedules', 'feed_id', 'polled_at'],
  ] as const) {
    const { sql, values } = bindParameters(
      `SELECT ${key} AS id, run FROM ${table} WHERE run IS NOT NULL AND ${at} > :now ORDER BY 1 ${forUpdate}`,
      parameters,
    )
    const rows = yield* tx.rows<{ id: number; run: Buffer }>(sql, values)
    yield* tx.runEach(
      `UPDATE ${table} SET run = g.run FROM given g WHERE ${table}.${key} = g.id`,
      ['id bigint', 'run bytea'],
      rows.map(({ id, run }) => [id, clampRunDates(run, Number(parameters.now) - 1)]),
    )
  }
}

function* repairCrawlDelays(tx: SqlTransaction, { forUpdate }: Dialect, furthest: Instant): SqlWork<number> {
  const rows = yield* tx.rows<{ root: string; crawl_delay: string }>(
    `SELECT root, crawl_delay FROM hosts WHERE crawl_delay IS NOT NULL ORDER BY root ${forUpdate}`,
  )
  const expired = rows.filter(({ crawl_delay }) => {
    return (parseJsonColumn<{ until?: Instant }>(crawl_delay)?.until ?? 0) > furthest
  })
  yield* tx.runEach(
    'UPDATE hosts SET crawl_delay = NULL FROM given g WHERE hosts.root = g.root',
    ['root text'],
    expired.map(({ root }) => [root]),
  )
  return expired.length
}

function* repairHubSubscriptions(
  tx: SqlTransaction,
  { forUpdate }: Dialect,
  now: Instant,
  furthest: Instant,
): SqlWork<number> {
  const rows = yield* tx.rows<{ token: string; due_at: Instant; facts: string }>(
    `SELECT token, due_at, facts FROM hub_subscriptions ORDER BY token ${forUpdate}`,
  )
  const repaired = rows.flatMap(({ token, due_at, facts }) => {
    const subscription: Partial<HubSubscription> = parseJsonColumn<Partial<HubSubscription>>(facts) ?? {}
    if (due_at <= furthest && (subscription.leaseUntil ?? 0) <= furthest) return []
    for (const name of HUB_SUBSCRIPTION_DATES) delete subscription[name]
    return [[token, now, JSON.stringify(subscription)]]
  })
  yield* tx.runEach(
    `UPDATE hub_subscriptions SET due_at = g.due_at, revision = hub_subscriptions.revision + 1, facts = g.facts
     FROM given g WHERE hub_subscriptions.token = g.token`,
    ['token text', 'due_at bigint', 'facts text'],
    repaired,
  )
  return repaired.length
}
