import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normalizeUserAddress } from '../feeds/index.ts'
import { InputError, readAddresses } from './addresses.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-addresses-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const piped = (text: string) =>
  async function* () {
    yield Buffer.from(text)
  }
const nothing = piped('')
const file = async (name: string, text: string | Uint8Array) => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const OPML = `<?xml version="1.0"?><opml version="2.0"><body><outline text="Village">
  <outline type="rss" text="Gazette" xmlUrl="http://gazette.example/feed" htmlUrl="http://gazette.example/"/>
</outline></body></opml>`

describe('readAddresses', () => {
  it('accepts addresses with or without a scheme', async () => {
    expect(await readAddresses(['example.org', 'http://a.example/feed'], nothing)).toEqual([
      { url: 'https://example.org/', kind: 'any' },
      { url: 'http://a.example/feed', kind: 'any' },
    ])
  })
  it('reads OPML files with folders and titles', async () => {
    expect(await readAddresses([await file('feeds.opml', OPML)], nothing)).toEqual([
      {
        url: 'http://gazette.example/feed',
        kind: 'feed',
        title: 'Gazette',
        siteUrl: 'http://gazette.example/',
        folder: 'Village',
      },
    ])
  })
  it('passes invalid lines of a list on for the crawl to refuse, never as other addresses', async () => {
    const lines = piped('https://a.example/\nnot an address\n')
    expect(await readAddresses(['-'], lines)).toEqual([
      { url: 'https://a.example/', kind: 'any' },
      { url: 'not an address', kind: 'any' },
    ])
    const outlines = ['http://a.example/', 'javascript:alert(1)', ''].map(
      (url) => `<outline text="b.example" xmlUrl="${url}"/>`,
    )
    const addresses = await readAddresses(['-'], piped(`<opml><body>${outlines.join('')}</body></opml>`))
    expect(addresses.map(({ url }) => url)).toEqual([
      'http://a.example/',
      'javascript:alert(1)',
      'no address: b.example',
    ])
    for (const { url } of addresses.slice(1)) expect(normalizeUserAddress(url)).toBeUndefined()
  })
  it.each(['https://ada:s3cret@ho st/', 'ada:s3cret@ho st', 'ftp://ada:s3cret@host/'])(
    'shows nothing of the login in %s',
    async (line) => {
      const addresses = await readAddresses(['-'], piped(`https://a.example/\n${line}\n`))
      expect(addresses).toHaveLength(2)
      expect(JSON.stringify(addresses)).not.toMatch(/ada|s3cret/)
      for (const given of [readAddresses(['-'], piped(line)), readAddresses([line], nothing)])
        expect(String(await given.catch((error) => error))).toMatch(/^InputError: (?!.*(?:ada|s3cret))/s)
    },
  )
  it.each(['utf16le', 'latin1'] as const)('reads OPML files in %s', async (encoding) => {
    const named = OPML.replace('?>', ` encoding="${encoding === 'latin1' ? 'iso-8859-1' : 'utf-16'}"?>`)
    const bytes = Buffer.from(named.replace('Gazette', 'Mühlbach'), encoding)
    expect(await readAddresses([await file(`${encoding}.opml`, bytes)], nothing)).toMatchObject([{ title: 'Mühlbach' }])
  })
  it('reads a list with comments and empty lines from a pipe', async () => {
    const addresses = await readAddresses(['-'], piped('# my feeds\n\nhttps://a.example/\r\nb.example\n'))
    expect(addresses.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/'])
  })
  it('reads gzip files and pipes', async () => {
    const plain = await readAddresses([await file('plain.opml', OPML)], nothing)
    expect(await readAddresses([await file('feeds.opml.gz', gzipSync(OPML))], nothing)).toEqual(plain)
    async function* pipe() {
      yield gzipSync(OPML)
    }
    expect(await readAddresses(['-'], pipe)).toEqual(plain)
  })
  it('reads our own exports', async () => {
    const line = JSON.stringify({ id: 3, url: 'http://a.example/feed', title: 'A', folder: 'F', state: 'active' })
    expect(await readAddresses(['-'], piped(`${line}\n`))).toEqual([
      { url: 'http://a.example/feed', kind: 'feed', title: 'A', folder: 'F' },
    ])
  })

  it.each([
    ['not an address', () => ['ht!tp://'], /not a web address/],
    ['a file that is not there', () => ['missing.opml'], /missing\.opml does not exist/],
    ['a folder', () => [folder], /is a folder/],
    [
      'an OPML file without feeds',
      async () => [await file('empty.opml', '<opml version="2.0"><body></body></opml>')],
      /has no feeds/,
    ],
    [
      'HTML in the place of OPML',
      async () => [await file('page.opml', '<html><body>404</body></html>')],
      /not an OPML file/,
    ],
    [
      'a file of anything',
      async () => [await file('junk.bin', Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251)))],
      /junk\.bin has no addresses: it starts with ".{1,60}"$/s,
    ],
    ['an empty file', async () => [await file('empty.txt', '\n')], /is empty/],
    ['a file of 50 MB', async () => [await file('large.opml', new Uint8Array(50_000_000))], /has 50 MB/],
    [
      'a packed file that unfolds into 50 MB',
      async () => [await file('bomb.opml.gz', gzipSync(new Uint8Array(50_000_000)))],
      /larger than 20 MB when unpacked/,
    ],
    [
      'a packed file that is cut',
      async () => [await file('cut.opml.gz', gzipSync(OPML).subarray(0, 80))],
      /broken gzip file/,
    ],
    ['a packed file that is not there', () => ['missing.opml.gz'], /missing\.opml\.gz does not exist/],
    ['a line of broken JSON', async () => [await file('feeds.ndjson', '{"url":')], /line 1 .* is not JSON/],
  ])('rejects %s with a message and a hint', async (_, words, message) => {
    const attempt = readAddresses(await words(), nothing)
    await expect(attempt).rejects.toThrow(message)
    await expect(attempt).rejects.toBeInstanceOf(InputError)
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringMatching(/\w/) })
  })
  it('stops reading a pipe that never ends', async () => {
    async function* endless() {
      for (;;) yield new Uint8Array(1_000_000)
    }
    await expect(readAddresses(['-'], endless)).rejects.toThrow(/the maximum is 20 MB/)
  })
})
