/** Snippets and highlights of search results. */
import { expect, it } from 'vitest'
import type { WordsTerm } from '../ports/index.ts'
import { highlightsIn, type Snippet, snippetOf } from './snippet.ts'

const word = (text: string, prefix = false): WordsTerm => ({ kind: 'words', text, prefix })
const highlighted = ({ text, highlights }: Snippet) => highlights.map(({ from, to }) => text.slice(from, to))

it('highlights words however they are spelled in the query', () => {
  const text = 'Große Straße, 天気予報 und Café-Träume; strassen'
  expect(highlighted({ text, highlights: highlightsIn(text, [word('STRASSE'), word('天気'), word('cafe')]) })).toEqual([
    'Straße',
    '天気',
    'Café',
  ])
})

it('highlights phrases as a whole, and prefixes', () => {
  const text = 'high water, higher waters, water is high'
  expect(highlighted({ text, highlights: highlightsIn(text, [word('high water')]) })).toEqual(['high water'])
  expect(highlighted({ text, highlights: highlightsIn(text, [word('hi', true)]) })).toEqual(['high', 'higher', 'high'])
  expect(highlightsIn('', [word('x')])).toEqual([])
})

it('shows the part that contains the most search terms', () => {
  const filler = 'nothing to be seen here '.repeat(40)
  const text = `A flood. ${filler} the flood reached the town council of Else ${filler}`
  const snippet = snippetOf(text, [word('flood'), word('town council')])
  expect(highlighted(snippet)).toEqual(['flood', 'town council'])
  expect(snippet.text).toMatch(/^… .*flood reached.* …$/)
  expect(snippet.text.length).toBeLessThan(250)
})

it('searches only the first twenty thousand characters for a snippet', () => {
  const at = (position: number) => `${'x '.repeat(position / 2)}flood`
  expect(highlighted(snippetOf(at(19_000), [word('flood')]))).toEqual(['flood'])
  expect(highlighted(snippetOf(at(20_000), [word('flood')]))).toEqual([])
})

it('shows the beginning if nothing matches, and short texts completely', () => {
  expect(snippetOf('One  two\nthree', [word('four')])).toEqual({ text: 'One two three', highlights: [] })
  expect(snippetOf('word '.repeat(99), [word('four')]).text).toMatch(/^word word.* …$/)
  expect(snippetOf('', [word('four')])).toEqual({ text: '', highlights: [] })
})

it('highlights inflected forms, words that are being typed, and signs', () => {
  const flood: WordsTerm = { ...word('flood'), inflected: true }
  const text = 'Flooding in C++ and vitamin C; floods on .NET, floodgates'
  const marks = (term: WordsTerm, language = 'en') =>
    highlighted({ text, highlights: highlightsIn(text, [term], language) })
  expect(marks(flood)).toEqual(['Flooding', 'floods'])
  expect(marks(flood, 'de')).toEqual(['floods'])
  expect(marks({ ...flood, prefix: true })).toEqual(['Flooding', 'floods', 'floodgates'])
  expect(marks({ ...word('C++'), literal: 'c++' })).toEqual(['C++'])
  expect(marks({ ...word('.NET'), literal: '.net' })).toEqual(['.NET'])
  expect(marks({ ...word('C+'), literal: 'c+' })).toEqual(['C++'])
})
