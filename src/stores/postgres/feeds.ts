/** Lists and searches feeds. Changes to feeds are in ../sql/feed-changes.ts. */
import { type FeedId, isInFolder } from '../../model/index.ts'
import { type FeedQuery, MAX_COUNTED_ENTRIES, type Store } from '../../ports/index.ts'
import { rowsInChunks } from '../sql/chunks.ts'
import { isFeedInReachSql } from '../sql/conditions.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import type { PostgresSession } from './session.ts'

type FeedMethods = 'entryCounts' | 'feedsById' | 'feeds' | 'feedIds' | 'everyFeed'

const FEEDS_AND_SCHEDULES = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id`

export function feedMethods(session: PostgresSession): Pick<Store, FeedMethods> {
  return {
    async feedsById(ids) {
      const rows = await session.rows<FeedRow>(`${FEEDS_AND_SCHEDULES} WHERE f.id = ANY ($1::bigint[])`, [ids])
      return inOrder(ids, rows, (row) => row.id, feedOf)
    },

    async entryCounts(ids) {
      const rows = await session.rows<{ count: number }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries e WHERE e.feed_id = t.id LIMIT ${MAX_COUNTED_ENTRIES}) AS counted) AS count
         FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
        [ids],
      )
      return rows.map(({ count }) => count)
    },

    async feeds(query) {
      const { sql, values } = feedsSql(query)
      return (await session.rows<FeedRow>(sql, values)).map(feedOf)
    },

    async feedIds(query) {
      const idsOf = (rows: { id: FeedId }[]) => rows.map(({ id }) => id)
      if ('text' in query) {
        return idsOf(
          await session.rows('SELECT id FROM feeds WHERE strpos(haystack, $1) > 0 ORDER BY id', [
            query.text.toLowerCase(),
          ]),
        )
      }
      const folders = await session.rows<{ folder: string }>(
        'SELECT DISTINCT folder FROM feeds WHERE folder IS NOT NULL',
      )
      const matching = folders.map(({ folder }) => folder).filter((folder) => isInFolder(folder, query.folder))
      return idsOf(await session.rows('SELECT id FROM feeds WHERE folder = ANY ($1::text[]) ORDER BY id', [matching]))
    },

    async *everyFeed() {
      const after = (...bounds: [number, number]) =>
        session.rows<FeedRow>(`${FEEDS_AND_SCHEDULES} WHERE f.id > $1 ORDER BY f.id LIMIT $2`, bounds)
      for await (const row of rowsInChunks(after, (row) => row.id)) yield feedOf(row)
    },
  }
}

function feedsSql({ state, folder, category, name, failing, text, within, order, after, limit }: FeedQuery) {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: (...placeholders: string[]) => string, ...parameters: unknown[]) => {
    conditions.push(condition(...parameters.map((value) => `$${values.push(value)}`)))
  }
  if (order === 'due') where(() => "s.state = 'active'")
  if (after && order === 'id') where((id) => `f.id > ${id}`, after.id)
  if (after && order === 'due') where((at, id) => `(s.due_at, s.feed_id) > (${at}, ${id})`, after.dueAt, after.id)
  if (state !== undefined) where((value) => `s.state = ${value}`, state)
  if (within)
    where((userParameter) => isFeedInReachSql(within.reach, 'f.id', `${userParameter}::bigint`), within.userId)
  if (folder !== undefined && within)
    where(
      (userParameter, value) =>
        `EXISTS (SELECT 1 FROM subscriptions r WHERE r.user_id = ${userParameter} AND r.feed_id = f.id AND r.folder = ${value})`,
      within.userId,
      folder,
    )
  else if (folder !== undefined) where((value) => `f.folder = ${value}`, folder)
  if (category !== undefined) where((value) => `coalesce(f.own_category, f.category, '') = ${value}`, category)
  if (name !== undefined) where((value) => `md5(f.name) = md5(${value})`, name)
  if (failing) where(() => 's.trouble IS NOT NULL')
  if (text) where((part) => `strpos(f.haystack, ${part}) > 0`, text.toLowerCase())
  const sql = `${FEEDS_AND_SCHEDULES} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT $${values.push(atMost(limit))}`
  return { sql, values }
}
