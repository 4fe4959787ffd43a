/** Search for a moved feed: how often it runs, and how many entries have to reappear for the feed to move. */
import { expect, it, test } from 'vitest'
import {
  createCrawlHarness,
  newspaperSite,
  onlyFeed,
  requestsTo,
  START,
  subscribe,
} from '../../../test/crawl-harness.ts'
import { createRecorderHarness } from '../../../test/recorder-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, type Outcome } from '../../model/index.ts'
import { draft, newSchedule, record } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { readAnswer } from '../fetcher/read-feed.ts'
import { feedToAdd } from '../index.ts'

it('searches the site once a day, even if a user polls the feed often', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([{ ...newspaperSite, silentSince: START }])
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(4 * DAY)
  const { feed } = await onlyFeed(store)
  const [homes, feeds] = [requestsTo(village, '/').length, requestsTo(village, '/feed').length]
  for (let hour = 0; hour < 72; hour++) {
    await crawler.pollNow(feed.id)
    await clock.advance(HOUR)
  }
  expect(requestsTo(village, '/feed').length - feeds).toBeGreaterThan(70)
  const visits = requestsTo(village, '/').length - homes
  expect(visits).toBeGreaterThanOrEqual(2)
  expect(visits).toBeLessThanOrEqual(3)
})

const URL = address('https://a.example/feed')
const ELSEWHERE = address('https://a.example/other')

/** Searches when `reappearing` of the feed's twenty entries are at the other address. */
async function searchWith(reappearing: number) {
  const store = createMemoryStore()
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([feedToAdd({ url: URL, title: 'A' }, 'fixed:1h', START)])
  const fresh = Array.from({ length: 20 }, (_, i) => draft(`e${i}`, { title: `No. ${i}` }))
  const schedule = newSchedule({ strategy: 'fixed:1h', succeededAt: START })
  await store.recordPolls([record(id, START, { fresh, schedule })])
  const numbers = Array.from({ length: 20 }, (_, i) => (i < reappearing ? i : 100 + i))
  const items = numbers.map((n) => `<item><guid isPermaLink="false">e${n}</guid><title>No. ${n}</title></item>`)
  const body = Buffer.from(`<rss version="2.0"><channel><title>A</title>${items.join('')}</channel></rss>`)
  const answer = { ok: true as const, status: 200, url: ELSEWHERE, redirects: [], headers: {}, body, wireBytes: 1 }
  const read = readAnswer(answer, START + DAY)
  if (read.kind !== 'reading') throw new Error('the document was not read as a feed')
  const { recorder, events } = createRecorderHarness(store, START)
  const outcome: Outcome = {
    task: { kind: 'moved-feed', feedId: id, url: address('https://a.example/'), not: URL, gapMs: 0 },
    at: START + DAY,
    tookMs: 1,
    bytes: 1,
    result: { kind: 'found', url: ELSEWHERE, reading: read.reading, others: [] },
  }
  await recorder.record([outcome], new Set())
  const { feed } = await onlyFeed(store)
  return { url: feed.url, successorUrl: feed.successorUrl, events: events.map(({ kind }) => kind) }
}

test.each([10, 11, 20])('moves the feed if %i of its twenty entries reappear', async (reappearing) => {
  expect(await searchWith(reappearing)).toEqual({ url: ELSEWHERE, successorUrl: undefined, events: ['moved'] })
})

test.each([0, 1, 9])('only reports a possible successor if %i of twenty reappear', async (reappearing) => {
  expect(await searchWith(reappearing)).toEqual({ url: URL, successorUrl: ELSEWHERE, events: ['successor'] })
})
