/** What the crawl says that it has done is what it did. */
import { expect, it } from 'vitest'
import { box, newspaperSite, subscribe } from '../../../test/crawl-harness.ts'
import { DAY } from '../../model/index.ts'

it('counts polls, pages and their bytes, each once, though every third outcome comes twice', async () => {
  const { crawler, village, clock, store, events } = box([newspaperSite], {
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
