/** Limits that are documented for publishers and operators, each with a test that tries to exceed it. */
import { expect, it } from 'vitest'
import { type CrawlHarnessOptions, createCrawlHarness, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import { createSteppedClock } from '../clocks/index.ts'
import type { SiteSpec } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type EntryDraft, type FeedId, HOUR, MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Net } from '../ports/index.ts'
import { createThread } from '../runtime/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { discover } from './fetcher/discover.ts'
import { createDocumentReader } from './fetcher/large-documents.ts'
import { READER_MODULE } from './fetcher/read-document.ts'
import { bodyHashOf } from './fetcher/read-feed.ts'
import { createGrouper, DEFAULT_GROUPING, feedToAdd } from './index.ts'
import { applyRetentionChunk } from './lifecycle/retention.ts'

const paper: SiteSpec = { name: 'paper', rhythm: { kind: 'clockwork', everyMs: 2 * HOUR }, feeds: [{ path: '/feed' }] }

const withPages: CrawlHarnessOptions = { articles: { preference: 'always', backlog: 20 } }

it('uses at most half of all slots for articles, however many wait', async () => {
  const sites = Array.from({ length: 12 }, (_, n): SiteSpec => ({ ...paper, name: `paper${n}` }))
  const isPage = (url: string) => !/\/(feed|robots\.txt)$/.test(url)
  const { crawler, village, clock, store } = createCrawlHarness(sites, {
    ...withPages,
    concurrency: 8,
    wrapNet: (net, slow) => ({
      ...net,
      get: async (request) => {
        if (isPage(request.url)) await slow.sleepUntil(slow.now() + 20 * SECOND, new AbortController().signal)
        return net.get(request)
      },
    }),
  })
  await subscribeFeeds(crawler, village)
  let most = 0
  for (let second = 0; second < 60; second++) {
    await clock.advance(SECOND)
    most = Math.max(most, crawler.activity().inFlight.filter(({ kind }) => kind === 'article').length)
  }
  expect((await store.counts()).articles.waiting).toBeGreaterThan(100)
  expect(most).toBe(4)
})

it('fetches a page at most ten times, however often its entry changes', async () => {
  const { crawler, village, clock } = createCrawlHarness([{ ...paper, silentSince: START - DAY }], withPages)
  await subscribeFeeds(crawler, village)
  await clock.advance(10 * MINUTE)
  let post = village.site('paper').publish({ title: 'First words' })
  const requests = () => village.requests.filter(({ url }) => new URL(url).pathname === post.path).length
  for (let n = 0; n < 15; n++) {
    await clock.advance(8 * HOUR)
    post = village.site('paper').revise(post, `Words no. ${n}`) ?? post
  }
  await clock.advance(DAY)
  expect(requests()).toBe(10)
})

/** A site without a feed that records requests. */
function emptySite() {
  const requests: string[] = []
  const get: Net['get'] = async ({ url }) => {
    requests.push(url)
    const body = Buffer.from('<html><title>Nothing</title></html>')
    const status = new URL(url).pathname === '/' ? 200 : 404
    return { ok: true, status, url: address(url), redirects: [], headers: {}, body, wireBytes: body.length }
  }
  const net: Net = { get, post: get, close: async () => {} }
  return { net, requests }
}

it.each<[Millis, number]>([
  [MINUTE, 5],
  [HOUR, 4],
])('discovers feeds with gaps of %i ms in at most %i requests, and one for robots.txt', async (gapMs, most) => {
  const { net, requests } = emptySite()
  const clock = createSteppedClock(START)
  const looking = discover(
    { url: address('https://a.example/'), gapMs },
    { net, clock, obeyRobots: 'guesses' },
    new AbortController().signal,
  )
  await clock.advance(2 * DAY)
  await looking
  expect(requests.filter((url) => !url.endsWith('/robots.txt')).length).toBeLessThanOrEqual(most)
  expect(requests.length).toBeGreaterThanOrEqual(4)
})

it('limits all robots.txt files in the store to a hundred megabytes', async () => {
  const bounds: number[] = []
  const store = {
    ...createMemoryStore(),
    trim: async (_kind: 'pages' | 'robots', bytes: number) => {
      bounds.push(bytes)
      return 0
    },
  }
  await applyRetentionChunk(
    { retention: store, clock: createSteppedClock(START) },
    { ...DEFAULT_GROUPING, keepEntriesMs: 0, keepPollsMs: 0 },
    9,
  )
  expect(bounds).toEqual([100_000_000])
})

it('fails on a document for which the thread lacks memory, and reads the next one', async () => {
  const documentOf = (entries: number) => {
    const terms = Array.from({ length: 100 }, (_, n) => `<category>term ${n}</category>`).join('')
    const item = (_: unknown, n: number) => `<item><guid>${n}</guid><title>${n}</title>${terms}</item>`
    const body = Buffer.from(`<rss><channel><title>A</title>${Array.from({ length: entries }, item).join('')}`)
    const url = address('https://a.example/feed')
    return { ok: true as const, status: 200, url, redirects: [], headers: {}, body, wireBytes: body.length }
  }
  const thread = createThread({ module: READER_MODULE, memoryMb: 24 })
  const reader = createDocumentReader({ thread, largeBytes: 1 })
  const read = (entries: number) =>
    reader.read(documentOf(entries), START, bodyHashOf(documentOf(entries).body), 'parsed')
  expect(await read(10)).toMatchObject({ kind: 'reading' })
  expect(await read(10_000)).toMatchObject({ kind: 'failed', failure: { kind: 'too-large' } })
  expect(await read(10)).toMatchObject({ kind: 'reading' })
  await thread.close()
})

it.each([
  ['evicted with little memory', 1_000_000, []],
  ['found with enough memory', 256_000_000, ['first', 'copy']],
])(
  'after four thousand other entries, the first one in the similarity index is %s',
  async (_, groupMemoryBytes, copies) => {
    const store = createMemoryStore()
    const feed = feedToAdd({ url: address('https://a.example/feed'), title: 'A' }, 'fixed:1h', START)
    const [{ id: feedId } = { id: 0 as FeedId }] = await store.addFeeds([feed])
    const parts = { ...DEFAULT_GROUPING, stories: 'off', groupMemoryBytes } as const
    const grouper = createGrouper({ pendingWork: store, clock: createSteppedClock(START), emit: () => {}, ...parts })
    const words = (n: number) => Array.from({ length: 15 }, (_, i) => bodyHashOf(Buffer.from(`${n} ${i}`)).slice(0, 8))
    const draft = (key: string, n: number) => ({
      key,
      title: words(n).slice(0, 6).join(' '),
      summary: words(n).join(' '),
    })
    let at = START
    const say = async (...fresh: EntryDraft[]) => {
      const result = { kind: 'not-modified', by: 'server' } as const
      const poll = { feedId, at: ++at, tookMs: 1, bytes: 1, conditional: true, result }
      await store.recordPolls([{ poll, schedule: feed.schedule, fresh, changed: [] }])
      while (await grouper.groupChunk(500));
    }
    await say(draft('first', 0))
    await say(...Array.from({ length: 4000 }, (_, n) => draft(`other ${n}`, n + 1)))
    await say(draft('copy', 0))
    const groups = await store.groups({ level: 'copy', order: 'recent', limit: 9 })
    const members = await Promise.all(groups.map(({ id }) => store.members(id, 9)))
    const entries = await store.entriesById(members.flat().map(({ entryId }) => entryId))
    expect(entries.map((entry) => entry?.key)).toEqual(copies)
  },
)
