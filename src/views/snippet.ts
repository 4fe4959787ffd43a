/**
 * Snippets of search results: the part of a text that shows why it was found, with the positions of the words. Positions instead of markup
 * let each client highlight in its own way. Words are compared as the index does, folded; a phrase is one highlight.
 */
import { foldedWords, type WordPosition, type WordsTerm, wordPositions } from '../ports/index.ts'

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

export function snippetOf(text: string, terms: readonly WordsTerm[]): Snippet {
  const plain = text.slice(0, MAX_SEARCHED).replace(/\s+/g, ' ').trim()
  const found = findTerms(plain, terms)
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

export function highlightsIn(text: string, terms: readonly WordsTerm[]): Highlight[] {
  return mergeOverlapping(findTerms(text.slice(0, MAX_SEARCHED), terms))
}

interface FoundTerm extends Highlight {
  term: number
}

function findTerms(text: string, terms: readonly WordsTerm[]): FoundTerm[] {
  const words = [...wordPositions(text)]
  const phrases = terms.map(({ text, prefix }) => ({ words: foldedWords(text), prefix }))
  return words.flatMap((word, i) =>
    phrases.flatMap((phrase, term) => {
      const last = isAt(words, i, phrase) ? words[i + phrase.words.length - 1] : undefined
      return last ? [{ from: word.from, to: last.to, term }] : []
    }),
  )
}

function isAt(words: WordPosition[], start: number, phrase: { words: string[]; prefix: boolean }): boolean {
  const last = phrase.words.length - 1
  return phrase.words.every((expected, i) => {
    const word = words[start + i]?.folded
    return phrase.prefix && i === last ? word?.startsWith(expected) : word === expected
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
