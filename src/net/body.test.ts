import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { NetAnswer } from '../ports/index.ts'
import { createHttpNet } from './http-net.ts'
import { answer, type RawScript, serveRaw } from './raw-server.fixture.ts'

const text = Array.from({ length: 20_000 }, (_, line) => `<item>${line * line}</item>`).join('\n')
const plain = Buffer.from(text)

const encodings: [string, Buffer][] = [
  ['gzip', gzipSync(plain)],
  ['x-gzip', gzipSync(plain)],
  ['GZip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain, { params: {} })],
  ['zstd', zstdCompressSync(plain)],
  ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ['identity', plain],
  ['utf-8', plain],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'constructor, valueOf'].map(
    (word): [string, Buffer] => [word, plain],
  ),
]

test.each(encodings)('decodes %s', async (encoding, bytes) => {
  const got = await answerOf(() => answer(200, { 'content-encoding': encoding }, bytes))
  expect(got).toMatchObject({ ok: true, wireBytes: bytes.length })
  expect(got.ok && Buffer.from(got.body).equals(plain)).toBe(true)
})

test.each(encodings.slice(0, 8))('decodes %s that arrives in small chunks', async (encoding, bytes) => {
  const got = await answerOf(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ntransfer-encoding: chunked\r\n\r\n`)
    for (let at = 0; at < bytes.length; at += 1000) socket.write(chunk(bytes.subarray(at, at + 1000)))
    return '0\r\n\r\n'
  })
  expect(got.ok && Buffer.from(got.body).equals(plain)).toBe(true)
})

test.each(encodings.slice(0, 8))(
  'treats truncated %s as broken, even if the length is right',
  async (encoding, bytes) => {
    const got = await answerOf(() => answer(200, { 'content-encoding': encoding }, bytes.subarray(0, bytes.length / 2)))
    expect(got).toEqual(broken('the response could not be decoded'))
  },
)

test.each<[string, string | undefined, Buffer]>([
  ['plain text that claims to be gzip', 'gzip', plain],
  ['plain text that claims to be zstd', 'zstd', plain],
  ['gzip without a label', undefined, gzipSync(plain)],
  ['gzip twice under one label', 'gzip', gzipSync(gzipSync(plain))],
  ['zstd that claims to be br', 'br', zstdCompressSync(plain)],
  ['gzip that claims to be zstd', 'zstd', gzipSync(plain)],
])('reads %s', async (_, encoding, bytes) => {
  const got = await answerOf(() => answer(200, encoding ? { 'content-encoding': encoding } : {}, bytes))
  expect(got).toMatchObject({ ok: true, wireBytes: bytes.length })
  expect(got.ok && Buffer.from(got.body).equals(plain)).toBe(true)
})

test('stops unlabelled gzip that decompresses to too much', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const got = await answerOf(() => answer(200, {}, bomb))
  expect(got).toMatchObject({ ok: false, failure: { kind: 'too-large' } })
})

test.each(['deflate', 'br'])('rejects plain text labelled %s', async (encoding) => {
  const got = await answerOf(() => answer(200, { 'content-encoding': encoding }, text))
  expect(got).toEqual(broken('the response could not be decoded'))
})

test('rejects gzip with a wrong checksum', async () => {
  const bytes = gzipSync(plain)
  bytes[bytes.length - 6]! ^= 1
  expect(await answerOf(() => answer(200, { 'content-encoding': 'gzip' }, bytes))).toMatchObject(broken())
})

test('accepts an empty body with any label', async () => {
  const got = await answerOf(() => answer(200, { 'content-encoding': 'gzip' }))
  expect(got).toMatchObject({ ok: true, body: { length: 0 } })
  expect(await answerOf(() => answer(304, { 'content-encoding': 'gzip' }))).toMatchObject({ ok: true, status: 304 })
})

test('rejects four layers of encoding', async () => {
  const got = await answerOf(() => answer(200, { 'content-encoding': 'gzip, gzip, gzip, gzip' }, gzipSync('')))
  expect(got).toEqual(broken('the response has too many content encodings'))
})

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const half = text.slice(0, 1000)

test.each([
  ['is shorter than announced', `HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n${half}`],
  ['lacks its last chunk', `${chunked}3e8\r\n${half}\r\n`],
  ['ends within a chunk', `${chunked}7d0\r\n${half}`],
  ['has a chunk of no length', `${chunked}3e8\r\n${half}\r\nxyz\r\n`],
])('a body that %s is broken', async (_name, bytes) => {
  const got = await answerOf(({ socket }) => void socket.end(bytes))
  expect(got).toEqual(broken('the response ended after 1000 bytes'))
})

test('a body whose connection is reset is broken', async () => {
  const got = await answerOf(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${half}`, () => setTimeout(() => socket.resetAndDestroy(), 10))
    return undefined
  })
  expect(got).toMatchObject(broken())
})

test('a body without a length ends with the connection', async () => {
  const got = await answerOf(({ socket }) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${half}`))
  expect(got).toMatchObject({ ok: true, wireBytes: 1000 })
})

async function answerOf(script: RawScript): Promise<NetAnswer> {
  await using server = await serveRaw(script)
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'] })
  const got = await net.get({ url: server.origin })
  await net.close()
  return got
}

function chunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

function broken(detail?: string) {
  return { ok: false, failure: detail ? { kind: 'broken-body', detail } : { kind: 'broken-body' } }
}
