/** Store failures within a batch, before or after a write takes effect: every committed write is announced once. */
import { describe, expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import { type Store, StoreError } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

const LOST = new StoreError('no-access', 'connection lost', '', { isTransient: true })

/** Sites with enough new entries that a batch of polls is written in several transactions. */
const sites = Array.from({ length: 4 }, (_, n) => ({
  name: `paper${n}`,
  feeds: [{ path: '/feed', window: 80 }],
  rhythm: { kind: 'clockwork' as const, everyMs: MINUTE },
}))

describe.each(['recordPolls', 'recordEntries', 'recordArticles'] as const)(
  'announces committed writes once if %s fails',
  (name) => {
    it.each([1, 3])('at call %i, before or after it took effect', async (nth) => {
      for (const when of ['before', 'after'] as const) {
        const store = createMemoryStore()
        const write = store[name] as (...given: unknown[]) => Promise<unknown>
        let calls = 0
        const failing = {
          ...store,
          async [name](...given: unknown[]) {
            const fails = ++calls === nth
            if (fails && when === 'before') throw LOST
            const answer = await write(...given)
            if (fails) throw LOST
            return answer
          },
        } as Store
        const articles = { preference: 'always' as const, backlog: 3 }
        const long =
          name === 'recordEntries' ? sites.map((site) => ({ ...site, feeds: [{ path: '/feed', window: 250 }] })) : sites
        const { clock, village, crawler, events, stop } = createCrawlHarness(long, {
          store: failing,
          articles,
          gapMs: SECOND,
        })
        await subscribeFeeds(crawler, village)
        await clock.advance(5 * MINUTE)
        const { polls, entries, articles: pages } = await store.counts()
        const polled = events.flatMap((event) => (event.kind === 'polled' ? [event] : []))
        const fresh = polled.reduce((sum, { result }) => sum + (result.kind === 'read' ? result.fresh : 0), 0)
        expect([polled.length, fresh, polls]).toEqual([polls, entries, 4])
        const { totals } = crawler.activity()
        expect([totals.polls, totals.fresh, totals.articles]).toEqual([polls, entries, pages.read])
        expect(pages.read).toBeGreaterThanOrEqual(8)
        expect(internalErrors(events)).toEqual([])
        await stop()
      }
    })
  },
)
