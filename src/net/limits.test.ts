import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { NetAnswer } from '../ports/index.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificates.fixture.ts'
import { serveDns } from './dns-server.fixture.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, type RawScript, serveRaw } from './raw-server.fixture.ts'

const silent: RawScript = () => undefined
const certificates = { key: TEST_KEY, cert: TEST_CERTIFICATE }

test('a server that accepts but never starts TLS ends at the connect limit', async () => {
  const got = await answerOf(silent, { timeouts: { connectMs: 30 } }, 'https:')
  const detail = expect.stringMatching(/^no connection to (localhost|127)/) // on a busy machine TCP is late already
  expect(got).toEqual({ ok: false, failure: { kind: 'timeout', detail } })
})

test('a name server that does not answer ends at the connect limit', async () => {
  await using dns = await serveDns(() => undefined)
  const net = createHttpNet({ userAgent: 'Test', dnsServers: [dns.address], timeouts: { connectMs: 30 } })
  const got = await net.get({ url: 'http://slow.example/' })
  await net.close()
  expect(got).toEqual(failure('timeout', 'no connection to slow.example within 0.03 s'))
})

test('sends nothing if it is too late once connected', async () => {
  for (const protocol of ['http:', 'https:'] as const) {
    let requestCount = 0
    await using server = await serveRaw(
      () => answer(200, {}, 'news'),
      protocol === 'https:' ? { tls: certificates } : {},
    )
    const trusted = { certificateAuthorities: [certificates.cert] }
    const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8', '::1/128'], ...trusted })
    const url = `${protocol}//localhost:${server.port}/`
    const got = await net.get({ url, isLate: () => ++requestCount > 1 })
    await net.close()
    expect(got).toEqual(failure('unreachable', 'the deadline had passed before the request was sent'))
    expect([requestCount, server.requests.length]).toEqual([2, 0])
  }
})

test('does not follow a redirect if it is too late', async () => {
  await using server = await serveRaw(({ path }) => answer(302, { location: `${path}x` }))
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8', '::1/128'] })
  const got = await net.get({ url: `${server.origin}/`, isLate: () => server.requests.length > 0 })
  await net.close()
  expect(got).toMatchObject(failure('unreachable', 'the deadline had passed before the request was sent'))
  expect(server.requests).toHaveLength(1)
})

test('a server that never answers ends at the first byte limit', async () => {
  const got = await answerOf(silent, { timeouts: { firstByteMs: 30 } })
  expect(got).toEqual(failure('timeout', 'no response within 0.03 s'))
})

test('a slow head ends at the first byte limit', async () => {
  const trickle: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, 'x: y\r\n')
    return undefined
  }
  expect(await answerOf(trickle, { timeouts: { firstByteMs: 30 } })).toMatchObject(failure('timeout'))
})

test('a slow body ends at the total limit', async () => {
  const trickle: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    drip(socket, 'x')
    return undefined
  }
  const got = await answerOf(trickle, { timeouts: { totalMs: 50 } })
  expect(got).toEqual(failure('timeout', 'no complete response within 0.05 s'))
})

test('a slow encoded body ends at the total limit', async () => {
  const trickle: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
    socket.write(gzipSync('some text').subarray(0, 12))
    return undefined
  }
  expect(await answerOf(trickle, { timeouts: { totalMs: 50 } })).toMatchObject(failure('timeout'))
})

test('slow redirects together end at the total limit', async () => {
  const slow: RawScript = ({ path, socket }) => {
    setTimeout(() => socket.write(answer(302, { location: `${path}x` })), 20)
    return undefined
  }
  const got = await answerOf(slow, { maxRedirects: 1000, timeouts: { totalMs: 100 } })
  expect(got).toMatchObject(failure('timeout', 'no complete response within 0.1 s'))
})

test('headers are read up to their limit', async () => {
  const withHeader = (bytes: number) => () => answer(200, { x: 'y'.repeat(bytes) })
  expect(await answerOf(withHeader(1000), { maxHeaderBytes: 2000 })).toMatchObject({ ok: true })
  expect(await answerOf(withHeader(3000), { maxHeaderBytes: 2000 })).toEqual(
    failure('too-large', 'the headers are too large'),
  )
})

test('endless headers are aborted', async () => {
  const endless: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, 'x: y\r\n'.repeat(1000))
    return undefined
  }
  expect(await answerOf(endless)).toMatchObject(failure('too-large'))
})

test('an endless body is aborted as soon as it is too large', async () => {
  const endless: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    pour(socket, 'x'.repeat(10_000))
    return undefined
  }
  expect(await answerOf(endless, { maxBytes: 50_000 })).toEqual(failure('too-large', 'more than 50000 bytes'))
})

test('a body in too many tiny chunks is aborted', async () => {
  const crumbs: RawScript = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    pour(socket, '1\r\nx\r\n'.repeat(10_000))
    return undefined
  }
  expect(await answerOf(crumbs)).toEqual(failure('too-large', 'more than 100000 chunks'))
})

