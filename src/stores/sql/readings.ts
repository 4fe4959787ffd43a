/** Feeds that users follow, with what is unread of each, which is never counted when it is asked for. */
import type { EntryId, FeedId, FolderCount, Instant, PersonId, SourceId, WaitingReading } from '../../model/index.ts'
import type { Followed, NewReading } from '../../ports/index.ts'
import type { ReadingMethods } from '../methods.ts'
import { feedsWithinSql, isKept, isWithin } from './conditions.ts'
import { type Dialect, insertGiven, type TypedColumn } from './dialect.ts'
import { folderKey } from './folder-key.ts'
import { READING_COLUMNS, type ReadingRow, type ReadsRow, readingOfRow, readsOfFeeds } from './reading-rows.ts'
import { READING_KEY, type ReadingKey, type ReadingWriter } from './reading-writer.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, firstOfEach, inOrder } from './values.ts'

const SEPARATOR = ' / '

/** Feeds whose readers are told in one answer. */
const FEEDS_TOGETHER = 500

/** User $1. One that was removed has nothing, though their rows are deleted later. A value, which is found once; EXISTS would be for every row. */
export const PERSON_IS_THERE = '(SELECT true FROM people p WHERE p.id = $1)'

const WAITING: TypedColumn[] = ['person_id bigint', 'source_id bigint', 'title text', 'folder text', 'added_at bigint']
const NUMBERED = { person: 'CAST($1 AS bigint)', after: 'CAST($2 AS bigint)', limit: 'CAST($3 AS bigint)' }
const ID: TypedColumn[] = ['id bigint']
const READERS = 'SELECT (SELECT count(*) FROM readings r WHERE r.feed_id = g.id) AS count, g.id AS id FROM given g'
const WAITERS =
  'SELECT (SELECT count(*) FROM waiting_readings r WHERE r.source_id = g.id) AS count, g.id AS id FROM given g'

/** A condition on subscriptions: in a folder or one below it; '': in none. `given` adds the value of a parameter. */
export function inScopeSql(dialect: Dialect, folder: string | undefined, given: (value: unknown) => string): string {
  if (folder === undefined) return ''
  return folder === '' ? 'AND folder_key IS NULL' : `AND ${dialect.startsWith('folder_key', given(folderKey(folder)))}`
}

