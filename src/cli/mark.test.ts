/** What is read and saved on the terminal, beside a crawl that runs or without one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog, defaultConfig, openCrawl, startServer } from '../app/index.ts'
import type { FeedId } from '../model/index.ts'
import { draft, record, START } from '../ports/store-samples.contract.ts'
import { runWords } from './program.fixture.ts'

let folder: string
let store: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-mark-'))
  store = join(folder, 'test.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) => runWords(words, { environment: { FRESHET_STORE: store } })
const config = () => ({ ...defaultConfig(), store, port: 0 })

/** Two feeds, of which the first person has read nothing. */
async function filled() {
  const crawl = await openCrawl(config())
  await crawl.crawler.subscribe([
    { url: 'https://a.example/feed', kind: 'feed', folder: 'News' },
    { url: 'https://b.example/feed', kind: 'feed' },
  ])
  await crawl.store.recordPolls([
    record(1 as FeedId, START, { fresh: [draft('a1', { title: 'Flood' }), draft('a2')] }),
    record(2 as FeedId, START, { fresh: [draft('b1')] }),
  ])
  return crawl
}

async function unread(...more: string[]): Promise<string[]> {
  const { out } = await freshet('entries', '--unread', '--json', ...more)
  return out.map((line) => `e${JSON.parse(line).id}`).sort()
}

it('marks entries, feeds and folders, and takes it back', async () => {
  await (await filled()).close()
  expect(await unread()).toEqual(['e1', 'e2', 'e3'])
  expect((await freshet('mark', 'e1', '3')).out[0]).toMatch(/^2 entries read; freshet mark --undo \d+ takes it back$/)
  expect(await unread()).toEqual(['e2'])
  const undo = /--undo (\d+)/.exec((await freshet('mark', '--folder', 'news')).out[0]!)![1]!
  expect(await unread()).toEqual([])
  expect((await freshet('mark', '--undo', undo)).out).toEqual(['1 entry is as before'])
  expect(await unread('--folder', 'News')).toEqual(['e2'])
  expect((await freshet('mark', '--all', '--before', '2020-01-01')).out[0]).toMatch(/^0 entries read/)
  expect((await freshet('mark', '--feed', '1', '--json')).out.map((line) => JSON.parse(line))).toMatchObject([
    { marked: 1 },
  ])
  await freshet('mark', 'e2', '--star')
  const starred = await freshet('entries', '--starred', '--json')
  expect(starred.out.map((line) => JSON.parse(line))).toMatchObject([{ id: 2, starred: true, read: true }])
})

it('asks a crawl that runs to do it', async () => {
  const crawl = await filled()
  const silent = createLog({ level: 'error', format: 'text', now: Date.now, write: () => {} })
  const server = await startServer(config(), crawl, silent)
  try {
    expect((await freshet('mark', 'e1')).out[0]).toMatch(/^1 entry read/)
    expect((await freshet('mark', '--all')).out[0]).toMatch(/^2 entries read/)
    expect((await freshet('search', 'save', 'Flood', 'flood')).out).toEqual(['saved: Flood'])
    expect((await freshet('search', 'save', 'x', 'OR')).code).toBe(2)
    expect(await crawl.store.savedSearches(await crawl.store.firstPerson())).toMatchObject([{ name: 'Flood' }])
  } finally {
    await server.close()
    await crawl.close(0)
  }
})

it('saves searches under a name, of which there is one', async () => {
  await (await filled()).close()
  expect((await freshet('search', 'list')).notes).toMatch(/no search is saved/)
  await freshet('search', 'save', 'Flood', 'flood', 'is:unread')
  expect((await freshet('search', 'save', 'flood', 'flood', 'high water')).out).toEqual(['saved: flood'])
  const { searches } = JSON.parse((await freshet('search', 'list', '--json')).out.join(''))
  expect(searches).toMatchObject([{ name: 'Flood', query: 'flood "high water"' }])
  expect((await freshet('search', 'remove', 'FLOOD')).out).toEqual(['removed: Flood'])
  expect((await freshet('search', 'remove', 'flood')).notes).toMatch(/no search is called "flood"/)
})

it.each([
  [['mark'], /not said what to mark/],
  [['mark', 'e1', '--all'], /not said what to mark/],
  [['mark', 'x'], /"x" is no number of an entry/],
  [['mark', 'e1', '--read', '--star'], /one way at a time/],
  [['mark', '--undo', 'x'], /--undo cannot be "x"/],
])('%j is told what is expected', async (words, message) => {
  await (await filled()).close()
  const ran = await freshet(...words)
  expect(ran.code).toBe(2)
  expect(ran.notes).toMatch(message)
})
