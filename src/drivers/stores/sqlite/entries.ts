/** Entries: which are known, in which order they are read, how they are forgotten, and the line for the search index. */

import type { EntryId, FeedId, Instant, KnownEntry } from '../../../model/index.ts'
import type { EntryQuery, Mark, Store } from '../../../ports/index.ts'
import { contentIfAny } from '../sql/article-rows.ts'
import { afterSql, beforeSql } from '../sql/by-date.ts'
import { isKept, isRepeated } from '../sql/conditions.ts'
import { type KnownRow, knownOf } from '../sql/known-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash, type VersionRow, versionOf } from '../sql/rows.ts'
import type { CountTally } from '../sql/tally.ts'
import type { ArticleWriter } from './article-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import type { ReadingCalls } from './reading-writer.ts'
import { rowsById, WANTED } from './rows-by-id.ts'
import { bounded, byIds, inChunks, type SqliteSession, withinText } from './session.ts'

type EntryMethods =
  | 'known'
  | 'entries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'
  | 'unindexed'
  | 'indexed'
  | 'forgetEntries'
  | 'forgetThese'

interface WaitingRow {
  place: Mark
  entry_id: EntryId
  /** Of the article's text, if there is one. */
  codec: number | null
  packed: Buffer | null
}

const IDS = 2000 // of entries that are found at once
const EVER: Instant = -Number.MAX_SAFE_INTEGER

export function entryQueries(
  session: SqliteSession,
  groups: GroupWriter,
  articles: ArticleWriter,
  readings: ReadingCalls,
): Pick<Store, EntryMethods> {
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
  const waiting = db.prepare<[number], EntryRow & WaitingRow>(
    `SELECT u.place, u.entry_id, ${ENTRY_COLUMNS}, t.codec, t.packed FROM unindexed u
     LEFT JOIN entries e ON e.id = u.entry_id AND ${isKept('e')} LEFT JOIN article_entries a ON a.entry_id = u.entry_id
     LEFT JOIN article_texts t ON t.article_id = a.article_id ORDER BY u.place LIMIT ?`,
  )
  const dealtWith = db.prepare('DELETE FROM unindexed WHERE place = ?')
  const oldest = db
    .prepare<[Instant, number], EntryId>(
      `SELECT id FROM entries e WHERE seen_at < ? AND ${isKept('e')}
       AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id) ORDER BY seen_at, id LIMIT ?`,
    )
    .pluck()
  const unstarred = db
    .prepare<unknown[], EntryId>(
      `SELECT e.id FROM ${WANTED} CROSS JOIN entries e ON e.id = w.value WHERE ${isKept('e')}
       AND NOT EXISTS (SELECT 1 FROM stars s WHERE s.entry_id = e.id)`,
    )
    .pluck()
  const keepKey = db.prepare('INSERT INTO forgotten SELECT feed_id, key_hash FROM entries WHERE id = ?')
  const forget = db.prepare('DELETE FROM entries WHERE id = ?')
  const forgetVersions = db.prepare('DELETE FROM entry_versions WHERE entry_id = ?')
  const versions = db.prepare<[EntryId], VersionRow>(
    'SELECT title, url, until, body FROM entry_versions WHERE entry_id = ? ORDER BY place',
  )
  const enqueue = db.prepare('INSERT OR REPLACE INTO unindexed (entry_id) VALUES (?)')

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

  function forgetNow(ids: EntryId[], tally: CountTally): void {
    readings.forget(ids)
    for (const id of ids) {
      keepKey.run(id)
      forget.run(id)
      articles.unlink(id, tally)
      forgetVersions.run(id)
      enqueue.run(id)
    }
    groups.remove(ids)
    tally.entries -= ids.length
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

    unindexed(limit) {
      return session.read(() => {
        const rows = withinText(waiting.iterate(bounded(limit)))
        const changes = rows.map((row) => {
          if (row.id === null) return { id: row.entry_id }
          const content = contentIfAny(row)
          const authors = content?.facts.authors
          const read = content && { text: content.text, ...(authors && { authors }) }
          return { id: row.entry_id, entry: entryOf(row), ...read }
        })
        return { marks: rows.map(({ place }) => place), changes }
      })
    },

    indexed(marks) {
      return session.write(() => {
        for (const mark of marks) dealtWith.run(mark)
      })
    },

    forgetEntries(before, limit) {
      return session.write((tally) => {
        const ids = oldest.all(before, bounded(limit))
        forgetNow(ids, tally)
        return ids.length
      })
    },

    forgetThese(ids) {
      return session.write((tally) => {
        const those = unstarred.all({ ids: JSON.stringify([...new Set(ids)]) })
        forgetNow(those, tally)
        return those.length
      })
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
