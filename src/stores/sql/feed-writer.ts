/** Adds and changes feeds and their schedules, many in a few statements, for the several methods that do so. */
import { bucketOf, type Feed, type FeedId, type Schedule } from '../../model/index.ts'
import type { FeedChange, NewFeed } from '../../ports/index.ts'
import { type Dialect, insertGiven, setGiven, type TypedColumn } from './dialect.ts'
import { changedFeed, FEED_COLUMN_NAMES, feedColumns, feedCounted, presentOnly } from './feed-columns.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, scheduleColumns } from './rows.ts'
import type { SqlReader, SqlTransaction, SqlWork } from './session.ts'
import { countFeed } from './tally.ts'
import { firstOfEach } from './values.ts'

export interface ChangeOfFeed {
  id: FeedId
  change: FeedChange
  schedule?: Partial<Schedule> | undefined
}

/** Each within a transaction. */
export interface FeedWriter {
  /** In the order of `feeds`. One whose address is there already is left as it is. A name that another has is left out. */
  add(tx: SqlTransaction, feeds: readonly NewFeed[]): SqlWork<{ id: FeedId; added: boolean }[]>
  /** The feeds that have these addresses. */
  idsAt(query: SqlReader, urls: readonly string[]): SqlWork<Map<string, FeedId>>
  /**
   * One change a feed at most; their schedules are locked. Two feeds never share an address: one that another feed has is left out of
   * the change, and its root. Answers which of them are there.
   */
  change(tx: SqlTransaction, changes: readonly ChangeOfFeed[]): SqlWork<Set<FeedId>>
  /** Locks the schedules of feeds, in an order in which nobody waits for who waits for them. */
  lockSchedules(tx: SqlTransaction, ids: readonly FeedId[]): SqlWork<void>
}

const SMALLINTS = ['bucket', 'listed', 'private']
const BIGINTS = ['subscribers', 'gap_at', 'sought_at', 'built_at']

const COLUMNS = FEED_COLUMN_NAMES.map(
  (name): TypedColumn =>
    `${name} ${SMALLINTS.includes(name) ? 'smallint' : BIGINTS.includes(name) ? 'bigint' : 'text'}`,
)

/** In the order of `scheduleColumns`. */
export const SCHEDULE_COLUMNS: TypedColumn[] = [
  'due_at bigint',
  'polled_at bigint',
  'succeeded_at bigint',
  'failures integer',
  'trouble text',
  'strategy text',
  'memory bytea',
  'trust text',
  'because text',
]

const ID: TypedColumn[] = ['id bigint']
const FEEDS = `SELECT ${FEED_COLUMNS} FROM given g, feeds f, schedules s WHERE f.id = g.id AND s.feed_id = f.id`

function statementsFor(dialect: Dialect) {
  const { bucketColumn } = dialect
  const key = dialect.textKey('url')
  const at = `SELECT f.id, f.url FROM given g, feeds f WHERE f.${key.column} = g.${key.column}`
  const named = `SELECT f.id, f.name FROM given g, feeds f WHERE ${dialect.digest('f.name')} = ${dialect.digest('g.name')}`
  const lock = `SELECT 1 FROM schedules WHERE ${dialect.isOneOf('feed_id', '$1', 'bigint')} ORDER BY feed_id ${dialect.forUpdate}`

  const added: TypedColumn[] = ['url text', ...COLUMNS, 'added_at bigint', ...key.written]
  const insert = `${insertGiven('feeds', 'n', added)} ON CONFLICT (${key.column}) DO NOTHING`
  const scheduled: TypedColumn[] = ['feed_id bigint', 'state text', ...SCHEDULE_COLUMNS, ...bucketColumn]
  const insertSchedule = insertGiven('schedules', 'n', scheduled)

  const moved: TypedColumn[] = ['url text', ...key.written]
  const move = `UPDATE feeds SET ${setGiven(moved)} FROM given g WHERE feeds.id = g.id`
  const told: TypedColumn[] = ['state text', ...SCHEDULE_COLUMNS]
  // What a feed and its schedule both have is called otherwise in what is given.
  const changed: TypedColumn[] = ['id bigint', ...COLUMNS, ...told, 'own_bucket smallint']
  const ownBucket = bucketColumn.length > 0 ? 'bucket = g.own_bucket,' : ''
  const change = [
    `UPDATE feeds SET ${setGiven(COLUMNS)} FROM given g WHERE feeds.id = g.id`,
    `UPDATE schedules SET ${setGiven(told)}, ${ownBucket} revision = schedules.revision + 1
     FROM given g WHERE schedules.feed_id = g.id`,
  ]
  return { at, named, lock, added, insert, scheduled, insertSchedule, moved, move, changed, change }
}