function createFollowing(dialect: Dialect, writer: ReadingWriter) {
  /** All entries up to this one are read, so that the newest `unread` are not. */
  function* readUpTo(tx: SqlTransaction, feeds: FeedId[], unread: number): SqlWork<Map<FeedId, EntryId>> {
    const rows = yield* tx.each<{ id: FeedId; up_to: EntryId }>(
      `SELECT g.id AS id, coalesce((SELECT e.id FROM entries e WHERE e.feed_id = g.id ORDER BY e.id DESC LIMIT 1 OFFSET g.unread), 0) AS up_to
       FROM given g`,
      ['id bigint', 'unread bigint'],
      feeds.map((id) => [id, atMost(unread)]),
    )
    return new Map(rows.map(({ id, up_to }) => [id, up_to]))
  }

  function* followIn(
    tx: SqlTransaction,
    personId: PersonId,
    wanted: NewReading[],
    addedAt: Instant,
    unread: number,
  ): SqlWork<boolean[]> {
    const sources = yield* sourcesOf(tx, wanted)
    const feedOf = (one: NewReading) => ('feedId' in one ? one.feedId : sources.get(one.sourceId))
    const feeds = firstOfEach(wanted.filter(feedOf), feedOf)
    const waiting = wanted.filter((one) => 'sourceId' in one && feedOf(one) === null)
    const ids = feeds.map((one) => feedOf(one)!)
    yield* writer.lockSchedules(tx, ids)
    const ends = yield* readUpTo(tx, ids, unread)
    const given = feeds.map(({ title, folder }, i) => {
      return { personId, feedId: ids[i]!, title, folder, addedAt, upTo: ends.get(ids[i]!)! }
    })
    const isAdded = yield* writer.add(tx, given, 'feed_id')
    const waits = firstOfEach(waiting, sourceOf)
    const isWaiting = yield* tx.changeEach(
      `${insertGiven('waiting_readings', 'source_id', WAITING)} ON CONFLICT DO NOTHING`,
      'waiting_readings.source_id',
      WAITING,
      waits.map((one) => [personId, sourceOf(one), one.title || null, one.folder || null, addedAt]),
    )
    const added = new Set([...feeds.filter((_, i) => isAdded[i]), ...waits.filter((_, i) => isWaiting[i])])
    return wanted.map((one) => added.has(one))
  }

  /** The feeds of the sources that they name, null where it is not found yet. */
  function* sourcesOf(tx: SqlTransaction, wanted: NewReading[]): SqlWork<Map<SourceId, FeedId | null>> {
    const ids = wanted.flatMap((one) => sourceOf(one) ?? [])
    if (ids.length === 0) return new Map()
    const rows = yield* tx.rows<{ id: SourceId; feed_id: FeedId | null }>(
      `SELECT id, feed_id FROM sources WHERE ${dialect.isOneOf('id', '$1', 'bigint')} ORDER BY id ${dialect.forUpdate}`,
      [ids],
    )
    return new Map(rows.map(({ id, feed_id }) => [id, feed_id]))
  }

  function* unfollowIn(
    tx: SqlTransaction,
    personId: PersonId,
    what: Followed[],
  ): SqlWork<{ was: boolean; others: number }[]> {
    const distinct = firstOfEach(what, (one) => JSON.stringify(one))
    const feeds = distinct.filter((one) => 'feedId' in one)
    const sources = distinct.filter((one) => 'sourceId' in one)
    const ids = feeds.map(({ feedId }) => feedId)
    yield* writer.lockSchedules(tx, ids)
    const isDropped = yield* writer.drop(
      tx,
      ids.map((id): ReadingKey => [personId, id]),
      'feed_id',
    )
    const waitedNot = yield* tx.changeEach(
      `DELETE FROM waiting_readings USING given g
       WHERE waiting_readings.person_id = g.person_id AND waiting_readings.source_id = g.source_id`,
      'waiting_readings.source_id',
      ['person_id bigint', 'source_id bigint'],
      sources.map(({ sourceId }) => [personId, sourceId]),
    )
    const was = new Set<Followed>([...feeds.filter((_, i) => isDropped[i]), ...sources.filter((_, i) => waitedNot[i])])
    const readers = yield* tx.each<Count<FeedId>>(READERS, ID, rowsOf(ids))
    const waiters = yield* tx.each<Count<SourceId>>(WAITERS, ID, rowsOf(sources.map(({ sourceId }) => sourceId)))
    const others = countIn(readers, waiters)
    return what.map((one) => ({ was: was.has(one), others: others(one) }))
  }

  function* renameIn(tx: SqlTransaction, personId: PersonId, from: string, to: string | null): SqlWork<number> {
    const rows = yield* tx.rows<Pick<ReadingRow, 'feed_id' | 'folder'>>(
      `SELECT feed_id, folder FROM readings
       WHERE person_id = $1 AND (folder = $2 OR (${dialect.startsWith('folder', '$3')})) ${dialect.forUpdate}`,
      [personId, from, from + SEPARATOR],
    )
    const moved = rows.map(({ feed_id, folder }) => {
      const below = (folder ?? '').slice(from.length + SEPARATOR.length)
      const name = [to, below].filter(Boolean).join(SEPARATOR) || null
      return [personId, feed_id, name, folderKey(name)]
    })
    yield* tx.runEach(
      `UPDATE readings AS r SET folder = g.folder, folder_key = g.folder_key
       FROM given g WHERE r.person_id = g.person_id AND r.feed_id = g.feed_id`,
      [...READING_KEY, 'folder text', 'folder_key text'],
      moved,
    )
    return moved.length
  }

  return { followIn, unfollowIn, renameIn }
}

