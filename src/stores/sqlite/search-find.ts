/**
 * Runs searches. The index is ordered by time, so by date the newest hits come first, however many there are. By relevance, the newest hits
 * are ranked by the words that are not too frequent: to rank by a word, FTS5 scans all entries that contain it, and a frequent word says
 * little. If all words are frequent, hits with the words in the title rank higher. Scores halve with age.
 */
import { type EntryId, MINUTE } from '../../model/index.ts'
import {
  FORM_WEIGHT,
  foldedWords,
  formsByLanguage,
  INFLECTED_LANGUAGES,
  RELEVANCE_HALF_LIFE_MS,
  type SearchHit,
  type SearchOrder,
  type SearchQuery,
  type SearchTerm,
} from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import { atMost } from '../sql/values.ts'
import {
  expressionOf,
  hasPhrases,
  idFilterOf,
  type Phrase,
  phrasesOf,
  titleExpressionOf,
  type WordLookup,
} from './search-expression.ts'
import { firstPositionAt, lastPositionAt, POSITIONS_PER_MINUTE } from './search-positions.ts'
import { createPrefixLookup } from './search-prefixes.ts'
import type { SqliteSession } from './session.ts'

const TITLE_WEIGHT = 4

/** Most hits that are ranked, newest first: ranking costs far more than finding. */
const MAX_RANKED = 10_000

/** Most hits that are ranked by title and date only. */
const MAX_RANKED_BY_TITLE = 1000

/** The same while a query is typed, of its prefixes and of its whole words each: results are expected at once. */
const MAX_RANKED_TYPING = 300

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

  const lookUpWords = createWordLookup(session)
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
    lookUp: WordLookup,
    hits: HitQuery,
    limit: number,
    after: number | undefined,
  ): SearchHit[] {
    const [exact, forms] = phrasesByForm(query, lookUp)
    const isTyped = isBeingTyped(query)
    const distinctive = exact.filter((phrase) => !isFrequent(phrase))
    const isByTitle = isTyped || distinctive.length === 0
    const inTitle = isByTitle ? titleExpressionOf(query, lookUp) : undefined
    const rankings = [
      rankingQuery(distinctive, BM25, '$exact'),
      rankingQuery(distinctive.length > 0 ? forms.filter((phrase) => !isFrequent(phrase)) : [], FORM_BM25, '$forms'),
      rankingQuery(inTitle === undefined ? [] : [{ weighed: inTitle }], `${TITLE_WEIGHT} * 1e-6`, '$title'),
    ].flatMap((ranking) => ranking ?? [])
    const maxRanked = isTyped ? MAX_RANKED_TYPING : isByTitle ? MAX_RANKED_BY_TITLE : MAX_RANKED
    const wholeWords = withoutPrefixes(query)
    const whole = wholeWords && hitQueryOf(wholeWords, lookUp, '$whole')
    const found = [hits, ...(whole ? [whole] : [])]
    const afterCondition =
      after === undefined ? '' : 'WHERE (score, place) < (SELECT score, place FROM scored WHERE place = $after)'
    const values = {
      ...Object.assign({}, ...[...found, ...rankings].map((one) => one.values)),
      limit: atMost(limit),
      ...(after !== undefined && { after }),
    }
    const weight = rankings.map((_, i) => `+ coalesce(w${i}.weight, 0)`).join(' ')
    return session
      .prepared<SearchHit>(
        `WITH hits AS MATERIALIZED (${found.map(({ sql }) => `SELECT place FROM (${sql} LIMIT ${maxRanked})`).join(' UNION ')}),
           ${rankings.map(({ sql }, i) => `w${i} AS MATERIALIZED (${sql}),`).join('\n')}
           scored AS MATERIALIZED (
             SELECT hits.place AS place, ln(max(0 ${weight}, 1e-6)) + hits.place * ${SCORE_PER_POSITION} AS score
             FROM hits ${rankings.map((_, i) => `LEFT JOIN w${i} ON w${i}.place = hits.place`).join(' ')}
           ),
           shown AS MATERIALIZED (SELECT place, score FROM scored ${afterCondition} ORDER BY score DESC, place DESC LIMIT $limit)
         SELECT p.entry_id AS id, shown.score AS score FROM shown JOIN search_positions p ON p.place = shown.place
         ORDER BY shown.score DESC, shown.place DESC`,
      )
      .all(values)
  }

  return (query, limit, { order = 'relevance', after } = {}) => {
    const lookUp = cached(lookUpWords)
    const found = hitQueryOf(query, lookUp)
    const last = after === undefined ? undefined : positionOf.get(after)
    if (!found || (after !== undefined && last === undefined)) return []
    return order === 'date' || !hasPhrases(query)
      ? findByDate(found, limit, last)
      : findByRelevance(query, lookUp, found, limit, last)
  }
}

