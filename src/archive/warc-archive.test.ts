import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import type { Exchange } from './exchange.ts'
import { type ReadRecord, readWarc } from './read-warc.fixture.ts'
import { ArchiveError, openWarcFile, openWarcFolder } from './warc-archive.ts'

const AT = Date.UTC(2026, 0, 31, 10, 20, 30, 456)
const PARTS = { software: 'Freshet/0.0.0', now: () => AT }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-warc-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const files = () =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))

function exchange(url: string, body: string | Uint8Array, response: Partial<Exchange['response']> = {}): Exchange {
  return {
    url,
    at: AT,
    tookMs: 25,
    address: '192.0.2.7',
    request: {
      headers: [
        ['host', 'news.example'],
        ['user-agent', 'Freshet/0.0.0'],
      ],
    },
    response: {
      status: 200,
      reason: 'OK',
      protocol: 'http/1.1',
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
      body: Buffer.from(body),
      ...response,
    },
  }
}

async function archived(...exchanges: Exchange[]): Promise<ReadRecord[]> {
  const archive = await openWarcFolder(folder, { ...PARTS, maxFileBytes: 1e9 })
  for (const item of exchanges) await archive.write(item)
  await archive.close()
  const { records, leftOver } = readWarc(files()[0]!)
  expect(leftOver).toBe(0)
  return records
}

const types = (records: ReadRecord[]) => records.map(({ headers }) => headers['warc-type'])

describe('an archive', () => {
  test('stores request, response and duration', async () => {
    const records = await archived(exchange('https://news.example/a?b=c', '<p>Flood</p>'))
    expect(types(records)).toEqual(['warcinfo', 'request', 'response', 'metadata'])
    const [info, request, response, metadata] = records
    expect(info!.headers['warc-filename']).toBe('freshet-20260131102030456-00001.warc.gz')
    expect(info!.block.toString()).toMatch(/^software: Freshet\/0\.0\.0\r\nformat: WARC File Format 1\.1\r\n/)
    expect(request!.http).toEqual({
      first: 'GET /a?b=c HTTP/1.1',
      headers: { host: 'news.example', 'user-agent': 'Freshet/0.0.0' },
      body: Buffer.alloc(0),
    })
    expect(response!.headers).toMatchObject({
      'warc-target-uri': 'https://news.example/a?b=c',
      'warc-date': '2026-01-31T10:20:30.456Z',
      'warc-ip-address': '192.0.2.7',
      'warc-concurrent-to': request!.headers['warc-record-id'],
      'warc-warcinfo-id': info!.headers['warc-record-id'],
      'content-type': 'application/http; msgtype=response',
    })
    expect(request!.headers['warc-concurrent-to']).toBe(response!.headers['warc-record-id'])
    expect(response!.block.toString()).toBe(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n' +
        'Content-Length: 12\r\n\r\n<p>Flood</p>',
    )
    expect(metadata!.block.toString()).toBe('fetchTimeMs: 25\r\n')
    expect(new Set(records.map(({ headers }) => headers['warc-record-id'])).size).toBe(4)
  })

  test('renames the headers of the transfer, and keeps a compressed body compressed', async () => {
    const [, , packed] = await archived(
      exchange('https://news.example/', gzipSync('Flood'), {
        headers: [
          ['transfer-encoding', 'chunked'],
          ['Content-Encoding', 'gzip'],
          ['content-length', '7'],
        ],
      }),
    )
    expect(packed!.http!.headers).toMatchObject({
      'x-crawler-transfer-encoding': 'chunked',
      'x-crawler-content-length': '7',
      'content-encoding': 'gzip',
      'content-length': String(gzipSync('Flood').length),
    })
    expect(packed!.http!.headers).not.toHaveProperty('transfer-encoding')
  })

  test('marks a decompressed body', async () => {
    const headers = [['content-encoding', 'br']] as const
    const [, , unpacked] = await archived(exchange('https://news.example/', 'Flood', { headers, isDecoded: true }))
    expect(unpacked!.http!.headers).toEqual({ 'x-crawler-content-encoding': 'br', 'content-length': '5' })
  })

  test('refers to earlier responses: for an identical body, and for 304', async () => {
    const records = await archived(
      exchange('https://news.example/feed', 'Flood'),
      exchange('https://news.example/feed', 'Flood'),
      exchange('https://news.example/feed', '', { status: 304, reason: 'Not Modified' }),
      exchange('https://other.example/feed', '', { status: 304, reason: 'Not Modified' }),
      exchange('https://other.example/empty', ''),
      exchange('https://other.example/empty', ''),
    )
    const answers = records.filter(({ headers }) => /^(?:response|revisit)$/.test(headers['warc-type']!))
    expect(types(answers)).toEqual(['response', 'revisit', 'revisit', 'revisit', 'response', 'response'])
    const [first, sameBody, notModified, unknown] = answers
    const reference = {
      'warc-refers-to': first!.headers['warc-record-id'],
      'warc-refers-to-target-uri': 'https://news.example/feed',
      'warc-refers-to-date': '2026-01-31T10:20:30.456Z',
      'warc-payload-digest': first!.headers['warc-payload-digest'],
    }
    expect(sameBody!.headers).toMatchObject({
      'warc-profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      ...reference,
    })
    expect(sameBody!.http!.body).toHaveLength(0)
    expect(notModified!.headers).toMatchObject({
      'warc-profile': 'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
      ...reference,
    })
    expect(notModified!.http!.first).toBe('HTTP/1.1 304 Not Modified')
    expect(unknown!.headers).not.toHaveProperty('warc-refers-to')
  })

  test('contains no secrets, and prevents header injection', async () => {
    const item = exchange('https://news.example/', 'x', {
      reason: 'OK\r\nX-Evil: 1',
      headers: [
        ['X-A', 'b\r\n\r\n<p>c'],
        ['X-Latin', 'caf\u00e9'],
      ],
    })
    const headers = [
      ...item.request.headers,
      ['Authorization', 'Basic c2VjcmV0'],
      ['proxy-authorization', 'c2VjcmV0'],
    ] as const
    const records = await archived({ ...item, request: { headers } })
    for (const { block } of records) expect(block.toString('latin1')).not.toMatch(/c2VjcmV0|^X-Evil/m)
    expect(records[2]!.http!.headers).toMatchObject({ 'x-a': 'b <p>c', 'x-latin': 'caf\u00e9' })
  })

  test('starts another file when one is large enough, and each is self-contained', async () => {
    const archive = await openWarcFolder(folder, { ...PARTS, maxFileBytes: 5_000 })
    const bodies = Array.from({ length: 20 }, (_, i) =>
      Buffer.from(Array.from({ length: 4_000 }, (_, j) => (i * j * j) % 251)),
    )
    await Promise.all(bodies.map((body, i) => archive.write(exchange(`https://news.example/${i}`, body))))
    await archive.close()
    expect(files().length).toBeGreaterThan(3)
    const allRecords = files().map((file) => readWarc(file).records)
    for (const records of allRecords) expect(types(records)).toEqual(['warcinfo', ...triples((records.length - 1) / 3)])
    const urls = allRecords.flat().filter(({ headers }) => headers['warc-type'] === 'response')
    expect(urls.map(({ headers }) => headers['warc-target-uri'])).toEqual(
      bodies.map((_, i) => `https://news.example/${i}`),
    )
  })

  test('never appends to existing files: another crawl starts its own', async () => {
    for (const _ of [1, 2]) {
      const archive = await openWarcFolder(folder, { ...PARTS, maxFileBytes: 1e9 })
      await archive.write(exchange('https://news.example/', 'x'))
      await archive.close()
    }
    expect(files()).toHaveLength(2)
  })

  test('reports that it cannot be written', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(openWarcFolder(file, { ...PARTS, maxFileBytes: 1e9 })).rejects.toThrow(ArchiveError)
    const removed = await openWarcFolder(join(folder, 'gone'), { ...PARTS, maxFileBytes: 1e9 })
    await rm(join(folder, 'gone'), { recursive: true })
    await expect(removed.write(exchange('https://news.example/', 'x'))).rejects.toThrow(/cannot be written/)
    await removed.close()
  })

  test('loses at most the last record when its writer is killed', async () => {
    const writer = spawn(process.execPath, [
      fileURLToPath(new URL('archive-writer.fixture.ts', import.meta.url)),
      folder,
    ])
    let output = ''
    for await (const chunk of writer.stdout) {
      output += chunk
      if (output.split('\n').length > 30) writer.kill('SIGKILL')
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
    const written = Number(output.trim().split('\n').at(-1))
    const urls = files().flatMap((file) =>
      readWarc(file).records.flatMap(({ headers }) =>
        headers['warc-type'] === 'response' ? [headers['warc-target-uri']] : [],
      ),
    )
    expect(urls.slice(0, written)).toEqual(Array.from({ length: written }, (_, i) => `https://news.example/${i + 1}`))
  })
})

