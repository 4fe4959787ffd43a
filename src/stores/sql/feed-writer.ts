/** Adds and changes many feeds and their schedules in a few statements. */
import { bucketOf, type Feed, type FeedId, type Schedule } from '../../model/index.ts'
import type { FeedChange, NewFeed } from '../../ports/index.ts'
import { countFeed } from './count-changes.ts'
import { assignmentsSql, type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { applyFeedChange, FEED_COLUMN_NAMES, feedColumns, feedCountKey, withoutUndefined } from './feed-columns.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, scheduleColumns } from './rows.ts'
import type { SqlReader, SqlTransaction, SqlWork } from './session.ts'
import { createUniqueFeeds } from './unique-feeds.ts'
import { firstOfEach } from './values.ts'

export interface ChangedFeed {
  id: FeedId
  change: FeedChange
  schedule?: Partial<Schedule> | undefined
}

/** All methods run within a transaction. */
export interface FeedWriter {
  /** Returns ids in the order of `feeds`. Feeds whose address exists are not changed. A name that another feed has is dropped. */
  add(tx: SqlTransaction, feeds: readonly NewFeed[]): SqlWork<{ id: FeedId; added: boolean }[]>
  idsAt(query: SqlReader, urls: readonly string[]): SqlWork<Map<string, FeedId>>
  /**
   * At most one change per feed; the caller has locked the schedules. Two feeds never share an address: if another feed has the new
   * address, the change skips it and its root. Returns the ids of the feeds that exist.
   */
  change(tx: SqlTransaction, changes: readonly ChangedFeed[]): SqlWork<Set<FeedId>>
  /** Locks the schedules of feeds in the order of their ids, so concurrent transactions cannot deadlock. */
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
  const urlKey = dialect.textKey('url')
  const lock = `SELECT 1 FROM schedules WHERE ${dialect.isOneOf('feed_id', '$1', 'bigint')} ORDER BY feed_id ${dialect.forUpdate}`

  const added: TypedColumn[] = ['url text', ...COLUMNS, 'added_at bigint', ...urlKey.extraColumns]
  const insert = `${insertRowsSql('feeds', 'n', added)} ON CONFLICT (${urlKey.column}) DO NOTHING`
  const scheduled: TypedColumn[] = ['feed_id bigint', 'state text', ...SCHEDULE_COLUMNS, ...bucketColumn]
  const insertSchedule = insertRowsSql('schedules', 'n', scheduled)

  const moved: TypedColumn[] = ['url text', ...urlKey.extraColumns]
  const move = `UPDATE feeds SET ${assignmentsSql(moved)} FROM given g WHERE feeds.id = g.id`
  const scheduleColumnNames: TypedColumn[] = ['state text', ...SCHEDULE_COLUMNS]
  // Both tables have a bucket column, so the one of the schedule has another name in the given rows.
  const changed: TypedColumn[] = ['id bigint', ...COLUMNS, ...scheduleColumnNames, 'own_bucket smallint']
  const ownBucket = bucketColumn.length > 0 ? 'bucket = g.own_bucket,' : ''
  const change = [
    `UPDATE feeds SET ${assignmentsSql(COLUMNS)} FROM given g WHERE feeds.id = g.id`,
    `UPDATE schedules SET ${assignmentsSql(scheduleColumnNames)}, ${ownBucket} revision = schedules.revision + 1
     FROM given g WHERE schedules.feed_id = g.id`,
  ]
  return { lock, added, insert, scheduled, insertSchedule, moved, move, changed, change }
}

export function createFeedWriter(dialect: Dialect): FeedWriter {
  const urlKey = dialect.textKey('url')
  const statements = statementsFor(dialect)
  const { idsAt, withOwnNames, leaveTakenAddresses } = createUniqueFeeds(dialect)
  const { added, scheduled, moved, changed } = statements

  /** Returns ids by address, without feeds that another transaction added first. */
  function* insertFeeds(tx: SqlTransaction, fresh: readonly NewFeed[]): SqlWork<Map<string, FeedId>> {
    const feeds = yield* withOwnNames(
      tx,
      fresh.map(({ feed }) => feed),
    )
    const ids = yield* tx.insertEach<FeedId>(
      statements.insert,
      'feeds.url',
      added,
      feeds.map((feed) => [feed.url, ...feedColumns(feed), feed.addedAt, urlKey.keyOf(feed.url)]),
    )
    const rows = fresh.flatMap(({ feed, schedule }, i) => {
      if (ids[i] === undefined) return []
      countFeed(tx.countChanges, 1, feedCountKey(feed, schedule))
      return [[ids[i], feed.state, ...scheduleColumns(schedule), bucketOfFeed(feed)]]
    })
    yield* tx.runEach(statements.insertSchedule, scheduled, rows)
    return new Map(fresh.flatMap(({ feed }, i) => (ids[i] === undefined ? [] : [[feed.url, ids[i]]])))
  }

  return {
    idsAt,

    *add(tx, feeds) {
      const existing = yield* idsAt(
        tx,
        feeds.map(({ feed }) => feed.url),
      )
      const fresh = firstOfEach(
        feeds.filter(({ feed }) => !existing.has(feed.url)),
        ({ feed }) => feed.url,
      )
      const added = yield* insertFeeds(tx, fresh)
      const concurrent =
        added.size < fresh.length
          ? yield* idsAt(
              tx,
              fresh.map(({ feed }) => feed.url),
            )
          : existing
      const answered = new Set<string>()
      return feeds.map(({ feed: { url } }) => {
        const newId = added.get(url)
        const isFirst = newId !== undefined && !answered.has(url)
        answered.add(url)
        return { id: newId ?? existing.get(url) ?? concurrent.get(url)!, added: isFirst }
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
        return [
          {
            feed: applyFeedChange(old.feed, change),
            schedule: { ...old.schedule, ...withoutUndefined(schedule ?? {}) },
          },
        ]
      })
      const moving = yield* leaveTakenAddresses(tx, after, before)
      yield* tx.runEach(
        statements.move,
        [...moved, 'id bigint'],
        moving.map(({ id, url }) => [url, ...(urlKey.extraColumns.length > 0 ? [urlKey.keyOf(url)] : []), id]),
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
        countFeed(tx.countChanges, -1, feedCountKey(old.feed, old.schedule))
        countFeed(tx.countChanges, 1, feedCountKey(feed, schedule))
      }
      return new Set(after.map(({ feed }) => feed.id))
    },

    *lockSchedules(tx, ids) {
      if (dialect.forUpdate) yield* tx.rows(statements.lock, [ids])
    },
  }
}

/** The feed's own bucket (of the root its requests end at), else that of its root. */
export function bucketOfFeed({ bucket, root }: Pick<Feed, 'bucket' | 'root'>): number {
  return bucket ?? bucketOf(root)
}
