/** Feeds, listed and found; how they are changed stands in ../sql/feed-changes.ts. */
import { type FeedId, type FeedScope, type Instant, isInFolder, type ScheduledFeed } from '../../model/index.ts'
import { type FeedQuery, MOST_COUNTED, type Store } from '../../ports/index.ts'
import { afterSql } from '../sql/by-date.ts'
import { feedsWithinSql, isWithin } from '../sql/conditions.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from '../sql/rows.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, inChunks, type SqliteSession } from './session.ts'

type FeedMethods = 'entryCounts' | 'feedsById' | 'feeds' | 'feedIds' | 'everyFeed'

/** At once: some milliseconds. */
const LOOKED_AT = 5000
const LOOKED_AT_BY_DATE = 1000
/** Feeds that are named one by one. */
const FEW = 1000

export function feedQueries(session: SqliteSession): Pick<Store, FeedMethods> {
  const { db } = session
  const byId = db.prepare<unknown[], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM ${WANTED} CROSS JOIN feeds f ON f.id = w.value CROSS JOIN schedules s ON s.feed_id = f.id`,
  )
  const after = db.prepare<[number, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  )
  const nextFolder = db.prepare<[string], string | null>('SELECT min(folder) FROM feeds WHERE folder > ?').pluck()
  const inFolder = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE folder = ?').pluck()
  const last = db.prepare<[], FeedId | null>('SELECT max(id) FROM feeds').pluck()
  const withText = db.prepare<[string], FeedId>('SELECT id FROM feeds WHERE instr(haystack, ?) > 0 ORDER BY id').pluck()

  /** Folders are found one by one in their index, however many feeds each has. */
  function inFolders(named: string): FeedId[] {
    const ids: FeedId[] = []
    for (let folder = nextFolder.get(''); folder != null; folder = nextFolder.get(folder))
      if (isInFolder(folder, named)) for (const id of inFolder.iterate(folder)) ids.push(id)
    return Array.from(Float64Array.from(ids).sort()) as FeedId[]
  }

  const dueAfter = db.prepare<
    [{ at: Instant; id: FeedId; limit: number }],
    { feed_id: FeedId; order_at: Instant; order_id: FeedId }
  >(afterSql({ columns: 'feed_id', from: 'schedules', at: 'due_at', id: 'feed_id', only: "state = 'active'" }))

  /** The next of all feeds in their order, and where they end; that is absent where they are the last. */
  function pieceAfter(order: FeedQuery['order'], { id, dueAt: at }: FeedPlace): Piece {
    if (order === 'due') {
      const rows = dueAfter.all({ at, id, limit: LOOKED_AT_BY_DATE })
      const last = rows.length < LOOKED_AT_BY_DATE ? undefined : rows.at(-1)
      const ids = rows.map(({ feed_id }) => feed_id)
      return { ids, ...(last && { end: { id: last.order_id, dueAt: last.order_at } }) }
    }
    const to = (id + LOOKED_AT) as FeedId
    return { to, ...(to < (last.get() ?? 0) && { end: { id: to, dueAt: 0 } }) }
  }

  /** Where no index says which they are, all have to be looked at until there are enough. */
  async function sifted(query: FeedQuery): Promise<ScheduledFeed[]> {
    const found = new Map<FeedId, ScheduledFeed>()
    for (let after = query.after ?? FIRST; ; ) {
      const { end, rows } = await session.read(() => {
        const piece = pieceAfter(query.order, after)
        return { ...piece, rows: some({ ...query, after, limit: query.limit - found.size }, piece) }
      })
      for (const one of rows) found.set(one.feed.id, one) // one that is polled meanwhile comes again
      if (!end || found.size >= query.limit) return [...found.values()]
      after = end
    }
  }

  function some(query: FeedQuery, among?: Piece): ScheduledFeed[] {
    const { sql, values } = feedsSql(query, among)
    return session.prepared<FeedRow>(sql).all(values).map(feedOf)
  }

  /** What somebody sees, where that is little: those are looked at, and no others. */
  async function fewWithin({ personId: person, reach }: FeedScope): Promise<FeedId[] | undefined> {
    if (reach !== 'followed' && reach !== 'common') return undefined
    const names = { person: '$person', after: '$after', limit: '$limit' }
    const rows = session.prepared<{ id: FeedId }>(feedsWithinSql(reach, false, names))
    const ids = await session.read(() => rows.all({ person, after: 0, limit: FEW + 1 }).map(({ id }) => id))
    return ids.length > FEW ? undefined : ids
  }

  const entriesOf = db.prepare<unknown[], { id: FeedId; count: number }>(
    `SELECT w.value AS id, (SELECT count(*) FROM (SELECT 1 FROM entries WHERE feed_id = w.value LIMIT ${MOST_COUNTED})) AS count FROM ${WANTED}`,
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
      const ids = query.within && (await fewWithin(query.within))
      if (ids) return session.read(() => some(query, { ids, isWhole: true }))
      return isSifted(query) ? sifted(query) : session.read(() => some(query))
    },

    feedIds(named) {
      return session.read(() => ('text' in named ? withText.all(named.text.toLowerCase()) : inFolders(named.folder)))
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

type FeedPlace = NonNullable<FeedQuery['after']>

/** Some of all feeds: those up to one, or by their ids. */
interface Piece {
  to?: FeedId
  ids?: FeedId[]
  /** These are all that there are, in no order yet. */
  isWhole?: boolean
  end?: FeedPlace
}

const FIRST: FeedPlace = { id: 0 as FeedId, dueAt: -Number.MAX_SAFE_INTEGER }

function isSifted({ state, category, troubled, text, within }: FeedQuery): boolean {
  return state !== undefined || category !== undefined || troubled === true || Boolean(text) || within !== undefined
}

/** One text for each combination of filters, so that few statements are prepared. Of all, or among some. */
function feedsSql(
  { state, folder, category, name, troubled, text, within, order, after, limit }: FeedQuery,
  { to, ids, isWhole }: Piece = {},
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
  if (within) where(isWithin(within.reach, 'f.id', '?'), ...(within.reach === 'public' ? [0, 0] : [within.personId]))
  if (folder !== undefined && within)
    where(
      'EXISTS (SELECT 1 FROM readings r WHERE r.person_id = ? AND r.feed_id = f.id AND r.folder = ?)',
      within.personId,
      folder,
    )
  else if (folder !== undefined) where('f.folder = ?', folder)
  if (category !== undefined) where("coalesce(f.own_category, f.category, '') = ?", category)
  if (name !== undefined) where('f.name = ?', name)
  if (troubled) where('s.trouble IS NOT NULL')
  if (text) where('instr(f.haystack, ?) > 0', text.toLowerCase())
  const sql = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT ?`
  return { sql, values: [...values, bounded(limit)] }
}
