/**
 * A query in FTS5's language. What people typed becomes quoted strings, in which FTS5 has no operators left to trip over. What
 * narrows a search down stands in the index as words of their own (sql/search-facets), and so do short beginnings (search-beginnings.ts).
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
import { type Begun, LISTED_LETTERS } from './search-beginnings.ts'

/** Feeds that are asked for one by one; of more, each hit is asked for its feed. */
const MOST_FEEDS_NAMED = 500

/** One of these has to stand in that column of `entry_places`. */
export interface Many {
  column: 'feed_id' | 'entry_id'
  ids: readonly number[]
}

export type BegunBy = (letters: string) => Begun

/** Undefined if nothing is wanted but feeds, or entries, of which there are too many to name. */
export function expressionOf({ all, none }: SearchQuery, begun: BegunBy): string | undefined {
  const wanted = all.filter((clause) => !manyIn(clause))
  if (wanted.length === 0) return undefined
  const anyOf = (terms: SearchTerm[]) => `(${terms.map((term) => written(term, begun)).join(' OR ')})`
  const both = wanted.map(anyOf).join(' AND ')
  const unwanted = none.filter((term) => !manyIn([term]))
  return unwanted.length > 0 ? `(${both}) NOT ${anyOf(unwanted)}` : both
}

/**
 * What must stand in the title, so that it says all that is looked for. Of a short beginning only common words are known to stand there:
 * undefined if there are none.
 */
export function titleExpressionOf({ all }: SearchQuery, begun: BegunBy): string | undefined {
  const clauses = all.map((clause) => clause.filter(isWords)).filter((clause) => clause.length > 0)
  const said = clauses.map((clause) =>
    clause.flatMap((term) => {
      const letters = shortBeginning(term)
      return letters === undefined ? [quoted(term)] : begun(letters).words.map((word) => `"${word}"`)
    }),
  )
  if (said.some((ways) => ways.length === 0)) return undefined
  return said.map((ways) => `title : (${ways.join(' OR ')})`).join(' AND ')
}

/** What a hit can be weighed by, how its holders are found, and the words of which it is made. */
export interface Phrase {
  weighed: string
  found: string
  words: string[]
  /** What part of its holders hold: if they are many, all are. */
  part?: string
}

export function phrasesOf({ all }: SearchQuery, begun: BegunBy): Phrase[] {
  return all
    .flat()
    .filter(isWords)
    .map(told)
    .map((term) => {
      const letters = shortBeginning(term)
      const part = letters === undefined ? undefined : begun(letters).words[0]
      const words = foldedWords(term.text).map((word) => `"${word}"`)
      return { weighed: quoted(term), found: written(term, begun), words, ...(part && { part: `"${part}"` }) }
    })
}

/** Of words that end in a short beginning, those before it: FTS5 goes through all that begins so, once for the hits is enough. */
function told(term: WordsTerm): WordsTerm {
  const last = foldedWords(term.text).at(-1) ?? ''
  if (!term.prefix || [...last].length > LISTED_LETTERS) return term
  const text = term.text.replace(/[\p{L}\p{N}\p{M}]+[^\p{L}\p{N}]*$/u, '')
  return foldedWords(text).length > 0 ? { ...term, text, prefix: false } : term
}

/** Whether there is anything to weigh hits by. */
export function hasPhrases({ all }: SearchQuery): boolean {
  return all.some((clause) => clause.some(isWords))
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

function written(term: SearchTerm, begun: BegunBy): string {
  switch (term.kind) {
    case 'words':
    case 'author':
      return words(term, begun)
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

function words(term: WordsTerm, begun: BegunBy): string {
  const isAuthor = term.kind === 'author'
  const column = isAuthor ? 'names : ' : ''
  const letters = shortBeginning(term)
  if (letters === undefined) return `${column}${quoted(term)}`
  const { lists, words: common } = begun(letters)
  const inLists = oneOf(lists.map((list) => facet(isAuthor ? 'name' : 'beginning', list)))
  return common.length === 0 ? inLists : `(${inLists} OR ${column}(${common.map((word) => `"${word}"`).join(' OR ')}))`
}

/** Of no feed at all, and of no list, there is nothing. */
function oneOf(facets: string[]): string {
  const named = facets.length > 0 ? facets : [facet('feed', 'none')]
  return `(${named.map((one) => `"${one}"`).join(' OR ')})`
}

/** The letters with which a word shall begin, if lists know all that begins so: of several words FTS5 alone knows which stand together. */
function shortBeginning({ text, prefix }: WordsTerm): string | undefined {
  const [word, ...others] = prefix ? foldedWords(text) : []
  if (word === undefined || others.length > 0 || isAlone(word)) return undefined
  return [...word].length <= LISTED_LETTERS ? word : undefined
}

/** A quoted string is a phrase of the words that the index sees in it; the parser has left no quotes inside. */
function quoted({ text, prefix }: WordsTerm): string {
  return `"${searchable(text).replaceAll('"', ' ')}"${prefix ? '*' : ''}`
}
