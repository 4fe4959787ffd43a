import { appendFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { type ArchivedExchange, NoArchiveError, readArchive } from './read-archive.ts'
import { openWarcFolder } from './warc-archive.ts'

const AT = Date.UTC(2026, 0, 31, 10, 20, 30, 456)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-read-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function exchange(url: string, body: string | Uint8Array, response: Partial<Exchange['response']> = {}): Exchange {
  return {
    url,
    at: AT,
    tookMs: 25,
    address: '192.0.2.7',
    request: { headers: [['user-agent', 'Freshet/0.0.0']] },
    response: { status: 200, headers: [['ETag', '"a"']], body: Buffer.from(body), ...response },
  }
}

async function writeArchive(exchanges: Exchange[], maxFileBytes = 1e9): Promise<void> {
  const archive = await openWarcFolder(folder, { software: 'test', now: () => AT, maxFileBytes })
  for (const item of exchanges) await archive.write(item)
  await archive.close()
}

async function readAll(from = folder): Promise<ArchivedExchange[]> {
  const archived: ArchivedExchange[] = []
  for await (const item of readArchive(from)) archived.push(item)
  return archived
}

test('returns what was written, in order, from several files', async () => {
  const urls = Array.from({ length: 5 }, (_, i) => `https://news.example/${i}`)
  await writeArchive(
    urls.map((url) => exchange(url, url.repeat(500))),
    1,
  )
  expect(readdirSync(folder)).toHaveLength(5)
  const read = await readAll()
  expect(read.map(({ url }) => url)).toEqual(urls)
  expect(read[3]).toMatchObject({
    at: AT,
    tookMs: 25,
    address: '192.0.2.7',
    request: { 'user-agent': 'Freshet/0.0.0' },
    status: 200,
    headers: { etag: '"a"' },
  })
  expect(Buffer.from(read[3]!.body).toString()).toBe(urls[3]!.repeat(500))
})

test('decodes bodies, and gives a revisit the body it refers to, also from an earlier file', async () => {
  const packed = (coding: string) => ({ headers: [['Content-Encoding', coding]] as const })
  await writeArchive(
    [
      exchange('https://a.example/', gzipSync('one'), packed('gzip')),
      exchange('https://b.example/', brotliCompressSync('two'), packed('br')),
      exchange('https://c.example/', gzipSync('one'), packed('gzip')),
      exchange('https://a.example/', '', { status: 304 }),
    ],
    1,
  )
  const read = await readAll()
  expect(read.map(({ body }) => Buffer.from(body).toString())).toEqual(['one', 'two', 'one', ''])
  expect(read.map(({ status }) => status)).toEqual([200, 200, 200, 304])
})

test('reads a record larger than the read buffer', async () => {
  const large = Buffer.from(Array.from({ length: 2_000_000 }, (_, i) => (i * 7919 * (i % 251)) & 255))
  await writeArchive([exchange('https://a.example/', large), exchange('https://b.example/', 'small')])
  const read = await readAll()
  expect(Buffer.compare(Buffer.from(read[0]!.body), large)).toBe(0)
  expect(read[1]!.url).toBe('https://b.example/')
})

test('skips what a crash has truncated, and reports a missing archive', async () => {
  await writeArchive([exchange('https://a.example/', 'one')])
  const [name] = readdirSync(folder)
  appendFileSync(join(folder, name!), gzipSync('WARC/1.1 and no more').subarray(0, 20))
  expect(await readAll()).toHaveLength(1)
  await expect(readAll(join(folder, 'nowhere'))).rejects.toThrow(NoArchiveError)
  appendFileSync(join(folder, 'begun.warc.gz'), '')
  expect(await readAll()).toHaveLength(1)
  await expect(readAll(join(folder, 'begun.warc.gz'))).rejects.toThrow(NoArchiveError)
})
