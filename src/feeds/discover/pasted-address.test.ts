import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePastedAddress } from './pasted-address.ts'

describe('parsePastedAddress', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['  “https://example.org/blog”, ', 'https://example.org/blog'],
    ['<URL:https://example.org/blog>.', 'https://example.org/blog'],
    ['(https://example.org/blog)', 'https://example.org/blog'],
    ['https://example.org/tide_(sea)', 'https://example.org/tide_(sea)'],
    ['[The blog](https://example.org/blog "Tides")', 'https://example.org/blog'],
    ['view-source:https://example.org/', 'https://example.org/'],
    ['feed:https://example.org/rss', 'https://example.org/rss'],
    ['feed://example.org/rss', 'https://example.org/rss'],
    ['web+feed:https://example.org/rss', 'https://example.org/rss'],
    ['rss://example.org/rss', 'https://example.org/rss'],
    ['\u200bexample.org\u200b', 'https://example.org/'],
    ['bücher.example/blog', 'https://xn--bcher-kva.example/blog'],
    ['[::1]:3000/x', 'http://[::1]:3000/x'],
    ['https://example.org/?p=4&utm_source=x&fbclid=y', 'https://example.org/?p=4'],
    ['https://example.org/a?b=1&c=%20', 'https://example.org/a?b=1&c=%20'],
    ['https://example.org/2026/low-tide/amp/', 'https://example.org/2026/low-tide'],
    ['https://example.org/low-tide.amp.html', 'https://example.org/low-tide.html'],
    ['https://example.org/low-tide?amp=1', 'https://example.org/low-tide'],
    ['https://example.org/low-tide?amp', 'https://example.org/low-tide'],
    ['https://example.org/amp', 'https://example.org/amp'],
    ['https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.org%2Fa%3Futm_source%3Dx', 'https://example.org/a'],
    ['https://www.google.co.uk/url?q=https://example.org/a&sa=U', 'https://example.org/a'],
    ['https://www.google.com/amp/s/example.org/a/amp', 'https://example.org/a'],
    ['https://example-org.cdn.ampproject.org/c/s/example.org/a', 'https://example.org/a'],
    ['https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2F&h=1', 'https://example.org/'],
    ['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
    ['https://en.m.wikipedia.org/wiki/Tide', 'https://en.wikipedia.org/wiki/Tide'],
    ['https://youtu.be/abc_-1?si=x', 'https://www.youtube.com/watch?v=abc_-1'],
    ['https://youtu.be/abc?list=PLinvented', 'https://www.youtube.com/playlist?list=PLinvented'],
    ['@anna@social.example', 'https://social.example/.well-known/webfinger?resource=acct:anna@social.example'],
    ['acct:anna@social.example', 'https://social.example/.well-known/webfinger?resource=acct:anna@social.example'],
    [
      '@anna@social.localhost:81',
      'http://social.localhost:81/.well-known/webfinger?resource=acct:anna@social.localhost:81',
    ],
    ['social.example/@anna', 'https://social.example/@anna'],
    [
      'https://social.example/@anna@other.example',
      'https://other.example/.well-known/webfinger?resource=acct:anna@other.example',
    ],
    ['!tides@lemmy.example', 'https://lemmy.example/c/tides'],
    ['@anna.bsky.social', 'https://bsky.app/profile/anna.bsky.social'],
    ['r/tides', 'https://www.reddit.com/r/tides/'],
    ['/r/low+high/', 'https://www.reddit.com/r/low+high/'],
    ['u/anna', 'https://www.reddit.com/user/anna/'],
  ])('accepts %j', (typed, address) => {
    expect(parsePastedAddress(typed)?.url).toBe(address)
  })

  it.each([
    '',
    'hello',
    'anna@example.org',
    '@anna',
    'r/',
    'javascript:alert(1)',
    '@anna@host',
    `@a@${'x'.repeat(5_000)}.org`,
  ])('rejects %j', (typed) => {
    expect(parsePastedAddress(typed)).toBeUndefined()
  })

  it('keeps a login', () => {
    expect(parsePastedAddress('"https://anna:secret@example.org/?utm_source=x"')).toEqual({
      url: 'https://example.org/',
      credentials: { user: 'anna', password: 'secret' },
    })
  })

  it('returns an address that is stable when it is pasted again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.domain()), (text) => {
        const url = parsePastedAddress(text)?.url
        if (url !== undefined) expect(parsePastedAddress(url)?.url).toBe(url)
      }),
    )
  })
})
