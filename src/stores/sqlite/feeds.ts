/** Lists and searches feeds. Changes to feeds are in ../sql/feed-changes.ts. */
import { type FeedId, type FeedScope, type Instant, isInFolder, type ScheduledFeed } from '../../model/index.ts'
import { type FeedQuery, MAX_COUNTED_ENTRIES, type Store } from '../../ports/index.ts'
import { rowsInChunks } from '../sql/chunks.ts'
import { feedsInReachSql, isFeedInReachSql } from '../sql/conditions.ts'
import { rowsAfterSql } from '../sql/keyset-pagination.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from '../sql/rows.ts'
import { ID_LIST, rowsById } from './rows-by-id.ts'
import { clampLimit, type SqliteSession } from './session.ts'

type FeedMethods = 'entryCounts' | 'feedsById' | 'feeds' | 'feedIds' | 'everyFeed'

/** Feeds that are scanned at once: some milliseconds. */
const CHUNK_SIZE = 5000
const DUE_CHUNK_SIZE = 1000
/** Up to this many feeds are read by id. */
const MAX_LISTED_FEEDS = 1000

export function feedQueries(session: SqliteSession): Pick<Store, FeedMethods> {
  const { db } = session
  const byId = db.prepare<unknown[], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM ${ID_LIST} CROSS JOIN feeds f ON f.id = w.value CROSS JOIN schedules s ON s.feed_id = f.id`,
  )
  const after = db.prepare<[number, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  )
  const nextFolder = db.prepare<[string], string | null>('SELECT min(folder) FROM feeds WHERE folder > ?').pluck()
  const inFolder = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE folder = ?').pluck()
  const last = db.prepare<[], FeedId | null>('SELECT max(id) FROM feeds').pluck()
  const withText = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE instr(haystack, ?) > 0 ORDER BY id').pluck()

  /** Finds folders one by one in their index, however many feeds each has. */
  function inFolders(query: string): FeedId[] {
    const ids: FeedId[] = []
    for (let folder = nextFolder.get(''); folder != null; folder = nextFolder.get(folder))
      if (isInFolder(folder, query)) for (const id of inFolder.iterate(folder)) ids.push(id)
    return Array.from(Float64Array.from(ids).sort()) as FeedId[]
  }

  const dueAfter = db.prepare<
    [{ at: Instant; id: FeedId; limit: number }],
    { feed_id: FeedId; order_at: Instant; order_id: FeedId }
  >(rowsAfterSql({ columns: 'feed_id', from: 'schedules', at: 'due_at', id: 'feed_id', only: "state = 'active'" }))

  /** The next feeds in order, and the position of the last of them, which is absent at the end. */
  function nextFeedChunk(order: FeedQuery['order'], { id, dueAt: at }: FeedPosition): FeedChunk {
    if (order === 'due') {
      const rows = dueAfter.all({ at, id, limit: DUE_CHUNK_SIZE })
      const last = rows.length < DUE_CHUNK_SIZE ? undefined : rows.at(-1)
      const ids = rows.map(({ feed_id }) => feed_id)
      return { ids, ...(last && { end: { id: last.order_id, dueAt: last.order_at } }) }
    }
    const to = (id + CHUNK_SIZE) as FeedId
    return { to, ...(to < (last.get() ?? 0) && { end: { id: to, dueAt: 0 } }) }
  }

  /** For filters without an index: scans feeds until enough match. */
  async function scanFeeds(query: FeedQuery): Promise<ScheduledFeed[]> {
    const found = new Map<FeedId, ScheduledFeed>()
    for (let after = query.after ?? FIRST; ; ) {
      const { end, rows } = await session.read(() => {
        const chunk = nextFeedChunk(query.order, after)
        return { ...chunk, rows: selectFeeds({ ...query, after, limit: query.limit - found.size }, chunk) }
      })
      for (const feed of rows) found.set(feed.feed.id, feed) // a feed that is polled meanwhile may come twice
      if (!end || found.size >= query.limit) return [...found.values()]
      after = end
    }
  }

  function selectFeeds(query: FeedQuery, chunk?: FeedChunk): ScheduledFeed[] {
    const { sql, values } = feedsSql(query, chunk)
    return session.prepared<FeedRow>(sql).all(values).map(feedOf)
  }

  /** The feeds that a user sees, if they are few: then only these are read. */
  async function visibleFeedIds({ userId, reach }: FeedScope): Promise<FeedId[] | undefined> {
    if (reach !== 'followed' && reach !== 'common') return undefined
    const names = { user: '$user', after: '$after', limit: '$limit' }
    const rows = session.prepared<{ id: FeedId }>(feedsInReachSql(reach, false, names))
    const ids = await session.read(() =>
      rows.all({ user: userId, after: 0, limit: MAX_LISTED_FEEDS + 1 }).map(({ id }) => id),
    )
    return ids.length > MAX_LISTED_FEEDS ? undefined : ids
  }

  const entriesOf = db.prepare<unknown[], { id: FeedId; count: number }>(
    `SELECT w.value AS id, (SELECT count(*) FROM (SELECT 1 FROM entries WHERE feed_id = w.value LIMIT ${MAX_COUNTED_ENTRIES})) AS count FROM ${ID_LIST}`,
  )

  return {
    feedsById(ids) {
      return session.read(() => {
        const rows = rowsById(byId, ({ id }) => id, ids)
        return ids.map((id) => {
          const row = rows.get(id)
          return row && feedOf(row)
        })
      })
    },

    entryCounts(ids) {
      return session.read(() => {
        const rows = rowsById(entriesOf, ({ id }) => id, ids)
        return ids.map((id) => rows.get(id)?.count ?? 0)
      })
    },

    async feeds(query) {
      const ids = query.within && (await visibleFeedIds(query.within))
      if (ids) return session.read(() => selectFeeds(query, { ids, isWhole: true }))
      return needsScan(query) ? scanFeeds(query) : session.read(() => selectFeeds(query))
    },

    feedIds(query) {
      return session.read(() => ('text' in query ? withText.all(query.text.toLowerCase()) : inFolders(query.folder)))
    },

    async *everyFeed() {
      for await (const row of rowsInChunks(
        (...bounds) => session.read(() => after.all(...bounds)),
        (row) => row.id,
      ))
        yield feedOf(row)
    },
  }
}

type FeedPosition = NonNullable<FeedQuery['after']>

/** A part of all feeds: up to an id, or by their ids. */
interface FeedChunk {
  to?: FeedId
  ids?: FeedId[]
  /** `ids` are all candidates, in no order. */
  isWhole?: boolean
  end?: FeedPosition
}

const FIRST: FeedPosition = { id: 0 as FeedId, dueAt: -Number.MAX_SAFE_INTEGER }

function needsScan({ state, category, failing, text, within }: FeedQuery): boolean {
  return state !== undefined || category !== undefined || failing === true || Boolean(text) || within !== undefined
}

/** One SQL text per combination of filters, so that few statements are prepared. */
function feedsSql(
  { state, folder, category, name, failing, text, within, order, after, limit }: FeedQuery,
  { to, ids, isWhole }: FeedChunk = {},
) {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: string, ...value: unknown[]) => {
    conditions.push(condition)
    values.push(...value)
  }
  if (order === 'due') where("s.state = 'active'")
  if (after && order === 'id') where('f.id > ?', after.id)
  if (after && order === 'due' && (!ids || isWhole)) where('(s.due_at, s.feed_id) > (?, ?)', after.dueAt, after.id)
  if (to !== undefined) where('f.id <= ?', to)
  if (ids) where('f.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  if (state !== undefined) where('s.state = ?', state)
  if (within)
    where(isFeedInReachSql(within.reach, 'f.id', '?'), ...(within.reach === 'public' ? [0, 0] : [within.userId]))
  if (folder !== undefined && within)
    where(
      'EXISTS (SELECT 1 FROM subscriptions r WHERE r.user_id = ? AND r.feed_id = f.id AND r.folder = ?)',
      within.userId,
      folder,
    )
  else if (folder !== undefined) where('f.folder = ?', folder)
  if (category !== undefined) where("coalesce(f.own_category, f.category, '') = ?", category)
  if (name !== undefined) where('f.name = ?', name)
  if (failing) where('s.trouble IS NOT NULL')
  if (text) where('instr(f.haystack, ?) > 0', text.toLowerCase())
  const sql = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT ?`
  return { sql, values: [...values, clampLimit(limit)] }
}
