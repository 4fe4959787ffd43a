/** Host names, cross-site requests, and security headers. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('on loopback', () => {
  const { app } = createServerFixture({ host: '127.0.0.1' })

  test.each(['localhost', 'LOCALHOST:4040', '127.0.0.1:4040', '[::1]:4040', 'freshet.localhost:80'])(
    'accepts the host name %s',
    async (host) => {
      expect((await app.request('/api/v1/status', { headers: { host } })).status).toBe(200)
    },
  )

  test.each([
    'rebound.example',
    'rebound.example:4040',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example:4040',
    'notlocalhost',
    '10.0.0.1',
    '',
  ])('rejects the host name "%s"', async (host) => {
    for (const path of ['/api/v1/status', '/', '/healthz']) {
      expect((await app.request(path, { headers: { host } })).status).toBe(421)
    }
  })
})

test('protects loopback addresses in every spelling', async () => {
  const { app } = createServerFixture({ host: '127.1' })
  expect((await app.request('/api/v1/status', { headers: { host: 'rebound.example' } })).status).toBe(421)
})

test('accepts any host name on other addresses', async () => {
  const { app } = createServerFixture({ host: '0.0.0.0', listenWithoutLogin: true })
  expect((await app.request('/api/v1/status', { headers: { host: 'reader.example' } })).status).toBe(200)
})

describe('a request that changes something', () => {
  const { app } = createServerFixture()
  const post = (headers: Record<string, string>) =>
    app.request('/api/v1/feeds', { method: 'POST', headers, body: '{"addresses": ["https://a.example"]}' })

  test('may come from a program, or from the page', async () => {
    expect((await post(JSON_TYPE)).status).toBe(200)
    expect((await post({ ...JSON_TYPE, host: 'localhost:4040', origin: 'http://localhost:4040' })).status).toBe(200)
  })

  test.each(['https://elsewhere.example', 'http://localhost:4041', 'null', ''])(
    'is rejected with the origin "%s"',
    async (origin) => {
      expect((await post({ ...JSON_TYPE, host: 'localhost:4040', origin })).status).toBe(403)
    },
  )

  test.each([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'text/plain; application/json' },
  ])('is rejected with %j', async (headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(415)
    const remove = await app.request('/api/v1/feeds/1', {
      method: 'DELETE',
      headers: headers as Record<string, string>,
    })
    expect(remove.status).toBe(415)
  })

  test('is rejected if its body is too large', async () => {
    const body = JSON.stringify({ state: 'paused', padding: 'x'.repeat(70_000) })
    const response = await app.request('/api/v1/feeds/1', { method: 'PATCH', headers: JSON_TYPE, body })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      type: 'about:blank',
      title: 'the body is too large',
      status: 413,
      hint: 'the limit is 64 KB',
    })
  })

  test('may be as large as a long list of feeds', async () => {
    const { app: other } = createServerFixture()
    const addresses = ['https://a.example/', ...Array<string>(120).fill('x'.repeat(8000))]
    const response = await other.request('/api/v1/feeds', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ addresses }),
    })
    expect(response.status).toBe(200)
  })
})

test.each(['/', '/api/v1/status', '/api/nothing', '/feeds.opml'])('%s has the security headers', async (path) => {
  const { headers } = await createServerFixture().app.request(path)
  expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

describe('the page’s files', () => {
  const { app } = createServerFixture()

  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/read/feed/7', 'text/html; charset=utf-8'],
    ['/worker.js', 'text/javascript; charset=utf-8'],
    ['/description.css', 'text/css; charset=utf-8'],
    ['/app.webmanifest', 'application/manifest+json'],
    ['/favicon.svg', 'image/svg+xml'],
  ])('%s is %s, and is revalidated by ETag', async (path, type) => {
    const first = await app.request(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe(type)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await app.request(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('caches files with a hash in their name forever', async () => {
    const html = await (await app.request('/')).text()
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(html) ?? []
    const { status, headers } = await app.request(script)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toContain('immutable')
    expect(
      (await app.request(script, { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
    ).toBe('gzip')
  })

  test.each([
    '/tsconfig.json',
    '/main.ts',
    '/assets/..%2findex.html',
    '/built',
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/nothing.js',
    '/theme.js/',
    '/nowhere',
  ])('%s does not exist', async (path) => {
    expect((await app.request(path)).status).toBe(404)
  })
})
