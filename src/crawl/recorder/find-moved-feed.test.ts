/** A feed that is gone: how often its site is asked, and what has to reappear elsewhere for the feed to move there. */
import { expect, it, test } from 'vitest'
import { askedOf, box, newspaperSite, onlyFeed, START, subscribe } from '../../../test/crawl-harness.ts'
import { createRecorderHarness } from '../../../test/recorder-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, type Outcome } from '../../model/index.ts'
import { draft, newSchedule, record } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { readAnswer } from '../fetcher/read-feed.ts'
import { feedToAdd } from '../index.ts'

it('asks the site once a day, however often a person has the feed polled', async () => {
  const { crawler, village, clock, store } = box([{ ...newspaperSite, silentSince: START }])
  await subscribe(crawler, village)
  await clock.advance(HOUR)
  village.site('gazette').trouble({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(4 * DAY)
  const { feed } = await onlyFeed(store)
  const [homes, feeds] = [askedOf(village, '/').length, askedOf(village, '/feed').length]
  for (let hour = 0; hour < 72; hour++) {
    await crawler.pollNow(feed.id)
    await clock.advance(HOUR)
  }
  expect(askedOf(village, '/feed').length - feeds).toBeGreaterThan(70)
  const visits = askedOf(village, '/').length - homes
  expect(visits).toBeGreaterThanOrEqual(2)
  expect(visits).toBeLessThanOrEqual(3)
})

const URL = address('https://a.example/feed')
const ELSEWHERE = address('https://a.example/other')

/** Of the feed's twenty entries so many are shown elsewhere, among twenty. */
async function soughtWith(reappearing: number) {
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
  if (read.kind !== 'reading') throw new Error('it is a feed')
  const { recorder, events } = createRecorderHarness(store, START)
  const sought: Outcome = {
    task: { kind: 'seek', feedId: id, url: address('https://a.example/'), not: URL, gapMs: 0 },
    at: START + DAY,
    tookMs: 1,
    bytes: 1,
    result: { kind: 'found', url: ELSEWHERE, reading: read.reading, others: [] },
  }
  await recorder.record([sought], new Set())
  const { feed } = await onlyFeed(store)
  return { url: feed.url, successorUrl: feed.successorUrl, told: events.map(({ kind }) => kind) }
}

test.each([10, 11, 20])('moves a feed of whose twenty entries %i reappear', async (reappearing) => {
  expect(await soughtWith(reappearing)).toEqual({ url: ELSEWHERE, successorUrl: undefined, told: ['moved'] })
})

test.each([0, 1, 9])('only tells of another feed where %i of twenty reappear', async (reappearing) => {
  expect(await soughtWith(reappearing)).toEqual({ url: URL, successorUrl: ELSEWHERE, told: ['successor'] })
})
