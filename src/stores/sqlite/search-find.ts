/**
 * Finding. The index is in the order of time, so by date the newest hits are simply the first, and it makes no difference how many
 * there are. By relevance, of many hits the newest are taken, and weighed: by those words that not too many entries hold, for to
 * weigh by a word FTS5 goes through all that hold it, and where a word is everywhere it tells nothing. Where all words are,
 * a hit is worth more if its title says them. What a hit is worth halves with its age.
 */
import { type EntryId, MINUTE } from '../../model/index.ts'
import { type SearchHit, type SearchOrder, type SearchQuery, WORTH_HALVES_MS } from '../../ports/index.ts'
import { type Begun, createBegun } from './search-beginnings.ts'
import {
  type BegunBy,
  expressionOf,
  hasPhrases,
  manyIn,
  type Phrase,
  phrasesOf,
  titleExpressionOf,
} from './search-expression.ts'
import { firstPlaceAt, lastPlaceAt, PLACES_A_MINUTE } from './search-places.ts'
import { bounded, type SqliteSession } from './session.ts'

const TITLE_WEIGHT = 4

/** Of a word that half of all entries hold, only the newest are weighed: weighing costs far more than finding. */
const MOST_WEIGHED = 10_000

/** Where nothing tells hits apart but titles and dates. */
const MOST_SEEN = 1000

/** A word that more entries hold says little of any of them. */
const MOST_HOLDERS = 20_000

const MOST_REMEMBERED = 1000

/** Logarithms of worth that a place later is worth more. */
const LATER = Math.LN2 / ((WORTH_HALVES_MS / MINUTE) * PLACES_A_MINUTE)

export type Finder = (query: SearchQuery, limit: number, order?: SearchOrder) => SearchHit[]

/** Each is one read. */
export function createFinder(session: SqliteSession): Finder {
  const { db } = session
  const placeOf = db.prepare<[EntryId], number>('SELECT place FROM entry_places WHERE entry_id = ?').pluck()

  const begunIn = createBegun(session)
  /** What many hold, many will still hold; only a shorter way. */
  const everywhere = new Set<string>()

  function hasMany(phrase: string): boolean {
    if (everywhere.has(phrase)) return true
    const holders = session.prepared<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM entry_words WHERE entry_words MATCH ? LIMIT ?)',
    )
    const isSo = holders.get([phrase, MOST_HOLDERS + 1])!.n > MOST_HOLDERS
    if (isSo && everywhere.size >= MOST_REMEMBERED) everywhere.clear()
    if (isSo) everywhere.add(phrase)
    return isSo
  }

  /** Common words that seldom stand together are not counted: to find where they do takes as long as if they did. */
  function isEverywhere({ found, words, part }: Phrase): boolean {
    return (words.length > 1 && words.every(hasMany)) || (part !== undefined && hasMany(part)) || hasMany(found)
  }

  function byDate(found: Found, limit: number, before: number | undefined): SearchHit[] {
    const values = { ...found.values, limit: bounded(limit), ...(before !== undefined && { until: before - 1 }) }
    return session
      .prepared<SearchHit>(
        `SELECT p.entry_id AS id, hits.place AS score FROM (${found.sql} LIMIT $limit) AS hits
         JOIN entry_places p ON p.place = hits.place ORDER BY hits.place DESC`,
      )
      .all(values)
  }

  function byWorth(
    query: SearchQuery,
    begun: BegunBy,
    found: Found,
    limit: number,
    after: number | undefined,
  ): SearchHit[] {
    const telling = phrasesOf(query, begun).filter((phrase) => !isEverywhere(phrase))
    const inTitle = telling.length > 0 ? undefined : titleExpressionOf(query, begun)
    const { sql: weighing, values: words } = weighingOf(telling, inTitle)
    const most = telling.length > 0 ? MOST_WEIGHED : MOST_SEEN
    const rest =
      after === undefined ? '' : 'WHERE (score, place) < (SELECT score, place FROM scored WHERE place = $after)'
    const values = { ...found.values, ...words, limit: bounded(limit), ...(after !== undefined && { after }) }
    return session
      .prepared<SearchHit>(
        `WITH hits AS MATERIALIZED (${found.sql} LIMIT ${most}),
           weighed AS MATERIALIZED (${weighing}),
           scored AS MATERIALIZED (
             SELECT hits.place AS place, ln(coalesce(weight, 1e-6)) + hits.place * ${LATER} AS score
             FROM hits LEFT JOIN weighed ON weighed.place = hits.place
           ),
           shown AS MATERIALIZED (SELECT place, score FROM scored ${rest} ORDER BY score DESC, place DESC LIMIT $limit)
         SELECT p.entry_id AS id, shown.score AS score FROM shown JOIN entry_places p ON p.place = shown.place
         ORDER BY shown.score DESC, shown.place DESC`,
      )
      .all(values)
  }

  return (query, limit, { order = 'relevance', after } = {}) => {
    const begun = once(begunIn)
    const found = foundBy(query, begun)
    const last = after === undefined ? undefined : placeOf.get(after)
    if (!found || (after !== undefined && last === undefined)) return []
    return order === 'date' || !hasPhrases(query)
      ? byDate(found, limit, last)
      : byWorth(query, begun, found, limit, last)
  }
}

