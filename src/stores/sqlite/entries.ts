/** Reads of entries: by key, by id, in order of time, and earlier versions. */
import type { EntryId, FeedId, Instant, KnownEntry } from '../../model/index.ts'
import type { EntryQuery, Store } from '../../ports/index.ts'
import { rowsInChunks } from '../sql/chunks.ts'
import { isDuplicateSql, isNotRemovedSql } from '../sql/conditions.ts'
import { rowsAfterSql, rowsBeforeSql } from '../sql/keyset-pagination.ts'
import { type KnownEntryRow, knownEntryOf } from '../sql/known-entry-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash, type VersionRow, versionOf } from '../sql/rows.ts'
import { ID_LIST, rowsById } from './rows-by-id.ts'
import { byIds, clampLimit, type SqliteSession, withinText } from './session.ts'

type EntryMethods =
  | 'knownEntries'
  | 'entries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'

const MAX_IDS = 2000 // of entries that are read at once
const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER

export function entryQueries(session: SqliteSession): Pick<Store, EntryMethods> {
  const { db } = session
  const knownEntry = db.prepare<[FeedId, bigint], KnownEntryRow>(
    "SELECT title, url, published_at, seen_at, typeof(extras) = 'null' AS bare, text_hash, changed_at FROM entries WHERE feed_id = ? AND key_hash = ?",
  )
  const isRemoved = db.prepare<[FeedId], 1>('SELECT 1 FROM removals WHERE feed_id = ?').pluck()
  const forgotten = db.prepare('SELECT 1 FROM forgotten WHERE feed_id = ? AND key_hash = ?')
  const byId = db.prepare<unknown[], EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM ${ID_LIST} CROSS JOIN entries e ON e.id = w.value WHERE ${isNotRemovedSql('e')}`,
  )
  const feedOf = db.prepare<unknown[], { id: EntryId; feed_id: FeedId }>(
    `SELECT e.id, e.feed_id FROM ${ID_LIST} CROSS JOIN entries e ON e.id = w.value WHERE ${isNotRemovedSql('e')}`,
  )
  const idsOfFeed = db.prepare<
    [{ feedId: FeedId; at: Instant; id: number; limit: number }],
    { order_at: Instant; order_id: EntryId }
  >(
    rowsAfterSql({
      columns: '1',
      from: 'entries e',
      at: 'sort_at',
      id: 'id',
      only: `feed_id = $feedId AND ${isNotRemovedSql('e')}`,
    }),
  )
  const newestId = db.prepare<[], EntryId>('SELECT coalesce(max(id), 0) FROM entries').pluck()
  const versions = db.prepare<[EntryId], VersionRow>(
    'SELECT title, url, until, body FROM entry_versions WHERE entry_id = ? ORDER BY place',
  )
  function findKnown(feedId: FeedId, key: string): KnownEntry | undefined {
    const hash = keyHash(key)
    const row = knownEntry.get(feedId, hash)
    if (!row) return forgotten.get(feedId, hash) ? 'forgotten' : undefined
    return knownEntryOf(row)
  }

  /** Ids of the entries of a feed since a date and after an id, in order. */
  async function idsOf(feedId: FeedId, since: Instant, after: EntryId): Promise<EntryId[]> {
    const ids: EntryId[] = []
    for (let from = { at: since, id: -1 }; ; ) {
      const rows = await session.read(() => idsOfFeed.all({ feedId, ...from, limit: MAX_IDS }))
      for (const { order_id: id } of rows) if (id > after) ids.push(id)
      const last = rows.at(-1)
      if (!last || rows.length < MAX_IDS) return Array.from(Float64Array.from(ids).sort()) as EntryId[]
      from = { at: last.order_at, id: last.order_id }
    }
  }

  return {
    knownEntries(questions) {
      return session.read(() =>
        questions.map(({ feedId, keys }) => {
          const answer = new Map<string, KnownEntry>()
          if (isRemoved.get(feedId)) return answer
          for (const key of keys) {
            const entry = findKnown(feedId, key)
            if (entry) answer.set(key, entry)
          }
          return answer
        }),
      )
    },

    async entries(query) {
      const { sql, values } = entriesSql(query)
      return session.read(() => session.prepared<EntryRow>(sql).all(values).map(entryOf))
    },

    async entriesById(ids) {
      const rows = await session.read(() => rowsById(byId, ({ id }) => id, ids))
      const found = new Map([...rows.values()].map((row) => [row.id, entryOf(row)]))
      return ids.map((id) => found.get(id))
    },

    versions(id) {
      return session.read(() => versions.all(id).map(versionOf))
    },

    async *everyEntry({ feedId, since = MIN_INSTANT, unique, after: begin = 0 as EntryId }) {
      const only = `AND ${isNotRemovedSql('e')}${unique ? ` AND NOT ${isDuplicateSql(unique)}` : ''}`
      const from = `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE`
      const after = session.prepared<EntryRow>(`${from} id > ? ${only} ORDER BY id LIMIT ?`)
      const byOneId = session.prepared<EntryRow>(`${from} id = ? ${only}`)
      const rows =
        feedId === undefined
          ? rowsInChunks(
              (...bounds) => session.read(() => withinText(after.iterate(bounds))),
              (row) => row.id,
              begin,
            )
          : byIds(session, await idsOf(feedId, since, begin), (id) => byOneId.get([id]))
      for await (const row of rows) if (row.sort_at >= since) yield entryOf(row)
    },

    feedsOfEntries(ids) {
      return session.read(() => {
        const found = rowsById(feedOf, ({ id }) => id, ids)
        return ids.map((id) => found.get(id)?.feed_id)
      })
    },

    newestEntryId() {
      return session.read(() => newestId.get()!)
    },
  }
}

/** One SQL text per combination of filters, so that few statements are prepared. */
function entriesSql({ feedId, since, unique, after, limit }: EntryQuery) {
  const conditions: string[] = [isNotRemovedSql('e')]
  if (feedId !== undefined) conditions.push('feed_id = $feedId')
  if (since !== undefined) conditions.push('sort_at >= $since')
  if (unique !== undefined) conditions.push(`NOT ${isDuplicateSql(unique)}`)
  const only = conditions.join(' AND ')
  const values = {
    limit: clampLimit(limit),
    ...(feedId !== undefined && { feedId }),
    ...(since !== undefined && { since }),
    ...(after !== undefined && { at: after.at, id: after.id }),
  }
  const sql =
    after === undefined
      ? `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE ${only} ORDER BY sort_at DESC, id DESC LIMIT $limit`
      : rowsBeforeSql({ columns: ENTRY_COLUMNS, from: 'entries e', at: 'e.sort_at', id: 'e.id', only })
  return { sql, values }
}
