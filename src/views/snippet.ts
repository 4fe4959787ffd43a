/**
 * The piece of a text that shows why it was found, and where in it the words stand: as places, so that whoever shows it marks
 * them in his own way and no markup travels. Words are compared as an index does, folded; a phrase is marked as one.
 */
import { foldedWords, type PlacedWord, placedWords, type WordsTerm } from '../ports/index.ts'

export interface Marked {
  from: number
  to: number
}

export interface Snippet {
  text: string
  marks: Marked[]
}

/** Characters of a snippet, and of them before its first mark. */
const LENGTH = 240
const BEFORE = 50

/** Of a text, its beginning is looked through: to look through a book takes long. */
const LONGEST = 20_000

export function snippetOf(text: string, terms: readonly WordsTerm[]): Snippet {
  const plain = text.slice(0, LONGEST).replace(/\s+/g, ' ').trim()
  const found = marksOf(plain, terms)
  const from = beginningOf(plain, best(found)?.from ?? 0)
  const to = endOf(plain, from + LENGTH)
  const before = from > 0 ? '… ' : ''
  const marks = merged(found).filter((mark) => mark.from >= from && mark.to <= to)
  const moved = before.length - from
  return {
    text: before + plain.slice(from, to) + (to < plain.length ? ' …' : ''),
    marks: marks.map((mark) => ({ from: mark.from + moved, to: mark.to + moved })),
  }
}

export function marksIn(text: string, terms: readonly WordsTerm[]): Marked[] {
  return merged(marksOf(text.slice(0, LONGEST), terms))
}

interface FoundTerm extends Marked {
  term: number
}

function marksOf(text: string, terms: readonly WordsTerm[]): FoundTerm[] {
  const words = [...placedWords(text)]
  const phrases = terms.map(({ text, prefix }) => ({ words: foldedWords(text), prefix }))
  return words.flatMap((word, i) =>
    phrases.flatMap((phrase, term) => {
      const last = isAt(words, i, phrase) ? words[i + phrase.words.length - 1] : undefined
      return last ? [{ from: word.from, to: last.to, term }] : []
    }),
  )
}

function isAt(words: PlacedWord[], start: number, phrase: { words: string[]; prefix: boolean }): boolean {
  const last = phrase.words.length - 1
  return phrase.words.every((wanted, i) => {
    const word = words[start + i]?.folded
    return phrase.prefix && i === last ? word?.startsWith(wanted) : word === wanted
  })
}

/** The mark behind which the most different terms stand, the first of them. */
function best(found: FoundTerm[]): FoundTerm | undefined {
  let chosen: FoundTerm | undefined
  let most = 0
  for (const [i, mark] of found.entries()) {
    const terms = new Set<number>()
    for (let j = i; j < found.length && found[j]!.to <= mark.from + LENGTH - BEFORE; j++) terms.add(found[j]!.term)
    if (terms.size <= most) continue
    most = terms.size
    chosen = mark
  }
  return chosen
}

/** Marks that touch or overlap are one. */
function merged(found: Marked[]): Marked[] {
  const marks: Marked[] = []
  for (const { from, to } of found) {
    const last = marks.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else marks.push({ from, to })
  }
  return marks
}

/** Some words before, and not in the middle of one. */
function beginningOf(text: string, mark: number): number {
  if (mark <= BEFORE) return 0
  const space = text.indexOf(' ', mark - BEFORE)
  return space >= 0 && space < mark ? space + 1 : mark
}

function endOf(text: string, to: number): number {
  if (to >= text.length) return text.length
  const space = text.lastIndexOf(' ', to)
  return space > to - BEFORE ? space : to
}
