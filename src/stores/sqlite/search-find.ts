/**
 * Runs searches. The index is ordered by time, so by date the newest hits come first, however many there are. By relevance, the newest hits
 * are ranked by the words that are not too frequent: to rank by a word, FTS5 scans all entries that contain it, and a frequent word says
 * little. If all words are frequent, hits with the words in the title rank higher. Scores halve with age.
 */
import { type EntryId, MINUTE } from '../../model/index.ts'
import { RELEVANCE_HALF_LIFE_MS, type SearchHit, type SearchOrder, type SearchQuery } from '../../ports/index.ts'
import { atMost } from '../sql/values.ts'
import {
  expressionOf,
  hasPhrases,
  idFilterOf,
  type Phrase,
  type PrefixLookup,
  phrasesOf,
  titleExpressionOf,
} from './search-expression.ts'
import { firstPositionAt, lastPositionAt, POSITIONS_PER_MINUTE } from './search-positions.ts'
import { createPrefixLookup, type PrefixMatches } from './search-prefixes.ts'
import type { SqliteSession } from './session.ts'

const TITLE_WEIGHT = 4

/** Most hits that are ranked, newest first: ranking costs far more than finding. */
const MAX_RANKED = 10_000

/** Most hits that are ranked by title and date only. */
const MAX_RANKED_BY_TITLE = 1000

/** A word that more entries contain is not used for ranking. */
const MAX_MATCHES = 20_000

const MAX_CACHED = 1000

/** Increase of the logarithmic score per position. */
const SCORE_PER_POSITION = Math.LN2 / ((RELEVANCE_HALF_LIFE_MS / MINUTE) * POSITIONS_PER_MINUTE)

export type Finder = (query: SearchQuery, limit: number, order?: SearchOrder) => SearchHit[]

/** Each search is one read. */
export function createFinder(session: SqliteSession): Finder {
  const { db } = session
  const positionOf = db.prepare<[EntryId], number>('SELECT place FROM search_positions WHERE entry_id = ?').pluck()

  const lookUpPrefix = createPrefixLookup(session)
  /** Phrases known to be frequent, which they stay. A cache. */
  const frequentPhrases = new Set<string>()

  function isFrequentPhrase(phrase: string): boolean {
    if (frequentPhrases.has(phrase)) return true
    const matches = session.prepared<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM entry_words WHERE entry_words MATCH ? LIMIT ?)',
    )
    const hasManyMatches = matches.get([phrase, MAX_MATCHES + 1])!.n > MAX_MATCHES
    if (hasManyMatches && frequentPhrases.size >= MAX_CACHED) frequentPhrases.clear()
    if (hasManyMatches) frequentPhrases.add(phrase)
    return hasManyMatches
  }

  /** Frequent words that are rarely adjacent count as frequent, too: finding the phrase takes as long as if it were. */
  function isFrequent({ found, words: ftsExpression, part }: Phrase): boolean {
    return (
      (ftsExpression.length > 1 && ftsExpression.every(isFrequentPhrase)) ||
      (part !== undefined && isFrequentPhrase(part)) ||
      isFrequentPhrase(found)
    )
  }

  function findByDate(found: HitQuery, limit: number, before: number | undefined): SearchHit[] {
    const values = { ...found.values, limit: atMost(limit), ...(before !== undefined && { until: before - 1 }) }
    return session
      .prepared<SearchHit>(
        `SELECT p.entry_id AS id, hits.place AS score FROM (${found.sql} LIMIT $limit) AS hits
         JOIN search_positions p ON p.place = hits.place ORDER BY hits.place DESC`,
      )
      .all(values)
  }

  function findByRelevance(
    query: SearchQuery,
    lookUp: PrefixLookup,
    found: HitQuery,
    limit: number,
    after: number | undefined,
  ): SearchHit[] {
    const distinctive = phrasesOf(query, lookUp).filter((phrase) => !isFrequent(phrase))
    const inTitle = distinctive.length > 0 ? undefined : titleExpressionOf(query, lookUp)
    const { sql: ranking, values: ftsExpression } = rankingQuery(distinctive, inTitle)
    const maxRanked = distinctive.length > 0 ? MAX_RANKED : MAX_RANKED_BY_TITLE
    const afterCondition =
      after === undefined ? '' : 'WHERE (score, place) < (SELECT score, place FROM scored WHERE place = $after)'
    const values = {
      ...found.values,
      ...ftsExpression,
      limit: atMost(limit),
      ...(after !== undefined && { after }),
    }
    return session
      .prepared<SearchHit>(
        `WITH hits AS MATERIALIZED (${found.sql} LIMIT ${maxRanked}),
           weighed AS MATERIALIZED (${ranking}),
           scored AS MATERIALIZED (
             SELECT hits.place AS place, ln(coalesce(weight, 1e-6)) + hits.place * ${SCORE_PER_POSITION} AS score
             FROM hits LEFT JOIN weighed ON weighed.place = hits.place
           ),
           shown AS MATERIALIZED (SELECT place, score FROM scored ${afterCondition} ORDER BY score DESC, place DESC LIMIT $limit)
         SELECT p.entry_id AS id, shown.score AS score FROM shown JOIN search_positions p ON p.place = shown.place
         ORDER BY shown.score DESC, shown.place DESC`,
      )
      .all(values)
  }

  return (query, limit, { order = 'relevance', after } = {}) => {
    const lookUp = cachePrefixes(lookUpPrefix)
    const found = hitQueryOf(query, lookUp)
    const last = after === undefined ? undefined : positionOf.get(after)
    if (!found || (after !== undefined && last === undefined)) return []
    return order === 'date' || !hasPhrases(query)
      ? findByDate(found, limit, last)
      : findByRelevance(query, lookUp, found, limit, last)
  }
}

