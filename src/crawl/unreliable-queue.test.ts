/**
 * Two days of a crawl whose queue loses, delays, reorders and duplicates. In any case no entries are missing, requests are polite, and
 * totals are correct.
 */
import { describe, expect, it } from 'vitest'
import {
  type CrawlHarness,
  type CrawlHarnessOptions,
  createCrawlHarness,
  gapsOf,
  internalErrors,
  newspaperSite,
  PUSH,
  START,
} from '../../test/crawl-harness.ts'
import { createRandom } from '../../test/invalid-values.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, HOUR, type Instant, MINUTE, SECOND, webAddress } from '../model/index.ts'
import { rootOf } from '../politeness/index.ts'
import type { Clock, Net, NetRequest } from '../ports/index.ts'

const GAP = 2 * SECOND
const MAX_ANSWER_MS = 20 * SECOND

const hourly: SiteSpec = { ...newspaperSite, rhythm: { kind: 'clockwork', everyMs: HOUR } }

/** Two roots with several feeds, one of them with a hub, a feed to discover, and article pages. */
const SITES: SiteSpec[] = [
  { ...hourly, feeds: [{ path: '/news' }, { path: '/sports' }, { path: '/letters', hub: true }] },
  { ...hourly, name: 'a.mill' },
  { ...hourly, name: 'b.mill' },
  { ...hourly, name: 'found' },
]

interface Visit {
  root: string
  startedAt: Instant
  endedAt: Instant
}

/** A web with slow answers that records all visits. */
function slowWeb(seed: number) {
  const chance = createRandom(seed)
  const visits: Visit[] = []
  const wrapNet = (net: Net, clock: Clock): Net => {
    const slowly =
      <Request extends NetRequest, Answer>(ask: (request: Request) => Promise<Answer>) =>
      async (request: Request) => {
        const visit = {
          root: rootOf(webAddress(request.url)!),
          startedAt: clock.now(),
          endedAt: Number.POSITIVE_INFINITY,
        }
        visits.push(visit)
        await clock.sleepUntil(clock.now() + Math.ceil(chance.next() * MAX_ANSWER_MS))
        visit.endedAt = clock.now()
        return ask(request)
      }
    return { get: slowly(net.get), post: slowly(net.post), close: net.close }
  }
  return { visits, wrapNet }
}

async function begin({ crawler, village }: CrawlHarness): Promise<void> {
  await crawler.subscribe([{ url: village.site('found').home, kind: 'any' }])
  const feeds = village.sites.filter(({ name }) => name !== 'found').flatMap(({ feeds }) => feeds)
  await crawler.subscribe(feeds.map(({ url }) => ({ url, kind: 'feed' })))
}

async function expectEveryEntryOnce({ village, clock, store }: CrawlHarness, lateMs: number): Promise<void> {
  const feeds = await store.feeds({ order: 'id', limit: 99 })
  expect(feeds).toHaveLength(6)
  for (const site of village.sites)
    for (const { url } of site.feeds) {
      const { feed } = feeds.find(({ feed }) => feed.url === url)!
      const entries = await store.entries({ feedId: feed.id, limit: 9999 })
      const published = site.published(START, clock.now() - lateMs).map(({ path }) => path)
      const paths = entries.map((entry) => new URL(entry.url!).pathname)
      expect(published.length).toBeGreaterThan(40)
      expect(published.filter((path) => !paths.includes(path))).toEqual([])
      expect(new Set(paths).size).toBe(paths.length)
    }
}

function expectOneRequestAtATime(visits: Visit[], end: Instant): void {
  const byRoot = Map.groupBy(visits, ({ root }) => root)
  expect([...byRoot.keys()].sort()).toEqual(['found.localhost', 'gazette.localhost', 'hub.localhost', 'mill.localhost'])
  for (const [root, there] of byRoot)
    for (const [i, { startedAt }] of there.entries()) {
      const before = there[i - 1]
      if (before)
        expect(startedAt - before.endedAt, `at ${root}, ${end - startedAt} ms before the end`).toBeGreaterThanOrEqual(
          GAP,
        )
    }
}

async function pollsInOrder({ store }: CrawlHarness) {
  return (await store.polls({ limit: 9999 })).sort((a, b) => a.at - b.at || a.feedId - b.feedId)
}

