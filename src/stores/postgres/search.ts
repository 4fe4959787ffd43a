/**
 * Full text in the store's own database. By date the newest hits are the first; by relevance the newest of many are weighed, and what
 * one is worth halves with its age.
 *
 * Two ways lead to the newest hits: back in time, entry by entry, until there are enough; and through the index of words, which finds all
 * entries that hold them, for somebody who sorts them. The first is good for words that are frequent, the second for those that are not;
 * PostgreSQL's own guess which is which was wrong by seconds. So the first is gone for a bounded number of entries. Who has not found enough
 * by then knows that there are few, and the second is short.
 *
 * No search takes longer than some seconds: whoever asks for what cannot be found in that time hears so.
 */
import { type EntryId, MINUTE } from '../../model/index.ts'
import {
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchOrder,
  type SearchQuery,
  StoreError,
  WORTH_HALVES_MS,
} from '../../ports/index.ts'
import { atMost } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { minuteOf, type SearchSql, searchSql } from './search-conditions.ts'
import { indexedWords } from './search-words.ts'
import type { PostgresSession } from './session.ts'

/** Of those that hold a word, the newest so many are weighed. */
const MOST_WEIGHED = 1000
/** So many entries are looked at, the newest first, before the index is asked; a few hundredths of a second. */
const LOOKED_AT = 10_000
/** So many the index may find: to fetch and to sort them takes as long. */
const MOST_FOUND = 10_000
const MOST_MS = 5000
/** Entries; each by itself would cost five times as much. */
const TIDIED_AT_ONCE = 1000
/** So many are put on two connections at once: while one takes words apart, the other takes them in. */
const WORTH_HALVING = 200

/** Of text, names and titles: D, C, B, A. */
const WEIGHTS = "'{0.25, 0.25, 0.25, 1}'"
/** A long text holds many words without being about them. */
const BY_LENGTH = 1

/** Logarithms of worth that a millisecond later is worth more. */
const LATER = Math.LN2 / WORTH_HALVES_MS

interface HitRow {
  entry_id: EntryId
  score: number
}

