/**
 * Snippets of search results: the part of a text that shows why it was found, with the positions of the words. Positions instead of markup
 * let each client highlight in its own way. Words are compared as the index does, folded; a phrase is one highlight.
 */
import { foldedWords, formsOf, type WordPosition, type WordsTerm, wordPositions } from '../ports/index.ts'

export interface Highlight {
  from: number
  to: number
}

export interface Snippet {
  text: string
  highlights: Highlight[]
}

/** Characters of a snippet, and how many of them come before its first highlight. */
const MAX_LENGTH = 240
const CONTEXT_LENGTH = 50

/** Only the beginning of a text is searched: searching a whole book takes too long. */
const MAX_SEARCHED = 20_000

/** Inflected forms of words are highlighted in a text of their language. */
export function snippetOf(text: string, terms: readonly WordsTerm[], language = ''): Snippet {
  const plain = text.slice(0, MAX_SEARCHED).replace(/\s+/g, ' ').trim()
  const found = findTerms(plain, terms, language)
  const from = snippetStart(plain, findDensest(found)?.from ?? 0)
  const to = snippetEnd(plain, from + MAX_LENGTH)
  const before = from > 0 ? '… ' : ''
  const merged = mergeOverlapping(found).filter((match) => match.from >= from && match.to <= to)
  const offset = before.length - from
  return {
    text: before + plain.slice(from, to) + (to < plain.length ? ' …' : ''),
    highlights: merged.map((match) => ({ from: match.from + offset, to: match.to + offset })),
  }
}

export function highlightsIn(text: string, terms: readonly WordsTerm[], language = ''): Highlight[] {
  return mergeOverlapping(findTerms(text.slice(0, MAX_SEARCHED), terms, language))
}

interface FoundTerm extends Highlight {
  term: number
}

interface SearchedPhrase {
  words: string[]
  prefix: boolean
  /** Other forms of the only word. */
  forms: ReadonlySet<string>
  literal: string | undefined
}

function findTerms(text: string, terms: readonly WordsTerm[], language: string): FoundTerm[] {
  const words = [...wordPositions(text)]
  const phrases = terms.map(({ text, prefix, inflected, literal }): SearchedPhrase => {
    const folded = foldedWords(text)
    return { words: folded, prefix, forms: new Set(inflected ? formsOf(folded[0] ?? '', language) : []), literal }
  })
  return words.flatMap((word, i) =>
    phrases.flatMap((phrase, term) => {
      const last = isAt(words, i, phrase) ? words[i + phrase.words.length - 1] : undefined
      if (!last) return []
      const written =
        phrase.literal === undefined ? { from: word.from, to: last.to } : literalAt(text, phrase, word, last)
      return written ? [{ ...written, term }] : []
    }),
  )
}

/** The position of a literal with its signs; undefined if the text has the letters only. */
function literalAt(
  text: string,
  { literal = '' }: SearchedPhrase,
  first: WordPosition,
  last: WordPosition,
): Highlight | undefined {
  const from = literal.startsWith('.') && text[first.from - 1] === '.' ? first.from - 1 : first.from
  const to = last.to + (/^[+#]*/.exec(text.slice(last.to, last.to + 4))?.[0].length ?? 0)
  return text.slice(from, to).toLowerCase().startsWith(literal) ? { from, to } : undefined
}

function isAt(words: WordPosition[], start: number, { words: phrase, prefix, forms }: SearchedPhrase): boolean {
  const last = phrase.length - 1
  return phrase.every((expected, i) => {
    const word = words[start + i]?.folded
    if (word === undefined) return false
    return word === expected || forms.has(word) || (prefix && i === last && word.startsWith(expected))
  })
}

/** The first match that is followed by the most different terms within one snippet. */
function findDensest(found: FoundTerm[]): FoundTerm | undefined {
  let chosen: FoundTerm | undefined
  let most = 0
  for (const [i, match] of found.entries()) {
    const terms = new Set<number>()
    for (let j = i; j < found.length && found[j]!.to <= match.from + MAX_LENGTH - CONTEXT_LENGTH; j++)
      terms.add(found[j]!.term)
    if (terms.size <= most) continue
    most = terms.size
    chosen = match
  }
  return chosen
}

/** Merges highlights that touch or overlap. */
function mergeOverlapping(found: Highlight[]): Highlight[] {
  const merged: Highlight[] = []
  for (const { from, to } of found) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Some words before the match, starting at a word boundary. */
function snippetStart(text: string, match: number): number {
  if (match <= CONTEXT_LENGTH) return 0
  const space = text.indexOf(' ', match - CONTEXT_LENGTH)
  return space >= 0 && space < match ? space + 1 : match
}

function snippetEnd(text: string, to: number): number {
  if (to >= text.length) return text.length
  const space = text.lastIndexOf(' ', to)
  return space > to - CONTEXT_LENGTH ? space : to
}