/** The store, the events and the totals agree about polls, entries and articles. */
async function expectNothingCountedTwice({ crawler, store, village, events }: CrawlHarness): Promise<void> {
  const polls = await store.polls({ limit: 9999 })
  const { totals } = crawler.activity()
  expect(totals.polls).toBe(polls.length)
  expect(new Set(polls.map(({ feedId, at }) => `${feedId} ${at}`)).size).toBe(polls.length)
  for (const { feed } of await store.feeds({ order: 'id', limit: 99 })) {
    const requests = village.requests.filter(({ url }) => url === feed.url).length
    const counted = polls.filter(({ feedId }) => feedId === feed.id).map(({ at }) => at)
    expect(counted.length).toBeLessThanOrEqual(requests)
    expect(Math.min(...gapsOf(counted.sort((a, b) => a - b)))).toBeGreaterThanOrEqual(HOUR - MINUTE)
  }
  const { entries } = await store.counts()
  expect(totals.fresh).toBe(entries)
  const pages = events.flatMap((event) => (event.kind === 'article' ? [event] : []))
  expect(pages.length).toBeGreaterThan(90)
  expect(totals.articles).toBe(pages.length)
  expect(new Set(pages.map(({ articleId, at }) => `${articleId} ${at}`)).size).toBe(pages.length)
  expect(await store.hosts()).toEqual([])
}

/** The backoff from a host grows once per refusal, however often its outcome arrives. */
async function expectRefusalsCountedOnce({ village, clock, store, events }: CrawlHarness): Promise<void> {
  const sinceAt = clock.now()
  village.site('found').addFault({ kind: 'status', status: 429 })
  await clock.advance(12 * HOUR)
  const refused = events.filter(
    (event) =>
      (event.kind === 'polled' || event.kind === 'article') &&
      event.at >= sinceAt &&
      event.result.kind === 'failed' &&
      event.result.failure.kind === 'http',
  )
  expect(refused.length).toBeGreaterThanOrEqual(3)
  expect((await store.hosts()).map(({ root, strikes }) => [root, strikes])).toEqual([
    ['found.localhost', refused.length],
  ])
}

describe('with a queue that loses and delays', () => {
  it.each(Array.from({ length: 12 }, (_, n) => n + 1))(
    'stores every entry once, never visits a root twice at once, and counts nothing twice: seed %d',
    async (seed) => {
      const { visits, wrapNet } = slowWeb(seed)
      const one = createCrawlHarness(SITES, {
        wrapNet,
        gapMs: GAP,
        push: PUSH,
        articles: { preference: 'always', backlog: 1 },
        queueFaults: {
          seed,
          taskLossRate: 0.05,
          outcomeLossRate: 0.03,
          delayRate: 0.3,
          delayMs: 3 * MINUTE,
          delayTurns: 3,
        },
      })
      await begin(one)
      await one.clock.advance(2 * DAY)
      expect(one.queue.lost.length).toBeGreaterThan(10)
      expect(one.queue.delayed).toBeGreaterThan(100)
      await expectEveryEntryOnce(one, 4 * HOUR)
      expectOneRequestAtATime(visits, one.clock.now())
      await expectNothingCountedTwice(one)
      await expectRefusalsCountedOnce(one)
      expect(internalErrors(one.events)).toEqual([])
    },
  )
})

describe('with a queue that delivers every task twice', () => {
  it('sends duplicate requests, and nothing else happens twice', async () => {
    const lived = async (queueFaults: CrawlHarnessOptions['queueFaults']) => {
      const one = createCrawlHarness(SITES, {
        gapMs: GAP,
        push: PUSH,
        articles: { preference: 'always', backlog: 1 },
        ...(queueFaults && { queueFaults }),
      })
      await begin(one)
      await one.clock.advance(DAY)
      return one
    }
    const once = await lived({})
    const twice = await lived({ taskDuplicationRate: 1 })
    const requests = (one: CrawlHarness) =>
      one.village.requests.map(({ at, method, url }) => `${at - START} ${method} ${url}`)
    expect(twice.queue.duplicatedTasks).toBeGreaterThan(200)
    expect(requests(twice).sort()).toEqual(
      requests(once)
        .flatMap((request) => [request, request])
        .sort(),
    )
    await expectNothingCountedTwice(twice)
    expect(twice.crawler.activity()).toEqual(once.crawler.activity())
    expect(await twice.store.counts()).toEqual(await once.store.counts())
    expect(await pollsInOrder(twice)).toEqual(await pollsInOrder(once))
  })
})
