/** Why an entry was found, as people see it. */
import { expect, it } from 'vitest'
import type { WordsTerm } from '../ports/index.ts'
import { marksIn, type Snippet, snippetOf } from './snippet.ts'

const word = (text: string, prefix = false): WordsTerm => ({ kind: 'words', text, prefix })
const marked = ({ text, marks }: Snippet) => marks.map(({ from, to }) => text.slice(from, to))

it('marks words as they are written, whatever is typed', () => {
  const text = 'Große Straße, 天気予報 und Café-Träume; strassen'
  expect(marked({ text, marks: marksIn(text, [word('STRASSE'), word('天気'), word('cafe')]) })).toEqual([
    'Straße',
    '天気',
    'Café',
  ])
})

it('marks phrases as one, and beginnings', () => {
  const text = 'high water, higher waters, water is high'
  expect(marked({ text, marks: marksIn(text, [word('high water')]) })).toEqual(['high water'])
  expect(marked({ text, marks: marksIn(text, [word('hi', true)]) })).toEqual(['high', 'higher', 'high'])
  expect(marksIn('', [word('x')])).toEqual([])
})

it('shows the piece in which the most of what is looked for stands', () => {
  const filler = 'nothing to be seen here '.repeat(40)
  const text = `A flood. ${filler} the flood reached the town council of Else ${filler}`
  const snippet = snippetOf(text, [word('flood'), word('town council')])
  expect(marked(snippet)).toEqual(['flood', 'town council'])
  expect(snippet.text).toMatch(/^… .*flood reached.* …$/)
  expect(snippet.text.length).toBeLessThan(250)
})

it('looks for a snippet in the first twenty thousand characters', () => {
  const at = (place: number) => `${'x '.repeat(place / 2)}flood`
  expect(marked(snippetOf(at(19_000), [word('flood')]))).toEqual(['flood'])
  expect(marked(snippetOf(at(20_000), [word('flood')]))).toEqual([])
})

it('shows the beginning where nothing is to be marked, and short texts whole', () => {
  expect(snippetOf('One  two\nthree', [word('four')])).toEqual({ text: 'One two three', marks: [] })
  expect(snippetOf('word '.repeat(99), [word('four')]).text).toMatch(/^word word.* …$/)
  expect(snippetOf('', [word('four')])).toEqual({ text: '', marks: [] })
})
