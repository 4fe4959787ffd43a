/**
 * Translates queries into FTS5 expressions. User input becomes quoted strings, in which FTS5 knows no operators. Filters are terms of
 * their own in the index (sql/search-facets), and so are short prefixes (search-prefixes.ts).
 */
import {
  foldedWords,
  isAlone,
  type LanguageForms,
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

/** What the index contains. */
export interface WordLookup {
  prefix(letters: string): PrefixMatches
  /** The other forms of a folded word, by language. */
  forms(word: string): LanguageForms[]
}

/** Undefined if the query consists of id filters only. */
export function expressionOf({ all, none }: SearchQuery, lookUp: WordLookup): string | undefined {
  const required = all.filter((clause) => !idFilterOf(clause))
  if (required.length === 0) return undefined
  const anyOf = (terms: SearchTerm[]) => `(${terms.map((term) => termExpression(term, lookUp)).join(' OR ')})`
  const included = required.map(anyOf).join(' AND ')
  const excluded = none.filter((term) => !idFilterOf([term]))
  return excluded.length > 0 ? `(${included}) NOT ${anyOf(excluded)}` : included
}

/** Matches titles that contain all words of the query. For a short prefix, only common words are known: undefined if there are none. */
export function titleExpressionOf({ all }: SearchQuery, lookUp: WordLookup): string | undefined {
  const clauses = all.map((clause) => clause.filter(isWords)).filter((clause) => clause.length > 0)
  const titleTerms = clauses.map((clause) =>
    clause.flatMap((typed) => {
      const term = typed.isOpen && foldedWords(typed.text).length > 1 ? withoutOpenPrefix(typed) : typed
      const common = commonWords(term, lookUp)
      const forms = term.inflected ? [quoted({ ...term, prefix: false }), ...formsOf(term, lookUp)] : []
      const isCovered = common.length > 0 || shortPrefix(term) !== undefined
      return isCovered ? [...common, ...forms] : [quoted(term), ...forms]
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
  /** Inflected forms of a word, which count less than the word itself. */
  isForm?: true
}

export function phrasesOf({ all }: SearchQuery, lookUp: WordLookup): Phrase[] {
  return all
    .flat()
    .filter(isWords)
    .map((term) => (term.isOpen ? withoutOpenPrefix(term) : withoutShortPrefix(term)))
    .flatMap((term) => (term.inflected ? inflectedPhrases(term, lookUp) : [phraseOf(term, lookUp)]))
}

function phraseOf(term: WordsTerm, lookUp: WordLookup): Phrase {
  const [part] = commonWords(term, lookUp)
  const words = foldedWords(term.text).map((word) => `"${word}"`)
  return { weighed: quoted(term), found: termExpression(term, lookUp), words, ...(part !== undefined && { part }) }
}

/** The word as it is typed, and its other forms. */
function inflectedPhrases(term: WordsTerm, lookUp: WordLookup): Phrase[] {
  const { inflected: _, ...plain } = term
  const forms = formsOf(term, lookUp).join(' OR ')
  const exact = phraseOf(plain, lookUp)
  return forms ? [exact, { weighed: forms, found: forms, words: [], isForm: true }] : [exact]
}

/** Common words with the prefix of a term. */
function commonWords({ text, prefix }: WordsTerm, lookUp: WordLookup): string[] {
  const [word, ...otherWords] = prefix ? foldedWords(text) : []
  if (word === undefined || otherWords.length > 0 || isAlone(word)) return []
  return lookUp.prefix(word).words.map((one) => `"${one}"`)
}

/** The other forms of an inflected word, quoted, whatever their language. */
function formsOf({ text }: WordsTerm, lookUp: WordLookup): string[] {
  const forms = lookUp.forms(foldedWords(text)[0] ?? '').flatMap((one) => one.forms)
  return [...new Set(forms)].map((form) => `"${form}"`)
}

/** A word that is being typed, as it is; of a phrase, the words before the last: a prefix has too many matches to rank by. */
export function withoutOpenPrefix(term: WordsTerm): WordsTerm {
  const words = foldedWords(term.text)
  return { ...term, prefix: false, ...(words.length > 1 && { text: words.slice(0, -1).join(' ') }) }
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

function termExpression(term: SearchTerm, lookUp: WordLookup): string {
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

function wordsExpression(term: WordsTerm, lookUp: WordLookup): string {
  const isAuthor = term.kind === 'author'
  const column = isAuthor ? 'names : ' : ''
  if (term.inflected) return inflectedExpression(term, lookUp)
  const letters = shortPrefix(term)
  if (letters === undefined) return `${column}${quoted(term)}`
  const { lists, words: common } = lookUp.prefix(letters)
  const inLists = oneOf(lists.map((list) => facet(isAuthor ? 'name' : 'beginning', list)))
  return common.length === 0 ? inLists : `(${inLists} OR ${column}(${common.map((word) => `"${word}"`).join(' OR ')}))`
}

/** A form counts in entries of its language. */
function inflectedExpression({ inflected: _, ...term }: WordsTerm, lookUp: WordLookup): string {
  const forms = lookUp
    .forms(foldedWords(term.text)[0] ?? '')
    .map(({ language, forms: words }) => `(${oneOf([facet('language', language)])} AND ${oneOf([...words])})`)
  return `(${[wordsExpression(term, lookUp), ...forms].join(' OR ')})`
}

/** Without a term, nothing matches. */
function oneOf(words: string[]): string {
  const terms = words.length > 0 ? words : [facet('feed', 'none')]
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
