import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldedWords, searchedPart } from './search-words.ts'

const MAX = { words: 200, different: 50 }

it.each<[string, string, number]>([
  ['a word for each letter', '東京都の新しい橋が開通した'.repeat(100), 200],
  ['noise', Array.from({ length: 500 }, (_, i) => `x${i}y`).join(' '), 50],
  ['one word again and again', 'goose '.repeat(1000), 200],
])('limits the searched part of a text: %s', (_, text, words) => {
  const part = searchedPart(text, MAX)
  expect(text.startsWith(part)).toBe(true)
  expect(part.match(/\p{Script=Han}|\p{Script=Hiragana}|[a-z0-9]+/gu)).toHaveLength(words)
})

it('keeps short texts whole', () => {
  const text = 'What the goose said to the miller, and what he said then. '.repeat(10)
  expect(searchedPart(text, MAX)).toBe(text)
  expect(searchedPart('', MAX)).toBe('')
})

it('folds Latin and Cyrillic texts on the fast path as on the general one', () => {
  const letters = Array.from({ length: 0x470 }, (_, code) => String.fromCharCode(code))
  const signs = ['’', '“', '–', '…', ' ', 'e\u0301']
  const text = fc.array(fc.constantFrom(...letters, ...signs), { maxLength: 30 }).map((parts) => parts.join(''))
  const oneByOne = letters.map((letter) => `a${letter}B`)
  const same = (written: string) => {
    expect([...foldedWords(written), '気']).toEqual(foldedWords(`${written} 気`))
  }
  for (const written of oneByOne) same(written)
  fc.assert(fc.property(text, same))
})
