import { describe, expect, test } from 'vitest'
import type { WebAddress } from './address.ts'
import {
  bridgeAddress,
  type FetchSettings,
  fetchSettingsFor,
  headerProblem,
  mapFetchSecrets,
  parseProxyAddress,
  proxyWithLogin,
  withoutFetchSecrets,
} from './fetch-settings.ts'
import { hasPersonalSettings, isPrivateFeed } from './secret-address.ts'

const FEED = 'https://news.example/feed?a=1&b=2' as WebAddress

describe('a request header', () => {
  test.each([
    ['X-Key', 'k', undefined],
    ['Accept-Language', 'de, en;q=0.5', undefined],
    ['Authorization', 'Bearer t', undefined],
    ['Accept', 'text/html', undefined],
    ['Host', 'evil.example', 'cannot be set'],
    ['content-length', '5', 'cannot be set'],
    ['Transfer-Encoding', 'chunked', 'cannot be set'],
    ['Connection', 'upgrade', 'cannot be set'],
    ['Cookie', 'a=1', 'cannot be set'],
    ['User-Agent', 'x', 'cannot be set'],
    ['If-None-Match', '"e"', 'cannot be set'],
    ['Proxy-Authorization', 'x', 'cannot be set'],
    ['Sec-Fetch-Site', 'x', 'cannot be set'],
    [':authority', 'x', 'not a header name'],
    ['a b', 'x', 'not a header name'],
    ['', 'x', 'not a header name'],
    ['x'.repeat(61), 'x', 'not a header name'],
    ['X-Key', 'secret\r\nHost: evil.example', 'characters'],
    ['X-Key', 'secret\u0000', 'characters'],
    ['X-Key', '', 'empty'],
    ['X-Key', 'k'.repeat(2001), 'too long'],
  ])('%s: %j', (name, value, problem) => {
    const found = headerProblem(name, value)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
    expect(found ?? '').not.toContain('secret')
  })
})

test.each([
  ['http://proxy.example:3128', { proxy: 'http://proxy.example:3128' }],
  ['https://ann:s%40@proxy.example/', { proxy: 'https://proxy.example', proxyLogin: 'ann:s%40' }],
  ['socks5://proxy.example', undefined],
  ['http://proxy.example/path', undefined],
  ['proxy.example', undefined],
])('the proxy %s is parsed', (written, parsed) => {
  expect(parseProxyAddress(written)).toEqual(parsed)
  if (parsed) expect(proxyWithLogin(parsed)).toBe(written.replace(/\/$/, ''))
})

test.each([
  [
    'https://bridge.example/?url={url}',
    'https://bridge.example/?url=https%3A%2F%2Fnews.example%2Ffeed%3Fa%3D1%26b%3D2',
  ],
  ['https://bridge.example/', undefined],
  ['{url}', undefined],
  ['ftp://bridge.example/{url}', undefined],
])('the bridge %s is asked for a feed', (bridge, address) => {
  expect(bridgeAddress(bridge, FEED)).toBe(address)
})

test('secrets are for the origin of the feed', () => {
  const settings: FetchSettings = { headers: { a: 'b' }, cookies: 'c', acceptsInvalidCertificate: true, userAgent: 'R' }
  expect(fetchSettingsFor(settings, FEED, 'https://news.example/2' as WebAddress)).toBe(settings)
  for (const other of ['https://www.news.example/feed', 'http://news.example/feed', 'https://news.example:444/feed'])
    expect(fetchSettingsFor(settings, FEED, other as WebAddress)).toEqual({ userAgent: 'R' })
})

test('every secret is changed, and removed with all others', () => {
  const settings: FetchSettings = { headers: { a: 'b' }, cookies: 'c', proxy: 'http://p.example', proxyLogin: 'd:e' }
  expect(mapFetchSecrets(settings, (secret) => `<${secret}>`)).toEqual({
    headers: { a: '<b>' },
    cookies: '<c>',
    proxy: 'http://p.example',
    proxyLogin: '<d:e>',
  })
  expect(withoutFetchSecrets(settings)).toEqual({ proxy: 'http://p.example' })
  expect(withoutFetchSecrets({ cookies: 'c' })).toBeUndefined()
})

test.each<[FetchSettings, boolean]>([
  [{}, false],
  [{ userAgent: 'R', ignoresValidators: true, extraction: { content: 'p' } }, false],
  [{ rewrites: [{ part: 'title', find: 'a', replace: '' }] }, false],
  [{ rewrites: [{ part: 'link', find: 'a', replace: '' }] }, true],
  [{ rewrites: [{ part: 'link', find: 'a', replace: '' }], byAdmin: true }, false],
  [{ bridge: 'https://bridge.example/?url={url}' }, true],
  [{ bridge: 'https://bridge.example/?url={url}', byAdmin: true }, false],
  [{ bridge: 'https://bridge.example/?token=abc&url={url}', byAdmin: true }, true],
  [{ proxy: 'http://proxy.example' }, true],
  [{ acceptsInvalidCertificate: true }, true],
  [{ acceptsInvalidCertificate: true, proxy: 'http://proxy.example', byAdmin: true }, false],
  [{ cookies: 'a=1', byAdmin: true }, true],
  [{ headers: { a: 'b' }, byAdmin: true }, true],
])('the settings %j make a feed private: %s', (fetching, isPrivate) => {
  expect(hasPersonalSettings({ fetching })).toBe(isPrivate)
  expect(isPrivateFeed({ url: FEED, fetching })).toBe(isPrivate)
})
