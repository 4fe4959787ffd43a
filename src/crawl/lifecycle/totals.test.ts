/** The totals of a crawl match what it did. */
import { expect, it } from 'vitest'
import { createCrawlHarness, newspaperSite, subscribe } from '../../../test/crawl-harness.ts'
import { DAY } from '../../model/index.ts'

it('counts polls, articles and their bytes once, although every third outcome is duplicated', async () => {
  const { crawler, village, clock, store, events } = createCrawlHarness([newspaperSite], {
    articles: { preference: 'always', backlog: 5 },
  })
  await subscribe(crawler, village)
  await clock.advance(DAY)
  const logged = { polls: 0, bytes: 0 }
  for await (const { bytes } of store.everyPoll({})) {
    logged.polls++
    logged.bytes += bytes
  }
  const pages = events.flatMap((event) => (event.kind === 'article' ? [event.bytes] : []))
  expect(pages.length).toBeGreaterThan(5)
  expect(Math.min(...pages)).toBeGreaterThan(100)
  const { polls, bytes, articles } = crawler.activity().totals
  expect({ polls, articles }).toEqual({ polls: logged.polls, articles: pages.length })
  expect(bytes).toBe(logged.bytes + pages.reduce((sum, one) => sum + one, 0))
})
