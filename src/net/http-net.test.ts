import { describe, expect, test } from 'vitest'
import { netContract } from '../ports/net.contract.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, serveRaw } from './raw-server.fixture.ts'

netContract('http', async (site) => {
  const server = await serveRaw(({ path, headers, body, socket }) => {
    const page = site(path, headers, body)
    if (page === 'hangs') return undefined
    if (page === 'breaks off') {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
      return undefined
    }
    const { status, headers: givenHeaders = {}, body: content = '' } = page
    const lines = Object.entries(givenHeaders).flatMap(([name, value]) =>
      [value].flat().map((item) => `${name}: ${item}\r\n`),
    )
    const bytes = Buffer.from(content as string)
    const head = `HTTP/1.1 ${status} x\r\n${lines.join('')}content-length: ${bytes.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
  })
  return { net: openNet(), origin: server.origin, close: async () => server[Symbol.asyncDispose]() }
})

describe('http net, the request', () => {
  test('identifies us and what we accept, and nothing unnecessary', async () => {
    await using server = await serveRaw(() => answer(200, { 'set-cookie': 'id=1' }))
    const net = openNet()
    await net.get({ url: `${server.origin}/feed?a=b#part` })
    await net.get({ url: `${server.origin}/feed?a=b#part` })
    await net.close()
    for (const { path, headers, index } of server.requests) {
      expect(path).toBe('/feed?a=b')
      expect(headers).toEqual({
        host: `localhost:${server.port}`,
        accept: expect.stringMatching(/^application\/atom\+xml, .*\*\/\*;q=0\.7$/),
        'accept-encoding': 'gzip, deflate, br, zstd',
        'user-agent': 'Test/1.0 (+http://test.example/)',
        connection: index === 0 ? 'close' : 'keep-alive',
      })
    }
  })

  test('sends validators back byte for byte, including non-ASCII bytes', async () => {
    await using server = await serveRaw(() => answer(200, { etag: 'W/"\xe9\xff, \\"' }))
    const net = openNet()
    const first = await net.get({ url: server.origin })
    const etag = first.ok ? first.headers.etag! : ''
    await net.get({ url: server.origin, headers: { 'if-none-match': etag } })
    await net.close()
    expect(server.requests[1]!.headers['if-none-match']).toBe('W/"\xe9\xff, \\"')
  })

  test('can send a document with PUT', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = openNet()
    await net.post({ url: server.origin, method: 'PUT', document: { type: 'application/json', text: '{}' } })
    await net.close()
    expect(server.requests[0]!.head).toMatch(/^PUT \/ /)
    expect(server.requests[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '2' })
  })

  test('omits a validator that cannot be sent', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = openNet()
    const got = await net.get({ url: server.origin, headers: { 'if-none-match': 'a\r\nx: y', 'if-range': '\u20ac' } })
    await net.close()
    expect(got.ok).toBe(true)
    expect(server.requests[0]!.head).not.toMatch(/if-none-match|if-range|x: y/)
  })

  test('does not let the caller change the user agent', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = openNet()
    await net.get({ url: server.origin, headers: { 'user-agent': 'Somebody/9' } })
    await net.close()
    expect(server.requests[0]!.headers['user-agent']).toBe('Test/1.0 (+http://test.example/)')
  })

  test('includes the number of subscribers, if any', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = openNet()
    for (const subscribers of [0, 1, 12]) await net.get({ url: server.origin, subscribers })
    await net.close()
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      'Test/1.0 (+http://test.example/)',
      'Test/1.0 (+http://test.example/; 1 subscriber)',
      'Test/1.0 (+http://test.example/; 12 subscribers)',
    ])
  })

  test('rejects an invalid user agent at once', () => {
    expect(() => createHttpNet({ userAgent: 'a\nb' })).toThrow(/user-agent/)
  })
})

