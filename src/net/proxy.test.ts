import { describe, expect, test } from 'vitest'
import type { FeedCredentials } from '../model/index.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificates.fixture.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { createProxyChoice } from './proxy.ts'
import { answer, serveRaw, tunnelTo } from './raw-server.fixture.ts'

const tls = { key: TEST_KEY, cert: TEST_CERTIFICATE }

describe('proxy choice', () => {
  const choose = createProxyChoice({
    http: 'http://ann:s3cret@proxy.example:3128',
    https: 'proxy.example',
    bypass: 'intra.example, .dot.example *.star.example,port.example:8080,10.0.0.0/8,192.0.2.1',
  })

  test.each([
    ['http://a.example/', 'proxy.example:3128'],
    ['https://a.example/', 'proxy.example:80'],
    ['http://intra.example/', 'direct'],
    ['https://x.intra.example/', 'direct'],
    ['http://notintra.example/', 'proxy.example:3128'],
    ['http://x.dot.example/', 'direct'],
    ['http://x.star.example/', 'direct'],
    ['http://port.example:8080/', 'direct'],
    ['http://port.example/', 'proxy.example:3128'],
    ['http://10.1.2.3/', 'direct'],
    ['http://192.0.2.1/', 'direct'],
    ['http://192.0.2.2/', 'proxy.example:3128'],
    ['http://localhost/', 'direct'],
    ['http://x.localhost/', 'direct'],
  ])('%s uses %s', (url, way) => {
    const proxy = choose(new URL(url))
    expect(proxy ? `${proxy.hostname}:${proxy.port}` : 'direct').toBe(way)
  })

  test('connects directly if the exception is a star, or nothing is configured', () => {
    const nowhere = createProxyChoice({ http: 'http://proxy.example', bypass: '*' })
    for (const url of ['http://a.example/', 'http://8.8.8.8/']) expect(nowhere(new URL(url))).toBeUndefined()
    expect(createProxyChoice()(new URL('http://a.example/'))).toBeUndefined()
    expect(createProxyChoice({ http: '' })(new URL('http://a.example/'))).toBeUndefined()
  })

  test('rejects an invalid proxy without quoting it, for it may contain a password', () => {
    expect(() => createProxyChoice({ http: 'socks5://ann:s3cret@x.example' })).toThrow(/^the proxy address is invalid/)
    expect(() => createProxyChoice({ https: 'http://' })).toThrow(/^the proxy address is invalid/)
  })
})

describe('through a proxy', () => {
  test('http requests have the full address, and the proxy gets its own password', async () => {
    await using proxy = await serveRaw(() => answer(200, {}, 'from the proxy'))
    const got = await visit(
      'http://feeds.example/x?y',
      { http: `http://ann:s3cret@127.0.0.1:${proxy.port}` },
      {},
      { user: 'bob', password: 'pw' },
    )
    expect(got).toMatchObject({ ok: true, url: 'http://feeds.example/x?y' })
    const { path, headers } = proxy.requests[0]!
    expect(path).toBe('http://feeds.example/x?y')
    expect(headers.host).toBe('feeds.example')
    expect(headers['proxy-authorization']).toBe(`Basic ${Buffer.from('ann:s3cret').toString('base64')}`)
    expect(headers.authorization).toBe(`Basic ${Buffer.from('bob:pw').toString('base64')}`)
  })

  test('https uses a tunnel, and the proxy sees only the destination', async () => {
    await using site = await serveRaw(() => answer(200, {}, 'safe'), { tls })
    await using proxy = await serveRaw(tunnelTo(site.port))
    const settings = { https: `http://ann:s3cret@127.0.0.1:${proxy.port}` }
    const got = await visit('https://127.0.0.1:8443/x', settings, { allowNetworks: ['127.0.0.1'] })
    expect(got).toMatchObject({ ok: true, status: 200 })
    expect(proxy.requests.map(({ path }) => path)).toEqual(['127.0.0.1:8443'])
    expect(proxy.requests[0]!.headers['proxy-authorization']).toMatch(/^Basic /)
    expect(site.requests[0]!.path).toBe('/x')
    expect(site.requests[0]!.headers['proxy-authorization']).toBeUndefined()
  })

  test('a proxy that refuses the tunnel is a failure', async () => {
    await using proxy = await serveRaw(() => answer(407))
    const got = await visit('https://feeds.example/', { https: `http://127.0.0.1:${proxy.port}` })
    expect(got).toEqual({ ok: false, failure: { kind: 'unreachable', detail: 'the proxy responded with 407' } })
  })

  test('a proxy that does not answer ends at the connect limit', async () => {
    await using proxy = await serveRaw(() => undefined)
    const settings = { https: `http://127.0.0.1:${proxy.port}` }
    const got = await visit('https://feeds.example/', settings, { timeouts: { connectMs: 50 } })
    expect(got).toMatchObject({ ok: false, failure: { kind: 'timeout' } })
  })

  test('literal private addresses are still blocked', async () => {
    await using proxy = await serveRaw(() => answer(200))
    const settings = { http: `http://127.0.0.1:${proxy.port}`, https: `http://127.0.0.1:${proxy.port}` }
    for (const url of ['http://169.254.169.254/', 'https://10.0.0.1/', 'http://x.localhost/'])
      expect(await visit(url, settings)).toMatchObject({ ok: false, failure: { kind: 'forbidden-address' } })
    expect(proxy.connections).toBe(0)
  })
})

async function visit(
  url: string,
  proxy: NonNullable<HttpNetOptions['proxy']>,
  options: Partial<HttpNetOptions> = {},
  credentials?: FeedCredentials,
) {
  const net = createHttpNet({ userAgent: 'Test', proxy, certificateAuthorities: [TEST_CERTIFICATE], ...options })
  const got = await net.get({ url, ...(credentials && { credentials }) })
  await net.close()
  return got
}
