/**
 * Full-text search in the store's database. By date, the newest hits come first. By relevance, the newest of many hits are ranked, and
 * scores halve with age.
 *
 * There are two ways to find the newest hits: scan entries back in time until there are enough, or read the index of words, which returns
 * all matching entries, and sort them. The first is fast for frequent words, the second for rare ones. PostgreSQL's own choice was wrong by
 * seconds. So a bounded number of entries is scanned first. If they contain too few hits, the words are rare, and the index is fast.
 *
 * Searches that take longer than some seconds fail with a hint.
 */
import { type EntryId, MINUTE } from '../../model/index.ts'
import {
  FORM_WEIGHT,
  RELEVANCE_HALF_LIFE_MS,
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchOrder,
  type SearchQuery,
  StoreError,
} from '../../ports/index.ts'
import { atMost } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { minuteOf, type SearchSql, searchSql } from './search-conditions.ts'
import { createIndexedLanguages } from './search-languages.ts'
import { indexedWords } from './search-words.ts'
import type { PostgresSession } from './session.ts'

/** Most hits that are ranked, newest first. */
const MAX_RANKED = 1000
/** Entries that are scanned, newest first, before the index is used: some tens of milliseconds. */
const MAX_SCANNED = 10_000
/** Most hits from the index: fetching and sorting them takes as long as the scan. */
const MAX_SORTED = 10_000
const MAX_SEARCH_MS = 5000
/** Tidy after this many entries: after each entry it would cost five times as much. */
const TIDY_BATCH = 1000
/** Larger batches are written on two connections: while one prepares words, the server processes the other. */
const MIN_TO_SPLIT = 200

/** Weights D, C, B and A: text, unused, names, title. */
const WEIGHTS = "'{0.25, 0.25, 0.25, 1}'"
/** Normalizes ranks by length: a long text contains many words without being about them. */
const BY_LENGTH = 1

/** Increase of the logarithmic score per millisecond. */
const SCORE_PER_MS = Math.LN2 / RELEVANCE_HALF_LIFE_MS

interface HitRow {
  entry_id: EntryId
  score: number
}

