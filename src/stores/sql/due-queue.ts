/**
 * Due feeds and sources, and their leases. Both are leased in the same way: by the index of due dates, skipping rows that are leased
 * (a small table of leases) and rows that another transaction is leasing right now (SKIP LOCKED), so nothing blocks. The lease table
 * decides conflicts: a row that another transaction leased first is skipped and replaced by the next one. An expired lease counts as
 * none.
 *
 * A transaction that writes under a lease locks the schedule first and reads the lease in a later statement. Each statement sees what
 * was committed before it, so a lease granted to another process meanwhile is never mistaken for the old one.
 */
import type { Bucket, FeedId, Instant, LeaseToken, Owned, SourceId } from '../../model/index.ts'
import type { Lease, LeaseRelease, Store } from '../../ports/index.ts'
import type { DueDates, LeaseMethods } from '../methods.ts'
import { assignmentsSql, type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import type { NewToken } from './lease-tokens.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, type SourceRow, sourceOf } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

type DueMethods = Pick<Store, 'leaseDue' | 'leaseThese'> &
  Pick<LeaseMethods, 'itemLeases' | 'releaseItemLeases'> &
  Pick<DueDates, 'nextPollAt'>

/** Parameters of the statements shared by feeds and sources. Due dates of `table` count only in `state`. */
interface LeasableKind {
  table: 'schedules' | 'sources'
  key: 'feed_id' | 'id'
  state: 'active' | 'looking'
  /** Condition for leasing a row by id. */
  leasableIf: string
  leases: 'feed_leases' | 'source_leases'
  columns: string
  join: string
}

const FEEDS: LeasableKind = {
  table: 'schedules',
  key: 'feed_id',
  state: 'active',
  leasableIf: 'true',
  leases: 'feed_leases',
  columns: FEED_COLUMNS,
  join: 'JOIN feeds f ON f.id = s.feed_id',
}

const SOURCES: LeasableKind = {
  table: 'sources',
  key: 'id',
  state: 'looking',
  leasableIf: "s.state = 'looking'",
  leases: 'source_leases',
  columns: 's.*',
  join: '',
}

interface LeaseWindow {
  now: Instant
  until: Instant
}

type LeasedRow<Row> = { row: Row; lease: LeaseToken }

const FAR_FUTURE = Number.MAX_SAFE_INTEGER

export function dueQueueMethods({ dialect, ...session }: SqlSession, newToken: NewToken): DueMethods {
  const feeds = createLeasing<FeedRow>(dialect, FEEDS, newToken)
  const sources = createLeasing<SourceRow>(dialect, SOURCES, newToken)
  const serially = dialect.forUpdate ? createSerialQueue() : <T>(work: () => Promise<T>) => work()

  return {
    leaseDue(now, limit, until, owned) {
      return serially(() =>
        session.write(function* (tx) {
          const window = { now, until }
          return leased(
            yield* feeds.leaseFirst(tx, window, limit, owned),
            yield* sources.leaseFirst(tx, window, limit, owned),
          )
        }),
      )
    },

    leaseThese(items, now, until) {
      return serially(() =>
        session.write(function* (tx) {
          const window = { now, until }
          return leased(
            yield* feeds.leaseNamed(tx, window, items.feeds),
            yield* sources.leaseNamed(tx, window, items.sources),
          )
        }),
      )
    },

    async itemLeases(owned) {
      const inBuckets = dialect.ownedBuckets(owned, 1)
      const leasesIn = (kind: string, table: string) =>
        `SELECT '${kind}' AS kind, id, token AS lease, leased_at AS "leasedAt" FROM ${table} WHERE ${inBuckets.sql}`
      return session.rows<Lease>(
        `${leasesIn('feed', 'feed_leases')} UNION ALL ${leasesIn('source', 'source_leases')} ORDER BY kind, id`,
        inBuckets.values,
      )
    },

    releaseItemLeases(items) {
      return session.write(function* (tx) {
        const released = yield* feeds.release(
          tx,
          items.filter(({ kind }) => kind === 'feed'),
        )
        yield* recordReasons(tx, released)
        yield* sources.release(
          tx,
          items.filter(({ kind }) => kind === 'source'),
        )
      })
    },

    async nextPollAt(owned) {
      const inBuckets = dialect.ownedBuckets(owned, 1, 't.bucket')
      const isOwned = ({ state }: LeasableKind) => `t.state = '${state}' AND ${inBuckets.sql}`
      const free = (kind: LeasableKind) => `SELECT t.due_at AS at FROM ${kind.table} t WHERE ${isOwned(kind)}
        AND NOT EXISTS (SELECT 1 FROM ${kind.leases} l WHERE l.id = t.${kind.key}) ORDER BY t.due_at, t.${kind.key} LIMIT 1`
      // A row leased beyond that date cannot be due earlier. CROSS JOIN makes SQLite scan the leases instead of all feeds.
      const leased = (kind: LeasableKind, next: string) => `SELECT min(${dialect.greatest}(l.until, t.due_at)) AS at
        FROM ${kind.leases} l CROSS JOIN ${kind.table} t WHERE t.${kind.key} = l.id AND ${isOwned(kind)}
        AND l.until < coalesce((SELECT at FROM ${next}), ${FAR_FUTURE})`
      const row = await session.row<{ at: Instant | null }>(
        `WITH next_feed AS (${free(FEEDS)}), next_source AS (${free(SOURCES)})
         SELECT min(at) AS at FROM (SELECT at FROM next_feed UNION ALL SELECT at FROM next_source
         UNION ALL ${leased(FEEDS, 'next_feed')} UNION ALL ${leased(SOURCES, 'next_source')}) AS dates`,
        inBuckets.values,
      )
      return row?.at ?? undefined
    },
  }
}

/** Runs the leasing calls of one process in the order in which they were made. */
function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

function leased(feeds: LeasedRow<FeedRow>[], sources: LeasedRow<SourceRow>[]) {
  return {
    feeds: feeds.map(({ row, lease }) => ({ ...feedOf(row), lease })),
    sources: sources.map(({ row, lease }) => ({ ...sourceOf(row), lease })),
  }
}

function createLeasing<Row extends { id: FeedId | SourceId }>(
  dialect: Dialect,
  kind: LeasableKind,
  newToken: NewToken,
) {
  const { table, key, state, leasableIf, leases, columns, join } = kind
  const hasBuckets = dialect.bucketColumn.length > 0
  const select = `SELECT ${columns}${hasBuckets ? ', s.bucket AS own_bucket' : ''}`
  const named = `${select} FROM given g, ${table} s ${join} WHERE s.${key} = g.id AND ${leasableIf}
    ${dialect.lockFor('UPDATE OF s')}` as `SELECT ${string}`
  const leaseColumns: TypedColumn[] = ['token text', 'until bigint', 'leased_at bigint', ...dialect.bucketColumn]
  const lease: TypedColumn[] = ['id bigint', ...leaseColumns]
  const insert = `${insertRowsSql(leases, 'n', lease)} ON CONFLICT (id) DO UPDATE
    SET ${assignmentsSql(leaseColumns).replaceAll('g.', 'excluded.')} WHERE ${leases}.until <= excluded.leased_at`
  const lock = `SELECT 1 FROM ${table} WHERE ${dialect.isOneOf(key, '$1', 'bigint')} ORDER BY ${key} ${dialect.forUpdate}`

  /** A SQLite file has one owner, so all leases are its own: expired ones are deleted before leasing. */
  function* endLeases(tx: SqlTransaction, now: Instant): SqlWork<void> {
    if (!hasBuckets) yield* tx.run(`DELETE FROM ${leases} WHERE until <= $1`, [now])
  }

  /** Leases the rows that no other process has leased. */
  function* leaseRows(
    tx: SqlTransaction,
    rows: (Row & { own_bucket?: Bucket })[],
    { now, until }: LeaseWindow,
  ): SqlWork<LeasedRow<Row>[]> {
    const tokens = rows.map(newToken)
    const isLeased = yield* tx.changeEach(
      insert,
      `${leases}.id`,
      lease,
      rows.map(({ id, own_bucket }, i) => [id, tokens[i], until, now, own_bucket]),
    )
    return rows.map((row, i) => ({ row, lease: tokens[i]! })).filter((_, i) => isLeased[i])
  }

  return {
    *leaseFirst(
      tx: SqlTransaction,
      window: LeaseWindow,
      limit: number,
      owned: Owned | undefined,
    ): SqlWork<LeasedRow<Row>[]> {
      const inBuckets = dialect.ownedBuckets(owned, 3, 's.bucket')
      const due = `${select} FROM ${table} s ${join} WHERE s.state = '${state}' AND s.due_at <= $1 AND ${inBuckets.sql}
        AND NOT EXISTS (SELECT 1 FROM ${leases} l WHERE l.id = s.${key} AND l.until > $1)
        ORDER BY s.due_at, s.${key} LIMIT $2 ${dialect.lockFor('UPDATE OF s SKIP LOCKED')}`
      yield* endLeases(tx, window.now)
      const result: LeasedRow<Row>[] = []
      for (;;) {
        const rows = yield* tx.rows<Row>(due, [window.now, atMost(limit - result.length), ...inBuckets.values])
        const batch = yield* leaseRows(tx, rows, window)
        result.push(...batch)
        if (batch.length === rows.length) return result // else another process was faster for some rows
      }
    },

    *leaseNamed(tx: SqlTransaction, window: LeaseWindow, ids: readonly Row['id'][]): SqlWork<LeasedRow<Row>[]> {
      yield* endLeases(tx, window.now)
      const rows = yield* tx.rowOfEach<Row>(
        named,
        ['id bigint'],
        [...new Set(ids)].map((id) => [id]),
      )
      return yield* leaseRows(
        tx,
        rows.filter((row) => row !== undefined),
        window,
      )
    },

    /** Returns the items that were still under the given lease. */
    *release(tx: SqlTransaction, releases: readonly LeaseRelease[]): SqlWork<LeaseRelease[]> {
      if (releases.length === 0) return []
      const items = lastOfEach(releases, ({ id }) => id)
      const rows = items.map(({ id }) => [id])
      if (dialect.forUpdate) yield* tx.rows(lock, [items.map(({ id }) => id)])
      const currentLeases = yield* tx.rowOfEach<{ token: LeaseToken }>(
        `SELECT l.token FROM given g, ${leases} l WHERE l.id = g.id`,
        ['id bigint'],
        rows,
      )
      const released = items.filter(({ lease }, i) => lease === undefined || lease === currentLeases[i]?.token)
      yield* tx.runEach(
        `DELETE FROM ${leases} USING given g WHERE ${leases}.id = g.id`,
        ['id bigint'],
        released.map(({ id }) => [id]),
      )
      yield* tx.runEach(
        `UPDATE ${table} SET due_at = g.due_at FROM given g WHERE ${table}.${key} = g.id`,
        ['id bigint', 'due_at bigint'],
        released.flatMap(({ id, dueAt }) => (dueAt === undefined ? [] : [[id, dueAt]])),
      )
      return released
    },
  }
}

/** Records why feeds became due later. */
function* recordReasons(tx: SqlTransaction, released: readonly LeaseRelease[]): SqlWork<void> {
  const rows = released.flatMap(({ id, dueAt, because }) =>
    because && dueAt !== undefined ? [[id, JSON.stringify(because)]] : [],
  )
  yield* tx.runEach(
    'UPDATE schedules SET because = g.because FROM given g WHERE schedules.feed_id = g.id',
    ['id bigint', 'because text'],
    rows,
  )
}