/** Several parts of a search look up the same prefix. */
function cachePrefixes(lookUp: PrefixLookup): PrefixLookup {
  const cache = new Map<string, PrefixMatches>()
  return (letters) => {
    const answer = cache.get(letters) ?? lookUp(letters)
    cache.set(letters, answer)
    return answer
  }
}

/** better-sqlite3 binds large numbers as floats, which FTS5 does not accept as bounds. */
const SINCE = 'CAST($since AS INTEGER)'
const UNTIL = 'CAST($until AS INTEGER)'

/** A query for the positions of hits, newest first. */
interface HitQuery {
  sql: string
  values: Record<string, string | number>
}

function hitQueryOf(query: SearchQuery, lookUp: PrefixLookup): HitQuery | undefined {
  if (query.all.length === 0) return undefined
  const { since, until } = query
  const ftsExpression = expressionOf(query, lookUp)
  const idFilters = [
    ...query.all.map((clause) => ({ operator: 'IN', filter: idFilterOf(clause) })),
    ...query.none.map((term) => ({ operator: 'NOT IN', filter: idFilterOf([term]) })),
  ].flatMap(({ operator, filter }) =>
    filter ? [{ operator, column: filter.column, ids: JSON.stringify(filter.ids) }] : [],
  )
  const idConditions = (table: string) =>
    idFilters
      .map(({ operator, column }, i) => `AND ${table}${column} ${operator} (SELECT value FROM json_each($many${i}))`)
      .join(' ')
  const values = {
    since: since === undefined ? 0 : firstPositionAt(since),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : lastPositionAt(until),
    ...Object.fromEntries(idFilters.map(({ ids }, i) => [`many${i}`, ids])),
  }
  if (ftsExpression === undefined) {
    const only = `place BETWEEN $since AND $until ${idConditions('')}`
    return { sql: `SELECT place FROM search_positions WHERE ${only} ORDER BY place DESC`, values }
  }
  const filter =
    idFilters.length > 0 &&
    `AND EXISTS (SELECT 1 FROM search_positions e WHERE e.place = entry_words.rowid ${idConditions('e.')})`
  return {
    sql: `SELECT rowid AS place FROM entry_words
      WHERE entry_words MATCH $words AND rowid BETWEEN ${SINCE} AND ${UNTIL} ${filter || ''} ORDER BY rowid DESC`,
    values: { ...values, words: ftsExpression },
  }
}

/** A query for the position and weight of `hits`. */
function rankingQuery(distinctive: Phrase[], inTitle: string | undefined): HitQuery {
  if (distinctive.length === 0 && inTitle === undefined)
    return { sql: 'SELECT NULL AS place, NULL AS weight', values: {} }
  const weight =
    distinctive.length > 0 ? `max(-bm25(entry_words, 1, ${TITLE_WEIGHT}, 1), 1e-6)` : `${TITLE_WEIGHT} * 1e-6`
  // The plus sign keeps SQLite from querying FTS5 for each position separately.
  const sql = `SELECT rowid AS place, ${weight} AS weight FROM entry_words WHERE entry_words MATCH $weighed
    AND rowid BETWEEN (SELECT min(place) FROM hits) AND (SELECT max(place) FROM hits) AND +rowid IN (SELECT place FROM hits)`
  return { sql, values: { weighed: distinctive.map(({ weighed }) => weighed).join(' OR ') || inTitle! } }
}
