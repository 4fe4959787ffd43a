/**
 * What is due, and leases. Feeds and sources are taken in the same way: along the index of due dates, past those that somebody has,
 * which stand in a small table of leases, and past those that another is taking at this moment (SKIP LOCKED), so that nobody
 * waits. Whether a lease is new is settled by the table of leases: what another was a little faster to take is
 * left to him, and looked for anew. A lease that has run out is as good as none.
 *
 * Whoever writes under a lease locks the schedule first and looks at the lease afterwards, in another statement: each sees what
 * was committed before it, and so a lease that somebody else was given meanwhile is never taken for the old one.
 */
import type { FeedId, Instant, LeaseToken, Owned, SourceId } from '../../../model/index.ts'
import type { HandedBack, Lease, Store } from '../../../ports/index.ts'
import type { DueDates } from '../methods.ts'
import { createLeaseTokens } from '../sql/lease-tokens.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, type SourceRow, sourceOf } from '../sql/rows.ts'
import { atMost } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { ownedSql } from './rows.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

type DueMethods = 'takeDue' | 'takeThese' | 'leases' | 'handBack'

/** The same statements for both: `table` has due dates by `key`, which count only in that `state`. */
interface Kind {
  table: 'schedules' | 'sources'
  key: 'feed_id' | 'id'
  state: 'active' | 'looking'
  /** In which one that is named can be taken. */
  takenIn: string
  leases: 'feed_leases' | 'source_leases'
  columns: string
  join: string
  /** Between the token of a taking and an id. */
  mark: string
}

const FEEDS: Kind = {
  table: 'schedules',
  key: 'feed_id',
  state: 'active',
  takenIn: 'true',
  leases: 'feed_leases',
  columns: FEED_COLUMNS,
  join: 'JOIN schedules s ON s.feed_id = free.id JOIN feeds f ON f.id = free.id',
  mark: '.f',
}

const SOURCES: Kind = {
  table: 'sources',
  key: 'id',
  state: 'looking',
  takenIn: "t.state = 'looking'",
  leases: 'source_leases',
  columns: 's.*',
  join: 'JOIN sources s ON s.id = free.id',
  mark: '.s',
}

interface Taking {
  now: Instant
  until: Instant
  token: string
}

/** None where another was faster. */
type WithLease<Row> = Row & { lease: LeaseToken | null }

export function dueMethods(session: PostgresSession): Pick<Store, DueMethods> & Pick<DueDates, 'nextPollAt'> {
  const newToken = createLeaseTokens()
  const inTurn = createTurns()

  return {
    takeDue(now, limit, until, owned) {
      const taking = { now, until, token: newToken() }
      return inTurn(() =>
        session.write(async (tx) => {
          const feeds = await takeFirst<FeedRow>(tx, FEEDS, taking, limit, owned)
          const sources = await takeFirst<SourceRow>(tx, SOURCES, taking, limit, owned)
          return { feeds: feeds.map(feedLeased), sources: sources.map(sourceLeased) }
        }),
      )
    },

    takeThese(what, now, until) {
      const taking = { now, until, token: newToken() }
      return inTurn(() =>
        session.write(async (tx) => {
          const feeds = await takeNamed<FeedRow>(tx, FEEDS, taking, [...new Set(what.feeds)])
          const sources = await takeNamed<SourceRow>(tx, SOURCES, taking, [...new Set(what.sources)])
          return { feeds: feeds.map(feedLeased), sources: sources.map(sourceLeased) }
        }),
      )
    },

    async leases(owned) {
      const mine = ownedSql(owned, 1)
      const some = (kind: string, table: string) =>
        `SELECT '${kind}' AS kind, id, token AS lease, taken_at AS "takenAt" FROM ${table} WHERE ${mine.sql('bucket')}`
      return session.rows<Lease>(
        `${some('feed', 'feed_leases')} UNION ALL ${some('source', 'source_leases')} ORDER BY kind, id`,
        mine.values,
      )
    },

    handBack(items) {
      if (items.length === 0) return Promise.resolve()
      return session.write(async (tx) => {
        const feeds = lastOfEach(items.filter(({ kind }) => kind === 'feed'))
        await takeBack(tx, FEEDS, feeds)
        await noteReasons(tx, feeds)
        await takeBack(tx, SOURCES, lastOfEach(items.filter(({ kind }) => kind === 'source')))
      })
    },

    async nextPollAt(owned) {
      const mine = ownedSql(owned, 1)
      const next = ({
        table,
        key,
        state,
        leases,
      }: Kind) => `(SELECT t.due_at AS at FROM ${table} t WHERE t.state = '${state}'
          AND ${mine.sql('t.bucket')} AND NOT EXISTS (SELECT 1 FROM ${leases} l WHERE l.id = t.${key})
          ORDER BY t.due_at, t.${key} LIMIT 1)
        UNION ALL (SELECT min(greatest(l.until, t.due_at)) FROM ${leases} l JOIN ${table} t ON t.${key} = l.id
          WHERE t.state = '${state}' AND ${mine.sql('t.bucket')})`
      const [row] = await session.rows<{ at: Instant | null }>(
        `SELECT min(at) AS at FROM (${next(FEEDS)} UNION ALL ${next(SOURCES)}) AS dates`,
        mine.values,
      )
      return row?.at ?? undefined
    },
  }
}

