/** Words whose signs matter. */
import { expect, it } from 'vitest'
import { containsLiteral, literalOf } from './search-literals.ts'

it.each([
  ['C++', 'c++'],
  ['“C#”', 'c#'],
  ['(.NET)', '.net'],
  ['AT&T', 'at&t'],
  ['R&D,', 'r&d'],
  ['Disney+', 'disney+'],
  ['C++17', 'c++17'],
  ['F-16', undefined],
  ['node.js', undefined],
  ['#flood', undefined],
  ['oil+gas', undefined],
  ['flood.', undefined],
  ['...', undefined],
])('of %s is %s', (typed, literal) => {
  expect(literalOf(typed)).toBe(literal)
})

it.each([
  ['a talk on C++.', 'c++', true],
  ['C++17 is out', 'c++', true],
  ['vitamin C', 'c++', false],
  ['C+ grades', 'c++', false],
  ['g/c++', 'c++', true],
  ['notc++', 'c++', false],
  ['C# and F#', 'c#', true],
  ['.NET 10', '.net', true],
  ['example.net', '.net', false],
  ['the net', '.net', false],
  ['AT&T and AT & T', 'at&t', true],
  ['AT & T', 'at&t', true],
  ['look at t', 'at&t', false],
])('%j contains %s: %s', (text, literal, isFound) => {
  expect(containsLiteral(text, literal)).toBe(isFound)
})

it('may go on while it is typed', () => {
  expect(containsLiteral('C++', 'c+')).toBe(false)
  expect(containsLiteral('C++', 'c+', true)).toBe(true)
})