export function createFeedWriter(dialect: Dialect): FeedWriter {
  const key = dialect.textKey('url')
  const statements = statementsFor(dialect)
  const { added, scheduled, moved, changed } = statements

  function* idsAt(query: SqlReader, urls: readonly string[]): SqlWork<Map<string, FeedId>> {
    const rows = yield* query.each<{ id: FeedId; url: string }>(
      statements.at,
      [key.typed],
      urls.map((url) => [key.of(url)]),
    )
    return new Map(rows.map(({ id, url }) => [url, id]))
  }

  /** A name is that of one feed: what another has is left out, and what one before has got. */
  function* withOwnNames<Named extends Omit<Feed, 'id'> & { id?: FeedId }>(
    query: SqlReader,
    feeds: Named[],
  ): SqlWork<Named[]> {
    const names = feeds.flatMap(({ name }) => name ?? [])
    if (names.length === 0) return feeds
    const rows = yield* query.each<{ id: FeedId; name: string }>(
      statements.named,
      ['name text'],
      names.map((name) => [name]),
    )
    const holders = new Map<string, FeedId | 0>(rows.map(({ id, name }) => [name, id]))
    return feeds.map((feed) => {
      const { name, ...unnamed } = feed
      if (name === undefined) return feed
      const holder = holders.get(name)
      if (holder !== undefined && holder !== feed.id) return unnamed as Named
      holders.set(name, feed.id ?? 0)
      return feed
    })
  }

  /** Answers their ids, by address; another may have been faster. */
  function* insertFeeds(tx: SqlTransaction, fresh: readonly NewFeed[]): SqlWork<Map<string, FeedId>> {
    const feeds = yield* withOwnNames(
      tx,
      fresh.map(({ feed }) => feed),
    )
    const ids = yield* tx.insertEach<FeedId>(
      statements.insert,
      'feeds.url',
      added,
      feeds.map((feed) => [feed.url, ...feedColumns(feed), feed.addedAt, key.of(feed.url)]),
    )
    const rows = fresh.flatMap(({ feed, schedule }, i) => {
      if (ids[i] === undefined) return []
      countFeed(tx.tally, 1, feedCounted(feed, schedule))
      return [[ids[i], feed.state, ...scheduleColumns(schedule), bucketOfFeed(feed)]]
    })
    yield* tx.runEach(statements.insertSchedule, scheduled, rows)
    return new Map(fresh.flatMap(({ feed }, i) => (ids[i] === undefined ? [] : [[feed.url, ids[i]]])))
  }

  function* leaveTakenAddresses(
    query: SqlReader,
    after: { feed: Feed }[],
    before: ReadonlyMap<FeedId, { feed: Feed }>,
  ): SqlWork<Feed[]> {
    const moving = after.map(({ feed }) => feed).filter(({ id, url }) => url !== before.get(id)!.feed.url)
    if (moving.length === 0) return []
    const taken = yield* idsAt(
      query,
      moving.map(({ url }) => url),
    )
    return moving.filter((feed) => {
      if (!taken.has(feed.url)) return taken.set(feed.url, feed.id)
      const { url, root } = before.get(feed.id)!.feed
      Object.assign(feed, { url, root })
      return false
    })
  }

  return {
    idsAt,

    *add(tx, feeds) {
      const there = yield* idsAt(
        tx,
        feeds.map(({ feed }) => feed.url),
      )
      const fresh = firstOfEach(
        feeds.filter(({ feed }) => !there.has(feed.url)),
        ({ feed }) => feed.url,
      )
      const added = yield* insertFeeds(tx, fresh)
      const others =
        added.size < fresh.length
          ? yield* idsAt(
              tx,
              fresh.map(({ feed }) => feed.url),
            )
          : there
      const answered = new Set<string>()
      return feeds.map(({ feed: { url } }) => {
        const mine = added.get(url)
        const isFirst = mine !== undefined && !answered.has(url)
        answered.add(url)
        return { id: mine ?? there.get(url) ?? others.get(url)!, added: isFirst }
      })
    },

    *change(tx, changes) {
      if (changes.length === 0) return new Set()
      const rows = yield* tx.each<FeedRow>(
        FEEDS,
        ID,
        changes.map(({ id }) => [id]),
      )
      const before = new Map(rows.map((row) => [row.id, feedOf(row)]))
      const after = changes.flatMap(({ id, change, schedule }) => {
        const old = before.get(id)
        if (!old) return []
        return [{ feed: changedFeed(old.feed, change), schedule: { ...old.schedule, ...presentOnly(schedule ?? {}) } }]
      })
      const moving = yield* leaveTakenAddresses(tx, after, before)
      yield* tx.runEach(
        statements.move,
        [...moved, 'id bigint'],
        moving.map(({ id, url }) => [url, ...(key.written.length > 0 ? [key.of(url)] : []), id]),
      )
      const feeds = yield* withOwnNames(
        tx,
        after.map(({ feed }) => feed),
      )
      yield* tx.runEach(
        statements.change,
        changed,
        after.map(({ schedule }, i) => {
          const feed = feeds[i]!
          return [feed.id, ...feedColumns(feed), feed.state, ...scheduleColumns(schedule), bucketOfFeed(feed)]
        }),
      )
      for (const { feed, schedule } of after) {
        const old = before.get(feed.id)!
        countFeed(tx.tally, -1, feedCounted(old.feed, old.schedule))
        countFeed(tx.tally, 1, feedCounted(feed, schedule))
      }
      return new Set(after.map(({ feed }) => feed.id))
    },

    *lockSchedules(tx, ids) {
      if (dialect.forUpdate) yield* tx.rows(statements.lock, [ids])
    },
  }
}

/** Of the root that requests end at. */
export function bucketOfFeed({ bucket, root }: Pick<Feed, 'bucket' | 'root'>): number {
  return bucket ?? bucketOf(root)
}
