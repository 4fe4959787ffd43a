/** `freshet show --json` prints the same as the API, byte for byte. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Config, createLog, defaultConfig, openCrawl, startServer } from '../app/index.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { runCommandLine } from './program.fixture.ts'

/** The number of polls and entries of a feed that the command line shows; the API shows more. */
const SHOWN = 10
const START = Date.UTC(2026, 0, 5, 12)

let folder: string
let close: () => Promise<void>
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-show-'))
  const clock = createSteppedClock(START)
  const village = createVillage({ clock, sites: [{ name: 'gazette', feeds: [{ path: '/feed' }] }] })
  const config: Config = {
    ...defaultConfig(),
    store: join(folder, 'test.db'),
    port: 0,
    hostGap: 0, // the clock stands still
    articles: 'always',
  }
  const crawl = await openCrawl(config, { clock, net: village.net() })
  await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed', folder: 'News' }])
  await crawl.crawler.setFolderPreferences('News', { goalMs: 600_000 })
  await crawl.crawler.runOnce(new AbortController().signal)
  const silent = createLog({ level: 'silent', format: 'text', now: clock.now, write() {} })
  const server = await startServer(config, crawl, silent)
  url = server.url
  close = async () => {
    await server.close()
    await crawl.close()
  }
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

async function show(word: string): Promise<string> {
  const environment = { FRESHET_STORE: join(folder, 'test.db') }
  const { code, out } = await runCommandLine(['show', word, '--json'], { environment })
  expect([code, out.length]).toEqual([0, 1])
  return out[0]!
}

async function answered(path: string): Promise<string> {
  return (await fetch(new URL(path, url))).text()
}

it('shows a feed as the API does, with fewer of its polls and entries', async () => {
  const answer = JSON.parse(await answered('/api/v1/feeds/1'))
  expect(answer.feed.schedule.why.words).toMatch(/the goal is to fetch them within 10m/)
  expect(answer.entries).toHaveLength(20)
  const cut = { ...answer, polls: answer.polls.slice(0, SHOWN), entries: answer.entries.slice(0, SHOWN) }
  expect(await show('1')).toBe(JSON.stringify(cut))
})

it('shows an entry as the API does, with its article', async () => {
  const { entries } = JSON.parse(await answered('/api/v1/feeds/1'))
  const answer = await answered(`/api/v1/entries/${entries[0].id}`)
  expect(JSON.parse(answer).article).toMatchObject({ state: 'read', entryIds: [entries[0].id] })
  expect(await show(`e${entries[0].id}`)).toBe(answer)
})
