import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from './address.fixture.ts'
import { MAX_ADDRESS_LENGTH, originOf, webAddress, withoutFragment } from './index.ts'

describe('webAddress', () => {
  it.each([
    'https://example.org/feed',
    'HTTP://Example.org',
    'https://exämple.org/ü?q=ß#x',
    'http://[::1]:8080/',
    'https://example.org/@ada?mail=a@b.example#c@d',
  ])('keeps the spelling of %s', (written) => {
    expect(webAddress(written)).toBe(written)
  })

  it.each([
    ['/feed', 'https://example.org/feed'],
    ['?page=2', 'https://example.org/blog/?page=2'],
    ['//other.example', 'https://other.example/'],
    [' https://other.example/a\nb ', 'https://other.example/ab'],
    ['https://ada:secret@other.example/@x', 'https://other.example/@x'],
    ['https://ada@other.example', 'https://other.example/'],
    ['https:///ada:p@ss@other.example/', 'https://other.example/'],
    ['//ada:secret@other.example/x', 'https://other.example/x'],
    ['https:ada:secret@other.example', 'https://example.org/blog/ada:secret@other.example'],
  ])('resolves the relative address %j', (written, whole) => {
    expect(webAddress(written, address('https://example.org/blog/'))).toBe(whole)
  })

  it.each([
    undefined,
    '',
    'feed',
    'http://',
    'http://[hub',
    'https://a b.example/',
    'http://a.example:99999/',
    'mailto:ada@example.org',
    'javascript:alert(1)',
    'file:///etc/passwd',
    `https://example.org/${'x'.repeat(MAX_ADDRESS_LENGTH)}`,
    `https://example.org/${' '.repeat(MAX_ADDRESS_LENGTH / 2)}x`,
  ])('rejects %j', (written) => {
    expect(webAddress(written)).toBeUndefined()
  })

  it('has an origin, and a form without fragment, for any input', () => {
    const written = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: 'binary' }).map((rest) => `http://a.example/${rest}`),
      fc.string({ unit: 'grapheme' }).map((host) => `https://${host}`),
      fc.stringMatching(/^https?:\/\/(?:[a-z0-9-]{1,5}\.){1,3}[a-z]{2,4}[/?#:][!-~]{0,9}$/),
      fc.string(),
    )
    fc.assert(
      fc.property(written, written, (given, base) => {
        const found = webAddress(given, webAddress(base))
        if (found === undefined) return
        const { username, password } = new URL(found)
        expect(username + password).toBe('')
        for (const part of [found, originOf(found), withoutFragment(found)]) expect(webAddress(part)).toBe(part)
      }),
    )
  })
})
