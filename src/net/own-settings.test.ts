/** Requests with settings of a user: secret headers, a proxy, and a certificate that is accepted for one host. */
import { expect, test } from 'vitest'
import type { Exchange } from '../archive/exchange.ts'
import type { NetRequest } from '../ports/index.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificates.fixture.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, serveRaw, tunnelTo } from './raw-server.fixture.ts'

const tls = { key: TEST_KEY, cert: TEST_CERTIFICATE }
const LOOPBACK = { allowNetworks: ['127.0.0.0/8', '::1/128'] }
const FORBIDDEN = { ok: false, failure: { kind: 'forbidden-address' } }

async function visit(request: NetRequest, options: Partial<HttpNetOptions> = LOOPBACK) {
  const net = createHttpNet({ userAgent: 'Test', ...options })
  const got = await net.get(request)
  await net.close()
  return got
}

test('secret headers are not sent to another host, nor archived', async () => {
  await using other = await serveRaw(() => answer(200, {}, 'arrived'))
  await using site = await serveRaw(() => answer(302, { location: `http://localhost:${other.port}/` }, ''))
  const exchanges: Exchange[] = []
  const secretHeaders = { 'x-key': 'k1', cookie: 'a=1', authorization: 'Bearer t' }
  const got = await visit(
    { url: `http://127.0.0.1:${site.port}/`, secretHeaders, userAgent: 'Reader/2' },
    { ...LOOPBACK, onExchange: async (exchange) => void exchanges.push(exchange) },
  )
  expect(got).toMatchObject({ ok: true, status: 200 })
  expect(site.requests[0]!.headers).toMatchObject({ ...secretHeaders, 'user-agent': 'Reader/2' })
  expect(other.requests[0]!.headers).toMatchObject({ 'user-agent': 'Reader/2' })
  for (const name of Object.keys(secretHeaders)) expect(other.requests[0]!.headers[name]).toBeUndefined()
  expect(exchanges).toHaveLength(2)
  expect(JSON.stringify(exchanges.map(({ request }) => request))).not.toMatch(/k1|a=1|Bearer/)
})

test('a header of a user cannot change what the client decides', async () => {
  await using site = await serveRaw(() => answer(200))
  await visit({ url: site.origin, headers: { 'if-none-match': '"e"' }, secretHeaders: { 'if-none-match': '"x"' } })
  expect(site.requests[0]!.headers['if-none-match']).toBe('"e"')
})

test('a proxy of a user gets its own login, and is used for http and https', async () => {
  await using site = await serveRaw(() => answer(200, {}, 'safe'), { tls })
  await using proxy = await serveRaw((received) =>
    !received.path.startsWith('http') ? tunnelTo(site.port)(received) : answer(200, {}, 'from the proxy'),
  )
  const through = `http://ann:s3cret@127.0.0.1:${proxy.port}`
  const options = { ...LOOPBACK, certificateAuthorities: [TEST_CERTIFICATE] }
  const plain = await visit({ url: 'http://127.0.0.1:81/x', proxy: through, secretHeaders: { 'x-key': 'k' } }, options)
  const secure = await visit(
    { url: 'https://127.0.0.1:8443/x', proxy: through, secretHeaders: { 'x-key': 'k' } },
    options,
  )
  expect([plain, secure]).toMatchObject([{ ok: true }, { ok: true }])
  expect(proxy.requests.map(({ path }) => path)).toEqual(['http://127.0.0.1:81/x', '127.0.0.1:8443'])
  for (const { headers } of proxy.requests)
    expect(headers['proxy-authorization']).toBe(`Basic ${Buffer.from('ann:s3cret').toString('base64')}`)
  expect(proxy.requests[1]!.headers['x-key']).toBeUndefined()
  expect(site.requests[0]!.headers['x-key']).toBe('k')
  expect(site.requests[0]!.headers['proxy-authorization']).toBeUndefined()
})

test('a proxy of a user must be public or allowed, and so must what is requested through it', async () => {
  await using proxy = await serveRaw(() => answer(200))
  const through = `http://127.0.0.1:${proxy.port}`
  expect(await visit({ url: 'http://feeds.example/', proxy: through }, {})).toMatchObject(FORBIDDEN)
  const onlyProxy = { allowNetworks: ['127.0.0.1/32'] }
  expect(await visit({ url: 'http://10.0.0.1/', proxy: through }, onlyProxy)).toMatchObject(FORBIDDEN)
  expect(await visit({ url: 'http://localhost/', proxy: through, named: null }, onlyProxy)).toMatchObject(FORBIDDEN)
  for (const address of ['ftp://127.0.0.1/', 'http://127.0.0.1:25/', 'nonsense'])
    expect(await visit({ url: 'http://feeds.example/', proxy: address }, LOOPBACK)).toMatchObject({ ok: false })
  expect(proxy.connections).toBe(0)
})

test('an invalid certificate is accepted for the requested host only', async () => {
  await using other = await serveRaw(() => answer(200, {}, 'elsewhere'), { tls })
  await using site = await serveRaw(
    ({ path }) => (path === '/away' ? answer(302, { location: `https://127.0.0.1:${other.port}/` }, '') : answer(200)),
    { tls },
  )
  const net = createHttpNet({ userAgent: 'Test', ...LOOPBACK })
  const url = `https://localhost:${site.port}/`
  const rejected = { ok: false, failure: { kind: 'unreachable', detail: 'certificate is self-signed' } }
  expect(await net.get({ url })).toEqual(rejected)
  for (let i = 0; i < 3; i++)
    expect(await net.get({ url, acceptsInvalidCertificate: true })).toMatchObject({ ok: true })
  expect(await net.get({ url })).toEqual(rejected) // the connection that is kept is not used
  expect(await net.get({ url: `${url}away`, acceptsInvalidCertificate: true })).toMatchObject(rejected)
  expect(other.requests).toHaveLength(0)
  await net.close()
})