/** Several parts of a search ask for the same beginning. */
function once(begun: BegunBy): BegunBy {
  const known = new Map<string, Begun>()
  return (letters) => {
    const answer = known.get(letters) ?? begun(letters)
    known.set(letters, answer)
    return answer
  }
}

/** Large numbers are bound as fractions, which FTS5 does not take for bounds. */
const SINCE = 'CAST($since AS INTEGER)'
const UNTIL = 'CAST($until AS INTEGER)'

/** The places of hits, newest first. */
interface Found {
  sql: string
  values: Record<string, string | number>
}

function foundBy(query: SearchQuery, begun: BegunBy): Found | undefined {
  if (query.all.length === 0) return undefined
  const { since, until } = query
  const words = expressionOf(query, begun)
  const many = [
    ...query.all.map((clause) => ({ is: 'IN', many: manyIn(clause) })),
    ...query.none.map((term) => ({ is: 'NOT IN', many: manyIn([term]) })),
  ].flatMap(({ is, many }) => (many ? [{ is, column: many.column, ids: JSON.stringify(many.ids) }] : []))
  const of = (table: string) =>
    many.map(({ is, column }, i) => `AND ${table}${column} ${is} (SELECT value FROM json_each($many${i}))`).join(' ')
  const values = {
    since: since === undefined ? 0 : firstPlaceAt(since),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : lastPlaceAt(until),
    ...Object.fromEntries(many.map(({ ids }, i) => [`many${i}`, ids])),
  }
  if (words === undefined) {
    const only = `place BETWEEN $since AND $until ${of('')}`
    return { sql: `SELECT place FROM entry_places WHERE ${only} ORDER BY place DESC`, values }
  }
  const passes =
    many.length > 0 && `AND EXISTS (SELECT 1 FROM entry_places e WHERE e.place = entry_words.rowid ${of('e.')})`
  return {
    sql: `SELECT rowid AS place FROM entry_words
      WHERE entry_words MATCH $words AND rowid BETWEEN ${SINCE} AND ${UNTIL} ${passes || ''} ORDER BY rowid DESC`,
    values: { ...values, words },
  }
}

/** A query for the place and weight of `hits`. */
function weighingOf(telling: Phrase[], inTitle: string | undefined): Found {
  if (telling.length === 0 && inTitle === undefined) return { sql: 'SELECT NULL AS place, NULL AS weight', values: {} }
  const weight = telling.length > 0 ? `max(-bm25(entry_words, 1, ${TITLE_WEIGHT}, 1), 1e-6)` : `${TITLE_WEIGHT} * 1e-6`
  // The plus keeps SQLite from asking FTS5 for each place alone.
  const sql = `SELECT rowid AS place, ${weight} AS weight FROM entry_words WHERE entry_words MATCH $weighed
    AND rowid BETWEEN (SELECT min(place) FROM hits) AND (SELECT max(place) FROM hits) AND +rowid IN (SELECT place FROM hits)`
  return { sql, values: { weighed: telling.map(({ weighed }) => weighed).join(' OR ') || inTitle! } }
}
