/**
 * A query, as conditions on rows of `entry_search`. One of them the index answers: a tsquery, of which every word is quoted, so that nothing
 * typed can come out as an operator. It may find too much, never too little: what it cannot say, phrases and long lists of
 * feeds, is said beside it, and asked of those rows only that it has found.
 */
import { MINUTE } from '../../model/index.ts'
import type { SearchQuery, SearchTerm, WordsTerm } from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import { lexeme, searchWords } from './search-words.ts'

/** Feeds that are asked for by words of the index; of more, each row is asked for its feed. */
const MOST_FEEDS_NAMED = 500

export interface SearchSql {
  /** Conditions on `entry_search s`: all of it; its dates only; and what is left of it. */
  where: string
  dates: string
  rest: string
  /** Of the rest, what the index answers alone, where it cannot answer all: absent, where it can; or where it cannot be asked. */
  words: string | undefined
  /** Whether the index has to be asked, and can be. */
  isIndexed: boolean
  values: unknown[]
  /** A tsquery that hits are weighed by; none if there is no word in the query. */
  weighedBy: string | undefined
}

/** What a term wants: of the index (absent: anything), and exactly (absent: what the index says is exact). */
interface Wanted {
  query?: string
  exactly?: string
}

/** Undefined if nothing can be found. */
export function searchSql({ all, none, since, until }: SearchQuery): SearchSql | undefined {
  if (all.length === 0) return undefined
  const values: unknown[] = []
  const value = (one: unknown) => `$${values.push(one)}`
  const clauses = all.map((clause) => clause.flatMap((term) => wantedOf(term, value) ?? []))
  if (clauses.some((clause) => clause.length === 0)) return undefined
  const unwanted = none.flatMap((term) => wantedOf(term, value) ?? [])
  const holds = (query: string) => `s.words @@ ${value(query)}::tsquery`
  const asked = ({ query, exactly }: Wanted) => `(${[query && holds(query), exactly].filter(Boolean).join(' AND ')})`

  const queries = [
    ...clauses.flatMap((clause) => {
      const parts = clause.flatMap(({ query }) => query ?? [])
      return parts.length === clause.length ? [`(${parts.join(' | ')})`] : []
    }),
    ...unwanted.flatMap(({ query, exactly }) => (query && !exactly ? [`!${query}`] : [])),
  ]
  const words = queries.length > 0 ? [holds(queries.join(' & '))] : []
  const exactly = [
    ...clauses
      .filter((clause) => clause.some((one) => one.exactly))
      .map((clause) => `(${clause.map(asked).join(' OR ')})`),
    ...unwanted.filter((one) => one.exactly).map((one) => `NOT ${asked(one)}`),
  ]
  const dates = [
    ...(since !== undefined ? [`s.at >= ${value(minuteOf(since))}`] : []),
    ...(until !== undefined ? [`s.at <= ${value(minuteOf(until))}`] : []),
  ]
  const isNamed = all.some((clause) => clause.some(({ kind }) => kind === 'entries')) // they are found by their numbers
  const weighed = all
    .flat()
    .filter(isWords)
    .flatMap((term) => lexemesOf(term))
  return {
    where: [...words, ...exactly, ...dates].join(' AND '),
    dates: dates.join(' AND ') || 'true',
    rest: [...words, ...exactly].join(' AND ') || 'true',
    words: exactly.length > 0 ? words[0] : undefined,
    isIndexed: words.length > 0 && !isNamed,
    values,
    weighedBy: weighed.length > 0 ? [...new Set(weighed)].join(' | ') : undefined,
  }
}

/** Dates bind to the minute. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE
}

function isWords(term: SearchTerm): term is WordsTerm {
  return term.kind === 'words'
}

/** Undefined if nothing is like that. */
function wantedOf(term: SearchTerm, value: (one: unknown) => string): Wanted | undefined {
  switch (term.kind) {
    case 'words':
    case 'author':
      return wantedWords(term, value)
    case 'feeds':
      if (term.ids.length > MOST_FEEDS_NAMED) return { exactly: `s.feed_id = ANY (${value([...term.ids])}::bigint[])` }
      return oneOf(term.ids.map((id) => facet('feed', String(id))))
    case 'entries':
      return { exactly: `s.entry_id = ANY (${value([...term.ids])}::bigint[])` }
    case 'language':
      return oneOf([facet('language', term.code)])
    case 'category':
      return oneOf([facet('category', term.name)])
    case 'site':
      return oneOf([facet('site', term.host)])
  }
}

function oneOf(facets: readonly string[]): Wanted | undefined {
  return facets.length > 0 ? { query: `(${facets.map(lexeme).join(' | ')})` } : undefined
}

function wantedWords(term: WordsTerm, value: (one: unknown) => string): Wanted | undefined {
  const words = searchWords(term.text)
  if (words.length === 0) return undefined
  const query = `(${lexemesOf(term).join(' & ')})`
  if (words.length === 1) return { query }
  const phrase = value(`% ${words.join(' ')}${term.prefix ? '' : ' '}%`)
  return {
    query,
    exactly: term.kind === 'author' ? `s.names LIKE ${phrase}` : `(s.said LIKE ${phrase} OR s.names LIKE ${phrase})`,
  }
}

/** The last of them may go on, where that is wished; those of names are known by their weight. */
function lexemesOf({ kind, text, prefix }: WordsTerm): string[] {
  const words = searchWords(text)
  return words.map((word, i) => {
    const marks = `${prefix && i === words.length - 1 ? '*' : ''}${kind === 'author' ? 'B' : ''}`
    return marks ? `${lexeme(word)}:${marks}` : lexeme(word)
  })
}
