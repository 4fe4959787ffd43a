/**
 * A query in FTS5's language. What people typed becomes quoted strings, in which FTS5 has no operators left to trip over. What
 * narrows a search down (feed, language, category, site) stands in the index as words of their own, which begin with a character
 * that nobody can type: so it is found, joined and excluded like any other word.
 */
import type { FeedId } from '../../../model/index.ts'
import {
  foldedWords,
  type SearchDocument,
  type SearchQuery,
  type SearchTerm,
  searchable,
  sitesOf,
  type WordsTerm,
} from '../../../ports/index.ts'

const MARK = '\ue000'
const IN_PLACE_OF_A_SIGN = '\ue001'

/** Feeds that are asked for one by one; of more, each hit is asked for its feed. */
const MOST_FEEDS_NAMED = 500

export function facetsOf({ feedId, language, category, host }: SearchDocument): string {
  const [base] = language.toLowerCase().split('-')
  const languages = new Set([base ?? '', language.toLowerCase()])
  return [
    facet('feed', String(feedId)),
    ...[...languages].map((code) => facet('language', code)),
    facet('category', category.toLowerCase()),
    ...(host ? sitesOf(host).map((site) => facet('site', site)) : []),
  ].join(' ')
}

/** Undefined if nothing is wanted but feeds of which there are too many to name. */
export function expressionOf({ all, none }: SearchQuery, letters: Beginnings): string | undefined {
  const wanted = all.filter((clause) => !manyIn(clause))
  if (wanted.length === 0) return undefined
  const both = wanted.map((clause) => `(${clause.map((term) => written(term, letters)).join(' OR ')})`).join(' AND ')
  const unwanted = none.filter((term) => !manyIn([term]))
  return unwanted.length > 0 ? `(${both}) NOT (${unwanted.map((term) => written(term, letters)).join(' OR ')})` : both
}

/** What must stand in the title, so that it says all that is looked for. */
export function titleExpressionOf({ all }: SearchQuery, letters: Beginnings): string | undefined {
  const clauses = all.map((clause) => clause.filter(isWords)).filter((clause) => clause.length > 0)
  if (clauses.length === 0) return undefined
  return clauses
    .map((clause) => `(${clause.map((term) => `title : ${quoted(term, letters)}`).join(' OR ')})`)
    .join(' AND ')
}

/** What a hit can be weighed by, and the words of which it is made. */
export interface Phrase {
  written: string
  words: string[]
  /** Two letters that words begin with: they say little, and to weigh by them would be to weigh by each that there are. */
  saysLittle: boolean
}

export function phrasesOf({ all }: SearchQuery, letters: Beginnings): Phrase[] {
  const terms = all.flat().filter(isWords)
  return terms.map((term) => {
    const words = foldedWords(term.text)
    return {
      written: quoted(term, letters),
      words: words.map((word) => `"${word}"`),
      saysLittle: term.prefix === true && words.length === 1 && [...words[0]!].length === 2,
    }
  })
}

/** The feeds of a clause that is nothing but feeds, too many to name. */
export function manyIn([term, ...others]: SearchTerm[]): readonly FeedId[] | undefined {
  return term?.kind === 'feeds' && others.length === 0 && term.ids.length > MOST_FEEDS_NAMED ? term.ids : undefined
}

function isWords(term: SearchTerm): term is WordsTerm {
  return term.kind === 'words'
}

function written(term: SearchTerm, letters: Beginnings): string {
  switch (term.kind) {
    case 'words':
      return quoted(term, letters)
    case 'author':
      return `names : ${quoted(term, letters)}`
    case 'feeds':
      return oneOf(term.ids.map((id) => facet('feed', String(id))))
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
  return `(${named.map((one) => `"${one}"`).join(' OR ')})`
}

/** A quoted string is a phrase of the words that the index sees in it; the parser has left no quotes inside. */
function quoted({ text, prefix }: WordsTerm, letters: Beginnings): string {
  const phrase = searchable(text).replaceAll('"', ' ')
  const [word, ...others] = prefix ? foldedWords(text) : []
  if (word === undefined || others.length > 0 || [...word].length !== 2) return `"${phrase}"${prefix ? '*' : ''}`
  const three = letters(word).map((one) => `"${one}"*`)
  return three.length > MOST_BEGINNINGS ? `"${phrase}"*` : `(${[`"${word}"`, ...three].join(' OR ')})`
}

/** Which beginnings of three letters there are that begin with these two. FTS5 by itself merges all that it has of them first. */
export type Beginnings = (two: string) => string[]

/** More would take longer one by one. */
const MOST_BEGINNINGS = 200

/** The beginnings that words of a text have. */
export function beginningsOf(text: string): Set<string> {
  return new Set(foldedWords(text).map((word) => [...word.slice(0, 6)].slice(0, 3).join('')))
}

function facet(kind: 'feed' | 'language' | 'category' | 'site', value: string): string {
  return `${MARK}${kind[0]}${value.replace(/[^\p{L}\p{N}]/gu, IN_PLACE_OF_A_SIGN)}`
}
