/** Messages for users: useful hints, correct counts, and readable dates. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../clocks/index.ts'
import { createVillage, type Village } from '../lab/index.ts'
import { DAY, HOUR } from '../model/index.ts'
import { type Io, timeAgo } from './io.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let village: Village
let closeVillage: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-told-'))
  village = createVillage({
    clock: systemClock(),
    sites: [
      { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] },
      { name: 'mill', title: 'The Mill', feeds: [{ path: '/feed' }] },
      { name: 'snail', title: 'Snail Mail', feeds: [{ path: '/feed', fault: { kind: 'slow' } }] },
    ],
  })
  closeVillage = (await village.listen()).close
})
afterEach(async () => {
  await closeVillage()
  await rm(folder, { recursive: true, force: true })
})

const LOOPBACK = { FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' }
const freshet = (...words: string[]) => freshetWith({}, ...words)
function freshetWith(more: Partial<Io>, ...words: string[]) {
  const environment = {
    FRESHET_STORE: join(folder, 'test.db'),
    FRESHET_HOST_GAP: '0',
    FRESHET_ARTICLES: 'never',
    ...LOOPBACK,
    ...more.environment,
  }
  return runCommandLine(words, { ...more, environment })
}
const home = (name: string) => village.site(name).home
const feedOf = (name: string) => village.site(name).feeds[0]!.url
async function listOf(...lines: object[]): Promise<string> {
  const file = join(folder, 'list.ndjson')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}

describe('for an address in a private network', () => {
  it.each([
    [['add', 'http://192.168.1.5/'], 1, '192.168.1.5/32'],
    [['add', 'http://192.168.1.5/', '--keep'], 1, '192.168.1.5/32'],
    [['discover', 'http://[fd00::5]/'], 1, 'fd00::5/128'],
    [['extract', 'http://10.0.0.1/page'], 2, '10.0.0.1/32'],
    [['read', 'http://10.0.0.1/page'], 2, '10.0.0.1/32'],
    [['parse', 'http://localhost/feed'], 2, '127.0.0.1/32'],
    [['run', '--once', 'http://192.168.1.5/'], 0, '192.168.1.5/32'],
  ])('%j names the option that allows it, without a date', async (words, code, network) => {
    const result = await freshetWith({ environment: { FRESHET_ALLOW_NETWORKS: '' } }, ...words)
    const all = [...result.out, result.notes].join('\n')
    expect(all).toContain(`--allow-networks ${network}`)
    expect(all).not.toMatch(/again|next in|is the address right/)
    expect(result.code).toBe(code)
  })

  it('logs the hint for existing feeds, and for no other failure', async () => {
    await freshet('import', await listOf({ url: 'http://10.0.0.1/feed' }))
    const { out } = await freshet('run', '--once')
    expect(out.join('\n')).toMatch(/10\.0\.0\.1 is a private address; .*--allow-networks 10\.0\.0\.1\/32$/m)
    expect((await freshet('discover', 'http://192.0.2.1:25/')).notes).not.toContain('--allow-networks')
  })
})

describe('for added feeds', () => {
  it('reports existing feeds', async () => {
    expect((await freshet('add', home('gazette'))).notes).toMatch(/next: freshet run/)
    for (const address of [home('gazette'), feedOf('gazette')]) {
      const { code, out, notes } = await freshet('add', address)
      expect(code).toBe(0)
      expect(out).toEqual([`already there: feed 1, The Gazette, ${feedOf('gazette')}`])
      expect(notes).toBe('')
    }
    expect((await freshet('add', feedOf('gazette'), home('mill'))).out.at(-1)).toBe('1 feed added, 1 already there')
  })

  it('reports the same through a running crawl, without the hint to start one', async () => {
    await freshet('add', home('gazette'))
    const end = new AbortController()
    const listening = Promise.withResolvers<void>()
    const running = freshetWith(
      { interrupted: end.signal, out: (line) => line.includes('the page and the API') && listening.resolve() },
      ...['run', '--port', '0'],
    )
    await listening.promise
    const known = await freshet('add', feedOf('gazette'))
    const fresh = await freshet('add', home('mill'))
    const imported = await freshet('import', await listOf({ url: 'http://127.0.0.1:9/feed' }))
    end.abort()
    await running
    expect(known).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^already there: feed 1, The Gazette/)],
      notes: '',
    })
    expect(fresh).toMatchObject({ code: 0, out: [expect.stringMatching(/^added: feed 2, The Mill/)], notes: '' })
    expect(imported).toMatchObject({ code: 0, out: ['1 address added, 0 known already, 0 refused'], notes: '' })
  })

  it('reads compressed lists', async () => {
    const opml = `<opml version="2.0"><body><outline text="Mill" xmlUrl="${feedOf('mill')}"/></body></opml>`
    const file = join(folder, 'feeds.opml.gz')
    await writeFile(file, gzipSync(opml))
    expect((await freshet('import', file)).out).toEqual(['1 address added, 0 known already, 0 refused'])
    expect((await freshet('add', file)).out.join()).toMatch(/already there: feed 1/)
  })
})

describe('for a run', () => {
  it('counts the entries of discovered feeds', async () => {
    const { out } = await freshet('run', '--once', home('gazette'), home('mill'))
    expect((await freshet('export', 'entries')).out).toHaveLength(40)
    expect(out.at(-1)).toMatch(/2 polls, 40 new entries, 0 failures, [\d.]+ kB$/)
  })

  it('reports remaining work when interrupted, and exits with 130', async () => {
    await freshet('import', await listOf({ url: feedOf('snail') }, { url: feedOf('gazette') }))
    const requestsBefore = village.requests.length
    const end = new AbortController()
    const running = freshetWith({ interrupted: end.signal }, 'run', '--once')
    while (village.requests.length === requestsBefore) await new Promise((resolve) => setTimeout(resolve, 10))
    end.abort()
    const { code, out } = await running
    expect(code).toBe(130)
    expect(out.join('\n')).toMatch(
      /not finished; remaining: [12] feeds? to poll\. Run freshet run --once again to continue$/,
    )
    expect(out.join('\n')).not.toMatch(/ done$/m)
  })
})

describe('for folder goals', () => {
  beforeEach(async () => {
    await freshet('add', home('gazette'), '--folder', 'News / World')
    await freshet('add', home('mill'), '--folder', 'Newsletters')
  })

  it('apply to subfolders without a goal of their own', async () => {
    const wanted = async () =>
      JSON.parse((await freshet('goal', '--json')).out[0]!).lines.map(
        (line: { of: { folder: string }; feeds: number }) => [line.of.folder, line.feeds],
      )
    expect(await freshet('goal', '--folder', 'News', '--within', '10m')).toMatchObject({ code: 0 })
    expect(await wanted()).toEqual([['News', 1]])
    await freshet('goal', '--folder', 'News / World', '--within', '2h')
    expect(await wanted()).toEqual([
      ['News', 0],
      ['News / World', 1],
    ])
  })

  it.each([
    ['news', 'News'],
    ['New', 'News'],
    ['News/World', 'News / World'],
    ['Newletters', 'Newsletters'],
  ])('suggest a folder for %j', async (word, meant) => {
    const { code, notes } = await freshet('goal', '--folder', word, '--within', '10m')
    expect(code).toBe(2)
    expect(notes).toBe(
      `freshet: there is no folder "${word}"\nhint: did you mean "${meant}"? there are: News, News / World, Newsletters`,
    )
  })

  it('list the folders if none is similar', async () => {
    expect((await freshet('goal', '--folder', 'Recipes', '--none')).notes).toMatch(
      /hint: there are: News, News \/ World/,
    )
  })
})

it('formats distant times as dates', () => {
  const now = Date.UTC(2026, 3, 12, 12)
  expect(timeAgo(now - 13 * DAY - HOUR, now)).toBe('13d1h ago')
  expect(timeAgo(Date.UTC(2019, 0, 1, 20), now)).toBe('2019-01-01')
  expect(timeAgo('2026-01-31T00:00:00.000Z', now)).toBe('2026-01-31')
  expect(timeAgo(now + 31 * DAY, now)).toBe('in 31d')
  expect(timeAgo(now + 800 * DAY, now)).toBe('2028-06-20')
  expect(timeAgo(8_640_000_000_000_000, now)).toBe('never')
})
