import { expect, it } from 'vitest'
import { box, newspaperSite, PUSH, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import type { SiteSpec } from '../../lab/index.ts'
import { DAY, HOUR } from '../../model/index.ts'
import type { Net, NetRequest } from '../../ports/index.ts'

function listening() {
  const heard: { url: string; named: NetRequest['named'] }[] = []
  const through = (net: Net): Net => ({
    get: (request) => {
      heard.push({ url: request.url, named: request.named })
      return net.get(request)
    },
    post: (request) => {
      heard.push({ url: request.url, named: request.named })
      return net.post(request)
    },
    close: net.close,
  })
  return { heard, through }
}

it('every request says which address of a person led to it', async () => {
  const { heard, through } = listening()
  const busy: SiteSpec = {
    ...newspaperSite,
    feeds: [{ path: '/feed', hub: true, paged: true }],
    rhythm: { kind: 'clockwork', everyMs: 60_000 },
  }
  const { crawler, village, clock } = box([busy, { ...quietNewspaperSite, name: 'page' }], {
    through,
    push: PUSH,
    articles: { preference: 'always', backlog: 3 },
  })
  const { url } = village.site('gazette').feeds[0]!
  await crawler.subscribe([{ url, kind: 'feed' }])
  const { home } = village.site('page')
  await crawler.subscribe([{ url: home, kind: 'any' }])
  await clock.advance(3 * HOUR)

  const ofGazette = heard.filter((one) => !one.url.startsWith(home))
  for (const part of ['/feed', '/feed?page=2', '/robots.txt', 'hub.localhost'])
    expect(ofGazette.some((one) => one.url.includes(part))).toBe(true)
  expect(new Set(ofGazette.map(({ named }) => named))).toEqual(new Set([url]))
  const looked = heard.filter((one) => one.url.startsWith(home))
  expect(looked[0]).toEqual({ url: home, named: home })
  expect(new Set(looked.slice(0, 2).map(({ named }) => named))).toEqual(new Set([home]))
})

it('a feed is sought at its site in its own name', async () => {
  const { heard, through } = listening()
  const { crawler, village, clock, store } = box([quietNewspaperSite], { through })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  const [held] = await store.feeds({ order: 'id', limit: 1 })
  village.site('gazette').trouble({ kind: 'status', status: 404 }, { path: '/feed' })
  await clock.advance(5 * DAY)
  const { home } = village.site('gazette')
  const sought = heard.filter(({ url }) => url === home)
  expect(sought).toHaveLength(2) // on the third day, and a day later
  expect(new Set(heard.map(({ named }) => named))).toEqual(new Set([held!.feed.url]))
})
