/** What a mistake of ours costs: the one at which it was made a failure, and nobody else anything. */
import { describe, expect, it } from 'vitest'
import { box, mistakes, newspaperSite, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore } from '../stores/index.ts'

const other = { ...newspaperSite, name: 'observer' }
const third = { ...newspaperSite, name: 'tribune' }

/** A memory store of which some methods fail. */
function failing(methods: (store: Store) => Partial<Store>): Store {
  const store = createMemoryStore()
  return { ...store, ...methods(store) }
}

async function troubles(store: Store): Promise<(string | undefined)[]> {
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  return feeds.map(({ schedule }) => schedule.trouble?.kind)
}

describe('a mistake of ours', () => {
  it('on one feed is its trouble, and it is tried ever more seldom', async () => {
    const { crawler, village, store, clock, events } = box([newspaperSite, other])
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    const [first] = await store.feeds({ order: 'id', limit: 1 })
    await store.changeFeed(first!.feed.id, {}, { strategy: 'no-such-strategy' })
    await clock.advance(2 * DAY)
    expect(await troubles(store)).toEqual(['internal', undefined])
    const polls = (await store.polls({ limit: 999 })).filter(({ at }) => at > START + 2 * HOUR)
    expect(polls.filter(({ feedId }) => feedId === first!.feed.id).length).toBeLessThan(15)
    expect(polls.filter(({ feedId }) => feedId !== first!.feed.id).length).toBeGreaterThan(45)
    expect(mistakes(events)).not.toEqual([])
    const { totals, mistakes: latest } = crawler.activity()
    expect(totals.mistakes).toBe(mistakes(events).length)
    expect(latest.length).toBeLessThanOrEqual(5)
    expect(latest[0]?.words).toContain('no strategy is called "no-such-strategy"')
  })

  it('that only a batch shows is found one by one', async () => {
    const store = failing((own) => ({
      async known(questions) {
        if (questions.some(({ feedId }) => feedId === 2)) throw new Error('not this feed')
        return own.known(questions)
      },
    }))
    const { crawler, village, clock } = box([newspaperSite, other, third], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    expect(await troubles(store)).toEqual([undefined, 'internal', undefined])
  })

  it('of which not even the failure can be recorded comes again in an hour', async () => {
    const store = failing((own) => ({
      async recordPolls(records) {
        if (records.some(({ poll }) => poll.feedId === 1)) throw new Error('not this feed')
        return own.recordPolls(records)
      },
    }))
    const { crawler, village, clock } = box([newspaperSite, other], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(5 * HOUR + MINUTE)
    const visits = village.requests.filter(({ url }) => url.includes('gazette'))
    expect(visits).toHaveLength(6)
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThan(4)
  })

  it('on a source makes it fail, and others are found', async () => {
    const store = failing((own) => ({
      async sourceFound(id, ...rest) {
        if (id === 1) throw new Error('not this source')
        return own.sourceFound(id, ...rest)
      },
    }))
    const { crawler, village, clock } = box([newspaperSite, other], { store })
    await crawler.subscribe(village.sites.map(({ home }) => ({ url: home, kind: 'any' as const })))
    await clock.advance(HOUR)
    const [one, two] = await store.sources({ limit: 9 })
    expect(one).toMatchObject({ state: 'looking', trouble: { kind: 'internal', detail: 'not this source' } })
    expect(two).toMatchObject({ state: 'found' })
  })

  it('about hosts costs no poll', async () => {
    const store = failing(() => ({
      recordHosts: () => Promise.reject(new Error('not these hosts')),
      recordMarket: () => Promise.reject(new Error('no market')),
    }))
    const { crawler, village, clock } = box([newspaperSite, other], { store })
    village.sites[0]!.trouble({ kind: 'status', status: 429 })
    await subscribeFeeds(crawler, village)
    await clock.advance(3 * HOUR)
    expect(await troubles(store)).toEqual(['http', undefined])
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThan(3)
  })

  it('of a whole round is not the end', async () => {
    let rounds = 0
    const store = failing((own) => ({
      async takeDue(...given) {
        if (++rounds === 3) throw new Error('something is wrong')
        return own.takeDue(...given)
      },
    }))
    const { crawler, village, clock, events } = box([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(5 * HOUR)
    expect(mistakes(events)).toHaveLength(1)
    expect((await store.polls({ limit: 99 })).length).toBeGreaterThanOrEqual(5)
  })

  it('on the text of one entry keeps no other from the index', async () => {
    const own = createMemorySearch()
    const search = {
      ...own,
      async put(documents: Parameters<typeof own.put>[0]) {
        if (documents.some(({ id }) => id === 2)) throw new Error('not this text')
        return own.put(documents)
      },
    }
    const { crawler, village, clock, store } = box([newspaperSite], { search })
    await subscribeFeeds(crawler, village)
    await clock.advance(HOUR + MINUTE)
    expect((await store.unindexed(9)).changes).toEqual([])
    expect(crawler.activity().totals.mistakes).toBeGreaterThan(0)
    expect((await store.counts()).entries).toBeGreaterThan(3)
  })
})
