/** Adds, changes, lists and searches feeds. See removals.ts for removal. */
import { type FeedId, type FeedScope, type Instant, isInFolder } from '../../model/index.ts'
import { type FeedQuery, MAX_COUNTED_ENTRIES, type NewestEntryDates, type Store } from '../../ports/index.ts'
import { rowsInChunks } from './chunks.ts'
import { isFeedInReachSql, isNotRemovedSql } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import type { FeedWriter } from './feed-writer.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, inOrder } from './values.ts'

type FeedMethods =
  | 'addFeeds'
  | 'changeFeed'
  | 'feedAt'
  | 'entryCounts'
  | 'newestEntryDates'
  | 'feedsById'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'

const FEEDS_AND_SCHEDULES = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id`
/** CROSS JOIN: SQLite reads them in the order of subscriptions, which is that of ids. */
const FOLLOWED_FEEDS = `SELECT ${FEED_COLUMNS} FROM subscriptions v CROSS JOIN feeds f CROSS JOIN schedules s`

export function feedMethods({ dialect, ...session }: SqlSession, writer: FeedWriter): Pick<Store, FeedMethods> {
  const list = dialect.list('$1')

  return {
    addFeeds: (feeds) => session.write((tx) => writer.add(tx, feeds)),

    changeFeed(id, change, schedule) {
      return session.write(function* (tx) {
        yield* writer.lockSchedules(tx, [id])
        if (change.url !== undefined) {
          const existing = (yield* writer.idsAt(tx, [change.url])).get(change.url)
          if (existing !== undefined && existing !== id) return false
        }
        return (yield* writer.change(tx, [{ id, change, schedule }])).has(id)
      })
    },

    async feedAt(url) {
      return (await session.read((query) => writer.idsAt(query, [url]))).get(url)
    },

    async feedsById(ids) {
      const rows = await session.rows<FeedRow>(
        `SELECT ${FEED_COLUMNS} FROM ${list} CROSS JOIN feeds f CROSS JOIN schedules s WHERE f.id = w.value AND s.feed_id = f.id`,
        [ids],
      )
      return inOrder(ids, rows, (row) => row.id, feedOf)
    },

    async entryCounts(ids) {
      const rows = await session.rows<{ count: number }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries e WHERE e.feed_id = w.value LIMIT ${MAX_COUNTED_ENTRIES}) AS counted) AS count
         FROM ${list} ORDER BY w.key`,
        [ids],
      )
      return rows.map(({ count }) => count)
    },

    async newestEntryDates(ids, { limit, since }) {
      const [rows, counts] = await Promise.all([
        session.each<{ position: number; at: Instant }>(
          `SELECT g.position AS position, d.sort_at AS at FROM given g CROSS JOIN LATERAL (SELECT e.sort_at FROM entries e
           WHERE e.feed_id = g.feed_id AND ${isNotRemovedSql('e')} ORDER BY e.sort_at DESC LIMIT g.most) d ORDER BY 2 DESC`,
          ['position integer', 'feed_id bigint', 'most integer'],
          ids.map((id, position) => [position, id, atMost(limit)]),
        ),
        session.rows<{ count: number }>(
          `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries e WHERE e.feed_id = w.value AND e.sort_at >= $2 LIMIT ${MAX_COUNTED_ENTRIES}) AS counted) AS count
           FROM ${list} ORDER BY w.key`,
          [ids, since],
        ),
      ])
      const found = counts.map(({ count }): NewestEntryDates => ({ dates: [], recent: count }))
      for (const { position, at } of rows) found[position]!.dates.push(at)
      return found
    },

    async feeds(query) {
      const { sql, values } = feedsSql(dialect, query)
      return (await session.rows<FeedRow>(sql, values)).map(feedOf)
    },

    async feedIds(query) {
      const idsOf = (rows: { id: FeedId }[]) => rows.map(({ id }) => id)
      if ('text' in query) {
        const sql = `SELECT id FROM feeds WHERE ${dialect.contains('haystack', '$1')} ORDER BY id`
        return idsOf(await session.rows(sql, [query.text.toLowerCase()]))
      }
      const folders = await session.rows<{ folder: string }>(
        'SELECT DISTINCT folder FROM feeds WHERE folder IS NOT NULL',
      )
      const matching = folders.map(({ folder }) => folder).filter((folder) => isInFolder(folder, query.folder))
      const sql = `SELECT id FROM feeds WHERE ${dialect.isOneOf('folder', '$1', 'text')} ORDER BY id`
      return idsOf(await session.rows(sql, [matching]))
    },

    async *everyFeed() {
      const after = (...bounds: [number, number]) =>
        session.rows<FeedRow>(`${FEEDS_AND_SCHEDULES} WHERE f.id > $1 ORDER BY f.id LIMIT $2`, bounds)
      for await (const row of rowsInChunks(after, (row) => row.id)) yield feedOf(row)
    },
  }
}

/** One SQL text per combination of filters, so that few statements are prepared. */
function feedsSql(
  { contains, digest }: Dialect,
  { state, folder, category, name, failing, text, within, order, after, limit }: FeedQuery,
) {
  const isFollowed = within?.reach === 'followed'
  const idColumn = isFollowed ? 'v.feed_id' : 'f.id'
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: (...placeholders: string[]) => string, ...parameters: unknown[]) => {
    conditions.push(condition(...parameters.map((value) => `$${values.push(value)}`)))
  }
  if (order === 'due') where(() => "s.state = 'active'")
  if (after && order === 'id') where((id) => `${idColumn} > ${id}`, after.id)
  if (after && order === 'due') where((at, id) => `(s.due_at, s.feed_id) > (${at}, ${id})`, after.dueAt, after.id)
  // An expression, because SQLite would otherwise use the index of due dates, and sort all active feeds.
  if (state !== undefined) where((value) => `coalesce(s.state, '') = ${value}`, state)
  if (isFollowed) where((user) => `v.user_id = ${user} AND f.id = v.feed_id AND s.feed_id = v.feed_id`, within.userId)
  else if (within) where((user) => isWithinSql(within.reach, `CAST(${user} AS bigint)`), within.userId)
  if (folder !== undefined && within)
    where(
      (user, value) =>
        `EXISTS (SELECT 1 FROM subscriptions r WHERE r.user_id = ${user} AND r.feed_id = f.id AND r.folder = ${value})`,
      within.userId,
      folder,
    )
  else if (folder !== undefined) where((value) => `f.folder = ${value}`, folder)
  if (category !== undefined) where((value) => `coalesce(f.own_category, f.category, '') = ${value}`, category)
  if (name !== undefined) where((value) => `${digest('f.name')} = ${digest(value)}`, name)
  if (failing) where(() => 's.trouble IS NOT NULL')
  if (text) where((part) => contains('f.haystack', part), text.toLowerCase())
  const sql = `${isFollowed ? FOLLOWED_FEEDS : FEEDS_AND_SCHEDULES} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : idColumn} LIMIT $${values.push(atMost(limit))}`
  return { sql, values }
}

/** Whether feed `f` is within a user's reach. Followed and listed feeds are looked up instead of testing every feed. */
function isWithinSql(reach: FeedScope['reach'], user: string): string {
  if (reach !== 'common') return isFeedInReachSql(reach, 'f.id', user)
  return `f.id IN (SELECT feed_id FROM subscriptions WHERE user_id = ${user} UNION SELECT id FROM feeds WHERE listed = 1)`
}
