import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { createHttpNet } from '../../net/index.ts'
import type { VillageSocket } from './sockets.ts'
import { createVillage } from './village.ts'

const START = Date.UTC(2030, 2, 6, 15, 30)
const village = createVillage({ clock: createSteppedClock(START) })
let listening: VillageSocket

beforeAll(async () => {
  listening = await village.listen()
})
afterAll(() => listening.close())

/** Connects to loopback with the village's host name, without DNS. */
function open(url: string, { method = 'GET', ...headers }: Record<string, string> = {}): Promise<IncomingMessage> {
  const { host, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: listening.port, path: pathname, method, headers: { ...headers, host } }
    request(options, resolve).on('error', reject).end()
  })
}

async function read(response: IncomingMessage, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= enough) break
  }
  return Buffer.concat(chunks)
}

function feedOf(name: string): string {
  return village.site(name).feeds[0]!.url
}

test('gives the same responses over sockets as in memory, dated by its own clock', async () => {
  for (const name of ['wire', 'anzeiger', 'weathercock', 'pump', 'castle', 'abbey', 'scribe']) {
    const url = feedOf(name)
    expect(url).toContain(`:${listening.port}/`)
    const response = await open(url)
    const expected = village.answer({ method: 'GET', url, headers: {} }, START)!
    expect(await read(response)).toEqual(Buffer.from(expected.body))
    expect(response.headers).toMatchObject({ ...expected.headers, date: 'Wed, 06 Mar 2030 15:30:00 GMT' })
  }
})

test('the real Net gets the same responses as the in-memory one', async () => {
  const options = { userAgent: 'lab/1', allowNetworks: ['127.0.0.0/8'] }
  const [real, impatient] = [createHttpNet(options), createHttpNet({ ...options, timeouts: { totalMs: 400 } })]
  for (const { name, feeds } of village.sites) {
    for (const { url } of feeds) {
      const answer = await (name === 'snail' ? impatient : real).get({ url })
      const expected = await village.net().get({ url })
      if (!expected.ok) expect(answer).toMatchObject({ ok: false, failure: { kind: expected.failure.kind } })
      else {
        const { status, redirects, body } = expected
        expect(answer).toMatchObject({ ok: true, status, url: expected.url, redirects })
        expect(answer.ok && Buffer.from(answer.body).equals(body)).toBe(true)
      }
    }
  }
  await Promise.all([real.close(), impatient.close()])
})

test.each([
  ['wire', 'br, gzip', 'gzip', gunzipSync],
  ['gazette', 'gzip, br', 'br', brotliDecompressSync],
  ['gazette', 'gzip', 'gzip', gunzipSync],
  ['weathercock', 'gzip;q=0.5, zstd', 'zstd', zstdDecompressSync],
])('%s compresses worthwhile responses for clients that accept %s: %s', async (name, accepted, packing, unpack) => {
  const url = feedOf(name)
  const response = await open(url, { 'accept-encoding': accepted })
  expect(response.headers['content-encoding']).toBe(packing)
  expect(unpack(await read(response))).toEqual(await read(await open(url)))
})

test('compresses nothing for clients that do not accept it', async () => {
  const response = await open(feedOf('gazette'), { 'accept-encoding': 'identity' })
  expect(response.headers['content-encoding']).toBeUndefined()
})

test('announces a feed in a header of its page', async () => {
  const { headers } = await open(village.site('clocher').home)
  expect(headers.link).toBe('</atom.xml>; rel="alternate"; type="application/atom+xml"')
})

test('answers 304 and HEAD without a body', async () => {
  const first = await open(feedOf('gazette'), { method: 'HEAD' })
  expect((await read(first)).length).toBe(0)
  const again = await open(feedOf('gazette'), { 'if-none-match': first.headers.etag! })
  expect([again.statusCode, (await read(again)).length]).toEqual([304, 0])
})

test('accepts only GET and HEAD, and no unknown hosts', async () => {
  expect((await open(feedOf('gazette'), { method: 'POST' })).statusCode).toBe(405)
  expect((await open('http://nowhere.localhost/')).statusCode).toBe(421)
})

test('a slow site sends a few bytes at a time', async () => {
  const response = await open(feedOf('snail'))
  const [first] = await response.take(1).toArray()
  expect(first.length).toBeLessThan(50)
  expect(Number(response.headers['content-length'])).toBeGreaterThan(1000)
})

test('an endless site keeps sending', async () => {
  const response = await open(feedOf('river'))
  expect(response.headers['content-length']).toBeUndefined()
  expect((await read(response, 8 * 2 ** 20)).length).toBeGreaterThanOrEqual(8 * 2 ** 20)
})

test('a huge site is small when compressed', async () => {
  const packed = await read(await open(feedOf('library'), { 'accept-encoding': 'gzip' }))
  expect(packed.length).toBeLessThan(2 ** 20)
  expect(gunzipSync(packed).length).toBeGreaterThan(24 * 2 ** 20)
})

test('one faulty site truncates its response, and another does not respond', async () => {
  const response = await open(feedOf('bridge'))
  expect(response.statusCode).toBe(200)
  await expect(read(response)).rejects.toThrow('aborted')
  await expect(open(feedOf('fox'))).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('logs requests', async () => {
  await open(feedOf('miller'), { 'user-agent': 'somebody/1' })
  expect(village.requests.at(-1)).toMatchObject({
    at: START,
    url: feedOf('miller'),
    status: 200,
    headers: { 'user-agent': 'somebody/1' },
  })
})

test('closes at once, with responses in progress', async () => {
  const second = createVillage({ clock: createSteppedClock(START) })
  const { port, close } = await second.listen()
  const river = new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: `snail.localhost:${port}` }
    request({ host: '127.0.0.1', port, path: '/feed', headers }, resolve).on('error', reject).end()
  })
  const response = await river
  await close()
  await expect(read(response)).rejects.toThrow('aborted')
})