export function readingMethods(session: SqlSession, writer: ReadingWriter): ReadingMethods {
  const { dialect } = session
  const list = dialect.list('$2')
  const { followIn, unfollowIn, renameIn } = createFollowing(dialect, writer)

  return {
    follow: (personId, wanted, at, unread) => session.write((tx) => followIn(tx, personId, wanted, at, unread)),

    unfollow: (personId, what) => session.write((tx) => unfollowIn(tx, personId, what)),

    async changeReading(personId, feedId, { title, folder }) {
      const values: unknown[] = [personId, feedId]
      const given = (value: unknown) => `$${values.push(value)}`
      const changes = [
        ...(title === undefined ? [] : [`title = ${given(title)}`]),
        ...(folder === undefined ? [] : [`folder = ${given(folder)}`, `folder_key = ${given(folderKey(folder))}`]),
      ]
      const changed = await session.run(
        `UPDATE readings SET ${changes.join(', ') || 'feed_id = feed_id'}
         WHERE person_id = $1 AND feed_id = $2 AND ${PERSON_IS_THERE}`,
        values,
      )
      return changed > 0
    },

    renameFolder: (personId, from, to) => session.write((tx) => renameIn(tx, personId, from, to)),

    async readings(personId, { folder, after = 0 as FeedId, limit }) {
      const values: unknown[] = [personId, after, atMost(limit)]
      const inScope = inScopeSql(dialect, folder, (value) => `$${values.push(value)}`)
      const rows = await session.rows<ReadingRow>(
        `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $1 AND feed_id > $2 AND ${PERSON_IS_THERE} ${inScope}
         ORDER BY feed_id LIMIT $3`,
        values,
      )
      return rows.map(readingOfRow)
    },

    async readingsOf(personId, ids) {
      const rows = await session.rows<ReadingRow>(
        `SELECT ${READING_COLUMNS} FROM ${list} CROSS JOIN readings
         WHERE person_id = $1 AND feed_id = w.value AND ${PERSON_IS_THERE}`,
        [personId, ids],
      )
      return inOrder(ids, rows, (row) => row.feed_id, readingOfRow)
    },

    async waitingReadings(personId, { after = 0, limit }) {
      const rows = await session.rows<Omit<ReadingRow, 'feed_id'> & { source_id: SourceId }>(
        `SELECT source_id, title, folder, added_at FROM waiting_readings
         WHERE person_id = $1 AND source_id > $2 AND ${PERSON_IS_THERE} ORDER BY source_id LIMIT $3`,
        [personId, after, atMost(limit)],
      )
      return rows.map(
        ({ source_id: sourceId, title, folder, added_at: addedAt }): WaitingReading => ({
          sourceId,
          ...(title !== null && { title }),
          ...(folder !== null && { folder }),
          addedAt,
        }),
      )
    },

    standing(personId) {
      return session.read(function* (query) {
        const rows = yield* query.rows<{ folder: string | null; feeds: number; unread: number }>(
          `SELECT folder, count(*) AS feeds, CAST(sum(unread) AS bigint) AS unread FROM readings
           WHERE person_id = $1 AND ${PERSON_IS_THERE} GROUP BY folder_key, folder
           ORDER BY CASE WHEN folder IS NULL THEN 0 ELSE 1 END, folder ${dialect.bytewise}`,
          [personId],
        )
        const stars = yield* query.row<{ count: number }>(
          `SELECT count(*) AS count FROM stars s WHERE person_id = $1 AND ${PERSON_IS_THERE} AND ${isKept('s')}`,
          [personId],
        )
        return {
          feeds: rows.reduce((sum, { feeds }) => sum + feeds, 0),
          unread: rows.reduce((sum, { unread }) => sum + unread, 0),
          starred: stars?.count ?? 0,
          folders: rows.map(
            ({ folder, ...counts }): FolderCount => ({ ...(folder !== null && { folder }), ...counts }),
          ),
        }
      })
    },

    async readersOf(what) {
      const readers = await session.each<Count<FeedId>>(READERS, ID, rowsOf(what.flatMap((one) => feedOf(one) ?? [])))
      const waiters = await session.each<Count<SourceId>>(
        WAITERS,
        ID,
        rowsOf(what.flatMap((one) => sourceOf(one) ?? [])),
      )
      return what.map(countIn(readers, waiters))
    },

    async feedsWithin({ personId, reach }, query) {
      const rows =
        'among' in query
          ? await session.rows<{ id: FeedId }>(
              `SELECT w.value AS id FROM ${list} WHERE ${isWithin(reach, 'w.value', NUMBERED.person)} ORDER BY w.key`,
              [personId, query.among],
            )
          : await session.rows<{ id: FeedId }>(feedsWithinSql(reach, query.hidden ?? false, NUMBERED), [
              personId,
              query.after ?? 0,
              atMost(query.limit),
            ])
      return rows.map(({ id }) => id)
    },

    async unwanted(limit) {
      const rows = await session.rows<{ feed_id: FeedId }>(
        `SELECT l.feed_id FROM left_feeds l JOIN feeds f ON f.id = l.feed_id WHERE f.listed IS NULL
         AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = l.feed_id) LIMIT $1`,
        [atMost(limit)],
      )
      return rows.map(({ feed_id }) => feed_id)
    },

    async *everyFeedsReads(now) {
      for (let after = 0 as FeedId; ; ) {
        const rows = await session.rows<ReadsRow>(
          `SELECT feed_id, reads, read_at FROM readings WHERE feed_id IN
           (SELECT DISTINCT feed_id FROM readings WHERE feed_id > $1 ORDER BY feed_id LIMIT $2) ORDER BY feed_id`,
          [after, FEEDS_TOGETHER],
        )
        yield* readsOfFeeds(rows, now)
        const last = rows.at(-1)
        if (!last) return
        after = last.feed_id
      }
    },
  }
}

interface Count<Id> {
  id: Id
  count: number
}

function feedOf(one: Followed): FeedId | undefined {
  return 'feedId' in one ? one.feedId : undefined
}

function sourceOf(one: Followed): SourceId | undefined {
  return 'sourceId' in one ? one.sourceId : undefined
}

function rowsOf(ids: readonly number[]): number[][] {
  return ids.map((id) => [id])
}

function countIn(readers: Count<FeedId>[], waiters: Count<SourceId>[]): (one: Followed) => number {
  const ofFeed = new Map(readers.map(({ id, count }) => [id, count]))
  const ofSource = new Map(waiters.map(({ id, count }) => [id, count]))
  return (one) => ('feedId' in one ? ofFeed.get(one.feedId) : ofSource.get(one.sourceId)) ?? 0
}
