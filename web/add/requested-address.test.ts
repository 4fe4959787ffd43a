/** Addresses that other pages and programs ask to add. */
import { expect, test } from 'vitest'
import { requestedAddress } from './requested-address.ts'

test.each([
  ['url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1', 'https://example.org/a?b=1'],
  ['url=feed%3Ahttps%3A%2F%2Fexample.org%2Frss', 'feed:https://example.org/rss'],
  ['url=web%2Bfeed%3A%2F%2Fexample.org%2Frss', 'web+feed://example.org/rss'],
  ['url=example.org/blog', 'example.org/blog'],
  ['title=A+page&text=Read+this+https%3A%2F%2Fexample.org%2F1.', 'https://example.org/1'],
  ['url=&text=https%3A%2F%2Fexample.org%2F1', 'https://example.org/1'],
  ['url=javascript:alert(1)', ''],
  ['url=data:text/html,x', ''],
  ['text=no+address', ''],
  [`url=https://example.org/${'x'.repeat(8200)}`, ''],
  ['', ''],
])('%s asks for %s', (query, expected) => {
  expect(requestedAddress(new URLSearchParams(query))).toBe(expected)
})