/** Only forms that the index contains, in languages that it contains: each of the others would be looked up many times. */
function createWordLookup(session: SqliteSession): WordLookup {
  const isIndexed = session.prepared<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM entry_words WHERE entry_words MATCH ? LIMIT 1)',
  )
  const contains = (word: string) => isIndexed.get([`"${word}"`])!.n > 0
  /** Once there are entries in a language, there will be. */
  const languages = new Set<string>()

  function indexedLanguages(): Set<string> {
    for (const language of INFLECTED_LANGUAGES)
      if (!languages.has(language) && contains(facet('language', language))) languages.add(language)
    return languages
  }

  return {
    prefix: createPrefixLookup(session),
    forms(word) {
      const all = formsByLanguage(word, indexedLanguages())
      const indexed = new Set([...new Set(all.flatMap(({ forms }) => forms))].filter(contains))
      return all
        .map(({ language, forms }) => ({ language, forms: forms.filter((form) => indexed.has(form)) }))
        .filter(({ forms }) => forms.length > 0)
    },
  }
}

/** Several parts of a search look up the same words. */
function cached({ prefix, forms }: WordLookup): WordLookup {
  return { prefix: memoize(prefix), forms: memoize(forms) }
}

function memoize<Found>(lookUp: (word: string) => Found): (word: string) => Found {
  const known = new Map<string, Found>()
  return (word) => {
    const found = known.get(word) ?? lookUp(word)
    known.set(word, found)
    return found
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

function hitQueryOf(query: SearchQuery, lookUp: WordLookup, match = '$words'): HitQuery | undefined {
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
      WHERE entry_words MATCH ${match} AND rowid BETWEEN ${SINCE} AND ${UNTIL} ${filter || ''} ORDER BY rowid DESC`,
    values: { ...values, [match.slice(1)]: ftsExpression },
  }
}

function phrasesByForm(query: SearchQuery, lookUp: WordLookup): [exact: Phrase[], forms: Phrase[]] {
  const phrases = phrasesOf(query, lookUp)
  return [phrases.filter(({ isForm }) => !isForm), phrases.filter(({ isForm }) => isForm)]
}

function isBeingTyped({ all }: SearchQuery): boolean {
  return all.some((clause) => clause.some((term) => term.kind === 'words' && term.prefix && term.isOpen))
}

/** Finds the words as they are typed, which may not be among the newest hits of their prefixes. Undefined if there are none. */
function withoutPrefixes({ all, ...others }: SearchQuery): SearchQuery | undefined {
  const isOpenWord = (term: SearchTerm) =>
    term.kind === 'words' && term.prefix && term.isOpen && foldedWords(term.text).length === 1
  if (!all.flat().some(isOpenWord)) return undefined
  const closed = (term: SearchTerm) => (isOpenWord(term) ? { ...term, prefix: false } : term)
  return { ...others, all: all.map((clause) => clause.map(closed)) }
}

const BM25 = `max(-bm25(entry_words, 1, ${TITLE_WEIGHT}, 1), 1e-6)`
const FORM_BM25 = `${FORM_WEIGHT} * ${BM25}`

/** A query for the position and weight of `hits`. The plus sign keeps SQLite from querying FTS5 for each position separately. */
function rankingQuery(phrases: Pick<Phrase, 'weighed'>[], weight: string, match: string): HitQuery | undefined {
  if (phrases.length === 0) return undefined
  const sql = `SELECT rowid AS place, ${weight} AS weight FROM entry_words WHERE entry_words MATCH ${match}
    AND rowid BETWEEN (SELECT min(place) FROM hits) AND (SELECT max(place) FROM hits) AND +rowid IN (SELECT place FROM hits)`
  return { sql, values: { [match.slice(1)]: phrases.map(({ weighed }) => weighed).join(' OR ') } }
}
