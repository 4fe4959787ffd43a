/** Responses are compressed as the client accepts, except streams, small ones, and those that other sites requested. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { HOUR } from '../model/index.ts'
import { acceptedEncoding } from './compress.ts'

const UNPACK = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

async function filled() {
  const fixture = createServerFixture()
  const entries = Array.from({ length: 20 }, (_, i) => ({ title: `High water ${i}`, agoMs: i * HOUR }))
  await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  const server = await fixture.load()
  const get = (path: string, headers: Record<string, string> = {}) => server.request(path, { headers })
  return { get }
}

describe('a large JSON response', () => {
  it.each(['zstd', 'br', 'gzip'] as const)('is compressed with %s if the client accepts it', async (encoding) => {
    const { get } = await filled()
    const plain = await get('/api/v1/entries')
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
    const packed = await get('/api/v1/entries', { 'accept-encoding': encoding })
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    const bytes = new Uint8Array(await packed.arrayBuffer())
    const text = await plain.text()
    expect(UNPACK[encoding](bytes).toString()).toBe(text)
    expect(bytes.length).toBeLessThan(text.length / 4)
  })

  it('is not sent again if it has not changed', async () => {
    const { get } = await filled()
    const accepts = { 'accept-encoding': 'zstd' }
    const etag = (await get('/api/v1/entries', accepts)).headers.get('etag')!
    expect(etag).toMatch(/^W\//)
    const again = await get('/api/v1/entries', { ...accepts, 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('is not compressed for another site, whose page could measure its length', async () => {
    const { get } = await filled()
    for (const from of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect((await get('/api/v1/entries', { 'accept-encoding': 'br', ...from })).headers.get('content-encoding')).toBe(
        null,
      )
  })
})

test('small responses, exports and lists of secrets are not compressed', async () => {
  const { get } = await filled()
  for (const path of ['/api/v1/entries?limit=1', '/api/v1/export/entries', '/api/v1/feeds-out', '/api/v1/session'])
    expect((await get(path, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe(null)
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['zstd;q=0, *', 'br'],
  ['br;q=nonsense, gzip', 'gzip'],
  ['*;q=0', undefined],
])('of "%s", %s is chosen', (header, encoding) =>
  expect(acceptedEncoding(header, ['zstd', 'br', 'gzip'])).toBe(encoding),
)
