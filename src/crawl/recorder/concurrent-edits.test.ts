/** User edits while the outcome of a poll is being recorded: both take effect. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, newspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { createRecorderHarness } from '../../../test/recorder-harness.ts'
import { type FeedId, HOUR } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { feedById } from '../../ports/store-expectations.contract.ts'
import { addFeed, draft, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'

/** A store that applies `change` after every lookup of known entries. */
function changing(change: (store: Store, feedId: FeedId) => Promise<boolean>): Store {
  const store = createMemoryStore()
  return {
    ...store,
    async knownEntries(questions) {
      const answer = await store.knownEntries(questions)
      for (const { feedId } of questions) await change(store, feedId)
      return answer
    },
  }
}

it('keeps a strategy and a title that are changed meanwhile', async () => {
  let times = 1
  const store = changing(async (inner, feedId) => {
    return (
      times-- > 0 && inner.changeFeed(feedId, { title: 'by hand' }, { strategy: 'fixed:3h', memory: new Uint8Array() })
    )
  })
  const { crawler, village, clock, events } = createCrawlHarness([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  expect(scheduled).toMatchObject({ feed: { title: 'by hand' }, schedule: { strategy: 'fixed:3h' } })
  expect(scheduled!.schedule.dueAt - scheduled!.schedule.polledAt!).toBe(3 * HOUR)
  const polls = await store.polls({ limit: 9 })
  expect(polls).toHaveLength(village.requests.length)
  const { entries } = await store.counts()
  expect(polls[0]!.result).toMatchObject({ kind: 'read', fresh: entries })
  expect(internalErrors(events)).toEqual([])
})

it('quarantines a feed that changes before every write', async () => {
  const store = changing((inner, feedId) => inner.changeFeed(feedId, { subscribers: 2 }))
  const { crawler, village, clock } = createCrawlHarness([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  expect((await store.counts()).failing).toBe(1)
  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  expect(scheduled!.schedule.trouble).toMatchObject({ kind: 'internal' })
})

it('does not restore a feed that is removed meanwhile', async () => {
  const store = changing((inner, feedId) => inner.removeFeed(feedId))
  const { crawler, village, clock, events } = createCrawlHarness([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  expect(await store.counts()).toMatchObject({ feeds: { active: 0 }, entries: 0, polls: 0 })
  expect(internalErrors(events)).toEqual([])
})

it('does not announce an entry of a push that a poll stored first', async () => {
  const inner = createMemoryStore()
  const feedId = await addFeed(inner, 'a')
  const polled = { feedId, at: START + 1, fresh: [{ ...draft('1'), title: 'One' }], changed: [] }
  const store: Store = {
    ...inner,
    async recordEntries(records) {
      await inner.recordEntries([polled])
      await inner.recordEntries(records)
    },
  }
  const { recorder } = createRecorderHarness(store, START)
  const item = (n: number, title: string) => `<item><guid>${n}</guid><title>${title}</title></item>`
  const body = Buffer.from(
    `<rss version="2.0"><channel><title>A</title>${item(1, 'One')}${item(2, 'Two')}</channel></rss>`,
  )
  const scheduled = (await feedById(inner, feedId))!
  const result = await recorder.recordPush(scheduled, { headers: { 'content-type': 'text/xml' }, body }, START + 2)
  expect(result?.fresh.map(({ title }) => title)).toEqual(['Two'])
  expect((await inner.counts()).entries).toBe(2)
})
