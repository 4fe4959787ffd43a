import { expect, it } from 'vitest'
import { removePrefix } from './title-prefix.ts'

it.each([
  ['Gazette: Goose elected', 'Gazette', 'Goose elected'],
  ['Gazette - Goose elected', 'Gazette', 'Goose elected'],
  ['[ANN] Goose elected', '[ANN]', 'Goose elected'],
  ['Goose elected in Gazette', 'Gazette', 'Goose elected in Gazette'],
  ['Gazette', 'Gazette', 'Gazette'],
  ['Goose', '', 'Goose'],
])('"%s" without "%s" is "%s"', (title, prefix, expected) => {
  expect(removePrefix(title, prefix)).toBe(expected)
})
