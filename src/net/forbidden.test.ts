import { describe, expect, test } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { serveDns } from './dns-server.fixture.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, serveRaw } from './raw-server.fixture.ts'

test.each([
  ['127.0.0.1', '127.0.0.1 is a loopback address'],
  ['127.1', '127.0.0.1 is a loopback address'],
  ['2130706433', '127.0.0.1 is a loopback address'],
  ['0x7f.0.0.1', '127.0.0.1 is a loopback address'],
  ['0x7f000001', '127.0.0.1 is a loopback address'],
  ['0177.0.0.1', '127.0.0.1 is a loopback address'],
  ['127.0.0.1.', '127.0.0.1 is a loopback address'],
  ['%31%32%37.0.0.1', '127.0.0.1 is a loopback address'],
  ['\uff11\uff12\uff17.0.0.1', '127.0.0.1 is a loopback address'],
  ['0', '0.0.0.0 is an address of this network'],
  ['169.254.169.254', '169.254.169.254 is a link-local address'],
  ['[::1]', '::1 is not a public address'],
  ['[::ffff:127.0.0.1]', '::ffff:7f00:1 is a loopback address'],
  ['[64:ff9b::7f00:1]', '64:ff9b::7f00:1 is a loopback address'],
  ['localhost', 'localhost resolves to 127.0.0.1, a loopback address'],
  ['LOCALHOST.', 'localhost. resolves to 127.0.0.1, a loopback address'],
  ['a.b.localhost', 'a.b.localhost resolves to 127.0.0.1, a loopback address'],
])('%s is blocked', async (host, detail) => {
  await using server = await serveRaw(() => answer(200))
  expect(await failureOf(`http://${host}:${server.port}/`)).toEqual({ kind: 'forbidden-address', detail })
  expect(server.connections).toBe(0)
})

test('a name that resolves to a private address is blocked', async () => {
  await using dns = await serveDns(() => ['10.0.0.7'])
  await using server = await serveRaw(() => answer(200))
  const failure = await failureOf(`http://intranet.example:${server.port}/`, { dnsServers: [dns.address] })
  expect(failure).toEqual({
    kind: 'forbidden-address',
    detail: 'intranet.example resolves to 10.0.0.7, a private address',
  })
})

test('of several addresses only the allowed ones are used', async () => {
  await using dns = await serveDns(() => ['10.0.0.7', '127.0.0.1', '169.254.169.254'])
  await using server = await serveRaw(({ socket }) => answer(200, {}, socket.localAddress))
  const options = { dnsServers: [dns.address], allowNetworks: ['127.0.0.1'] }
  expect(await failureOf(`http://mixed.example:${server.port}/`, options)).toBeUndefined()
  expect(server.requests).toHaveLength(1)
})

test('a name is resolved once per connection, so that it cannot change after the check', async () => {
  await using dns = await serveDns((_name, count) => (count === 1 ? ['127.0.0.1'] : ['127.0.0.2']))
  await using server = await serveRaw(() => answer(200))
  const options = { dnsServers: [dns.address], allowNetworks: ['127.0.0.1'], keepAliveMs: 0 }
  const net = createHttpNet({ userAgent: 'Test', ...options })
  const url = `http://rebinding.example:${server.port}/`
  expect(await net.get({ url })).toMatchObject({ ok: true })
  expect(dns.questions).toEqual(['rebinding.example'])
  expect(await net.get({ url })).toMatchObject({ ok: false, failure: { kind: 'forbidden-address' } })
  await net.close()
})

test('a redirect to a private address is not followed', async () => {
  const forbidden = ['http://169.254.169.254/latest/meta-data/', 'http://[::1]/', '//2130706434/', 'http://10.0.0.1/']
  for (const location of forbidden) {
    await using server = await serveRaw(() => answer(302, { location }))
    const failure = await failureOf(`http://127.0.0.1:${server.port}/`, { allowNetworks: ['127.0.0.1'] })
    expect(failure).toMatchObject({ kind: 'forbidden-address' })
  }
})