test('a body announced as too large is not read', async () => {
  const announced: RawScript = () => 'HTTP/1.1 200 OK\r\ncontent-length: 50001\r\n\r\n'
  expect(await answerOf(announced, { maxBytes: 50_000 })).toEqual(failure('too-large', 'more than 50000 bytes'))
  expect(await answerOf(announced, { maxWireBytes: 50_000 })).toEqual(
    failure('too-large', 'more than 50000 bytes as transferred'),
  )
})

test('a raised limit replaces the default', async () => {
  const large: RawScript = () => answer(200, {}, Buffer.alloc(12_000_000, 'x'))
  expect(await answerOf(large)).toMatchObject(failure('too-large'))
  expect(await answerOf(large, { maxBytes: 12_000_000 })).toMatchObject({ ok: true, wireBytes: 12_000_000 })
})

test('transferred bytes have a separate limit', async () => {
  const padded = Buffer.concat([gzipSync('small'), ...Array.from({ length: 100 }, () => gzipSync(''))])
  const script: RawScript = () => answer(200, { 'content-encoding': 'gzip' }, padded)
  expect(await answerOf(script)).toMatchObject({ ok: true })
  expect(await answerOf(script, { maxWireBytes: 1000 })).toMatchObject(failure('too-large'))
})

test('a decompression bomb is aborted at the limit, long before it has arrived', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const writing: RawScript = ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length + 1}\r\n\r\n`)
    socket.write(bomb) // one byte is kept back: only a reader that decodes on the way comes to an end
    return undefined
  }
  expect(await answerOf(writing, { maxBytes: 100_000 })).toEqual(
    failure('too-large', 'more than 100000 bytes after decoding'),
  )
})

test('a nested decompression bomb is aborted', async () => {
  const empty = gzipSync('')
  const inner = Buffer.concat(Array.from({ length: 20_000 }, () => empty)) // 400 KB that decode to nothing
  const outer = gzipSync(inner)
  const script: RawScript = () => answer(200, { 'content-encoding': 'gzip, gzip' }, outer)
  expect(await answerOf(script, { maxBytes: 100_000 })).toMatchObject(failure('too-large'))
})

test('large bodies queue up, and small ones do not wait for them', async () => {
  const large = Buffer.alloc(1_200_000, 'x')
  const ends: (() => void)[] = []
  const allWait = Promise.withResolvers<void>()
  await using server = await serveRaw(({ path, socket }) => {
    if (path === '/small') return answer(200, {}, 'small')
    socket.write(answer(200, {}, large).subarray(0, -1))
    if (ends.push(() => socket.write('x')) === 5) allWait.resolve()
    return undefined
  })
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'] })
  const got = Promise.all(Array.from({ length: 5 }, () => net.get({ url: `${server.origin}/large` })))
  await allWait.promise
  expect(await net.get({ url: `${server.origin}/small` })).toMatchObject({ ok: true })
  for (const finish of ends) finish()
  expect((await got).map(({ ok }) => ok)).toEqual([true, true, true, true, true])
  await net.close()
})

test('redirects are followed up to their limit', async () => {
  const chain: RawScript = ({ path }) =>
    path.length < 4 ? answer(301, { location: `${path}x` }) : answer(200, {}, 'there')
  expect(await answerOf(chain, { maxRedirects: 3 })).toMatchObject({ ok: true, redirects: { length: 3 } })
  expect(await answerOf(chain, { maxRedirects: 2 })).toMatchObject(failure('redirects', 'more than 2 redirects'))
})

test('the body of a redirect is not waited for', async () => {
  const endless: RawScript = ({ path, socket }) => {
    if (path === '/x') return answer(200, {}, 'there')
    socket.write('HTTP/1.1 301 x\r\nlocation: /x\r\n\r\n')
    pour(socket, 'x'.repeat(10_000))
    return undefined
  }
  expect(await answerOf(endless, { maxBytes: 1000 })).toMatchObject({ ok: true, status: 200 })
})

async function answerOf(
  script: RawScript,
  options: Partial<HttpNetOptions> = {},
  scheme = 'http:',
): Promise<NetAnswer> {
  await using server = await serveRaw(script)
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8', '::1/128'], ...options })
  const got = await net.get({ url: `${scheme}//localhost:${server.port}/` })
  await net.close()
  return got
}

function failure(kind: string, detail?: string) {
  return { ok: false, failure: detail ? { kind, detail } : { kind } }
}

type Writable = {
  write(text: string): boolean
  destroyed: boolean
  once(event: 'drain', listener: () => void): unknown
}

/** A little every few milliseconds. */
function drip(socket: Writable, text: string): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 2)
}

/** As much as the other side accepts. */
function pour(socket: Writable, text: string): void {
  while (!socket.destroyed && socket.write(text));
  if (!socket.destroyed) socket.once('drain', () => pour(socket, text))
}
