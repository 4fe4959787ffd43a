/**
 * Translates queries into FTS5 expressions. User input becomes quoted strings, in which FTS5 knows no operators. Filters are terms of
 * their own in the index (sql/search-facets), and so are short prefixes (search-prefixes.ts).
 */
import {
  foldedWords,
  isAlone,
  type SearchQuery,
  type SearchTerm,
  searchable,
  type WordsTerm,
} from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import { MAX_PREFIX_LENGTH, type PrefixMatches } from './search-prefixes.ts'

/** Up to this many feeds are terms of the expression. For more, hits are filtered by feed. */
const MAX_FEED_TERMS = 500

/** A filter on a column of `search_positions`. */
export interface IdFilter {
  column: 'feed_id' | 'entry_id'
  ids: readonly number[]
}

export type PrefixLookup = (letters: string) => PrefixMatches

/** Undefined if the query consists of id filters only. */
export function expressionOf({ all, none }: SearchQuery, lookUp: PrefixLookup): string | undefined {
  const required = all.filter((clause) => !idFilterOf(clause))
  if (required.length === 0) return undefined
  const anyOf = (terms: SearchTerm[]) => `(${terms.map((term) => termExpression(term, lookUp)).join(' OR ')})`
  const included = required.map(anyOf).join(' AND ')
  const excluded = none.filter((term) => !idFilterOf([term]))
  return excluded.length > 0 ? `(${included}) NOT ${anyOf(excluded)}` : included
}

/** Matches titles that contain all words of the query. For a short prefix, only common words are known: undefined if there are none. */
export function titleExpressionOf({ all }: SearchQuery, lookUp: PrefixLookup): string | undefined {
  const clauses = all.map((clause) => clause.filter(isWords)).filter((clause) => clause.length > 0)
  const titleTerms = clauses.map((clause) =>
    clause.flatMap((term) => {
      const letters = shortPrefix(term)
      return letters === undefined ? [quoted(term)] : lookUp(letters).words.map((word) => `"${word}"`)
    }),
  )
  if (titleTerms.some((ways) => ways.length === 0)) return undefined
  return titleTerms.map((ways) => `title : (${ways.join(' OR ')})`).join(' AND ')
}

/** A phrase of the query: the expressions by which hits are ranked and found, and its words. */
export interface Phrase {
  weighed: string
  found: string
  words: string[]
  /** A term that a part of the matching entries contains. If it matches many entries, so does the phrase. */
  part?: string
}

export function phrasesOf({ all }: SearchQuery, lookUp: PrefixLookup): Phrase[] {
  return all
    .flat()
    .filter(isWords)
    .map(withoutShortPrefix)
    .map((term) => {
      const letters = shortPrefix(term)
      const part = letters === undefined ? undefined : lookUp(letters).words[0]
      const words = foldedWords(term.text).map((word) => `"${word}"`)
      return { weighed: quoted(term), found: termExpression(term, lookUp), words, ...(part && { part: `"${part}"` }) }
    })
}

/** Drops a short prefix at the end: FTS5 scans all words with the prefix, and doing that once, to find hits, is enough. */
function withoutShortPrefix(term: WordsTerm): WordsTerm {
  const last = foldedWords(term.text).at(-1) ?? ''
  if (!term.prefix || [...last].length > MAX_PREFIX_LENGTH) return term
  const text = term.text.replace(/[\p{L}\p{N}\p{M}]+[^\p{L}\p{N}]*$/u, '')
  return foldedWords(text).length > 0 ? { ...term, text, prefix: false } : term
}

/** Whether the query has words to rank by. */
export function hasPhrases({ all }: SearchQuery): boolean {
  return all.some((clause) => clause.some(isWords))
}

/** The filter of a clause that consists of entries only, or of too many feeds for the expression. */
export function idFilterOf([term, ...otherWords]: SearchTerm[]): IdFilter | undefined {
  if (!term || otherWords.length > 0) return undefined
  if (term.kind === 'entries') return { column: 'entry_id', ids: term.ids }
  return term.kind === 'feeds' && term.ids.length > MAX_FEED_TERMS ? { column: 'feed_id', ids: term.ids } : undefined
}

function isWords(term: SearchTerm): term is WordsTerm {
  return term.kind === 'words'
}

function termExpression(term: SearchTerm, lookUp: PrefixLookup): string {
  switch (term.kind) {
    case 'words':
    case 'author':
      return wordsExpression(term, lookUp)
    case 'feeds':
      return oneOf(term.ids.map((id) => facet('feed', String(id))))
    case 'entries':
      return oneOf([]) // no query combines them with other terms
    case 'language':
      return oneOf([facet('language', term.code)])
    case 'category':
      return oneOf([facet('category', term.name)])
    case 'site':
      return oneOf([facet('site', term.host)])
  }
}

function wordsExpression(term: WordsTerm, lookUp: PrefixLookup): string {
  const isAuthor = term.kind === 'author'
  const column = isAuthor ? 'names : ' : ''
  const letters = shortPrefix(term)
  if (letters === undefined) return `${column}${quoted(term)}`
  const { lists, words: common } = lookUp(letters)
  const inLists = oneOf(lists.map((list) => facet(isAuthor ? 'name' : 'beginning', list)))
  return common.length === 0 ? inLists : `(${inLists} OR ${column}(${common.map((word) => `"${word}"`).join(' OR ')}))`
}

/** Without a facet, nothing matches. */
function oneOf(facets: string[]): string {
  const terms = facets.length > 0 ? facets : [facet('feed', 'none')]
  return `(${terms.map((term) => `"${term}"`).join(' OR ')})`
}

/** The prefix, if the prefix lists can answer it. Only FTS5 can match a phrase of several words. */
function shortPrefix({ text, prefix }: WordsTerm): string | undefined {
  const [word, ...otherWords] = prefix ? foldedWords(text) : []
  if (word === undefined || otherWords.length > 0 || isAlone(word)) return undefined
  return [...word].length <= MAX_PREFIX_LENGTH ? word : undefined
}

/** A quoted string is a phrase of the words that the tokenizer finds in it. Quotes inside are replaced. */
function quoted({ text, prefix }: WordsTerm): string {
  return `"${searchable(text).replaceAll('"', ' ')}"${prefix ? '*' : ''}`
}
