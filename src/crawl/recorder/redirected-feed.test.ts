/** Feeds that would get the address of another feed: by redirects, by discovery, or by a user. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { DAY, HOUR } from '../../model/index.ts'

it('keeps a feed that redirects to another feed, reports it, and moves it when the other is removed', async () => {
  const feeds = [{ path: '/feed' }, { path: '/other', about: 'comments' as const }]
  const { crawler, village, clock, store, events } = createCrawlHarness([{ ...quietNewspaperSite, feeds }])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  village.site('gazette').addFault({ kind: 'moved', status: 301, to: '/feed' }, { path: '/other' })
  await clock.advance(4 * DAY)
  const feedNow = async () => (await store.feedsById([second!.feed.id]))[0]!.feed
  const { url, root } = second!.feed
  expect(await feedNow()).toMatchObject({ url, root, successorUrl: first!.feed.url })
  expect(events.filter(({ kind }) => kind === 'moved')).toEqual([])
  expect(events.filter(({ kind }) => kind === 'duplicate')).toMatchObject([
    { feedId: second!.feed.id, to: first!.feed.url, sameAs: first!.feed.id },
  ])
  expect(internalErrors(events)).toEqual([])

  await crawler.remove(first!.feed.id)
  await clock.advance(DAY)
  expect((await feedNow()).url).toBe(first!.feed.url)
  expect((await feedNow()).successorUrl).toBeUndefined()
})

it('polls a feed that redirects to another site once each time, with its credentials', async () => {
  const { crawler, village, clock, store } = createCrawlHarness([
    quietNewspaperSite,
    { ...quietNewspaperSite, name: 'herald' },
  ])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  const credentials = { user: 'anna', password: 'weir' }
  await crawler.edit(second!.feed.id, { credentials })
  village.site('herald').addFault({ kind: 'moved', status: 301, to: first!.feed.url }, { path: '/feed' })
  await clock.advance(4 * DAY)
  const [scheduled] = await store.feedsById([second!.feed.id])
  expect(scheduled!.feed).toMatchObject({ url: second!.feed.url, credentials, successorUrl: first!.feed.url })

  const requestsBefore = village.requests.filter(({ url }) => url === second!.feed.url).length
  const polls = (await store.polls({ feedId: second!.feed.id, limit: 999 })).length
  await clock.advance(DAY)
  const requestsAfter = village.requests.filter(({ url }) => url === second!.feed.url).length
  const pollsThen = (await store.polls({ feedId: second!.feed.id, limit: 999 })).length
  expect(requestsAfter - requestsBefore).toBe(pollsThen - polls)
})

it('does not take the address of another feed, neither by a user nor by discovery', async () => {
  const feeds = [{ path: '/feed' }, { path: '/other', announced: 'link' as const }]
  const { crawler, village, clock, store, events, server } = createCrawlHarness([{ ...quietNewspaperSite, feeds }])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  const edit = { url: second!.feed.url, title: 'Other', strategy: 'fixed:2h' }
  expect(await crawler.edit(first!.feed.id, edit)).toMatchObject({ by: { id: second!.feed.id } })
  const requestsBefore = await server.app.request(`http://127.0.0.1/api/v1/feeds/${first!.feed.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...edit, state: 'paused' }),
  })
  expect(requestsBefore.status).toBe(409)
  expect(await requestsBefore.json()).toMatchObject({ title: expect.stringMatching(/^feed 2, .*nothing was changed$/) })
  expect((await store.feedsById([first!.feed.id]))[0]).toEqual(first)

  village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(7 * DAY)
  const [gone] = await store.feedsById([first!.feed.id])
  expect(gone!.feed).toMatchObject({ url: first!.feed.url, root: first!.feed.root, successorUrl: second!.feed.url })
  expect(events.filter(({ kind }) => kind === 'moved')).toEqual([])
})
