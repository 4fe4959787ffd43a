/**
 * What is due, and leases. Feeds and sources are taken in the same way: along the index of due dates, past those that somebody has,
 * which stand in a small table of leases, and past those that another is taking at this moment (SKIP LOCKED), so that nobody
 * waits. Whether a lease is new is settled by the table of leases: what another was a little faster to take is
 * left to them, and looked for anew. A lease that has run out is as good as none.
 *
 * Whoever writes under a lease locks the schedule first and looks at the lease afterwards, in another statement: each sees what
 * was committed before it, and so a lease that somebody else was given meanwhile is never taken for the old one.
 */
import type { Bucket, FeedId, Instant, LeaseToken, Owned, SourceId } from '../../model/index.ts'
import type { HandedBack, Lease, Store } from '../../ports/index.ts'
import type { DueDates } from '../methods.ts'
import { type Dialect, insertGiven, setGiven, type TypedColumn } from './dialect.ts'
import type { NewToken } from './lease-tokens.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, type SourceRow, sourceOf } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

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
}

const FEEDS: Kind = {
  table: 'schedules',
  key: 'feed_id',
  state: 'active',
  takenIn: 'true',
  leases: 'feed_leases',
  columns: FEED_COLUMNS,
  join: 'JOIN feeds f ON f.id = s.feed_id',
}

const SOURCES: Kind = {
  table: 'sources',
  key: 'id',
  state: 'looking',
  takenIn: "s.state = 'looking'",
  leases: 'source_leases',
  columns: 's.*',
  join: '',
}

interface Taking {
  now: Instant
  until: Instant
}

type Taken<Row> = { row: Row; lease: LeaseToken }

/** Later than all. */
const NEVER = Number.MAX_SAFE_INTEGER

