/** Compiles the query of a rule to a function of an entry whose words are indexed. */
import type { EntryState, Instant } from '../model/index.ts'
import {
  compileTerm,
  compileWords,
  containsLiteral,
  countPhrase,
  type IndexedDocument,
  indexDocument,
  type PartTerm,
  type PatternTerm,
  type Query,
  type SearchDocument,
  type SearchTerm,
  type UrlTerm,
  type WordsTerm,
  wordsToLookFor,
} from '../ports/index.ts'
import { compilePattern } from './pattern.ts'
import { foldCase } from './required-text.ts'

/** A term after names of feeds, folders and labels are resolved. */
export type RuleTerm =
  | SearchTerm
  | PartTerm
  | UrlTerm
  | PatternTerm
  /** `matches` the user's state of the entry, including changes by earlier rules. */
  | { kind: 'state'; matches: (state: EntryState) => boolean }

export type RuleQuery = Query<RuleTerm>

/** An entry as rules see it. */
export interface RuleDocument {
  indexed: IndexedDocument
  title: string
  text: string
  /** Empty if it has none. */
  url: string
  /** Title, text and names, for words whose signs matter. */
  whole: string
  /** For regular expressions. */
  folded(part: 'title' | 'text' | 'url'): string
}

export type MatchEntry = (document: RuleDocument, state: EntryState, now: Instant) => boolean

type MatchTerm = (document: RuleDocument, state: EntryState) => boolean

export interface CompiledQuery {
  matches: MatchEntry
  /** Whether it depends on the text of the entry, which may still be fetched. */
  needsText: boolean
  /** Words of which every matching entry of this language has at least one; undefined if that is not known. */
  wordsToLookFor(language: string): string[] | undefined
}

export function ruleDocument(document: SearchDocument, url: string | undefined): RuleDocument {
  const { title, text, names } = document
  const whole = [title, text, ...names].join('\n')
  const parts = { title, text, url: url ?? '' }
  const folded: Partial<typeof parts> = {}
  return {
    indexed: indexDocument(document),
    ...parts,
    whole,
    folded: (part) => (folded[part] ??= foldCase(parts[part])),
  }
}

/** Without a term, every entry matches. */
export function compileQuery({ all, none, since, until }: RuleQuery): CompiledQuery | { fault: string } {
  const clauses: MatchTerm[][] = []
  for (const clause of all) {
    const terms: MatchTerm[] = []
    for (const term of clause) {
      const matches = compileRuleTerm(term)
      if ('fault' in matches) return matches
      terms.push(matches)
    }
    clauses.push(terms)
  }
  const excluded: MatchTerm[] = []
  for (const term of none) {
    const matches = compileRuleTerm(term)
    if ('fault' in matches) return matches
    excluded.push(matches)
  }
  return {
    needsText: [...all.flat(), ...none].some(needsText),
    wordsToLookFor: (language) => fewestWords(all, language),
    matches: (document, state) =>
      (since === undefined || document.indexed.at >= since) &&
      (until === undefined || document.indexed.at <= until) &&
      clauses.every((terms) => terms.some((matches) => matches(document, state))) &&
      !excluded.some((matches) => matches(document, state)),
  }
}

function fewestWords(all: readonly RuleTerm[][], language: string): string[] | undefined {
  let fewest: string[] | undefined
  for (const clause of all) {
    const words = clause.map((term) => wordsOf(term, language))
    if (words.includes(undefined)) continue
    const flat = words.flatMap((some) => some ?? [])
    if (!fewest || flat.length < fewest.length) fewest = flat
  }
  return fewest
}

function wordsOf(term: RuleTerm, language: string): string[] | undefined {
  if (term.kind === 'words' || term.kind === 'author') return wordsToLookFor(term, language)
  return term.kind === 'part' ? wordsToLookFor(term.words, language) : undefined
}

function needsText(term: RuleTerm): boolean {
  if (term.kind === 'part' || term.kind === 'pattern') return term.part === undefined || term.part === 'text'
  return ['words', 'author', 'language', 'category'].includes(term.kind)
}

function compileRuleTerm(term: RuleTerm): MatchTerm | { fault: string } {
  switch (term.kind) {
    case 'state':
      return (_, state) => term.matches(state)
    case 'url':
      return ({ url }) => url.toLowerCase().includes(term.contains)
    case 'part':
      return compilePart(term)
    case 'pattern': {
      const test = compilePattern(term.pattern, term.ignoresCase)
      if ('fault' in test) return test
      const { part } = term
      const parts = part ? [part] : (['title', 'text'] as const)
      return (document) => parts.some((one) => test(document[one], document.folded(one)))
    }
    case 'words': {
      const weightOf = compileTerm(term)
      const { literal } = term
      if (literal === undefined) return ({ indexed }) => weightOf(indexed) > 0
      return ({ indexed, whole }) => weightOf(indexed) > 0 && containsLiteral(whole, literal)
    }
    default: {
      const weightOf = compileTerm(term)
      return ({ indexed }) => weightOf(indexed) > 0
    }
  }
}

function compilePart({ part, words }: PartTerm): MatchTerm {
  const weightOf = compileWords(words, (document, phrase, prefix) => countPhrase(document[part], phrase, prefix))
  const { literal }: WordsTerm = words
  return (document) =>
    weightOf(document.indexed) > 0 && (literal === undefined || containsLiteral(document[part], literal))
}
