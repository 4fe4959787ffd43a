import { expect, test } from 'vitest'
import { localeOf } from './locale.ts'

test.each([
  [['de-AT', 'en'], 'de-AT'],
  [['en-US@posix'], 'en-US'],
  [['pt_BR.UTF-8'], 'pt-BR'],
  [['', '*', 'fr'], 'fr'],
  [['c'], 'en'],
  [[], 'en'],
])('with the browser languages %j, uses the locale %s', (names, expected) => {
  expect(localeOf(names)).toBe(expected)
})
