/** The audit of a crawl that follows the rules finds no violation, whatever servers do. */
import { expect, it } from 'vitest'
import { createCrawlHarness, quietNewspaperSite, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, HOUR } from '../model/index.ts'
import { auditCrawl } from './audit.ts'
import type { OpenStore } from './composition.ts'
import { defaultConfig } from './read-config.ts'

const twelve: SiteSpec = { ...quietNewspaperSite, feeds: Array.from({ length: 12 }, (_, i) => ({ path: `/feed${i}` })) }

it('finds no violation in two weeks of refusals, pauses, failures and 304s', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([twelve])
  await subscribeFeeds(crawler, village)
  const site = village.site('gazette')
  await clock.advance(2 * DAY)
  for (const trouble of [
    { kind: 'status', status: 429, retryAfter: { seconds: 4 * 3600 } },
    { kind: 'status', status: 503, retryAfter: { seconds: 2 * 86_400 } },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 403 },
  ] as const) {
    site.addFault(trouble, { untilAt: clock.now() + 6 * HOUR })
    await clock.advance(3 * DAY)
  }
  const opened = { pollMarket: store, catalogue: store, clock } as unknown as OpenStore
  const { polls, broken, judgements } = await auditCrawl(opened, defaultConfig())
  expect(polls).toBeGreaterThan(200)
  expect(broken).toEqual([])
  const judged = judgements.filter(({ checked: of }) => of > 0).map(({ rule }) => rule)
  expect(judged).toEqual(expect.arrayContaining([1, 2, 9, 12, 14, 15, 16, 17, 18, 19, 20, 21]))
})
