import { describe, expect, it } from 'vitest'
import { address } from './address.fixture.ts'
import { credentialsIn, mayShareCredentials, withCredentials, withoutCredentials } from './credentials.ts'

describe('credentials', () => {
  it.each([
    ['https://ada:secret@example.org/', { user: 'ada', password: 'secret' }],
    ['https://ada@example.org/', { user: 'ada', password: '' }],
    ['https://%C3%A4nn:100%25%3A%40@example.org/', { user: 'änn', password: '100%:@' }],
    ['https://ann:100%@example.org/', { user: 'ann', password: '100%' }],
    ['https://ada:p@ss@example.org/', { user: 'ada', password: 'p@ss' }],
    ['https://example.org/@ada', undefined],
    ['https://example.org/?a@b', undefined],
    ['ada@example.org', undefined],
  ])('are extracted from %s', (written, credentials) => {
    expect(credentialsIn(written)).toEqual(credentials)
  })

  it.each(['änn', 'a:b@c/d?e#f', '100%', "'"])('survive a round trip through an address: %s', (password) => {
    const credentials = { user: 'ada@home', password }
    expect(credentialsIn(withCredentials(address('https://example.org/x'), credentials))).toEqual(credentials)
  })

  it.each([
    ['http://a.example/x', 'http://a.example/y', true],
    ['http://a.example/x', 'https://a.example/y', true],
    ['https://a.example/x', 'http://a.example/y', false],
    ['http://a.example/x', 'http://a.example:8080/y', false],
    ['http://a.example:8080/x', 'https://a.example/y', false],
    ['http://a.example/x', 'http://b.a.example/y', false],
    ['http://a.example/x', 'nowhere', false],
  ])('given for %s may be sent to %s: %s', (from, to, may) => {
    expect(mayShareCredentials(from, to)).toBe(may)
  })

  it.each([
    ['see https://ada:secret@example.org/feed, and http://b:c@d/', 'see https://example.org/feed, and http://d/'],
    ['ftp://ada:p@ss@example.org', 'ftp://example.org'],
    ['https:///ada:secret@example.org', 'https:///example.org'],
    ['https:\\\\ada:secret@example.org', 'https:\\\\example.org'],
    ['{"url":"https://ada:secret@example.org"}', '{"url":"https://example.org"}'],
    ['https://example.org/@ada?x=a@b', 'https://example.org/@ada?x=a@b'],
    ['mail ada@example.org', 'mail ada@example.org'],
  ])('are removed from %s', (text, without) => {
    expect(withoutCredentials(text)).toBe(without)
  })
})