/** No search takes longer than `mostMs`; `lookedAt` entries are looked at before the index is asked. */
export function searchMethods(session: PostgresSession, mostMs = MOST_MS, lookedAt = LOOKED_AT): Search {
  let untidy = 0

  async function answered<Row>(sql: string, values: unknown[], way: Way): Promise<Row[]> {
    try {
      return await session.read(async (query) => {
        await query.rows(`SET LOCAL statement_timeout = ${mostMs}; SET LOCAL jit = off; ${WAYS[way]}`)
        return query.rows<Row>(sql, values)
      })
    } catch (error) {
      if (!tookTooLong(error)) throw error
      const message = `could not search ${session.name}: it took longer than ${mostMs / 1000} s`
      const hint = 'Ask for rarer words, or narrow it down, as by feed: or since:.'
      throw new StoreError('no-access', message, hint, { cause: error, isPassing: true })
    }
  }

  async function byDate(sql: SearchSql, limit: number, after: EntryId | undefined): Promise<SearchHit[]> {
    const { where, dates, rest, values } = sql
    const [most, last] = [`$${values.length + 1}`, `$${values.length + 2}`]
    const following =
      after === undefined
        ? 'true'
        : `(s.at, s.entry_id) < (SELECT l.at, l.entry_id FROM entry_search l WHERE l.entry_id = ${last})`
    const given = [...values, limit, ...(after === undefined ? [] : [after])]
    const find = async (from: string, way: Way) => {
      const found = `SELECT s.entry_id, (s.at / ${MINUTE})::double precision AS score ${from} ${NEWEST_FIRST} LIMIT ${most}`
      return (await answered<HitRow>(found, given, way)).map(hitOf)
    }
    const everything = `FROM entry_search s WHERE ${where} AND ${following}`
    if (!sql.isIndexed) return find(everything, 'any')
    const looked = newest(`${dates} AND ${following}`)
    const near = await find(`FROM (${looked}) AS s WHERE ${rest}`, 'any')
    if (near.length >= limit) return near
    const { isAll, areFew } = await beyond(sql, looked, given, near.length)
    return isAll ? near : find(everything, areFew ? 'index' : 'walk')
  }

  async function byWorth(
    sql: SearchSql,
    weighedBy: string,
    limit: number,
    after: EntryId | undefined,
  ): Promise<SearchHit[]> {
    const { where, dates, rest, values } = sql
    const [by, most, last] = [1, 2, 3].map((n) => `$${values.length + n}`)
    const following =
      after === undefined
        ? ''
        : `WHERE (score, at, entry_id) < (SELECT score, at, entry_id FROM scored WHERE entry_id = ${last})`
    const given = [...values, weighedBy, limit, ...(after === undefined ? [] : [after])]
    const weigh = async (from: string, way: Way) => {
      const rows = await answered<{ found: number; entry_id: EntryId | null; score: number }>(
        `WITH hits AS MATERIALIZED (SELECT s.entry_id, s.at ${from} ${NEWEST_FIRST} LIMIT ${MOST_WEIGHED}),
         scored AS MATERIALIZED (
           SELECT entry_id, at,
             ln(greatest(ts_rank(${WEIGHTS}, words, ${by}::tsquery, ${BY_LENGTH}), 1e-6)) + at * ${LATER} AS score
           FROM entry_search WHERE entry_id = ANY (ARRAY(SELECT entry_id FROM hits))
         ),
         best AS (SELECT * FROM scored ${following} ORDER BY score DESC, at DESC, entry_id DESC LIMIT ${most})
         SELECT found, entry_id, score FROM (SELECT count(*) AS found FROM hits) AS all_of_them LEFT JOIN best ON true
         ORDER BY score DESC, at DESC, entry_id DESC`,
        given,
        way,
      )
      const hits = rows.flatMap(({ entry_id: id, score }) => (id === null ? [] : [{ id, score }]))
      return { found: rows[0]?.found ?? 0, hits }
    }
    const everything = `FROM entry_search s WHERE ${where}`
    if (!sql.isIndexed) return (await weigh(everything, 'any')).hits
    const looked = newest(dates)
    const near = await weigh(`FROM (${looked}) AS s WHERE ${rest}`, 'any')
    if (near.found >= MOST_WEIGHED) return near.hits
    const { isAll, areFew } = await beyond(sql, looked, values, near.found)
    return isAll || !areFew ? near.hits : (await weigh(everything, 'index')).hits
  }

  /**
   * What there is beyond the entries that were looked at, of which so many are hits: whether anything, and whether the index would find no
   * more than can be sorted, as far as those tell.
   */
  async function beyond({ words }: SearchSql, looked: string, values: unknown[], hits: number) {
    const [seen] = await answered<{ looked: number; held: number; stored: number }>(
      `SELECT (SELECT count(*) FROM (${looked}) AS s) AS looked,
       ${words ? `(SELECT count(*) FROM (${looked}) AS s WHERE ${words})` : `${hits}::bigint`} AS held,
       (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'entry_search'::regclass) AS stored,
       num_nulls(${values.map((_, i) => `$${i + 1}::text`).join(', ')}) AS unused`,
      values,
      'any',
    )
    const { looked: count = 0, held = 0, stored = 0 } = seen ?? {}
    return { isAll: count < lookedAt, areFew: held * Math.max(1, stored / lookedAt) <= MOST_FOUND }
  }

  function newest(dates: string): string {
    return `SELECT s.* FROM entry_search s WHERE ${dates} ${NEWEST_FIRST} LIMIT ${lookedAt}`
  }

  async function putTogether(documents: SearchDocument[]): Promise<void> {
    if (documents.length === 0) return
    const columns = ['entry_id bigint', 'feed_id bigint', 'at bigint', 'words text', 'said text', 'names text'] as const
    const rows = manyRows('d', columns, documents.map(rowOf))
    await session.write((tx) =>
      tx.run(
        `INSERT INTO entry_search (entry_id, feed_id, at, words, said, names)
         SELECT entry_id, feed_id, at, words::tsvector, said, names FROM ${rows.sql} ORDER BY entry_id
         ON CONFLICT (entry_id) DO UPDATE SET feed_id = excluded.feed_id, at = excluded.at, words = excluded.words,
         said = excluded.said, names = excluded.names`,
        rows.values,
      ),
    )
  }

  return {
    async put(documents) {
      const all = [...new Map(documents.map((document) => [document.id, document])).values()]
      untidy += all.length
      const half = all.length < WORTH_HALVING ? all.length : Math.ceil(all.length / 2)
      await Promise.all([all.slice(0, half), all.slice(half)].map(putTogether))
    },

    async drop(ids) {
      await session.write((tx) => tx.run('DELETE FROM entry_search WHERE entry_id = ANY ($1::bigint[])', [ids]))
    },

    /** The index takes new words together, and whoever searches reads through those that it has not taken yet. */
    async tidy() {
      if (untidy < TIDIED_AT_ONCE) return false
      untidy = 0
      await session.write((tx) => tx.rows("SELECT gin_clean_pending_list('entry_search_words')"))
      return false
    },

    async find(query: SearchQuery, limit: number, { order = 'relevance', after }: SearchOrder = {}) {
      const sql = searchSql(query)
      if (!sql) return []
      return order === 'date' || sql.weighedBy === undefined
        ? byDate(sql, atMost(limit), after)
        : byWorth(sql, sql.weighedBy, atMost(limit), after)
    },
  }
}

type Way = 'any' | 'index' | 'walk'

/** Which way is gone. An index of words is read as a bitmap only; one of dates, in order. */
const WAYS: Record<Way, string> = {
  any: '',
  index: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off',
  walk: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off',
}

const NEWEST_FIRST = 'ORDER BY s.at DESC, s.entry_id DESC'

function hitOf({ entry_id: id, score }: HitRow): SearchHit {
  return { id, score }
}

function rowOf(document: SearchDocument): unknown[] {
  const { words, said, names } = indexedWords(document)
  return [document.id, document.feedId, minuteOf(document.at), words, said, names]
}

function tookTooLong(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === '57014'
}
