/** Absolute addresses of this server in what it answers, behind proxies and without. */
import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'

const PROXY = '10.0.0.7'
const SELF = 'http://inner:4040'
const HTTPS = { 'x-forwarded-proto': 'https' }
const FORWARDED = { ...HTTPS, 'x-forwarded-host': 'news.example.org' }

const CASES: [string, { publicUrl?: string; from?: string; headers?: Record<string, string>; base: string }][] = [
  ['without a proxy', { base: SELF }],
  ['with a public address', { publicUrl: 'https://news.example.org', base: 'https://news.example.org' }],
  ['with a public address below a path', { publicUrl: 'https://example.org/news/', base: 'https://example.org/news' }],
  ['of a proxy that forwards its scheme', { headers: HTTPS, base: 'https://inner:4040' }],
  ['of a proxy that forwards scheme and host', { headers: FORWARDED, base: 'https://news.example.org' }],
  [
    'of a proxy on a port',
    { headers: { ...HTTPS, 'x-forwarded-host': 'news.example.org:8443' }, base: 'https://news.example.org:8443' },
  ],
  [
    'of a proxy with an IPv6 address',
    { headers: { 'x-forwarded-host': '[2001:db8::1]' }, base: 'http://[2001:db8::1]' },
  ],
  [
    'of two proxies',
    {
      headers: { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'news.example.org, inner' },
      base: 'https://news.example.org',
    },
  ],
  ['of a proxy that is not trusted', { from: '192.0.2.9', headers: FORWARDED, base: SELF }],
  [
    'of a proxy with a host that is none',
    { headers: { ...HTTPS, 'x-forwarded-host': 'a/b"><i>' }, base: 'https://inner:4040' },
  ],
  ['of a proxy with another scheme', { headers: { 'x-forwarded-proto': 'javascript' }, base: SELF }],
  [
    'of a proxy, with a public address, which counts',
    {
      publicUrl: 'https://news.example.org',
      headers: { ...FORWARDED, 'x-forwarded-host': 'other.example' },
      base: 'https://news.example.org',
    },
  ],
]

describe('absolute addresses', () => {
  it.each(CASES)('%s', async (_, { publicUrl, from = PROXY, headers = {}, base }) => {
    const trustProxy = new BlockList()
    trustProxy.addAddress(PROXY)
    const fixture = createServerFixture({
      trustProxy,
      listenWithoutLogin: true,
      host: '0.0.0.0',
      ...(publicUrl && { publicUrl }),
    })
    await fixture.addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [{ title: 'High', agoMs: HOUR }],
    })
    const userId = await fixture.store.firstUser()
    const shared = {
      userId,
      name: 'All',
      key: 'secret',
      of: { kind: 'all' as const },
      text: 'full' as const,
      addedAt: NOW,
    }
    await fixture.store.addSharedItem('feedOut', shared)
    const text = async (path: string) => {
      const socket = { incoming: { socket: { remoteAddress: from, remotePort: 1, remoteFamily: 'IPv4' } } }
      const answer = await fixture.app.request(`${SELF}${path}`, { headers }, socket)
      expect(answer.status).toBe(200)
      return answer.text()
    }
    expect(await text('/feeds/all.rss?limit=5')).toContain(`href="${base}/feeds/all.rss?limit=5"`)
    expect(await text('/feeds/all.rss')).toContain(`<link>${base}/</link>`)
    expect(await text('/feeds/out/secret.atom')).toContain(`href="${base}/feeds/out/secret.atom" rel="self"`)
    expect(JSON.parse(await text('/feeds/out/secret.json'))).toMatchObject({
      feed_url: `${base}/feeds/out/secret.json`,
      home_page_url: `${base}/`,
    })
    expect(JSON.parse(await text('/reader/api/0/stream/contents/feed/1'))).toMatchObject({
      self: [{ href: `${base}/reader/api/0/stream/contents/feed/1` }],
    })
    expect(await text('/reader/atom/feed/1')).toContain(`href="${base}/reader/atom/feed/1" rel="self"`)
    const { subscriptions } = JSON.parse(await text('/api/greader.php/reader/api/0/subscription/list'))
    expect(subscriptions[0].iconUrl).toBe(`${base}/api/v1/feeds/1/icon`)
  })
})