describe('http net, connections', () => {
  test('keeps a connection for consecutive requests, from the second one on', async () => {
    await using server = await serveRaw(() => answer(200))
    await using other = await serveRaw(() => answer(200))
    const net = openNet()
    for (const path of ['a', 'b', 'c', 'd']) await net.get({ url: `${server.origin}/${path}` })
    await net.get({ url: other.origin })
    await net.close()
    expect(server.connections).toBe(2)
    expect(server.requests.map(({ headers }) => headers.connection)).toEqual([
      'close',
      'keep-alive',
      'keep-alive',
      'keep-alive',
    ])
    expect(other.requests[0]!.headers.connection).toBe('close')
  })

  test('keeps none if configured so', async () => {
    await using server = await serveRaw(() => answer(200))
    const net = openNet({ keepAliveMs: 0 })
    for (const path of ['a', 'b']) await net.get({ url: `${server.origin}/${path}` })
    await net.close()
    expect(server.connections).toBe(2)
    expect(server.requests[0]!.headers.connection).toBe('close')
  })

  test('does not take a slow response for an idle connection', async () => {
    await using server = await serveRaw(({ socket }) => void setTimeout(() => socket.write(answer(200)), 60))
    const net = openNet({ keepAliveMs: 5 })
    const got = await net.get({ url: server.origin })
    await net.close()
    expect(got).toMatchObject({ ok: true, status: 200 })
  })

  test('releases the connection of a redirect, also of one that is not followed', async () => {
    const closed: string[] = []
    const bothClosed = Promise.withResolvers<void>()
    await using server = await serveRaw(({ path, socket }) => {
      socket.on('close', () => {
        if (closed.push(path) === 2) bothClosed.resolve()
      })
      const location = path === '/followed' ? `${server.origin}/unfollowed` : 'ftp://files.example/'
      return `HTTP/1.1 302 x\r\nlocation: ${location}\r\n\r\nand a body that does not end`
    })
    const net = openNet()
    await net.get({ url: `${server.origin}/followed` })
    await bothClosed.promise
    await net.close()
    expect(closed.sort()).toEqual(['/followed', '/unfollowed'])
  })

  test('repeats a request once on a new connection when the kept one dies before a byte came', async () => {
    await using server = await serveRaw(({ path, index, socket }) => {
      if (path === '/first' || (index === 3 && path === '/second')) return answer(200)
      socket.resetAndDestroy()
      return undefined
    })
    const net = openNet()
    for (const path of ['first', 'first']) await net.get({ url: `${server.origin}/${path}` })
    const second = await net.get({ url: `${server.origin}/second` })
    const third = await net.get({ url: `${server.origin}/third` })
    await net.close()
    expect(second).toMatchObject({ ok: true, status: 200 })
    expect(third).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
    const paths = ['/first', '/first', '/second', '/second', '/third', '/third']
    expect(server.requests.map(({ path }) => path)).toEqual(paths)
  })

  test('does not repeat it when a new connection is closed without a response', async () => {
    await using server = await serveRaw(({ socket }) => void socket.end())
    const net = openNet()
    const got = await net.get({ url: server.origin })
    await net.close()
    expect(got).toEqual({
      ok: false,
      failure: { kind: 'unreachable', detail: 'the connection was closed before a response arrived' },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('does not repeat it when the response on the kept connection had begun', async () => {
    await using server = await serveRaw(({ index, socket }) => {
      if (index < 2) return answer(200)
      socket.end('HTTP/1.1 20')
      return undefined
    })
    const net = openNet()
    for (let i = 0; i < 2; i++) await net.get({ url: server.origin })
    const got = await net.get({ url: server.origin })
    await net.close()
    expect(got.ok).toBe(false)
    expect([server.requests.length, server.connections]).toEqual([3, 2])
  })

  test('falls back to the other address family where only one is listening', async () => {
    await using server = await serveRaw(() => answer(200, {}, 'six'), { host: '::1' })
    const net = openNet()
    const got = await net.get({ url: `http://name.localhost:${server.port}/` })
    await net.close()
    expect(got).toMatchObject({ ok: true, status: 200 })
  })

  test('connects to literal addresses of both families', async () => {
    await using ipv6Server = await serveRaw(({ headers }) => answer(200, {}, headers.host!), { host: '::1' })
    await using ipv4Server = await serveRaw(({ headers }) => answer(200, {}, headers.host!))
    const net = openNet()
    const fromSix = await net.get({ url: `http://[::1]:${ipv6Server.port}/` })
    const fromFour = await net.get({ url: `http://127.0.0.1:${ipv4Server.port}/` })
    await net.close()
    expect(fromSix.ok && Buffer.from(fromSix.body).toString()).toBe(`[::1]:${ipv6Server.port}`)
    expect(fromFour.ok && Buffer.from(fromFour.body).toString()).toBe(`127.0.0.1:${ipv4Server.port}`)
  })

  test('reports which address refused', async () => {
    const server = await serveRaw(() => answer(200))
    await server[Symbol.asyncDispose]()
    const net = openNet()
    const got = await net.get({ url: `http://localhost:${server.port}/` })
    await net.close()
    expect(got).toEqual({
      ok: false,
      failure: { kind: 'unreachable', detail: `connection refused by 127.0.0.1:${server.port}` },
    })
  })

  test('aborts requests in progress when it is closed', async () => {
    const net = openNet()
    await using server = await serveRaw(() => void net.close())
    const got = await net.get({ url: server.origin })
    expect(got).toEqual({ ok: false, failure: { kind: 'unreachable', detail: 'the request was aborted' } })
  })
})

describe('http net, odd servers', () => {
  test.each([
    ['lines that end without a carriage return', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
    ['a response without a reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nok'],
    [
      'a length in addition to chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a header with control characters', 'HTTP/1.1 200 OK\r\nx: a\x01b\r\ncontent-length: 2\r\n\r\nok'],
    [
      'early hints before the response',
      'HTTP/1.1 103 Early\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    ],
    [
      'a length although it closes the connection',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok',
    ],
    ['more than it announced', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nokokok'],
  ])('reads %s', async (_what, bytes) => {
    await using server = await serveRaw(({ socket }) => void socket.end(bytes, 'latin1'))
    const net = openNet()
    const got = await net.get({ url: server.origin })
    await net.close()
    expect(got).toMatchObject({ ok: true, status: 200, wireBytes: 2 })
    expect(got.ok && Buffer.from(got.body).toString()).toBe('ok')
  })

  test.each([
    ['a response that is not HTTP', '220 mail.example ESMTP\r\n', 'broken-body'],
    ['an upgrade that was not requested', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'broken-body'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok', 'broken-body'],
  ])('returns a failure for %s', async (_what, bytes, kind) => {
    await using server = await serveRaw(({ socket }) => void socket.end(bytes))
    const net = openNet()
    const got = await net.get({ url: server.origin })
    await net.close()
    expect(got).toMatchObject({ ok: false, failure: { kind } })
  })
})

function openNet(options: Partial<HttpNetOptions> = {}) {
  return createHttpNet({
    userAgent: 'Test/1.0 (+http://test.example/)',
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    ...options,
  })
}
