/** Feeds that would come to the address of another: by redirects, by their site, or by hand. */
import { expect, it } from 'vitest'
import { box, mistakes, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { DAY, HOUR } from '../../model/index.ts'

it('leaves a feed where it is whose server sends it on to another feed, says so, and moves it when that one is gone', async () => {
  const feeds = [{ path: '/feed' }, { path: '/other', about: 'comments' as const }]
  const { crawler, village, clock, store, events } = box([{ ...quietNewspaperSite, feeds }])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  village.site('gazette').trouble({ kind: 'moved', status: 301, to: '/feed' }, { path: '/other' })
  await clock.advance(4 * DAY)
  const feedNow = async () => (await store.feedsById([second!.feed.id]))[0]!.feed
  const { url, root } = second!.feed
  expect(await feedNow()).toMatchObject({ url, root, successorUrl: first!.feed.url })
  expect(events.filter(({ kind }) => kind === 'moved')).toEqual([])
  expect(events.filter(({ kind }) => kind === 'duplicate')).toMatchObject([
    { feedId: second!.feed.id, to: first!.feed.url, sameAs: first!.feed.id },
  ])
  expect(mistakes(events)).toEqual([])

  await crawler.remove(first!.feed.id)
  await clock.advance(DAY)
  expect((await feedNow()).url).toBe(first!.feed.url)
  expect((await feedNow()).successorUrl).toBeUndefined()
})

it('asks a feed once each time, with its password, whose server sends it on to another feed elsewhere', async () => {
  const { crawler, village, clock, store } = box([quietNewspaperSite, { ...quietNewspaperSite, name: 'herald' }])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  const credentials = { user: 'anna', password: 'weir' }
  await crawler.edit(second!.feed.id, { credentials })
  village.site('herald').trouble({ kind: 'moved', status: 301, to: first!.feed.url }, { path: '/feed' })
  await clock.advance(4 * DAY)
  const [held] = await store.feedsById([second!.feed.id])
  expect(held!.feed).toMatchObject({ url: second!.feed.url, credentials, successorUrl: first!.feed.url })

  const asked = village.requests.filter(({ url }) => url === second!.feed.url).length
  const polls = (await store.polls({ feedId: second!.feed.id, limit: 999 })).length
  await clock.advance(DAY)
  const askedThen = village.requests.filter(({ url }) => url === second!.feed.url).length
  const pollsThen = (await store.polls({ feedId: second!.feed.id, limit: 999 })).length
  expect(askedThen - asked).toBe(pollsThen - polls)
})

it('does not take the address that another feed has, by hand or when a site has nothing else', async () => {
  const feeds = [{ path: '/feed' }, { path: '/other', announced: 'link' as const }]
  const { crawler, village, clock, store, events, server } = box([{ ...quietNewspaperSite, feeds }])
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [first, second] = await store.feeds({ order: 'id', limit: 9 })
  const edit = { url: second!.feed.url, title: 'Other', strategy: 'fixed:2h' }
  expect(await crawler.edit(first!.feed.id, edit)).toMatchObject({ by: { id: second!.feed.id } })
  const asked = await server.app.request(`http://127.0.0.1/api/v1/feeds/${first!.feed.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...edit, state: 'paused' }),
  })
  expect(asked.status).toBe(409)
  expect(await asked.json()).toMatchObject({ title: expect.stringMatching(/^feed 2, .*nothing was changed$/) })
  expect((await store.feedsById([first!.feed.id]))[0]).toEqual(first)

  village.site('gazette').trouble({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(7 * DAY)
  const [gone] = await store.feedsById([first!.feed.id])
  expect(gone!.feed).toMatchObject({ url: first!.feed.url, root: first!.feed.root, successorUrl: second!.feed.url })
  expect(events.filter(({ kind }) => kind === 'moved')).toEqual([])
})
