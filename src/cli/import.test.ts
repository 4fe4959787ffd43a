/** `freshet import` from files and servers of other readers. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import type { ReaderImportShape } from '../api/index.ts'
import { HOUR } from '../model/index.ts'
import { createAccounts } from '../server/index.ts'
import { runCommandLine } from './program.fixture.ts'

const FEED = 'https://marsh.example/feed'
const AT = '2026-02-03T04:05:06Z'
const SECONDS = Date.parse(AT) / 1000

let folder: string
const toClose: (() => void)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-import-'))
})
afterEach(async () => {
  for (const close of toClose.splice(0)) close()
  await rm(folder, { recursive: true, force: true })
})

const freshet = (...words: string[]) =>
  runCommandLine(words, { environment: { FRESHET_STORE: join(folder, 'test.db') } })

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function imported(...words: string[]): Promise<ReaderImportShape> {
  const { out, notes } = await freshet('import', '--json', ...words)
  if (!out[0]) throw new Error(notes)
  return JSON.parse(out.join('')) as ReaderImportShape
}

async function starredTitles(): Promise<string[]> {
  const { out } = await freshet('entries', '--starred', '--limit', '500', '--json')
  return out.map((line) => JSON.parse(line).title).sort()
}

const opml = `<opml version="2.0"><body><outline text="Nature"><outline text="The Marsh" xmlUrl="${FEED}" htmlUrl="https://marsh.example/"/></outline></body></opml>`

const googleItem = (title: string, categories: string[]) => ({
  title,
  published: SECONDS,
  categories,
  canonical: [{ href: `https://marsh.example/${encodeURIComponent(title)}` }],
  origin: { streamId: `feed/${FEED}`, title: 'The Marsh' },
})

const ttrss = `<articles schema-version="131"><article><guid><![CDATA[heron]]></guid><title><![CDATA[A heron]]></title>
<marked><![CDATA[1]]></marked><link><![CDATA[https://marsh.example/heron]]></link><feed_title><![CDATA[The Marsh]]></feed_title>
<feed_url><![CDATA[${FEED}]]></feed_url><updated><![CDATA[2026-02-03 04:05:06]]></updated></article></articles>`

function netNewsWire(path: string): string {
  const db = new Database(path)
  db.exec(`CREATE TABLE articles (articleID TEXT PRIMARY KEY, feedID TEXT, uniqueID TEXT, title TEXT, contentHTML TEXT, url TEXT, externalURL TEXT, datePublished DATE);
    CREATE TABLE statuses (articleID TEXT PRIMARY KEY, read BOOL, starred BOOL, dateArrived DATE)`)
  const article = db.prepare('INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const status = db.prepare('INSERT INTO statuses VALUES (?, ?, ?, ?)')
  article.run('1', FEED, 'heron', 'A heron', '<p>It stands.</p>', 'https://marsh.example/heron', null, SECONDS)
  status.run('1', 1, 1, SECONDS)
  article.run('2', FEED, 'frog', 'A frog', null, null, 'https://marsh.example/frog', null)
  status.run('2', 1, 0, SECONDS)
  article.run('3', FEED, 'newt', 'A newt', null, 'https://marsh.example/newt', null, SECONDS)
  status.run('3', 0, 0, SECONDS)
  db.close()
  return path
}

describe('files of each reader', () => {
  it.each<[string, () => Promise<string[]>, Partial<ReaderImportShape['totals']>]>([
    [
      'Miniflux',
      async () => [
        await file(
          'miniflux.json',
          JSON.stringify({
            total: 2,
            entries: ['A heron', 'A frog'].map((title, i) => ({
              title,
              url: `https://marsh.example/${i}`,
              published_at: AT,
              status: 'read',
              starred: i === 0,
              feed: { feed_url: FEED, title: 'The Marsh' },
            })),
          }),
        ),
      ],
      { created: 1, waiting: 1 },
    ],
    [
      'FreshRSS',
      async () => [
        await file(
          'starred.json',
          JSON.stringify({
            id: 'user/-/state/org.freshrss/starred',
            items: [
              { ...googleItem('A heron', ['user/-/label/Birds']), origin: { feedUrl: FEED, streamId: 'feed/3' } },
            ],
          }),
        ),
      ],
      { created: 1, labeled: 1 },
    ],
    [
      'Inoreader',
      async () => [
        await file(
          'starred.json.gz',
          gzipSync(JSON.stringify({ items: [googleItem('A heron', ['user/9/state/com.google/starred'])] })),
        ),
      ],
      { created: 1 },
    ],
    [
      'Feedly',
      async () => [await file('saved.csv', `title,url,published\nA heron,https://marsh.example/heron,${AT}\n`)],
      { created: 1 },
    ],
    [
      'NewsBlur',
      async () => [
        await file(
          'stories.json',
          JSON.stringify({
            stories: [
              {
                id: 'heron',
                story_title: 'A heron',
                story_permalink: 'https://marsh.example/heron',
                story_feed_id: 4,
                starred: true,
              },
            ],
            feeds: { 4: { id: 4, feed_address: FEED, feed_title: 'The Marsh' } },
          }),
        ),
      ],
      { created: 1 },
    ],
    ['Tiny Tiny RSS', async () => [await file('export.xml', ttrss)], { created: 1 }],
    ['NetNewsWire', async () => [netNewsWire(join(folder, 'DB.sqlite3'))], { created: 1, waiting: 1 }],
  ])('%s', async (_, files, expected) => {
    const names = [await file('feeds.opml', opml), ...(await files())]
    const report = await imported(...names)
    expect(report.totals).toMatchObject({ added: 1, refused: 0, missing: 0, unassigned: 0, ...expected })
    expect(report.feeds).toMatchObject([{ url: FEED, title: 'The Marsh', createdEntries: [{ title: 'A heron' }] }])
    expect(await starredTitles()).toEqual(['A heron'])
    expect((await freshet('entries', '--unread', '--json')).out).toEqual([])
    const again = (await imported(...names)).totals
    expect(again).toMatchObject({ added: 0, existing: 1, read: 0, starred: 0, created: 0, waiting: 0 })
  })
})

it('prints what it imported with titles, and changes nothing in a dry run', async () => {
  const [feeds, saved] = [
    await file('feeds.opml', opml),
    await file('saved.csv', 'title,url\nA heron,https://marsh.example/heron\nElsewhere,https://else.example/1\n'),
  ]
  const foreseen = await freshet('import', feeds, saved, '--dry-run')
  expect(foreseen.notes).toContain('dry run: nothing was changed')
  expect((await freshet('feeds', '--json')).out).toEqual([])
  expect((await freshet('import', feeds, saved)).out).toEqual([
    'The Marsh: 1 added',
    'starred and labeled entries added to The Marsh:',
    '  A heron',
    'starred and labeled entries whose feed is unknown:',
    '  Elsewhere',
    '1 address added, 0 known already, 0 refused',
    'entries: 1 added, 1 of unknown feeds',
  ])
})

it.each([
  [['x.json', '{"a": 1}'], /x\.json cannot be imported: its JSON is not an export of a known reader/],
  [['x.db', 'SQLite format 3\0broken'], /x\.db is not a database of NetNewsWire/],
  [['x.zip', 'PK\u0003\u0004 broken archive, which ends here'], /x\.zip is a ZIP archive that cannot be read/],
])('rejects %j', async ([name = '', content = ''], message) => {
  const { code, notes } = await freshet('import', await file(name, content))
  expect(code).toBe(2)
  expect(notes).toMatch(message)
})

it('refuses a file of more than 100 MB', async () => {
  const name = await file('large.json', '')
  await truncate(name, 100_000_001)
  expect((await freshet('import', name)).notes).toMatch(/large\.json has 100 MB; the maximum is 100 MB/)
})

type Answer = (
  request: IncomingMessage,
  body: Buffer,
) => { status?: number; type?: string; body: string; location?: string } | Promise<Response>

async function serve(answer: Answer): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answered = await answer(request, Buffer.concat(chunks))
    if (answered instanceof Response) {
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' })
      response.end(Buffer.from(await answered.arrayBuffer()))
    } else {
      const { status = 200, body, location } = answered
      response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      response.end(body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a server with the API of Miniflux', () => {
  const entry = (id: number, starred: boolean) => ({
    id,
    title: `Entry ${id}`,
    url: `https://marsh.example/${id}`,
    published_at: AT,
    status: 'read',
    starred,
    feed: { feed_url: FEED, title: 'The Marsh', site_url: 'https://marsh.example/' },
  })

  async function fakeMiniflux() {
    const requests: string[] = []
    const url = await serve((request) => {
      requests.push(request.url ?? '')
      if (request.headers['x-auth-token'] !== 's3cret') return { status: 401, body: '{}' }
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
      if (pathname === '/v1/feeds')
        return { body: JSON.stringify([{ feed_url: FEED, title: 'The Marsh', category: { title: 'Nature' } }]) }
      const all = Array.from({ length: 300 }, (_, i) => entry(i, i < 260)).filter(
        ({ starred }) => starred || searchParams.get('starred') === null,
      )
      const offset = Number(searchParams.get('offset'))
      return { body: JSON.stringify({ total: all.length, entries: all.slice(offset, offset + 250) }) }
    })
    return { url, requests }
  }

  it('imports feeds with their folders, all stars, and read entries', async () => {
    const { url, requests } = await fakeMiniflux()
    const token = await file('token', 's3cret\n')
    const report = await imported('--from', 'miniflux', `${url}/`, '--token-file', token)
    expect(report.totals).toMatchObject({ added: 1, created: 260, waiting: 40, missing: 0 })
    expect(requests).toHaveLength(5)
    expect((await freshet('feeds', '--json')).out.map((line) => JSON.parse(line))).toMatchObject([
      { url: FEED, title: 'The Marsh', folder: 'Nature' },
    ])
    expect(await starredTitles()).toContain('Entry 259')
  })

  it('stops at 20,000 starred and 10,000 read entries', async () => {
    let pages = 0
    const page = JSON.stringify({ total: 1e9, entries: Array.from({ length: 250 }, (_, i) => entry(i, true)) })
    const url = await serve((request) => {
      if (request.url === '/v1/feeds') return { body: '[]' }
      pages++
      return { body: page }
    })
    await imported('--from', 'miniflux', url, '--token-file', await file('token', 's3cret'))
    expect(pages).toBe(20_000 / 250 + 10_000 / 250)
  })

  it('refuses an answer of more than 50 MB', async () => {
    const url = await serve(() => ({ body: ' '.repeat(50_000_001) }))
    const { notes } = await freshet('import', '--from', 'miniflux', url, '--token-file', await file('token', 's3cret'))
    expect(notes).toMatch(/the maximum is 50 MB/)
  })

  it('says what is wrong, without the token', async () => {
    const { url } = await fakeMiniflux()
    const [token, empty] = [await file('token', 'wr0ng'), await file('empty', '')]
    const redirecting = await serve(() => ({ status: 302, body: '', location: url }))
    for (const [words, message] of [
      [[url, '--token-file', token], /did not accept the token \(401\)/],
      [[url, '--token-file', empty], /does not contain a token/],
      [[url], /--from needs --token-file/],
      [[redirecting, '--token-file', token], /redirects to another address/],
      [['http://127.0.0.1:9/', '--token-file', token], /could not reach/],
    ] as const) {
      const { code, notes, out } = await freshet('import', '--from', 'miniflux', ...words)
      expect([code, notes]).toEqual([2, expect.stringMatching(message)])
      expect([notes, ...out].join('\n')).not.toContain('wr0ng')
    }
  })
})

it.each(['miniflux', 'greader'])('imports from another Freshet through its API: %s', async (api) => {
  const fixture = createServerFixture()
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const ada = (await accounts.add('ada', 'correct horse battery')).id
  const { secret } = await accounts.addToken(ada, { name: 'move', scope: 'read' })
  const marsh = await fixture.addFeed({
    url: FEED,
    title: 'The Marsh',
    folder: 'Nature',
    entries: ['A heron', 'A frog', 'A newt'].map((title, i) => ({
      title,
      agoMs: i * HOUR,
      url: `https://marsh.example/${i}`,
    })),
  })
  await fixture.store.follow(ada, [{ feedId: marsh, folder: 'Nature' }], 0, 30)
  const [heron, frog] = await fixture.store.entries({ limit: 9 })
  await fixture.store.starEntries(ada, [heron!.id], true, 0)
  await fixture.store.markEntries(ada, [frog!.id], 'read', 0)
  const url = await serve(
    (request, body) =>
      fixture.app.request(`http://localhost${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          value === undefined || name === 'host' || name === 'accept-encoding'
            ? []
            : [[name, String(value)] as [string, string]],
        ),
        ...(request.method === 'POST' && { body: Uint8Array.from(body) }),
      }) as Promise<Response>,
  )
  const token = await file('token', api === 'greader' ? `ada:${secret}` : secret)
  const report = await imported('--from', api, url, '--token-file', token)
  expect(report.totals).toMatchObject({ added: 1, created: 1, waiting: 1, unassigned: 0 })
  expect(await starredTitles()).toEqual(['A heron'])
})
