/** The personal ranking on the command line. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultConfig, openCrawl } from '../app/index.ts'
import { DAY, type FeedId } from '../model/index.ts'
import { draft, record, START } from '../ports/store-samples.contract.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let store: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-for-you-'))
  store = join(folder, 'test.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) =>
  runCommandLine(words, { environment: { FRESHET_STORE: store }, now: () => START + DAY })

/** A feed with four entries, which were skipped and opened in three sessions. */
async function filled(): Promise<void> {
  const crawl = await openCrawl({ ...defaultConfig(), store, port: 0 })
  await crawl.crawler.subscribe([{ url: 'https://a.example/feed', kind: 'feed' }])
  const fresh = ['a1', 'a2', 'a3', 'a4'].map((key) => draft(key, { title: `Harbour ${key}` }))
  await crawl.store.recordPolls([record(1 as FeedId, START, { fresh })])
  const values = [1, 2, 3, 4].map((id) => ({
    key: String(id),
    value: { [id % 2 ? 'opened' : 'skipped']: START + (id > 2 ? DAY : 0) },
  }))
  await crawl.store.putUserValues(await crawl.store.firstUser(), 'interaction', values, START)
  await crawl.close()
}

it('lists unread entries, with the reason for their place', async () => {
  await filled()
  const since = new Date(START - DAY).toISOString()
  const { out, code } = await freshet('entries', '--sort', 'personal', '--since', since, '--json')
  expect(code).toBe(0)
  expect(out.map((line) => JSON.parse(line))).toMatchObject([
    { score: expect.any(Number), reasons: expect.any(Array) },
    { id: expect.any(Number) },
    {},
    {},
  ])
  const table = (await freshet('entries', '--sort', 'personal', '--since', since, '--limit', '2')).out
  expect(table).toHaveLength(3)
  expect(table[0]).toMatch(/entry +when +feed +title +why/)
})

it('says which time has no unread entries', async () => {
  await filled()
  expect((await freshet('entries', '--sort', 'personal')).notes).toContain('of the last seven days')
  expect((await freshet('entries', '--sort', 'personal', '--since', '1h')).notes).toContain('in this time')
})

it.each([
  [['entries', 'flood', '--sort', 'personal'], /cannot be combined with a search/],
  [['entries', '--feed', '1', '--sort', 'personal'], /cannot be combined with --feed/],
  [['read', 'e1', '--from', 'web'], /--from cannot be "web"/],
  [['entries', '--limit', '201', '--sort', 'personal'], /expected at most 200/],
])('rejects %j', async (words, message) => {
  await filled()
  expect(await freshet(...words)).toMatchObject({ code: 2, notes: expect.stringMatching(message) })
})

it('asks a server elsewhere, unlike the other commands of the lab', async () => {
  const server = ['--server', 'http://127.0.0.1:9']
  expect((await freshet('lab', 'ranking', ...server)).notes).toContain('http://127.0.0.1:9')
  expect((await freshet('lab', 'village', 'x', ...server)).notes).toContain('leave out --server')
})

it('replays the own reading beside other orders', async () => {
  expect((await freshet('lab', 'ranking')).code).not.toBe(0)
  await filled()
  const { out, notes } = await freshet('lab', 'ranking')
  expect(notes).toContain('2 sessions with 4 entries replayed')
  expect(out.map((line) => line.slice(0, 12).trim())).toEqual(['order', 'for you', 'newest first', 'feeds opened'])
  expect(JSON.parse((await freshet('lab', 'ranking', '--json')).out.join(''))).toMatchObject({ sessions: 2 })
})
