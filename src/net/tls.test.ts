import { once } from 'node:events'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { EXPIRED_CERTIFICATE, TEST_CERTIFICATE, TEST_KEY } from './certificates.fixture.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, serveRaw } from './raw-server.fixture.ts'

const tls = { key: TEST_KEY, cert: TEST_CERTIFICATE }

describe('https', () => {
  test('accepts trusted servers, by name and by address', async () => {
    await using server = await serveRaw(() => answer(200, {}, 'safe'), { tls })
    for (const host of ['localhost', '127.0.0.1'])
      expect(await visit(`https://${host}:${server.port}/`)).toMatchObject({ ok: true, status: 200 })
  })

  test('rejects unknown issuers, other names and expired certificates', async () => {
    await using server = await serveRaw(() => answer(200), { tls })
    await using late = await serveRaw(() => answer(200), { tls: { ...tls, cert: EXPIRED_CERTIFICATE } })
    const stranger = await visit(server.origin, { certificateAuthorities: [] })
    const otherName = await visit(`https://feeds.localhost:${server.port}/`)
    const expired = await visit(late.origin, { certificateAuthorities: [EXPIRED_CERTIFICATE] })
    expect(stranger).toEqual(unreachable('certificate is self-signed'))
    expect(otherName).toEqual(unreachable('certificate is for another name'))
    expect(expired).toEqual(unreachable('certificate expired'))
    expect(server.requests).toHaveLength(0)
  })

  test('does not share connections with http', async () => {
    await using server = await serveRaw(() => answer(200), { tls })
    const net = openNet()
    for (let i = 0; i < 3; i++) await net.get({ url: server.origin })
    expect(server.connections).toBe(2)
    for (let i = 0; i < 2; i++)
      expect(await net.get({ url: `http://localhost:${server.port}/` })).toMatchObject({ ok: false })
    await net.close()
    expect(server.requests).toHaveLength(3)
  })

  test('reports a server without TLS', async () => {
    await using server = await serveRaw(() => answer(200))
    const got = await visit(`https://localhost:${server.port}/`, { timeouts: { connectMs: 50 } })
    expect(got).toMatchObject({ ok: false })
    await using rude = await serveRaw(() => undefined)
    expect(await visit(`https://localhost:${rude.port}/`, { timeouts: { connectMs: 50 } })).toMatchObject({ ok: false })
  })
})

describe('http/2', () => {
  test('is used for servers that support nothing else', async () => {
    const seen: unknown[] = []
    await using server = await serveHttp2((stream, headers) => {
      seen.push(headers)
      stream.respond({ ':status': 200, 'content-encoding': 'gzip', etag: '"a"', link: ['<a>', '<b>'] })
      stream.end(gzipSync('over two'))
    })
    const got = await visit(`${server.origin}/feed?x#y`, {}, { 'if-none-match': '"a"' })
    expect(got).toMatchObject({ ok: true, status: 200, headers: { etag: '"a"', link: '<a>, <b>' } })
    expect(got.ok && Buffer.from(got.body).toString()).toBe('over two')
    expect(got.ok && Object.keys(got.headers).filter((name) => name.startsWith(':'))).toEqual([])
    expect(seen[0]).toMatchObject({
      ':path': '/feed?x',
      ':authority': new URL(server.origin).host,
      'user-agent': 'Test',
      'if-none-match': '"a"',
    })
  })

  test('follows redirects and reads responses without a body', async () => {
    await using server = await serveHttp2((stream, headers) => {
      if (headers[':path'] === '/') stream.respond({ ':status': 301, location: '/there' }, { endStream: false })
      else stream.respond({ ':status': 304 }, { endStream: true })
    })
    const got = await visit(server.origin)
    expect(got).toMatchObject({ ok: true, status: 304, redirects: [{ status: 301, to: `${server.origin}/there` }] })
  })

  test('posts a form', async () => {
    await using server = await serveHttp2((stream, headers) => {
      let posted = ''
      stream.setEncoding('utf8').on('data', (text) => (posted += text))
      stream.on('end', () => {
        stream.respond({ ':status': 202 })
        stream.end(`${headers[':method']} ${posted}`)
      })
    })
    const net = openNet()
    const got = await net.post({ url: server.origin, form: { a: 'b' } })
    await net.close()
    expect(got.ok && Buffer.from(got.body).toString()).toBe('POST a=b')
  })

  test('has the same limits', async () => {
    await using server = await serveHttp2((stream, headers) => {
      stream.on('error', () => {})
      if (headers[':path'] === '/silent') return
      const long = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`x-${i}`, 'y'.repeat(3000)]))
      stream.respond({ ':status': 200, ...(headers[':path'] === '/headers' && long) })
      if (headers[':path'] === '/broken') stream.write('half', () => stream.session!.destroy())
      else if (headers[':path'] === '/large') stream.end('x'.repeat(2000))
      else stream.write('and then nothing')
    })
    const kindAt = async (path: string, options: Partial<HttpNetOptions> = {}) => {
      const got = await visit(`${server.origin}${path}`, options)
      return got.ok ? got.status : got.failure.kind
    }
    expect(await kindAt('/silent', { timeouts: { firstByteMs: 30 } })).toBe('timeout')
    expect(await kindAt('/stops', { timeouts: { totalMs: 200 } })).toBe('timeout')
    expect(await kindAt('/large', { maxBytes: 1000 })).toBe('too-large')
    expect(await kindAt('/headers', { maxHeaderBytes: 20_000 })).toBe('too-large')
    expect(await kindAt('/broken')).toBe('broken-body')
  })
})

type Script = (stream: ServerHttp2Stream, headers: Record<string, string | string[] | undefined>) => void

async function serveHttp2(script: Script): Promise<{ origin: string } & AsyncDisposable> {
  const server: Http2SecureServer = createSecureServer({ ...tls, allowHTTP1: false })
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  server.on('sessionError', () => {})
  server.on('stream', script)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    origin: `https://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function openNet(options: Partial<HttpNetOptions> = {}) {
  return createHttpNet({
    userAgent: 'Test',
    allowNetworks: ['127.0.0.0/8'],
    certificateAuthorities: [TEST_CERTIFICATE],
    ...options,
  })
}

async function visit(url: string, options: Partial<HttpNetOptions> = {}, headers: Record<string, string> = {}) {
  const net = openNet(options)
  const got = await net.get({ url, headers })
  await net.close()
  return got
}

function unreachable(detail: string) {
  return { ok: false, failure: { kind: 'unreachable', detail } }
}