describe('an allowed network', () => {
  const names: Record<string, string[]> = {
    'intranet.example': ['127.0.0.1'],
    'other.intranet.example': ['127.0.0.1', '127.0.0.2'],
    'public.example': ['93.184.216.34'],
    'both.example': ['93.184.216.34', '127.0.0.1'],
  }

  /** The result of a request to a server there, which this address led to. */
  async function requestNamed(named: string | null | undefined, path = '/') {
    await using dns = await serveDns((name) => names[name] ?? [])
    await using server = await serveRaw(({ path: requestPath }) =>
      requestPath === '/on' ? answer(302, { location: `http://other.intranet.example:${server.port}/` }) : answer(200),
    )
    const options = { dnsServers: [dns.address], allowNetworks: ['127.0.0.0/8'] }
    const net = createHttpNet({ userAgent: 'Test', ...options })
    const url = `http://127.0.0.1:${server.port}${path}`
    const got = await net.get({ url, ...(named !== undefined && { named: named === null ? null : address(named) }) })
    await net.close()
    return { failure: got.ok ? undefined : got.failure, requests: server.requests.length }
  }

  test.each([undefined, 'http://127.0.0.1/feed', 'http://intranet.example/feed', 'http://localhost:8080/'])(
    'is visited for a user who named %s, including redirects from there',
    async (named) => {
      expect(await requestNamed(named)).toEqual({ failure: undefined, requests: 1 })
      expect(await requestNamed(named, '/on')).toEqual({ failure: undefined, requests: 2 })
    },
  )

  test.each(['http://public.example/feed', 'http://both.example/', 'http://nowhere.example/', 'http://9.9.9.9/', null])(
    'is not visited because of what %s says',
    async (named) => {
      const { failure, requests } = await requestNamed(named)
      expect(failure).toMatchObject({ kind: 'forbidden-address' })
      expect(failure?.detail).toContain('users named')
      expect(requests).toBe(0)
    },
  )

  test('is not reached by a connection kept for another user-given host', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.1'], keepAliveMs: 5000 })
    const url = `http://127.0.0.1:${server.port}/`
    for (let i = 0; i < 3; i++) expect(await net.get({ url })).toMatchObject({ ok: true })
    expect(server.connections).toBe(2)
    const named = address('http://9.9.9.9/')
    expect(await net.get({ url, named })).toMatchObject({ failure: { kind: 'forbidden-address' } })
    expect(server.requests).toHaveLength(3)
    await net.close()
  })
})

test('a redirect to another protocol is not followed', async () => {
  for (const location of ['ftp://files.example/', 'file:///etc/passwd', 'gopher://127.0.0.1:6379/_x', 'javascript:1']) {
    await using server = await serveRaw(() => answer(302, { location }))
    const failure = await failureOf(`http://127.0.0.1:${server.port}/`, { allowNetworks: ['127.0.0.1'] })
    expect(failure).toMatchObject({ kind: 'forbidden-address', detail: /only http and https/ })
  }
})

test.each([22, 25, 110, 143, 445, 3306, 5432, 6379, 6667, 11211])('port %i is blocked', async (port) => {
  const failure = await failureOf(`http://127.0.0.1:${port}/`, { allowNetworks: ['127.0.0.1'] })
  expect(failure).toEqual({ kind: 'forbidden-address', detail: `port ${port} is not allowed` })
})

test('names unknown to DNS, or without an answer, are reported', async () => {
  await using dns = await serveDns(() => [])
  expect(await failureOf('http://typo.example/', { dnsServers: [dns.address] })).toEqual({
    kind: 'unreachable',
    detail: 'no such host: typo.example',
  })
  expect(await failureOf('http://nowhere.invalid/')).toEqual({
    kind: 'unreachable',
    detail: 'no such host: nowhere.invalid',
  })
  expect(await failureOf('http://some.example/', { dnsServers: ['127.0.0.1:9'] })).toMatchObject({
    kind: 'unreachable',
  })
})

test('does not wait for a name server that never answers for IPv6', async () => {
  await using dns = await serveDns(() => ['127.0.0.1'], { isSilentOnIPv6: true })
  await using server = await serveRaw(() => answer(200))
  const options = { dnsServers: [dns.address], allowNetworks: ['127.0.0.1'], timeouts: { connectMs: 1900 } }
  expect(await failureOf(`http://four.example:${server.port}/`, options)).toBeUndefined()
})

async function failureOf(url: string, options: Partial<HttpNetOptions> = {}) {
  const net = createHttpNet({ userAgent: 'Test', ...options })
  const got = await net.get({ url })
  await net.close()
  return got.ok ? undefined : got.failure
}
