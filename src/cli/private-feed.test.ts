/**
 * Crawls a private site with user name and password, page, hub and archive: nothing that is shown, logged, exported, archived or sent to
 * others contains them, and the site itself receives them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog, defaultConfig, logEvent, openCrawl, startServer } from '../app/index.ts'
import { answer, type RawServer, serveRaw } from '../net/raw-server.fixture.ts'
import { runCommandLine } from './program.fixture.ts'

const PASSWORD = 's3cretw0rd'
const BASIC = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`
const SECRETS = new RegExp(`${PASSWORD}|ada:|${BASIC.slice(6)}|eve:guess`)
const HTML = { 'content-type': 'text/html' }

let folder: string
let site: RawServer
let other: RawServer
const log: string[] = []
const api: string[] = []

function feedOf(links: string[]): string {
  const items = links.map((link, i) => `<item><title>News ${i}</title><link>${link}</link></item>`).join('')
  return `<rss version="2.0"><channel><title>Private</title><link>/</link>${items}</channel></rss>`
}

const page = (head: string) => `<!doctype html>${head}<p>${'The bridge is open again, says the mayor. '.repeat(30)}`

const onSite = (path: string, { authorization }: Record<string, string>): string | Uint8Array => {
  if (path === '/robots.txt') return answer(404)
  if (path.startsWith('/a/')) return answer(200, HTML, page('<title>An article</title>'))
  if (authorization !== BASIC) return answer(401)
  switch (path) {
    case '/':
      return answer(200, HTML, page('<link rel=alternate type="application/rss+xml" href="/feed">'))
    case '/broken':
      return answer(
        200,
        HTML,
        page('<link rel=alternate type="application/rss+xml" href="http://eve:guess@localhost:1/x">'),
      )
    case '/feed':
      return answer(
        200,
        {
          link: `<${other.origin.replace('//', '//eve:guess@')}/hub>; rel="hub"`,
          'content-type': 'application/rss+xml',
        },
        feedOf(['/a/1', 'a/2', `${other.origin.replace('//', '//eve:guess@')}/a/3`]),
      )
    case '/within':
      return answer(302, { location: '/feed' })
    case '/elsewhere':
      return answer(302, { location: `${other.origin}/feed` })
    default:
      return answer(404)
  }
}

const withLogin = (path: string) => `${site.origin.replace('//', `//ada:${PASSWORD}@`)}${path}`
const environment = () => ({
  FRESHET_STORE: join(folder, 'a.db'),
  FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
  FRESHET_HOST_GAP: '0',
})
const freshet = (...words: string[]) => runCommandLine(words, { environment: environment() })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-private-'))
  site = await serveRaw(({ path, headers }) => onSite(path, headers))
  const requested = Promise.withResolvers<void>()
  other = await serveRaw(({ path }) => {
    if (path === '/hub') requested.resolve()
    if (path === '/feed') return answer(200, {}, feedOf(['/a/9']))
    return path === '/hub' ? answer(202) : answer(404)
  })
  const config = {
    ...defaultConfig(),
    store: join(folder, 'a.db'),
    archive: join(folder, 'warc'),
    port: 0,
    hostGap: 0,
    minInterval: 1000,
    articles: 'always' as const,
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    publicUrl: 'http://reader.example/',
  }
  const crawl = await openCrawl(config)
  const parts = { level: 'debug' as const, now: Date.now, write: (line: string) => log.push(line) }
  const logs = [createLog({ ...parts, format: 'json' }), createLog({ ...parts, format: 'text' })]
  const server = await startServer(config, crawl, logs[0]!)
  const settled = new Set<string>()
  const allCame = Promise.withResolvers<void>()
  crawl.crawler.onEvent((event) => {
    for (const one of logs) logEvent(one, event)
    if (event.kind === 'article') settled.add(event.url)
    if (event.kind === 'found' || event.kind === 'not-found' || event.kind === 'polled')
      settled.add(`${event.kind} ${event.url}`)
    if (settled.size >= 8) allCame.resolve()
  })
  const end = new AbortController()
  const running = crawl.crawler.run(end.signal)
  try {
    const addresses = [withLogin('/'), withLogin('/broken'), { url: withLogin('/within'), kind: 'feed' }]
    const more = [{ url: `${site.origin}/elsewhere`, kind: 'feed', credentials: { user: 'ada', password: PASSWORD } }]
    const opml = `<opml><body><outline text="x" xmlUrl="${withLogin('/feed?listed')}"/></body></opml>`
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ addresses: [...addresses, ...more, `ftp://ada:${PASSWORD}@x.example`] })
    const added = await fetch(`${server.url}/api/v1/feeds`, { method: 'POST', headers, body })
    api.push(await added.text())
    const listed = { method: 'POST', headers: { 'content-type': 'text/x-opml' }, body: opml }
    api.push(await (await fetch(`${server.url}/api/v1/opml`, listed)).text())
    await Promise.all([requested.promise, allCame.promise])
    const ids = [
      'status',
      'feeds',
      'entries',
      'sources',
      'polls',
      'groups',
      'statistics',
      'folders',
      'feeds/1',
      'feeds/2',
    ]
    for (const path of [...ids.map((id) => `/api/v1/${id}`), '/api/v1/sources/1', '/api/v1/entries/1', '/feeds.opml'])
      api.push(await (await fetch(server.url + path)).text())
    const wrong = { method: 'PATCH', headers, body: JSON.stringify({ url: `x://ada:${PASSWORD}@y` }) }
    api.push(await (await fetch(`${server.url}/api/v1/feeds/1`, wrong)).text())
  } finally {
    end.abort()
    await running
    await server.close()
    await crawl.close()
  }
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

describe('user name and password of a private site', () => {
  it('are sent to the site for its pages and feeds, and not for robots.txt or articles', () => {
    const sent = new Map<string, Set<string | undefined>>()
    for (const { path, headers } of site.requests)
      sent.set(path, (sent.get(path) ?? new Set()).add(headers.authorization))
    for (const path of ['/', '/feed', '/within', '/broken', '/feed?listed', '/elsewhere'])
      expect([...(sent.get(path) ?? [])], path).toEqual([BASIC])
    for (const path of ['/robots.txt', '/a/1', '/a/2']) expect([...(sent.get(path) ?? [])], path).toEqual([undefined])
  })

  it('are not sent to redirect targets or to the hub', () => {
    expect(other.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/hub', '/feed']))
    for (const { head, body } of other.requests) {
      expect(head).not.toMatch(/authorization/i)
      expect(head + decodeURIComponent(body)).not.toMatch(SECRETS)
    }
    const { body } = other.requests.find(({ path }) => path === '/hub')!
    expect(new URLSearchParams(body).get('hub.topic')).toMatch(new RegExp(`^${site.origin}/`))
  })

  it('are not in the log or in API responses', () => {
    expect(log.length).toBeGreaterThan(10)
    expect(api).toHaveLength(16)
    for (const line of [...log, ...api]) expect(line).not.toMatch(SECRETS)
    expect(api.filter((text) => text.includes('"hasLogin":true')).length).toBeGreaterThan(3)
    expect(api[0]).toContain('"kind":"refused","url":"ftp://x.example"')
  })

  it('are only stored encrypted', () => {
    const db = new Database(join(folder, 'a.db'), { readonly: true })
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
    let logins = 0
    for (const table of tables)
      for (const row of db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[])
        for (const [column, value] of Object.entries(row)) {
          if (column === 'credentials' && value !== null) logins++
          const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
          expect(text, `${table}.${column}`).not.toMatch(SECRETS)
        }
    db.close()
    expect(logins).toBeGreaterThan(2)
    expect(statSync(join(folder, 'a.db.secret-key')).mode & 0o777).toBe(0o600)
  })

  it('are not in the archive', () => {
    const files = readdirSync(join(folder, 'warc'))
    expect(files).toHaveLength(1)
    for (const file of files) {
      const text = gunzipSync(readFileSync(join(folder, 'warc', file))).toString('latin1')
      expect(text).toContain('GET /feed')
      expect(text).not.toMatch(/^(proxy-)?authorization/im)
      // What a site writes into its own documents is archived as it came; what we know is not.
      expect(text).not.toMatch(new RegExp(`${PASSWORD}|ada:|${BASIC.slice(6)}`))
    }
  })

  it.each([
    ...[
      'feeds',
      'feeds --json',
      'entries --json',
      'show 1',
      'show 1 --json',
      'show e1',
      'status',
      'status --json',
      'audit --json',
    ],
    ...[
      'export opml',
      'export feeds',
      'export entries',
      'export articles',
      'export --markdown',
      'export --html',
      'read e1',
    ],
    ...['lab record -', 'config --http-proxy http://ada:s3cretw0rd@proxy.example'],
  ])('are not shown by freshet %s', async (words) => {
    const { out, notes } = await freshet(...words.split(' '))
    expect(`${out.join('\n')}${notes}`).not.toMatch(SECRETS)
    expect(out.join('').length).toBeGreaterThan(10)
  })

  it('are exported with --with-passwords, and imported again', async () => {
    const { out } = await freshet('export', 'opml', '--with-passwords')
    expect(out.join('\n')).toContain(`xmlUrl="${withLogin('/feed')}"`)
    const list = join(folder, 'feeds.opml')
    await freshet('export', 'opml', '--with-passwords', '-o', list)
    expect(statSync(list).mode & 0o777).toBe(0o600)
    const copy = { FRESHET_STORE: join(folder, 'copy.db') }
    await runCommandLine(['import', list], { environment: copy })
    const feeds = await runCommandLine(['feeds', '--json'], { environment: copy })
    expect(feeds.out.filter((line) => JSON.parse(line).hasLogin)).not.toEqual([])
    expect(feeds.out.join('')).not.toMatch(SECRETS)
  })

  it('work for commands that store nothing, and are not in their output', async () => {
    const runs = [
      await freshet('discover', withLogin('/')),
      await freshet('discover', withLogin('/'), '--json'),
      await freshet('parse', withLogin('/feed'), '--json'),
      await freshet('extract', withLogin('/')),
    ]
    for (const { code, out, notes } of runs) {
      expect(code).toBe(0)
      expect(out.join('\n') + notes).not.toMatch(SECRETS)
    }
    for (const { words, ends } of [
      { words: ['parse', withLogin('/nothing')], ends: 2 },
      { words: ['add', withLogin('/broken')], ends: 1 },
      { words: ['parse', `ftp://ada:${PASSWORD}@x`], ends: 2 },
      { words: ['show', withLogin('/none')], ends: 2 },
    ]) {
      const { code, out, notes } = await freshet(...words)
      expect(code, words[0]).toBe(ends)
      expect(out.join('\n') + notes).not.toMatch(SECRETS)
    }
  })

  it('change with the address, stay with its origin, and can be removed', async () => {
    const hasLogin = async () => JSON.parse((await freshet('show', '1', '--json')).out[0]!).feed.hasLogin
    expect(await hasLogin()).toBe(true)
    expect((await freshet('edit', '1', '--url', `${site.origin}/feed?new`)).code).toBe(0)
    expect(await hasLogin()).toBe(true)
    await freshet('edit', '1', '--no-login')
    expect(await hasLogin()).toBeUndefined()
    await freshet('edit', '1', '--url', withLogin('/feed?newer'))
    expect(await hasLogin()).toBe(true)
    await freshet('edit', '1', '--url', `${other.origin}/feed?newest`)
    expect(await hasLogin()).toBeUndefined()
  })
})
