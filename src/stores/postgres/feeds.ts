/** Feeds, listed and found; how they are changed stands in ../sql/feed-changes.ts. */
import { type FeedId, isInFolder } from '../../model/index.ts'
import { type FeedQuery, MOST_COUNTED, type Store } from '../../ports/index.ts'
import { isWithin } from '../sql/conditions.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'

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
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries e WHERE e.feed_id = t.id LIMIT ${MOST_COUNTED}) AS counted) AS count
         FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
        [ids],
      )
      return rows.map(({ count }) => count)
    },

    async feeds(query) {
      const { sql, values } = feedsSql(query)
      return (await session.rows<FeedRow>(sql, values)).map(feedOf)
    },

    async feedIds(named) {
      const idsOf = (rows: { id: FeedId }[]) => rows.map(({ id }) => id)
      if ('text' in named) {
        return idsOf(
          await session.rows('SELECT id FROM feeds WHERE strpos(haystack, $1) > 0 ORDER BY id', [
            named.text.toLowerCase(),
          ]),
        )
      }
      const folders = await session.rows<{ folder: string }>(
        'SELECT DISTINCT folder FROM feeds WHERE folder IS NOT NULL',
      )
      const meant = folders.map(({ folder }) => folder).filter((folder) => isInFolder(folder, named.folder))
      return idsOf(await session.rows('SELECT id FROM feeds WHERE folder = ANY ($1::text[]) ORDER BY id', [meant]))
    },

    async *everyFeed() {
      const after = (...bounds: [number, number]) =>
        session.rows<FeedRow>(`${FEEDS_AND_SCHEDULES} WHERE f.id > $1 ORDER BY f.id LIMIT $2`, bounds)
      for await (const row of pieceByPiece(after, (row) => row.id)) yield feedOf(row)
    },
  }
}

function feedsSql({ state, folder, category, name, troubled, text, within, order, after, limit }: FeedQuery) {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: (...places: string[]) => string, ...some: unknown[]) => {
    conditions.push(condition(...some.map((value) => `$${values.push(value)}`)))
  }
  if (order === 'due') where(() => "s.state = 'active'")
  if (after && order === 'id') where((id) => `f.id > ${id}`, after.id)
  if (after && order === 'due') where((at, id) => `(s.due_at, s.feed_id) > (${at}, ${id})`, after.dueAt, after.id)
  if (state !== undefined) where((wanted) => `s.state = ${wanted}`, state)
  if (within) where((person) => isWithin(within.reach, 'f.id', `${person}::bigint`), within.personId)
  if (folder !== undefined && within)
    where(
      (person, wanted) =>
        `EXISTS (SELECT 1 FROM readings r WHERE r.person_id = ${person} AND r.feed_id = f.id AND r.folder = ${wanted})`,
      within.personId,
      folder,
    )
  else if (folder !== undefined) where((wanted) => `f.folder = ${wanted}`, folder)
  if (category !== undefined) where((wanted) => `coalesce(f.own_category, f.category, '') = ${wanted}`, category)
  if (name !== undefined) where((wanted) => `md5(f.name) = md5(${wanted})`, name)
  if (troubled) where(() => 's.trouble IS NOT NULL')
  if (text) where((part) => `strpos(f.haystack, ${part}) > 0`, text.toLowerCase())
  const sql = `${FEEDS_AND_SCHEDULES} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT $${values.push(atMost(limit))}`
  return { sql, values }
}
