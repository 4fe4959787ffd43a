/** Destinations and sending on the command line, of a store that nobody else uses. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultConfig, openCrawl } from '../app/index.ts'
import { address } from '../model/address.fixture.ts'
import type { FeedId } from '../model/index.ts'
import { draft, record, START } from '../ports/store-samples.contract.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let store: string
let server: Server
let origin: string
const received: { url: string; authorization: string; title: string }[] = []
const statuses: number[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-send-'))
  store = join(folder, 'test.db')
  const crawl = await openCrawl({ ...defaultConfig(), store, port: 0 })
  await crawl.crawler.subscribe([{ url: 'https://a.example/feed', kind: 'feed' }])
  const fresh = ['Flood', 'Ferry'].map((title, i) => draft(`a${i}`, { title, url: address(`https://a.example/${i}`) }))
  await crawl.store.recordPolls([record(1 as FeedId, START, { fresh })])
  await crawl.close()
  received.length = 0
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { title } = JSON.parse(body) as { title: string }
    received.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', title })
    response.writeHead(statuses.shift() ?? 201).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const freshet = (...words: string[]) =>
  runCommandLine(words, {
    environment: {
      FRESHET_STORE: store,
      FRESHET_ALLOW_NETWORKS: '127.0.0.0/8',
      FRESHET_NOTES_FOLDER: join(folder, 'notes'),
    },
  })

it('adds, tests and removes destinations, and sends entries to them', async () => {
  expect((await freshet('destination')).notes).toContain('no destinations')
  expect((await freshet('destination', 'presets')).out.join('\n')).toContain('linkding')
  const added = await freshet('destination', 'add', 'Links', 'linkding', `address=${origin}`, 'token=secret')
  expect(added.out).toEqual(['added: Links; freshet destination test "Links" sends a test'])
  expect((await freshet('destination', 'test', 'links')).out).toEqual(['sent: the service answered 201'])
  expect(received).toEqual([{ url: '/api/bookmarks/', authorization: 'Token secret', title: 'Test from Freshet' }])
  expect((await freshet('send', 'e1', '--to', 'Links')).out).toEqual(['e1: sent'])
  expect((await freshet('send', 'e2')).out).toEqual(['e2: sent'])
  expect(received.slice(1).map(({ title }) => title)).toEqual(['Flood', 'Ferry'])
  const listed = await freshet('destination', 'list', '--json')
  expect(listed.out.join('')).not.toContain('secret"')
  expect((await freshet('destination', 'remove', 'links')).out).toEqual(['removed: Links'])
  expect((await freshet('send')).notes).toContain('nothing was sent')
})

it('lists failures with their reason, and sends again', async () => {
  await freshet('destination', 'add', 'Links', 'linkding', `address=${origin}`, 'token=wrong')
  statuses.push(401)
  const failed = await freshet('send', 'e1')
  expect(failed.out[0]).toMatch(/^e1: failed: the server answered 401/)
  expect(failed.code).toBe(1)
  expect((await freshet('send')).out.join('\n')).toMatch(/e1 +Flood +Links +failed: the server answered 401/)
  statuses.push(503)
  expect((await freshet('send', 'e1')).out[0]).toMatch(/^e1: waiting: the server answered 503.*; next try at/)
  expect((await freshet('send', 'e1', '--cancel')).code).toBe(0)
  expect((await freshet('send', 'e1')).out).toEqual(['e1: sent'])
})

it('writes entries to the folder of the user', async () => {
  await freshet('destination', 'add', 'Obsidian', 'folder')
  expect((await freshet('send', 'e1')).out).toEqual(['e1: sent'])
  expect(await readdir(join(folder, 'notes'), { recursive: true })).toContain(join('user-1', 'Flood.md'))
})

it('adds rules that send, and rejects what does not exist', async () => {
  expect((await freshet('send', 'e1', '--to', 'Nowhere')).notes).toContain('there is no destination "Nowhere"')
  expect((await freshet('destination', 'add', 'X', 'pigeon')).code).toBe(2)
  expect((await freshet('destination', 'add', 'X', 'linkding', 'token')).code).toBe(2)
  expect((await freshet('destination', 'add', 'X', 'linkding', 'token=a')).notes).toContain('address=VALUE')
  expect((await freshet('rule', 'add', 'floods', 'flood', '--send', 'Links')).code).toBe(2)
  await freshet('destination', 'add', 'Links', 'linkding', `address=${origin}`, 'token=t')
  expect((await freshet('rule', 'add', 'floods', 'flood', '--send', 'Links')).code).toBe(0)
  expect((await freshet('rule')).out.join('\n')).toContain('send to Links')
  expect((await freshet('destination', 'remove', 'Links')).notes).toContain('the rule "floods" sends entries to Links')
})
