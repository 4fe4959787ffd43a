import { expect, it } from 'vitest'
import {
  createCrawlHarness,
  newspaperSite,
  PUSH,
  quietNewspaperSite,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR } from '../../model/index.ts'
import type { Net, NetRequest } from '../../ports/index.ts'

function recordRequests() {
  const requests: { url: string; named: NetRequest['named'] }[] = []
  const wrapNet = (net: Net): Net => ({
    get: (request) => {
      requests.push({ url: request.url, named: request.named })
      return net.get(request)
    },
    post: (request) => {
      requests.push({ url: request.url, named: request.named })
      return net.post(request)
    },
    close: net.close,
  })
  return { requests, wrapNet }
}

it('every request carries the address that a user gave', async () => {
  const { requests, wrapNet } = recordRequests()
  const busy: SiteSpec = {
    ...newspaperSite,
    feeds: [{ path: '/feed', hub: true, paged: true }],
    rhythm: { kind: 'clockwork', everyMs: 60_000 },
  }
  const { crawler, village, clock } = createCrawlHarness([busy, { ...quietNewspaperSite, name: 'page' }], {
    wrapNet,
    push: PUSH,
    articles: { preference: 'always', backlog: 3 },
  })
  const { url } = village.site('gazette').feeds[0]!
  await crawler.subscribe([{ url, kind: 'feed' }])
  const { home } = village.site('page')
  await crawler.subscribe([{ url: home, kind: 'any' }])
  await clock.advance(3 * HOUR)

  const ofGazette = requests.filter((one) => !one.url.startsWith(home))
  for (const part of ['/feed', '/feed?page=2', '/robots.txt', 'hub.localhost'])
    expect(ofGazette.some((one) => one.url.includes(part))).toBe(true)
  expect(new Set(ofGazette.map(({ named }) => named))).toEqual(new Set([url]))
  const ofPage = requests.filter((one) => one.url.startsWith(home))
  expect(ofPage[0]).toEqual({ url: home, named: home })
  expect(new Set(ofPage.slice(0, 2).map(({ named }) => named))).toEqual(new Set([home]))
})

it('a search for a moved feed carries the address of the feed', async () => {
  const { requests, wrapNet } = recordRequests()
  const { crawler, village, clock, store } = createCrawlHarness([quietNewspaperSite], { wrapNet })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [stored] = await store.feeds({ order: 'id', limit: 1 })
  village.site('gazette').addFault({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(5 * DAY)
  const { home } = village.site('gazette')
  const homeRequests = requests.filter(({ url }) => url === home)
  expect(homeRequests).toHaveLength(2) // on the third day, and a day later
  expect(new Set(requests.map(({ named }) => named))).toEqual(new Set([stored!.feed.url]))
})
