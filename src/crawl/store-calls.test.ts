/** The store calls of a crawl while feeds have no new entries, which is its usual state. */
import { expect, it } from 'vitest'
import { createCrawlHarness, quietNewspaperSite, subscribeFeeds } from '../../test/crawl-harness.ts'
import { HOUR, MINUTE } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createMemoryStore } from '../stores/index.ts'

it('leases what is due once per poll, and writes only the poll', async () => {
  const requests = new Map<string, number>()
  const own = createMemoryStore()
  const store = new Proxy(own, {
    get: (target, name: keyof Store & string) => {
      requests.set(name, (requests.get(name) ?? 0) + 1)
      return target[name]
    },
  })
  const { crawler, village, clock } = createCrawlHarness([quietNewspaperSite], { store })
  await subscribeFeeds(crawler, village)
  await clock.advance(30 * MINUTE)
  requests.clear()
  await clock.advance(24 * HOUR)
  expect(requests.get('recordPolls')).toBe(24)
  expect(requests.get('leaseDue')).toBe(24)
  for (const idle of ['releaseLeases', 'leaseDueArticles', 'recordSites']) expect(requests.get(idle)).toBeUndefined()
})
