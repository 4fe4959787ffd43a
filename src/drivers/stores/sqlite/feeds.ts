/** Feeds: added, changed, found; how they are removed stands in removals.ts. */
import { type FeedId, isInFolder } from '../../../model/index.ts'
import { type FeedQuery, letOthers, MOST_COUNTED, type Store } from '../../../ports/index.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from '../sql/rows.ts'
import type { FeedWriter } from './feed-writer.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, inChunks, type SqliteSession } from './session.ts'

const PIECE = 20 // feeds that are counted between two turns of others

type FeedMethods =
  | 'entryCounts'
  | 'addFeeds'
  | 'feedsById'
  | 'feedAt'
  | 'changeFeed'
  | 'feeds'
  | 'feedIds'
  | 'everyFeed'

/** At once: some milliseconds. */
const LOOKED_AT = 5000

export function feedQueries(session: SqliteSession, writer: FeedWriter): Pick<Store, FeedMethods> {
  const { db } = session
  const byId = db.prepare<unknown[], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM ${WANTED} CROSS JOIN feeds f ON f.id = w.value CROSS JOIN schedules s ON s.feed_id = f.id`,
  )
  const after = db.prepare<[number, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  )
  const folders = db.prepare<[], string>('SELECT DISTINCT folder FROM feeds WHERE folder IS NOT NULL').pluck()
  const inFolder = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE folder = ?').pluck()
  const last = db.prepare<[], FeedId | null>('SELECT max(id) FROM feeds').pluck()
  const someWithText = db
    .prepare<[number, number, string], FeedId>(
      'SELECT id FROM feeds WHERE id > ? AND id <= ? AND instr(haystack, ?) > 0 ORDER BY id',
    )
    .pluck()

  /** All feeds have to be looked at, so some at a time. */
  async function withText(text: string): Promise<FeedId[]> {
    const found: FeedId[] = []
    const end = await session.read(() => last.get() ?? 0)
    for (let after = 0; after < end; after += LOOKED_AT) {
      found.push(...(await session.read(() => someWithText.all(after, after + LOOKED_AT, text))))
      await letOthers()
    }
    return found
  }

  const entriesOf = db
    .prepare<[FeedId, number], number>('SELECT count(*) FROM (SELECT 1 FROM entries WHERE feed_id = ? LIMIT ?)')
    .pluck()

  return {
    addFeeds(feeds) {
      return session.write((tally) => feeds.map((feed) => writer.add(feed, tally)))
    },

    feedsById(ids) {
      return session.read(() => {
        const rows = rowsById(byId, ({ id }) => id, ids)
        return ids.map((id) => {
          const row = rows.get(id)
          return row && feedOf(row)
        })
      })
    },

    async entryCounts(ids) {
      const counts: number[] = []
      for (const id of ids) {
        counts.push(await session.read(() => entriesOf.get(id, MOST_COUNTED) ?? 0))
        if (counts.length % PIECE === 0) await letOthers()
      }
      return counts
    },

    feedAt(url) {
      return session.read(() => writer.idOf(url))
    },

    changeFeed(id, change, schedule) {
      return session.write((tally) => {
        const there = change.url === undefined ? undefined : writer.idOf(change.url)
        if (there !== undefined && there !== id) return false
        return writer.change(id, change, schedule, tally)
      })
    },

    feeds(query) {
      return session.read(() => {
        const { sql, values } = feedsSql(query)
        return session.prepared<FeedRow>(sql).all(values).map(feedOf)
      })
    },

    async feedIds(named) {
      if ('text' in named) return withText(named.text.toLowerCase())
      return session.read(() => {
        const meant = folders.all().filter((folder) => isInFolder(folder, named.folder))
        return meant.flatMap((folder) => inFolder.all(folder)).sort((a, b) => a - b)
      })
    },

    async *everyFeed() {
      for await (const row of inChunks(
        session,
        (...bounds) => after.all(...bounds),
        (row) => row.id,
      ))
        yield feedOf(row)
    },
  }
}

/** One text for each combination of filters, so that few statements are prepared. */
function feedsSql({ state, folder, category, name, troubled, text, order, after, limit }: FeedQuery) {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: string, ...value: unknown[]) => {
    conditions.push(condition)
    values.push(...value)
  }
  if (order === 'due') where("s.state = 'active'")
  if (after && order === 'id') where('f.id > ?', after.id)
  if (after && order === 'due') where('(s.due_at, s.feed_id) > (?, ?)', after.dueAt, after.id)
  if (state !== undefined) where('s.state = ?', state)
  if (folder !== undefined) where('f.folder = ?', folder)
  if (category !== undefined) where("coalesce(f.own_category, f.category, '') = ?", category)
  if (name !== undefined) where('f.name = ?', name)
  if (troubled) where('s.trouble IS NOT NULL')
  if (text) where('instr(f.haystack, ?) > 0', text.toLowerCase())
  const sql = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT ?`
  return { sql, values: [...values, bounded(limit)] }
}
