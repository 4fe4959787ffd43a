/**
 * A query in FTS5's language. What people typed becomes quoted strings, in which FTS5 has no operators left to trip over. What
 * narrows a search down stands in the index as words of their own (sql/search-facets).
 */
import { foldedWords, type SearchQuery, type SearchTerm, searchable, type WordsTerm } from '../../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'

/** Feeds that are asked for one by one; of more, each hit is asked for its feed. */
const MOST_FEEDS_NAMED = 500

/** One of these has to stand in that column of `entry_places`. */
export interface Many {
  column: 'feed_id' | 'entry_id'
  ids: readonly number[]
}

/** Undefined if nothing is wanted but feeds, or entries, of which there are too many to name. */
export function expressionOf({ all, none }: SearchQuery): string | undefined {
  const wanted = all.filter((clause) => !manyIn(clause))
  if (wanted.length === 0) return undefined
  const both = wanted.map((clause) => `(${clause.map(written).join(' OR ')})`).join(' AND ')
  const unwanted = none.filter((term) => !manyIn([term]))
  return unwanted.length > 0 ? `(${both}) NOT (${unwanted.map(written).join(' OR ')})` : both
}

/** What must stand in the title, so that it says all that is looked for. */
export function titleExpressionOf({ all }: SearchQuery): string | undefined {
  const clauses = all.map((clause) => clause.filter(isWords)).filter((clause) => clause.length > 0)
  if (clauses.length === 0) return undefined
  return clauses.map((clause) => `(${clause.map((term) => `title : ${quoted(term)}`).join(' OR ')})`).join(' AND ')
}

/** What a hit can be weighed by, and the words of which it is made. */
export interface Phrase {
  written: string
  words: string[]
}

export function phrasesOf({ all }: SearchQuery): Phrase[] {
  const terms = all.flat().filter(isWords)
  return terms.map((term) => ({ written: quoted(term), words: foldedWords(term.text).map((word) => `"${word}"`) }))
}

/** What each hit is asked for, in a clause of nothing but entries, or feeds too many to name. */
export function manyIn([term, ...others]: SearchTerm[]): Many | undefined {
  if (!term || others.length > 0) return undefined
  if (term.kind === 'entries') return { column: 'entry_id', ids: term.ids }
  return term.kind === 'feeds' && term.ids.length > MOST_FEEDS_NAMED ? { column: 'feed_id', ids: term.ids } : undefined
}

function isWords(term: SearchTerm): term is WordsTerm {
  return term.kind === 'words'
}

function written(term: SearchTerm): string {
  switch (term.kind) {
    case 'words':
      return quoted(term)
    case 'author':
      return `names : ${quoted(term)}`
    case 'feeds':
      return oneOf(term.ids.map((id) => facet('feed', String(id))))
    case 'entries':
      return oneOf([]) // beside others nobody can ask for them
    case 'language':
      return oneOf([facet('language', term.code)])
    case 'category':
      return oneOf([facet('category', term.name)])
    case 'site':
      return oneOf([facet('site', term.host)])
  }
}

/** Of no feed at all there is nothing. */
function oneOf(facets: string[]): string {
  const named = facets.length > 0 ? facets : [facet('feed', 'none')]
  return `facets : (${named.map((one) => `"${one}"`).join(' OR ')})`
}

/** A quoted string is a phrase of the words that the index sees in it; the parser has left no quotes inside. */
function quoted({ text, prefix }: WordsTerm): string {
  return `"${searchable(text).replaceAll('"', ' ')}"${prefix ? '*' : ''}`
}
