/**
 * Full text in the store's own database. By date the newest hits are the first, and by relevance the newest of many are taken and
 * weighed: PostgreSQL chooses itself whether it looks for those that hold the words, or goes back in time until it has enough that
 * do. What a hit is worth halves with its age. No search takes longer than some seconds: whoever asks for what
 * cannot be found in that time hears so.
 */
import { type EntryId, MINUTE } from '../../../model/index.ts'
import {
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchOrder,
  type SearchQuery,
  StoreError,
  WORTH_HALVES_MS,
} from '../../../ports/index.ts'
import { atMost, manyRows } from './columns.ts'
import { minuteOf, type SearchSql, searchSql } from './search-conditions.ts'
import { indexedWords } from './search-words.ts'
import type { PostgresSession } from './session.ts'

/** Of those that hold a word, the newest so many are weighed. */
const MOST_WEIGHED = 5000
const MOST_MS = 5000

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

/** No search takes longer than `mostMs`. */
export function searchMethods(session: PostgresSession, mostMs = MOST_MS): Search {
  async function answered(sql: string, values: unknown[]): Promise<SearchHit[]> {
    try {
      const rows = await session.read(async (query) => {
        await query.rows(`SET LOCAL statement_timeout = ${mostMs}`)
        return query.rows<HitRow>(sql, values)
      })
      return rows.map(({ entry_id: id, score }) => ({ id, score }))
    } catch (error) {
      if (!tookTooLong(error)) throw error
      const message = `could not search ${session.name}: it took longer than ${mostMs / 1000} s`
      const hint = 'Ask for rarer words, or narrow it down, as by feed: or since:.'
      throw new StoreError('no-access', message, hint, { cause: error, isPassing: true })
    }
  }

  function byDate({ where, values }: SearchSql, limit: number, after: EntryId | undefined): Promise<SearchHit[]> {
    const rest =
      after === undefined
        ? ''
        : `AND (s.at, s.entry_id) < (SELECT l.at, l.entry_id FROM entry_search l WHERE l.entry_id = $${values.length + 2})`
    return answered(
      `SELECT s.entry_id, (s.at / ${MINUTE})::double precision AS score FROM entry_search s WHERE ${where} ${rest}
       ORDER BY s.at DESC, s.entry_id DESC LIMIT $${values.length + 1}`,
      [...values, limit, ...(after === undefined ? [] : [after])],
    )
  }

  function byWorth(
    { where, values }: SearchSql,
    weighedBy: string,
    limit: number,
    after: EntryId | undefined,
  ): Promise<SearchHit[]> {
    const first = values.length + 1
    const rest =
      after === undefined
        ? ''
        : `WHERE (score, at, entry_id) < (SELECT score, at, entry_id FROM scored WHERE entry_id = $${first + 2})`
    return answered(
      `WITH hits AS MATERIALIZED (
         SELECT s.entry_id, s.at, s.words FROM entry_search s WHERE ${where} ORDER BY s.at DESC, s.entry_id DESC LIMIT ${MOST_WEIGHED}
       ), scored AS MATERIALIZED (
         SELECT entry_id, at,
           ln(greatest(ts_rank(${WEIGHTS}, words, $${first}::tsquery, ${BY_LENGTH}), 1e-6)) + at * ${LATER} AS score FROM hits
       )
       SELECT entry_id, score FROM scored ${rest} ORDER BY score DESC, at DESC, entry_id DESC LIMIT $${first + 1}`,
      [...values, weighedBy, limit, ...(after === undefined ? [] : [after])],
    )
  }

  return {
    async put(documents) {
      const last = new Map(documents.map((document) => [document.id, document]))
      const rows = manyRows(
        'd',
        ['entry_id bigint', 'feed_id bigint', 'at bigint', 'words text', 'said text', 'names text'],
        [...last.values()].map(rowOf),
      )
      await session.write((tx) =>
        tx.run(
          `INSERT INTO entry_search (entry_id, feed_id, at, words, said, names)
           SELECT entry_id, feed_id, at, words::tsvector, said, names FROM ${rows.sql} ORDER BY entry_id
           ON CONFLICT (entry_id) DO UPDATE SET feed_id = excluded.feed_id, at = excluded.at, words = excluded.words,
           said = excluded.said, names = excluded.names`,
          rows.values,
        ),
      )
    },

    async drop(ids) {
      await session.write((tx) => tx.run('DELETE FROM entry_search WHERE entry_id = ANY ($1::bigint[])', [ids]))
    },

    async tidy() {
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

function rowOf(document: SearchDocument): unknown[] {
  const { words, said, names } = indexedWords(document)
  return [document.id, document.feedId, minuteOf(document.at), words, said, names]
}

function tookTooLong(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === '57014'
}