/** In one process, who asks first takes first. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

function feedLeased(row: FeedRow & { lease: LeaseToken }) {
  return { ...feedOf(row), lease: row.lease }
}

function sourceLeased(row: SourceRow & { lease: LeaseToken }) {
  return { ...sourceOf(row), lease: row.lease }
}

async function takeFirst<Row>(
  tx: Transaction,
  kind: Kind,
  taking: Taking,
  limit: number,
  owned: Owned | undefined,
): Promise<(Row & { lease: LeaseToken })[]> {
  const mine = ownedSql(owned, 5)
  const { table, key, state, leases } = kind
  const free = `SELECT t.${key} AS id, t.bucket, row_number() OVER (ORDER BY t.due_at, t.${key}) AS n FROM (
      SELECT t.${key}, t.bucket, t.due_at FROM ${table} t WHERE t.state = '${state}' AND t.due_at <= $1
      AND ${mine.sql('t.bucket')} AND NOT EXISTS (SELECT 1 FROM ${leases} l WHERE l.id = t.${key} AND l.until > $1)
      ORDER BY t.due_at, t.${key} LIMIT $4 FOR UPDATE OF t SKIP LOCKED) AS t`
  const taken: (Row & { lease: LeaseToken })[] = []
  for (;;) {
    const values = [taking.now, taking.until, taking.token, atMost(limit - taken.length), ...mine.values]
    const rows = await lease<Row>(tx, kind, free, values)
    taken.push(...rows.filter((row): row is Row & { lease: LeaseToken } => row.lease !== null))
    if (rows.every((row) => row.lease !== null)) return taken
  }
}

async function takeNamed<Row>(tx: Transaction, kind: Kind, taking: Taking, ids: (FeedId | SourceId)[]) {
  if (ids.length === 0) return []
  const free = `SELECT t.${kind.key} AS id, t.bucket, named.n FROM ${kind.table} t
    JOIN unnest($4::bigint[]) WITH ORDINALITY AS named (id, n) ON named.id = t.${kind.key} WHERE ${kind.takenIn} FOR UPDATE OF t`
  const rows = await lease<Row>(tx, kind, free, [taking.now, taking.until, taking.token, ids])
  return rows.filter((row): row is Row & { lease: LeaseToken } => row.lease !== null)
}

/** $1 now, $2 until, $3 the token of this taking, to which each id is added. */
function lease<Row>(query: RowAsker, kind: Kind, free: string, values: unknown[]): Promise<WithLease<Row>[]> {
  const { leases, columns, join, mark } = kind
  return query.rows<WithLease<Row>>(
    `WITH free AS MATERIALIZED (${free}), leased AS (
       INSERT INTO ${leases} (id, bucket, token, until, taken_at) SELECT id, bucket, $3 || '${mark}' || id, $2, $1 FROM free
       ON CONFLICT (id) DO UPDATE SET bucket = excluded.bucket, token = excluded.token, until = excluded.until,
       taken_at = excluded.taken_at WHERE ${leases}.until <= $1 RETURNING id, token)
     SELECT ${columns}, leased.token AS lease FROM free LEFT JOIN leased ON leased.id = free.id ${join} ORDER BY free.n`,
    values,
  )
}

async function takeBack(tx: Transaction, { table, key, leases }: Kind, items: HandedBack[]): Promise<void> {
  if (items.length === 0) return
  const rows = items.map(({ id, lease, dueAt }) => [id, lease ?? null, dueAt ?? null])
  const { sql, values } = manyRows('g', ['id bigint', 'lease text', 'due_at bigint'], rows)
  await tx.rows(`SELECT 1 FROM ${table} WHERE ${key} = ANY ($1::bigint[]) ORDER BY ${key} FOR UPDATE`, [
    items.map(({ id }) => id),
  ])
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT g.id, g.due_at FROM ${sql} LEFT JOIN ${leases} l ON l.id = g.id
       WHERE g.lease IS NULL OR g.lease = l.token),
     ended AS (DELETE FROM ${leases} l USING given g WHERE l.id = g.id)
     UPDATE ${table} t SET due_at = g.due_at FROM given g WHERE t.${key} = g.id AND g.due_at IS NOT NULL`,
    values,
  )
}

/** Of those that were due later than before, and still are. */
async function noteReasons(tx: Transaction, items: HandedBack[]): Promise<void> {
  const rows = items.flatMap(({ id, dueAt, because }) =>
    because && dueAt !== undefined ? [[id, dueAt, JSON.stringify(because)]] : [],
  )
  if (rows.length === 0) return
  const { sql, values } = manyRows('g', ['id bigint', 'due_at bigint', 'because text'], rows)
  await tx.run(
    `UPDATE schedules t SET because = g.because FROM ${sql} WHERE t.feed_id = g.id AND t.due_at = g.due_at`,
    values,
  )
}

function lastOfEach(items: HandedBack[]): HandedBack[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
