/** Entries: which are known, in which order they are read, and what they said before. */

import type { EntryId, FeedId, Instant, KnownEntry } from '../../model/index.ts'
import type { EntryQuery, Store } from '../../ports/index.ts'
import { afterSql, beforeSql } from '../sql/by-date.ts'
import { isKept, isRepeated } from '../sql/conditions.ts'
import { type KnownRow, knownOf } from '../sql/known-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash, type VersionRow, versionOf } from '../sql/rows.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, byIds, inChunks, type SqliteSession, withinText } from './session.ts'

type EntryMethods = 'known' | 'entries' | 'entriesById' | 'feedsOfEntries' | 'versions' | 'everyEntry' | 'newestEntryId'

const IDS = 2000 // of entries that are found at once
const EVER: Instant = -Number.MAX_SAFE_INTEGER

export function entryQueries(session: SqliteSession): Pick<Store, EntryMethods> {
  const { db } = session
  const knownEntry = db.prepare<[FeedId, bigint], KnownRow>(
    "SELECT title, url, published_at, seen_at, typeof(extras) = 'null' AS bare, text_hash, changed_at FROM entries WHERE feed_id = ? AND key_hash = ?",
  )
  const isRemoved = db.prepare<[FeedId], 1>('SELECT 1 FROM removals WHERE feed_id = ?').pluck()
  const forgotten = db.prepare('SELECT 1 FROM forgotten WHERE feed_id = ? AND key_hash = ?')
  const byId = db.prepare<unknown[], EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value WHERE ${isKept('e')}`,
  )
  const feedOf = db.prepare<unknown[], { id: EntryId; feed_id: FeedId }>(
    `SELECT e.id, e.feed_id FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value WHERE ${isKept('e')}`,
  )
  const idsOfFeed = db.prepare<
    [{ feedId: FeedId; at: Instant; id: number; limit: number }],
    { order_at: Instant; order_id: EntryId }
  >(
    afterSql({
      columns: '1',
      from: 'entries e',
      at: 'sort_at',
      id: 'id',
      only: `feed_id = $feedId AND ${isKept('e')}`,
    }),
  )
  const newestId = db.prepare<[], EntryId>('SELECT coalesce(max(id), 0) FROM entries').pluck()
  const versions = db.prepare<[EntryId], VersionRow>(
    'SELECT title, url, until, body FROM entry_versions WHERE entry_id = ? ORDER BY place',
  )
  function known(feedId: FeedId, key: string): KnownEntry | undefined {
    const hash = keyHash(key)
    const row = knownEntry.get(feedId, hash)
    if (!row) return forgotten.get(feedId, hash) ? 'forgotten' : undefined
    return knownOf(row)
  }

  /** Of all that a feed said since then, beginning after an id, in their order. */
  async function idsOf(feedId: FeedId, since: Instant, after: EntryId): Promise<EntryId[]> {
    const ids: EntryId[] = []
    for (let from = { at: since, id: -1 }; ; ) {
      const rows = await session.read(() => idsOfFeed.all({ feedId, ...from, limit: IDS }))
      for (const { order_id: id } of rows) if (id > after) ids.push(id)
      const last = rows.at(-1)
      if (!last || rows.length < IDS) return Array.from(Float64Array.from(ids).sort()) as EntryId[]
      from = { at: last.order_at, id: last.order_id }
    }
  }

  return {
    known(questions) {
      return session.read(() =>
        questions.map(({ feedId, keys }) => {
          const answer = new Map<string, KnownEntry>()
          if (isRemoved.get(feedId)) return answer
          for (const key of keys) {
            const entry = known(feedId, key)
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

    async *everyEntry({ feedId, since = EVER, unique, after: begin = 0 as EntryId }) {
      const only = `AND ${isKept('e')}${unique ? ` AND NOT ${isRepeated(unique)}` : ''}`
      const from = `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE`
      const after = session.prepared<EntryRow>(`${from} id > ? ${only} ORDER BY id LIMIT ?`)
      const one = session.prepared<EntryRow>(`${from} id = ? ${only}`)
      const rows =
        feedId === undefined
          ? inChunks(
              session,
              (...bounds) => withinText(after.iterate(bounds)),
              (row) => row.id,
              begin,
            )
          : byIds(session, await idsOf(feedId, since, begin), (id) => one.get([id]))
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

/** One text for each combination of filters, so that few statements are prepared. */
function entriesSql({ feedId, since, unique, after, limit }: EntryQuery) {
  const conditions: string[] = [isKept('e')]
  if (feedId !== undefined) conditions.push('feed_id = $feedId')
  if (since !== undefined) conditions.push('sort_at >= $since')
  if (unique !== undefined) conditions.push(`NOT ${isRepeated(unique)}`)
  const only = conditions.join(' AND ')
  const values = {
    limit: bounded(limit),
    ...(feedId !== undefined && { feedId }),
    ...(since !== undefined && { since }),
    ...(after !== undefined && { at: after.at, id: after.id }),
  }
  const sql =
    after === undefined
      ? `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE ${only} ORDER BY sort_at DESC, id DESC LIMIT $limit`
      : beforeSql({ columns: ENTRY_COLUMNS, from: 'entries e', at: 'e.sort_at', id: 'e.id', only })
  return { sql, values }
}
