/** Exchanges for archives: each request and its response, as transferred. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Exchange } from '../archive/exchange.ts'
import { createHttpNet } from './http-net.ts'
import { serveRaw } from './raw-server.fixture.ts'

function openNet(onExchange: (exchange: Exchange) => Promise<void>) {
  return createHttpNet({ userAgent: 'Test/1.0', allowNetworks: ['127.0.0.0/8', '::1/128'], onExchange })
}

const FLOOD = gzipSync('Flood')

test('reports redirects and responses, compressed as transferred', async () => {
  await using server = await serveRaw(({ path }) => {
    if (path === '/old') return 'HTTP/1.1 301 Gone Away\r\nLocation: /new\r\nContent-Length: 4\r\n\r\nmove'
    const head = 'HTTP/1.1 200 Fine\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\nX-A: 2\r\n\r\n'
    return Buffer.concat([Buffer.from(`${head}${FLOOD.length.toString(16)}\r\n`), FLOOD, Buffer.from('\r\n0\r\n\r\n')])
  })
  const exchanges: Exchange[] = []
  const net = openNet(async (exchange) => void exchanges.push(exchange))
  const credentials = { user: 'me', password: 'secret' }
  const answer = await net.get({ url: `${server.origin}/old`, credentials, headers: { 'if-none-match': '"x"' } })
  await net.close()

  expect(answer).toMatchObject({ ok: true, status: 200, wireBytes: FLOOD.length })
  expect(answer.ok && Buffer.from(answer.body).toString()).toBe('Flood')
  expect(exchanges).toHaveLength(2)
  const [first, second] = exchanges
  expect(first).toMatchObject({
    url: `${server.origin}/old`,
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    response: {
      status: 301,
      reason: 'Gone Away',
      protocol: 'http/1.1',
      headers: [
        ['Location', '/new'],
        ['Content-Length', '4'],
      ],
      isCut: true,
    },
  })
  expect(Object.fromEntries(first!.request.headers)).toMatchObject({ 'user-agent': 'Test/1.0', 'if-none-match': '"x"' })
  expect(second).toMatchObject({ url: `${server.origin}/new`, via: `${server.origin}/old` })
  expect(second!.response.headers).toEqual([
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', 'chunked'],
    ['X-A', '1'],
    ['X-A', '2'],
  ])
  expect(gunzipSync(second!.response.body).toString()).toBe('Flood')
})

test('does not return a response that could not be archived', async () => {
  await using server = await serveRaw(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const net = openNet(async () => {
    throw new Error('the archive is full')
  })
  await expect(net.get({ url: server.origin })).rejects.toThrow('the archive is full')
  await net.close()
})
