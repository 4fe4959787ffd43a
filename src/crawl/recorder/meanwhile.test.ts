/** What people change while the outcome of a poll is being recorded: it stands, and the poll is recorded all the same. */
import { expect, it } from 'vitest'
import { box, mistakes, newspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { createRecorderHarness } from '../../../test/recorder-harness.ts'
import { type FeedId, HOUR } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { feedById } from '../../ports/store-expectations.contract.ts'
import { addFeed, draft, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'

/** A store on which `change` is made whenever a window has been looked up, as long as it says that it was. */
function changing(change: (store: Store, feedId: FeedId) => Promise<boolean>): Store {
  const store = createMemoryStore()
  return {
    ...store,
    async known(questions) {
      const answer = await store.known(questions)
      for (const { feedId } of questions) await change(store, feedId)
      return answer
    },
  }
}

it('a strategy and a title that are changed meanwhile are not undone', async () => {
  let times = 1
  const store = changing(async (inner, feedId) => {
    return (
      times-- > 0 && inner.changeFeed(feedId, { title: 'by hand' }, { strategy: 'fixed:3h', memory: new Uint8Array() })
    )
  })
  const { crawler, village, clock, events } = box([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  const [held] = await store.feeds({ order: 'id', limit: 1 })
  expect(held).toMatchObject({ feed: { title: 'by hand' }, schedule: { strategy: 'fixed:3h' } })
  expect(held!.schedule.dueAt - held!.schedule.polledAt!).toBe(3 * HOUR)
  const polls = await store.polls({ limit: 9 })
  expect(polls).toHaveLength(village.requests.length)
  const { entries } = await store.counts()
  expect(polls[0]!.result).toMatchObject({ kind: 'read', fresh: entries })
  expect(mistakes(events)).toEqual([])
})

it('a feed that changes each time that it is looked at is set aside, and shown in trouble', async () => {
  const store = changing((inner, feedId) => inner.changeFeed(feedId, { subscribers: 2 }))
  const { crawler, village, clock } = box([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  expect((await store.counts()).troubled).toBe(1)
  const [held] = await store.feeds({ order: 'id', limit: 1 })
  expect(held!.schedule.trouble).toMatchObject({ kind: 'internal' })
})

it('a feed that is removed meanwhile stays away', async () => {
  const store = changing((inner, feedId) => inner.removeFeed(feedId))
  const { crawler, village, clock, events } = box([newspaperSite], { store, strategy: 'fixed:1h' })
  await subscribeFeeds(crawler, village)
  await clock.advance(30_000)
  expect(await store.counts()).toMatchObject({ feeds: { active: 0 }, entries: 0, polls: 0 })
  expect(mistakes(events)).toEqual([])
})

it('a push announces no entry that a poll stored while the push was recorded', async () => {
  const inner = createMemoryStore()
  const feedId = await addFeed(inner, 'a')
  const polled = { feedId, at: START + 1, fresh: [{ ...draft('1'), title: 'One' }], changed: [] }
  const store: Store = {
    ...inner,
    async recordNews(records) {
      await inner.recordNews([polled])
      await inner.recordNews(records)
    },
  }
  const { recorder } = createRecorderHarness(store, START)
  const item = (n: number, title: string) => `<item><guid>${n}</guid><title>${title}</title></item>`
  const body = Buffer.from(
    `<rss version="2.0"><channel><title>A</title>${item(1, 'One')}${item(2, 'Two')}</channel></rss>`,
  )
  const held = (await feedById(inner, feedId))!
  const brought = await recorder.recordPush(held, { headers: { 'content-type': 'text/xml' }, body }, START + 2)
  expect(brought?.fresh.map(({ title }) => title)).toEqual(['Two'])
  expect((await inner.counts()).entries).toBe(2)
})
