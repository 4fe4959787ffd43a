import { expect, test } from 'vitest'
import { ownPath } from './return-path.ts'

test.each([
  ['/read/all?e=7', '/read/all?e=7'],
  ['/read/folder/A%20B', '/read/folder/A%20B'],
  [undefined, '/'],
  ['', '/'],
  ['read/all', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['/\n/evil.example/', '/'],
  ['/read\\..\\..', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?code=1', '/'],
  [`/${'x'.repeat(1000)}`, '/'],
])('%j returns to %j', (text, expected) => {
  expect(ownPath(text)).toBe(expected)
  expect(new URL(ownPath(text), 'https://own.example').origin).toBe('https://own.example')
})
