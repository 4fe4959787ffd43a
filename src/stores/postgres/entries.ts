/** Reads of entries: by key, by id, in order of time, and earlier versions. */
import type { EntryId, FeedId, Instant, KnownEntry } from '../../model/index.ts'
import type { EntryQuery, Store } from '../../ports/index.ts'
import { rowsInChunks } from '../sql/chunks.ts'
import { isDuplicateSql, isNotRemovedSql } from '../sql/conditions.ts'
import { type KnownEntryRow, knownEntryOf } from '../sql/known-entry-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash, type VersionRow, versionOf } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession } from './session.ts'

type EntryMethods =
  | 'knownEntries'
  | 'entries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'

/** The title is null if the entry was deleted by age. */
type FoundRow = { n: number } & (KnownEntryRow | { title: null })

const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER
const CHUNK_SIZE = 200

export function entryMethods(session: PostgresSession): Pick<Store, EntryMethods> {
  return {
    async knownEntries(questions) {
      const lookups = questions.flatMap(({ feedId, keys }, question) => keys.map((key) => ({ question, feedId, key })))
      const answers = questions.map(() => new Map<string, KnownEntry>())
      if (lookups.length === 0) return answers
      const { sql, values } = manyRows(
        'g',
        ['feed_id bigint', 'key_hash bigint'],
        lookups.map(({ feedId, key }) => [feedId, keyHash(key)]),
      )
      const rows = await session.rows<FoundRow>(
        `SELECT g.n, e.title, e.url, e.published_at, e.seen_at, e.extras IS NULL AS bare, e.text_hash, e.changed_at FROM ${sql}
         JOIN entry_keys k ON k.feed_id = g.feed_id AND k.key_hash = g.key_hash
         LEFT JOIN entries e ON e.id = k.entry_id WHERE ${isNotRemovedSql('g')}`,
        values,
      )
      const byPlace = new Map(rows.map((row) => [row.n, row]))
      lookups.forEach(({ question, key }, i) => {
        const row = byPlace.get(i + 1)
        if (row) answers[question]!.set(key, row.title === null ? 'forgotten' : knownEntryOf(row))
      })
      return answers
    },

    async entries(query) {
      const { sql, values } = entriesSql(query)
      return (await session.rows<EntryRow>(sql, values)).map(entryOf)
    },

    async entriesById(ids) {
      const rows = await session.rows<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE id = ANY ($1::bigint[]) AND ${isNotRemovedSql('e')}`,
        [ids],
      )
      return inOrder(ids, rows, (row) => row.id, entryOf)
    },

    async feedsOfEntries(ids) {
      const rows = await session.rows<{ id: EntryId; feed_id: FeedId }>(
        `SELECT e.id, e.feed_id FROM entries e WHERE e.id = ANY ($1::bigint[]) AND ${isNotRemovedSql('e')}`,
        [ids],
      )
      return inOrder(
        ids,
        rows,
        (row) => row.id,
        (row) => row.feed_id,
      )
    },

    async versions(id) {
      const rows = await session.rows<VersionRow>(
        'SELECT title, url, until, body FROM entry_versions WHERE entry_id = $1 ORDER BY place',
        [id],
      )
      return rows.map(versionOf)
    },

    async *everyEntry({ feedId, since = MIN_INSTANT, unique, after: begin = 0 as EntryId }) {
      const only = `AND ${isNotRemovedSql('e')}${unique ? ` AND NOT ${isDuplicateSql(unique)}` : ''}`
      if (feedId !== undefined) {
        for await (const row of ofFeed(feedId, since, begin, only)) yield entryOf(row)
        return
      }
      const fetchChunk = async (after: number, limit: number) => {
        const end = await settledId()
        return session.rows<EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE id > $1 AND id <= $3 AND sort_at >= $4 ${only} ORDER BY id LIMIT $2`,
          [after, limit, end, since],
        )
      }
      for await (const row of rowsInChunks(fetchChunk, (row) => row.id, begin)) yield entryOf(row)
    },

    async newestEntryId() {
      const end = await settledId()
      const [row] = await session.rows<{ id: EntryId }>(
        'SELECT coalesce(max(id), 0) AS id FROM entries WHERE id <= $1',
        [end],
      )
      return row!.id
    },
  }

  /** All entries up to this id are committed, whichever process wrote them, so a reader that continues after it misses nothing. */
  async function settledId(): Promise<EntryId> {
    const [row] = await session.rows<{ id: EntryId }>('SELECT settled_entry_id() AS id')
    return row!.id
  }

  /** Collects the ids first: an index has them in order of time. */
  async function* ofFeed(feedId: FeedId, since: Instant, after: EntryId, only: string): AsyncGenerator<EntryRow> {
    const end = await settledId()
    const ids = await session.rows<{ id: EntryId }>(
      `SELECT id FROM entries e WHERE feed_id = $1 AND sort_at >= $2 AND id > $3 AND id <= $4 ${only} ORDER BY id`,
      [feedId, since, after, end],
    )
    for (let i = 0; i < ids.length; i += CHUNK_SIZE) {
      yield* await session.rows<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE id = ANY ($1::bigint[]) ${only} ORDER BY id`,
        [ids.slice(i, i + CHUNK_SIZE).map(({ id }) => id)],
      )
    }
  }
}

function entriesSql({ feedId, since, unique, after, limit }: EntryQuery) {
  const conditions = [isNotRemovedSql('e')]
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  if (feedId !== undefined) conditions.push(`e.feed_id = ${place(feedId)}`)
  if (since !== undefined) conditions.push(`e.sort_at >= ${place(since)}`)
  if (after !== undefined) conditions.push(`(e.sort_at, e.id) < (${place(after.at)}, ${place(after.id)})`)
  if (unique !== undefined) conditions.push(`NOT ${isDuplicateSql(unique)}`)
  const sql = `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE ${conditions.join(' AND ')}
    ORDER BY e.sort_at DESC, e.id DESC LIMIT ${place(atMost(limit))}`
  return { sql, values }
}