export function dueMethods(
  { dialect, ...session }: SqlSession,
  newToken: NewToken,
): Pick<Store, DueMethods> & Pick<DueDates, 'nextPollAt'> {
  const feeds = createLeasing<FeedRow>(dialect, FEEDS, newToken)
  const sources = createLeasing<SourceRow>(dialect, SOURCES, newToken)
  const inTurn = dialect.forUpdate ? createTurns() : <T>(work: () => Promise<T>) => work()

  return {
    takeDue(now, limit, until, owned) {
      return inTurn(() =>
        session.write(function* (tx) {
          const taking = { now, until }
          return leased(
            yield* feeds.takeFirst(tx, taking, limit, owned),
            yield* sources.takeFirst(tx, taking, limit, owned),
          )
        }),
      )
    },

    takeThese(what, now, until) {
      return inTurn(() =>
        session.write(function* (tx) {
          const taking = { now, until }
          return leased(
            yield* feeds.takeNamed(tx, taking, what.feeds),
            yield* sources.takeNamed(tx, taking, what.sources),
          )
        }),
      )
    },

    async leases(owned) {
      const mine = dialect.owned(owned, 1)
      const some = (kind: string, table: string) =>
        `SELECT '${kind}' AS kind, id, token AS lease, taken_at AS "takenAt" FROM ${table} WHERE ${mine.sql}`
      return session.rows<Lease>(
        `${some('feed', 'feed_leases')} UNION ALL ${some('source', 'source_leases')} ORDER BY kind, id`,
        mine.values,
      )
    },

    handBack(items) {
      return session.write(function* (tx) {
        const back = yield* feeds.takeBack(
          tx,
          items.filter(({ kind }) => kind === 'feed'),
        )
        yield* noteReasons(tx, back)
        yield* sources.takeBack(
          tx,
          items.filter(({ kind }) => kind === 'source'),
        )
      })
    },

    async nextPollAt(owned) {
      const mine = dialect.owned(owned, 1, 't.bucket')
      const isMine = ({ state }: Kind) => `t.state = '${state}' AND ${mine.sql}`
      const free = (kind: Kind) => `SELECT t.due_at AS at FROM ${kind.table} t WHERE ${isMine(kind)}
        AND NOT EXISTS (SELECT 1 FROM ${kind.leases} l WHERE l.id = t.${kind.key}) ORDER BY t.due_at, t.${kind.key} LIMIT 1`
      // What is leased for longer cannot be due earlier. CROSS JOIN is how SQLite is told to go through the leases, not through all feeds.
      const leased = (kind: Kind, next: string) => `SELECT min(${dialect.greatest}(l.until, t.due_at)) AS at
        FROM ${kind.leases} l CROSS JOIN ${kind.table} t WHERE t.${kind.key} = l.id AND ${isMine(kind)}
        AND l.until < coalesce((SELECT at FROM ${next}), ${NEVER})`
      const row = await session.row<{ at: Instant | null }>(
        `WITH next_feed AS (${free(FEEDS)}), next_source AS (${free(SOURCES)})
         SELECT min(at) AS at FROM (SELECT at FROM next_feed UNION ALL SELECT at FROM next_source
         UNION ALL ${leased(FEEDS, 'next_feed')} UNION ALL ${leased(SOURCES, 'next_source')}) AS dates`,
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

function leased(feeds: Taken<FeedRow>[], sources: Taken<SourceRow>[]) {
  return {
    feeds: feeds.map(({ row, lease }) => ({ ...feedOf(row), lease })),
    sources: sources.map(({ row, lease }) => ({ ...sourceOf(row), lease })),
  }
}

function createLeasing<Row extends { id: FeedId | SourceId }>(dialect: Dialect, kind: Kind, newToken: NewToken) {
  const { table, key, state, takenIn, leases, columns, join } = kind
  const isShared = dialect.bucketColumn.length > 0
  const select = `SELECT ${columns}${isShared ? ', s.bucket AS own_bucket' : ''}`
  const named = `${select} FROM given g, ${table} s ${join} WHERE s.${key} = g.id AND ${takenIn}
    ${dialect.locked('UPDATE OF s')}` as `SELECT ${string}`
  const others: TypedColumn[] = ['token text', 'until bigint', 'taken_at bigint', ...dialect.bucketColumn]
  const lease: TypedColumn[] = ['id bigint', ...others]
  const insert = `${insertGiven(leases, 'n', lease)} ON CONFLICT (id) DO UPDATE
    SET ${setGiven(others).replaceAll('g.', 'excluded.')} WHERE ${leases}.until <= excluded.taken_at`
  const lock = `SELECT 1 FROM ${table} WHERE ${dialect.isOneOf(key, '$1', 'bigint')} ORDER BY ${key} ${dialect.forUpdate}`

  /** A file has one owner, which alone has leases: those that ran out are gone before anything is taken. */
  function* endLeases(tx: SqlTransaction, now: Instant): SqlWork<void> {
    if (!isShared) yield* tx.run(`DELETE FROM ${leases} WHERE until <= $1`, [now])
  }

  /** Those of them that nobody else has. */
  function* take(
    tx: SqlTransaction,
    rows: (Row & { own_bucket?: Bucket })[],
    { now, until }: Taking,
  ): SqlWork<Taken<Row>[]> {
    const tokens = rows.map(newToken)
    const isTaken = yield* tx.changeEach(
      insert,
      `${leases}.id`,
      lease,
      rows.map(({ id, own_bucket }, i) => [id, tokens[i], until, now, own_bucket]),
    )
    return rows.map((row, i) => ({ row, lease: tokens[i]! })).filter((_, i) => isTaken[i])
  }

  return {
    *takeFirst(tx: SqlTransaction, taking: Taking, limit: number, owned: Owned | undefined): SqlWork<Taken<Row>[]> {
      const mine = dialect.owned(owned, 3, 's.bucket')
      const due = `${select} FROM ${table} s ${join} WHERE s.state = '${state}' AND s.due_at <= $1 AND ${mine.sql}
        AND NOT EXISTS (SELECT 1 FROM ${leases} l WHERE l.id = s.${key} AND l.until > $1)
        ORDER BY s.due_at, s.${key} LIMIT $2 ${dialect.locked('UPDATE OF s SKIP LOCKED')}`
      yield* endLeases(tx, taking.now)
      const taken: Taken<Row>[] = []
      for (;;) {
        const rows = yield* tx.rows<Row>(due, [taking.now, atMost(limit - taken.length), ...mine.values])
        const some = yield* take(tx, rows, taking)
        taken.push(...some)
        if (some.length === rows.length) return taken // else another was faster
      }
    },

    *takeNamed(tx: SqlTransaction, taking: Taking, ids: readonly Row['id'][]): SqlWork<Taken<Row>[]> {
      yield* endLeases(tx, taking.now)
      const rows = yield* tx.rowOfEach<Row>(
        named,
        ['id bigint'],
        [...new Set(ids)].map((id) => [id]),
      )
      return yield* take(
        tx,
        rows.filter((row) => row !== undefined),
        taking,
      )
    },

    /** Answers those that were under that lease. */
    *takeBack(tx: SqlTransaction, given: readonly HandedBack[]): SqlWork<HandedBack[]> {
      if (given.length === 0) return []
      const items = lastOfEach(given, ({ id }) => id)
      const rows = items.map(({ id }) => [id])
      if (dialect.forUpdate) yield* tx.rows(lock, [items.map(({ id }) => id)])
      const held = yield* tx.rowOfEach<{ token: LeaseToken }>(
        `SELECT l.token FROM given g, ${leases} l WHERE l.id = g.id`,
        ['id bigint'],
        rows,
      )
      const back = items.filter(({ lease }, i) => lease === undefined || lease === held[i]?.token)
      yield* tx.runEach(
        `DELETE FROM ${leases} USING given g WHERE ${leases}.id = g.id`,
        ['id bigint'],
        back.map(({ id }) => [id]),
      )
      yield* tx.runEach(
        `UPDATE ${table} SET due_at = g.due_at FROM given g WHERE ${table}.${key} = g.id`,
        ['id bigint', 'due_at bigint'],
        back.flatMap(({ id, dueAt }) => (dueAt === undefined ? [] : [[id, dueAt]])),
      )
      return back
    },
  }
}

/** Of feeds that are due later than before. */
function* noteReasons(tx: SqlTransaction, back: readonly HandedBack[]): SqlWork<void> {
  const rows = back.flatMap(({ id, dueAt, because }) =>
    because && dueAt !== undefined ? [[id, JSON.stringify(because)]] : [],
  )
  yield* tx.runEach(
    'UPDATE schedules SET because = g.because FROM given g WHERE schedules.feed_id = g.id',
    ['id bigint', 'because text'],
    rows,
  )
}
