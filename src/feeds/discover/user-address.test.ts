import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { isSameSite, normalizeUserAddress, resolvePageLink, sameSiteByName } from './user-address.ts'

describe('normalizeUserAddress', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['EXAMPLE.org/Path?Q=1', 'https://example.org/Path?Q=1'],
    ['  example.org  ', 'https://example.org/'],
    ['//example.org/x', 'https://example.org/x'],
    ['http://example.org', 'http://example.org/'],
    ['HTTPS://example.org/#part', 'https://example.org/'],
    ['https://example.org/a b', 'https://example.org/a%20b'],
    ['https://exam\nple.org/', 'https://example.org/'],
    ['http:example.org', 'http://example.org/'],
    ['https://https://example.org/x', 'https://example.org/x'],
    ['<https://example.org/>', 'https://example.org/'],
    ['"example.org"', 'https://example.org/'],
    ['feed://example.org/rss', 'https://example.org/rss'],
    ['feed:example.org/rss', 'https://example.org/rss'],
    ['feed:http://example.org/rss', 'http://example.org/rss'],
    ['feed://https://example.org/rss', 'https://example.org/rss'],
    ['web+feed:https://example.org/rss', 'https://example.org/rss'],
    ['web+feed://example.org/rss', 'https://example.org/rss'],
    ['pcast://example.org/rss', 'https://example.org/rss'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['example.xn--p1ai', 'https://example.xn--p1ai/'],
    ['example.org:8443/x', 'https://example.org:8443/x'],
    ['http://wiki/', 'http://wiki/'],
    ['https://me:secret@example.org/private', 'https://example.org/private'],
    ['localhost', 'http://localhost/'],
    ['localhost:8080/feed', 'http://localhost:8080/feed'],
    ['village.localhost:80', 'http://village.localhost/'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['[::1]:3000/x', 'http://[::1]:3000/x'],
    ['feed://localhost:3000/x', 'http://localhost:3000/x'],
  ])('accepts %j', (typed, address) => {
    expect(normalizeUserAddress(typed)).toBe(address)
  })

  it.each([
    [''],
    ['   '],
    ['hello'],
    ['hello world'],
    ['example.org and more'],
    ['2024'],
    ['1.5'],
    ['/feed.xml'],
    ['../feed.xml'],
    ['#top'],
    ['?q=1'],
    ['reader@example.org'],
    ['mailto:reader@example.org'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['ftp://example.org/'],
    ['htttp://example.org/'],
    ['https://'],
    ['https://exa mple.org/'],
    ['feed:'],
    ['feed://feed://feed:'],
    ['.org'],
    ['...'],
    [`https://example.org/${'a'.repeat(5_000)}`],
  ])('rejects %j', (typed) => {
    expect(normalizeUserAddress(typed)).toBeUndefined()
  })

  it('returns a web address that is stable under normalization, or nothing', () => {
    const typed = fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV6(), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(typed, (text) => {
        const address = normalizeUserAddress(text)
        if (address === undefined) return
        expect(address).toMatch(/^https?:\/\//)
        expect(normalizeUserAddress(address)).toBe(address)
      }),
    )
  })
})

describe('resolvePageLink', () => {
  it.each([
    ['feed.xml', 'https://example.org/blog/feed.xml'],
    ['/feed.xml#x', 'https://example.org/feed.xml'],
    ['//other.example/feed', 'https://other.example/feed'],
    ['feed://other.example/feed', 'https://other.example/feed'],
    ['  http://other.example/feed \n', 'http://other.example/feed'],
    ['?feed=rss2', 'https://example.org/blog/?feed=rss2'],
    ['', undefined],
    ['javascript:void(0)', undefined],
    ['mailto:x@example.org', undefined],
    ['http://', undefined],
  ])('%j', (written, expected) => {
    expect(resolvePageLink(written, address('https://example.org/blog/'))).toBe(expected)
  })
})

describe('sameSiteByName', () => {
  it.each([
    ['example.org', 'example.org', true],
    ['www.example.org', 'example.org', true],
    ['feeds.example.org', 'www.example.org', true],
    ['example.org', 'blog.example.org', true],
    ['example.org', 'badexample.org', false],
    ['example.org', 'example.net', false],
  ])('%s and %s: %s', (a, b, isSame) => {
    expect(sameSiteByName(a, b)).toBe(isSame)
  })
})

describe('isSameSite', () => {
  it('compares host names', () => {
    const compared: string[] = []
    const sameSite = (a: string, b: string) => compared.push(a, b) > 0
    expect(isSameSite(address('http://a.example:80/'), address('https://example.org/x'), sameSite)).toBe(true)
    expect(compared).toEqual(['a.example', 'example.org'])
  })
})
