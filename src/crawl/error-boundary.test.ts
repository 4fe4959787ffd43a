/** Internal errors cost a failure of the feed where they happen, and affect no other. */
import { describe, expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, newspaperSite, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore } from '../stores/index.ts'

const other = { ...newspaperSite, name: 'observer' }
const third = { ...newspaperSite, name: 'tribune' }

/** A memory store some of whose methods fail. */
function failing(methods: (store: Store) => Partial<Store>): Store {
  const store = createMemoryStore()
  return { ...store, ...methods(store) }
}

async function troubles(store: Store): Promise<(string | undefined)[]> {
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  return feeds.map(({ schedule }) => schedule.trouble?.kind)
}

describe('an internal error', () => {
  it('on one feed is a failure of it, and it backs off', async () => {
    const { crawler, village, store, clock, events } = createCrawlHarness([newspaperSite, other])
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    const [first] = await store.feeds({ order: 'id', limit: 1 })
    await store.changeFeed(first!.feed.id, {}, { strategy: 'no-such-strategy' })
    await clock.advance(2 * DAY)
    expect(await troubles(store)).toEqual(['internal', undefined])
    const polls = (await store.polls({ limit: 999 })).filter(({ at }) => at > START + 2 * HOUR)
    expect(polls.filter(({ feedId }) => feedId === first!.feed.id).length).toBeLessThan(15)
    expect(polls.filter(({ feedId }) => feedId !== first!.feed.id).length).toBeGreaterThan(45)
    expect(internalErrors(events)).not.toEqual([])
    const { totals, internalErrors: latest } = crawler.activity()
    expect(totals.internalErrors).toBe(internalErrors(events).length)
    expect(latest.length).toBeLessThanOrEqual(5)
    expect(latest[0]?.words).toContain('unknown strategy "no-such-strategy"')
  })

  it('that occurs in a batch is isolated by applying outcomes one by one', async () => {
    const store = failing((own) => ({
      async knownEntries(questions) {
        if (questions.some(({ feedId }) => feedId === 2)) throw new Error('not this feed')
        return own.knownEntries(questions)
      },
    }))
    const { crawler, village, clock } = createCrawlHarness([newspaperSite, other, third], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    expect(await troubles(store)).toEqual([undefined, 'internal', undefined])
  })

  it('whose failure cannot be recorded is retried in an hour', async () => {
    const store = failing((own) => ({
      async recordPolls(records) {
        if (records.some(({ poll }) => poll.feedId === 1)) throw new Error('not this feed')
        return own.recordPolls(records)
      },
    }))
    const { crawler, village, clock } = createCrawlHarness([newspaperSite, other], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(5 * HOUR + MINUTE)
    const visits = village.requests.filter(({ url }) => url.includes('gazette'))
    expect(visits).toHaveLength(6)
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThan(4)
  })

  it('on a source is a failure of it, and other sources are discovered', async () => {
    const store = failing((own) => ({
      async recordSourceFound(id, ...rest) {
        if (id === 1) throw new Error('not this source')
        return own.recordSourceFound(id, ...rest)
      },
    }))
    const { crawler, village, clock } = createCrawlHarness([newspaperSite, other], { store })
    await crawler.subscribe(village.sites.map(({ home }) => ({ url: home, kind: 'any' as const })))
    await clock.advance(HOUR)
    const [one, two] = await store.sources({ limit: 9 })
    expect(one).toMatchObject({ state: 'looking', trouble: { kind: 'internal', detail: 'not this source' } })
    expect(two).toMatchObject({ state: 'found' })
  })

  it('while learning about hosts costs no poll', async () => {
    const store = failing(() => ({
      recordSites: () => Promise.reject(new Error('not these hosts')),
      recordMarket: () => Promise.reject(new Error('no market')),
    }))
    const { crawler, village, clock } = createCrawlHarness([newspaperSite, other], { store })
    village.sites[0]!.addFault({ kind: 'status', status: 429 })
    await subscribeFeeds(crawler, village)
    await clock.advance(3 * HOUR)
    expect(await troubles(store)).toEqual(['http', undefined])
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThan(3)
  })

  it('of a whole tick does not end the crawl', async () => {
    let rounds = 0
    const store = failing((own) => ({
      async leaseDue(...given) {
        if (++rounds === 3) throw new Error('something is wrong')
        return own.leaseDue(...given)
      },
    }))
    const { crawler, village, clock, events } = createCrawlHarness([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(5 * HOUR)
    expect(internalErrors(events)).toHaveLength(1)
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThanOrEqual(5)
  })

  it('on the text of one entry does not keep others from the index', async () => {
    const own = createMemorySearch()
    const search = {
      ...own,
      async put(documents: Parameters<typeof own.put>[0]) {
        if (documents.some(({ id }) => id === 2)) throw new Error('not this text')
        return own.put(documents)
      },
    }
    const { crawler, village, clock, store } = createCrawlHarness([newspaperSite], { search })
    await subscribeFeeds(crawler, village)
    await clock.advance(HOUR + MINUTE)
    expect((await store.unindexed(9)).changes).toEqual([])
    expect(crawler.activity().totals.internalErrors).toBeGreaterThan(0)
    expect((await store.counts()).entries).toBeGreaterThan(3)
  })
})
