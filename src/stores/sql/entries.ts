/** Reads of entries: by key, by id, in order of time, and earlier versions. */
import type { EntryId, FeedId, Instant, KnownEntry } from '../../model/index.ts'
import type { EntryQuery, Store } from '../../ports/index.ts'
import { withinTextLimit } from './chunks.ts'
import { isDuplicateSql, isNotRemovedSql } from './conditions.ts'
import type { EntryKeys } from './entry-keys.ts'
import { rowsBeforeSql } from './keyset-pagination.ts'
import { type KnownEntryRow, knownEntryOf } from './known-entry-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash, type VersionRow, versionOf } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost, inOrder } from './values.ts'

type EntryMethods =
  | 'knownEntries'
  | 'entries'
  | 'entriesById'
  | 'feedsOfEntries'
  | 'versions'
  | 'everyEntry'
  | 'newestEntryId'

const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER
const CHUNK_SIZE = 200 // entries that a scan reads at once

export function entryMethods({ dialect, ...session }: SqlSession, keys: EntryKeys): Pick<Store, EntryMethods> {
  /** From entry `e`, for the ids in list $1. */
  const ofIds = `FROM ${dialect.list('$1')} CROSS JOIN entries e WHERE e.id = w.value AND ${isNotRemovedSql('e')}`
  const known = `SELECT * FROM given g CROSS JOIN LATERAL (${keys.known}) AS k`

  /** All entries up to this id are committed, whichever process wrote them, so a reader that continues after it misses nothing. */
  async function settledId(): Promise<EntryId> {
    return (await session.row<{ id: EntryId }>(dialect.settledEntryId))!.id
  }

  return {
    async knownEntries(questions) {
      const lookups = questions.flatMap(({ feedId, keys }, question) => keys.map((key) => ({ question, feedId, key })))
      const answers = questions.map(() => new Map<string, KnownEntry>())
      const rows = await session.rowOfEach<KnownEntryRow>(
        known as `SELECT ${string}`,
        ['feed_id bigint', 'key_hash bigint'],
        lookups.map(({ feedId, key }) => [feedId, keyHash(key)]),
      )
      lookups.forEach(({ question, key }, i) => {
        const row = rows[i]
        if (row) answers[question]!.set(key, knownEntryOf(row))
      })
      return answers
    },

    async entries(query) {
      const { sql, values } = entriesSql(query)
      return (await session.rows<EntryRow>(sql, values)).map(entryOf)
    },

    async entriesById(ids) {
      const rows = await session.rows<EntryRow>(`SELECT ${ENTRY_COLUMNS} ${ofIds}`, [ids])
      return inOrder(ids, rows, (row) => row.id, entryOf)
    },

    async feedsOfEntries(ids) {
      const rows = await session.rows<{ id: EntryId; feed_id: FeedId }>(`SELECT e.id, e.feed_id ${ofIds}`, [ids])
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

    /** Finds the next ids first, so that a chunk of long texts takes fewer entries. */
    async *everyEntry({ feedId, since = MIN_INSTANT, unique, after = 0 as EntryId }) {
      const sizes = `SELECT e.id, coalesce(octet_length(e.content), 0) AS bytes FROM entries e
        WHERE e.id > $1 AND e.id <= $2 AND e.sort_at >= $3 ${feedId === undefined ? '' : 'AND e.feed_id = $4'}
        AND ${isNotRemovedSql('e')} ${unique ? `AND NOT ${isDuplicateSql(unique)}` : ''} ORDER BY e.id LIMIT ${CHUNK_SIZE}`
      for (let from = after; ; ) {
        const values = [from, await settledId(), since, ...(feedId === undefined ? [] : [feedId])]
        const sized = await session.rows<{ id: EntryId; bytes: number }>(sizes, values)
        if (sized.length === 0) return
        const ids = withinTextLimit(sized).map(({ id }) => id)
        for (const row of await session.rows<EntryRow>(`SELECT ${ENTRY_COLUMNS} ${ofIds} ORDER BY w.key`, [ids]))
          yield entryOf(row)
        from = ids.at(-1)!
      }
    },

    async newestEntryId() {
      const sql = 'SELECT coalesce(max(id), 0) AS id FROM entries WHERE id <= $1'
      return (await session.row<{ id: EntryId }>(sql, [await settledId()]))!.id
    },
  }
}

/** One SQL text per combination of filters, so that few statements are prepared. */
function entriesSql({ feedId, since, unique, after, limit }: EntryQuery) {
  const conditions = [isNotRemovedSql('e')]
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  if (feedId !== undefined) conditions.push(`e.feed_id = ${parameter(feedId)}`)
  if (since !== undefined) conditions.push(`e.sort_at >= ${parameter(since)}`)
  if (unique !== undefined) conditions.push(`NOT ${isDuplicateSql(unique)}`)
  const only = conditions.join(' AND ')
  const most = parameter(atMost(limit))
  if (after === undefined) {
    const sql = `SELECT ${ENTRY_COLUMNS} FROM entries e WHERE ${only} ORDER BY e.sort_at DESC, e.id DESC LIMIT ${most}`
    return { sql, values }
  }
  const parameters = [parameter(after.at), parameter(after.id), most] as const
  const order = { columns: ENTRY_COLUMNS, from: 'entries e', at: 'e.sort_at', id: 'e.id', only, parameters }
  return { sql: rowsBeforeSql(order), values }
}