describe('one file', () => {
  test('exists only once it is complete', async () => {
    const file = join(folder, 'all.warc.gz')
    const archive = await openWarcFile(file, PARTS)
    await archive.write({ ...exchange('https://news.example/', 'x'), about: { title: 'Höhe' } })
    expect(readdirSync(folder)).toEqual(['all.warc.gz.part'])
    await archive.finish()
    const { records } = readWarc(file)
    expect(records[0]!.headers['warc-filename']).toBe('all.warc.gz')
    expect(records.at(-1)!.block.toString()).toContain('about: {"title":"Höhe"}')
  })
})

test('other readers can read it', async () => {
  await archived(
    exchange('https://news.example/a', gzipSync('<p>Höhe</p>'), { headers: [['Content-Encoding', 'gzip']] }),
    exchange('https://news.example/a', '', { status: 304 }),
    exchange('https://news.example/old', '', {
      status: 301,
      headers: [
        ['Location', '/a'],
        ['Content-Length', '99'],
      ],
      isCut: true,
    }),
  )
  const seen: string[] = []
  for await (const record of new WARCParser(createReadStream(files()[0]!))) {
    const body =
      record.warcType === 'response' ? ` ${record.httpHeaders?.statusCode} ${await record.contentText()}` : ''
    seen.push(`${record.warcType} ${record.warcTargetURI ?? ''}${body}`.trim())
  }
  expect(seen).toEqual([
    'warcinfo',
    'request https://news.example/a',
    'response https://news.example/a 200 <p>Höhe</p>',
    'metadata https://news.example/a',
    'request https://news.example/a',
    'revisit https://news.example/a',
    'metadata https://news.example/a',
    'request https://news.example/old',
    'response https://news.example/old 301',
    'metadata https://news.example/old',
  ])
})

function triples(count: number): string[] {
  return Array.from({ length: count }, () => ['request', 'response', 'metadata']).flat()
}
