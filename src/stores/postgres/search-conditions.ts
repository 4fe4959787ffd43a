/**
 * Translates queries into conditions on `entry_search`. One of them is a tsquery, which the index answers. Every word in it is quoted, so
 * no input becomes an operator. The tsquery may match too much, never too little: phrases and long lists of feeds are separate conditions,
 * which filter its results.
 */
import { MINUTE } from '../../model/index.ts'
import { formsByLanguage, type SearchQuery, type SearchTerm, type WordsTerm } from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import { lexeme, searchWords } from './search-words.ts'

/** Up to this many feeds are terms of the tsquery. For more, rows are filtered by feed. */
const MAX_FEED_TERMS = 500

export interface SearchSql {
  /** Conditions on `entry_search s`: all of them, those on dates, and the others. */
  where: string
  dates: string
  rest: string
  /** The part of `rest` that the index answers. Absent if it answers all of it, or nothing. */
  words: string | undefined
  /** Whether the index of words can and should be used. */
  isIndexed: boolean
  values: unknown[]
  /** A tsquery to rank hits by. Undefined if the query has no words. */
  weighedBy: string | undefined
  /** A tsquery of words that count less: inflected forms. */
  formsWeighedBy: string | undefined
}

/** Conditions of a term: a tsquery (absent: matches anything), and an exact condition (absent: the tsquery is exact). */
interface TermCondition {
  query?: string
  exactly?: string
}

/** Undefined if nothing can match. Words have forms in these languages. */
export function searchSql(
  { all, none, since, until }: SearchQuery,
  languages: Iterable<string> = [],
): SearchSql | undefined {
  if (all.length === 0) return undefined
  const values: unknown[] = []
  const parameter = (one: unknown) => `$${values.push(one)}`
  const clauses = all.map((clause) => clause.flatMap((term) => conditionOf(term, parameter, languages) ?? []))
  if (clauses.some((clause) => clause.length === 0)) return undefined
  const excluded = none.flatMap((term) => conditionOf(term, parameter, languages) ?? [])
  const holds = (query: string) => `s.words @@ ${parameter(query)}::tsquery`
  const toSql = ({ query, exactly }: TermCondition) =>
    `(${[query && holds(query), exactly].filter(Boolean).join(' AND ')})`

  const queries = [
    ...clauses.flatMap((clause) => {
      const parts = clause.flatMap(({ query }) => query ?? [])
      return parts.length === clause.length ? [`(${parts.join(' | ')})`] : []
    }),
    ...excluded.flatMap(({ query, exactly }) => (query && !exactly ? [`!${query}`] : [])),
  ]
  const words = queries.length > 0 ? [holds(queries.join(' & '))] : []
  const exactly = [
    ...clauses
      .filter((clause) => clause.some((one) => one.exactly))
      .map((clause) => `(${clause.map(toSql).join(' OR ')})`),
    ...excluded.filter((one) => one.exactly).map((one) => `NOT ${toSql(one)}`),
  ]
  const dates = [
    ...(since !== undefined ? [`s.at >= ${parameter(minuteOf(since))}`] : []),
    ...(until !== undefined ? [`s.at <= ${parameter(minuteOf(until))}`] : []),
  ]
  const isNamed = all.some((clause) => clause.some(({ kind }) => kind === 'entries')) // they are found by id
  const wordTerms = all.flat().filter(isWords)
  const isOpenWord = (term: WordsTerm) => term.isOpen && searchWords(term.text).length === 1
  const weighed = wordTerms.flatMap((term) => lexemesOf(isOpenWord(term) ? { ...term, prefix: false } : term))
  const forms = wordTerms.flatMap((term) => [
    ...(term.inflected ? formsOf(term, languages) : []),
    ...(isOpenWord(term) ? lexemesOf(term) : []),
  ])
  return {
    where: [...words, ...exactly, ...dates].join(' AND '),
    dates: dates.join(' AND ') || 'true',
    rest: [...words, ...exactly].join(' AND ') || 'true',
    words: exactly.length > 0 ? words[0] : undefined,
    isIndexed: words.length > 0 && !isNamed,
    values,
    weighedBy: anyOf(weighed),
    formsWeighedBy: anyOf(forms),
  }
}

function anyOf(lexemes: string[]): string | undefined {
  return lexemes.length > 0 ? [...new Set(lexemes)].join(' | ') : undefined
}

/** The other forms of an inflected word, whatever their language. */
function formsOf({ text }: WordsTerm, languages: Iterable<string>): string[] {
  return formsByLanguage(searchWords(text)[0] ?? '', languages).flatMap(({ forms }) => forms.map(lexeme))
}

/** Dates are compared by the minute. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE
}

function isWords(term: SearchTerm): term is WordsTerm {
  return term.kind === 'words'
}

/** Undefined if nothing can match. */
function conditionOf(
  term: SearchTerm,
  parameter: (one: unknown) => string,
  languages: Iterable<string>,
): TermCondition | undefined {
  switch (term.kind) {
    case 'words':
    case 'author':
      return term.inflected ? inflectedCondition(term, languages) : wordsCondition(term, parameter)
    case 'feeds':
      if (term.ids.length > MAX_FEED_TERMS)
        return { exactly: `s.feed_id = ANY (${parameter([...term.ids])}::bigint[])` }
      return oneOf(term.ids.map((id) => facet('feed', String(id))))
    case 'entries':
      return { exactly: `s.entry_id = ANY (${parameter([...term.ids])}::bigint[])` }
    case 'language':
      return oneOf([facet('language', term.code)])
    case 'category':
      return oneOf([facet('category', term.name)])
    case 'site':
      return oneOf([facet('site', term.host)])
  }
}

function oneOf(facets: readonly string[]): TermCondition | undefined {
  return facets.length > 0 ? { query: `(${facets.map(lexeme).join(' | ')})` } : undefined
}

/** A form counts in entries of its language. */
function inflectedCondition(term: WordsTerm, languages: Iterable<string>): TermCondition {
  const forms = formsByLanguage(searchWords(term.text)[0] ?? '', languages).map(
    ({ language, forms: words }) => `(${lexeme(facet('language', language))} & (${words.map(lexeme).join(' | ')}))`,
  )
  return { query: `(${[...lexemesOf(term), ...forms].join(' | ')})` }
}

function wordsCondition(term: WordsTerm, parameter: (one: unknown) => string): TermCondition | undefined {
  const words = searchWords(term.text)
  if (words.length === 0) return undefined
  const query = `(${lexemesOf(term).join(' & ')})`
  if (words.length === 1) return { query }
  const phrase = parameter(`% ${words.join(' ')}${term.prefix ? '' : ' '}%`)
  return {
    query,
    exactly:
      term.kind === 'author' ? `s.names LIKE ${phrase}` : `(s.phrase_text LIKE ${phrase} OR s.names LIKE ${phrase})`,
  }
}

/** The last word may be a prefix. Words of names are recognized by their weight. */
function lexemesOf({ kind, text, prefix }: WordsTerm): string[] {
  const words = searchWords(text)
  return words.map((word, i) => {
    const marks = `${prefix && i === words.length - 1 ? '*' : ''}${kind === 'author' ? 'B' : ''}`
    return marks ? `${lexeme(word)}:${marks}` : lexeme(word)
  })
}