/** Searches time out after `maxMs`. `maxScanned` entries are scanned before the index is used. */
export function searchMethods(session: PostgresSession, maxMs = MAX_SEARCH_MS, maxScanned = MAX_SCANNED): Search {
  let untidyCount = 0
  const languages = createIndexedLanguages((sql, values) => query(sql, values, 'any'))

  async function query<Row>(sql: string, values: unknown[], plan: Plan): Promise<Row[]> {
    try {
      return await session.read(async (query) => {
        await query.rows(`SET LOCAL statement_timeout = ${maxMs}; SET LOCAL jit = off; ${PLAN_SETTINGS[plan]}`)
        return query.rows<Row>(sql, values)
      })
    } catch (error) {
      if (!isTimeout(error)) throw error
      const message = `could not search ${session.name}: it took longer than ${maxMs / 1000} s`
      const hint = 'Search for rarer words, or add a filter such as feed: or since:.'
      throw new StoreError('no-access', message, hint, { cause: error, isTransient: true })
    }
  }

  async function findByDate(sql: SearchSql, limit: number, after: EntryId | undefined): Promise<SearchHit[]> {
    const { where, dates, rest, values } = sql
    const [limitParameter, last] = [`$${values.length + 1}`, `$${values.length + 2}`]
    const afterCondition =
      after === undefined
        ? 'true'
        : `(s.at, s.entry_id) < (SELECT l.at, l.entry_id FROM entry_search l WHERE l.entry_id = ${last})`
    const parameters = [...values, limit, ...(after === undefined ? [] : [after])]
    const find = async (from: string, plan: Plan) => {
      const found = `SELECT s.entry_id, (s.at / ${MINUTE})::double precision AS score ${from} ${NEWEST_FIRST} LIMIT ${limitParameter}`
      return (await query<HitRow>(found, parameters, plan)).map(hitOf)
    }
    const allEntries = `FROM entry_search s WHERE ${where} AND ${afterCondition}`
    if (!sql.isIndexed) return find(allEntries, 'any')
    const scannedSql = newestEntriesSql(`${dates} AND ${afterCondition}`)
    const scanned = await find(`FROM (${scannedSql}) AS s WHERE ${rest}`, 'any')
    if (scanned.length >= limit) return scanned
    const { isAll, areFew } = await estimateBeyond(sql, scannedSql, parameters, scanned.length)
    return isAll ? scanned : find(allEntries, areFew ? 'index' : 'walk')
  }

  async function findByRelevance(
    sql: SearchSql,
    { weighedBy, formsWeighedBy }: { weighedBy: string; formsWeighedBy: string | undefined },
    limit: number,
    after: EntryId | undefined,
  ): Promise<SearchHit[]> {
    const { where, dates, rest, values } = sql
    const [rankParameter, formsParameter, limitParameter, last] = [1, 2, 3, 4].map((n) => `$${values.length + n}`)
    const rankBy = (parameter: string) => `ts_rank(${WEIGHTS}, words, ${parameter}::tsquery, ${BY_LENGTH})`
    const afterCondition =
      after === undefined
        ? ''
        : `WHERE (score, at, entry_id) < (SELECT score, at, entry_id FROM scored WHERE entry_id = ${last})`
    const parameters = [...values, weighedBy, formsWeighedBy ?? '', limit, ...(after === undefined ? [] : [after])]
    const rank = async (from: string, plan: Plan) => {
      const rows = await query<{ found: number; entry_id: EntryId | null; score: number }>(
        `WITH hits AS MATERIALIZED (SELECT s.entry_id, s.at ${from} ${NEWEST_FIRST} LIMIT ${MAX_RANKED}),
         scored AS MATERIALIZED (
           SELECT entry_id, at,
             ln(greatest(${rankBy(rankParameter!)} + ${FORM_WEIGHT} * ${rankBy(formsParameter!)}, 1e-6)) + at * ${SCORE_PER_MS} AS score
           FROM entry_search WHERE entry_id = ANY (ARRAY(SELECT entry_id FROM hits))
         ),
         best AS (SELECT * FROM scored ${afterCondition} ORDER BY score DESC, at DESC, entry_id DESC LIMIT ${limitParameter})
         SELECT found, entry_id, score FROM (SELECT count(*) AS found FROM hits) AS all_of_them LEFT JOIN best ON true
         ORDER BY score DESC, at DESC, entry_id DESC`,
        parameters,
        plan,
      )
      const hits = rows.flatMap(({ entry_id: id, score }) => (id === null ? [] : [{ id, score }]))
      return { found: rows[0]?.found ?? 0, hits }
    }
    const allEntries = `FROM entry_search s WHERE ${where}`
    if (!sql.isIndexed) return (await rank(allEntries, 'any')).hits
    const scannedSql = newestEntriesSql(dates)
    const scanned = await rank(`FROM (${scannedSql}) AS s WHERE ${rest}`, 'any')
    if (scanned.found >= MAX_RANKED) return scanned.hits
    const { isAll, areFew } = await estimateBeyond(sql, scannedSql, values, scanned.found)
    return isAll || !areFew ? scanned.hits : (await rank(allEntries, 'index')).hits
  }

  /** Whether there are entries beyond the scanned ones, and an estimate, by their `hits`, whether the index finds few enough to sort. */
  async function estimateBeyond({ words }: SearchSql, scannedSql: string, values: unknown[], hits: number) {
    const [counts] = await query<{ scanned: number; matching: number; stored: number }>(
      `SELECT (SELECT count(*) FROM (${scannedSql}) AS s) AS scanned,
       ${words ? `(SELECT count(*) FROM (${scannedSql}) AS s WHERE ${words})` : `${hits}::bigint`} AS matching,
       (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'entry_search'::regclass) AS stored,
       num_nulls(${values.map((_, i) => `$${i + 1}::text`).join(', ')}) AS unused`,
      values,
      'any',
    )
    const { scanned: count = 0, matching = 0, stored = 0 } = counts ?? {}
    return { isAll: count < maxScanned, areFew: matching * Math.max(1, stored / maxScanned) <= MAX_SORTED }
  }

  function newestEntriesSql(dates: string): string {
    return `SELECT s.* FROM entry_search s WHERE ${dates} ${NEWEST_FIRST} LIMIT ${maxScanned}`
  }

  async function insertDocuments(documents: SearchDocument[]): Promise<void> {
    if (documents.length === 0) return
    const columns = [
      'entry_id bigint',
      'feed_id bigint',
      'at bigint',
      'words text',
      'phrase_text text',
      'names text',
    ] as const
    const rows = manyRows('d', columns, documents.map(rowOf))
    await session.write((tx) =>
      tx.run(
        `INSERT INTO entry_search (entry_id, feed_id, at, words, phrase_text, names)
         SELECT entry_id, feed_id, at, words::tsvector, phrase_text, names FROM ${rows.sql} ORDER BY entry_id
         ON CONFLICT (entry_id) DO UPDATE SET feed_id = excluded.feed_id, at = excluded.at, words = excluded.words,
         phrase_text = excluded.phrase_text, names = excluded.names`,
        rows.values,
      ),
    )
  }

  return {
    async put(documents) {
      const all = [...new Map(documents.map((document) => [document.id, document])).values()]
      untidyCount += all.length
      languages.forget()
      const half = all.length < MIN_TO_SPLIT ? all.length : Math.ceil(all.length / 2)
      await Promise.all([all.slice(0, half), all.slice(half)].map(insertDocuments))
    },

    async drop(ids) {
      await session.write((tx) => tx.run('DELETE FROM entry_search WHERE entry_id = ANY ($1::bigint[])', [ids]))
    },

    /** Merges the pending list of the GIN index, which every search has to scan. */
    async tidy() {
      if (untidyCount < TIDY_BATCH) return false
      untidyCount = 0
      await session.write((tx) => tx.rows("SELECT gin_clean_pending_list('entry_search_words')"))
      return false
    },

    async find(query: SearchQuery, limit: number, { order = 'relevance', after }: SearchOrder = {}) {
      const sql = searchSql(query, hasInflected(query) ? await languages.all() : [])
      if (!sql) return []
      const { weighedBy, formsWeighedBy } = sql
      return order === 'date' || weighedBy === undefined
        ? findByDate(sql, atMost(limit), after)
        : findByRelevance(sql, { weighedBy, formsWeighedBy }, atMost(limit), after)
    },
  }
}

function hasInflected({ all }: SearchQuery): boolean {
  return all.some((clause) => clause.some((term) => term.kind === 'words' && term.inflected))
}

type Plan = 'any' | 'index' | 'walk'

/** Planner settings. The index of words is only read as a bitmap, the index of dates in order. */
const PLAN_SETTINGS: Record<Plan, string> = {
  any: '',
  index: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off',
  walk: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off',
}

const NEWEST_FIRST = 'ORDER BY s.at DESC, s.entry_id DESC'

function hitOf({ entry_id: id, score }: HitRow): SearchHit {
  return { id, score }
}

function rowOf(document: SearchDocument): unknown[] {
  const { words, phraseText, names } = indexedWords(document)
  return [document.id, document.feedId, minuteOf(document.at), words, phraseText, names]
}

function isTimeout(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === '57014'
}
