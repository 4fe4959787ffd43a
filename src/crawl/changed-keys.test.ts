/** Feeds that change the keys of their entries: the entries stay the same. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { HOUR } from '../model/index.ts'

interface Item {
  guid: string
  title: string
  link: string
}

const TITLES = ['Low water', 'High water', 'Slack water', 'Spring tide', 'Neap tide']

function document(items: Item[]): string {
  const written = items.map(
    ({ guid, title, link }) =>
      `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>${link}</link></item>`,
  )
  return `<rss version="2.0"><channel><title>Tides</title>${written.join('')}</channel></rss>`
}

function itemsOf(guid: (n: number) => string, link: (n: number) => string): Item[] {
  return TITLES.map((title, n) => ({ guid: guid(n), title, link: link(n) }))
}

const WAYS: [string, Item[]][] = [
  [
    'https instead of http',
    itemsOf(
      (n) => `https://tides.example/?p=${n}`,
      (n) => `https://tides.example/${n}/`,
    ),
  ],
  [
    'another kind of guid',
    itemsOf(
      (n) => `7f3a-${n}`,
      (n) => `http://tides.example/${n}/`,
    ),
  ],
  [
    'no trailing slash',
    itemsOf(
      (n) => `http://tides.example/${n}`,
      (n) => `http://tides.example/${n}`,
    ),
  ],
]

it.each(WAYS)('%s: recognizes all entries, and a headline corrected later', async (_, items) => {
  const before = itemsOf(
    (n) => `http://tides.example/?p=${n}`,
    (n) => `http://tides.example/${n}/`,
  )
  const faultWith = (items: Item[]) =>
    ({ kind: 'document', text: document(items), type: 'application/rss+xml' }) as const
  const site: SiteSpec = { name: 'tides', feeds: [{ path: '/feed', fault: faultWith(before) }] }
  const { village, clock, store, crawler, events } = createCrawlHarness([site], { strategy: 'fixed:1h' })
  const say = (items: Item[]) => {
    village.site('tides').addFault(faultWith(items))
    return clock.advance(2 * HOUR)
  }
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR / 2)
  const first = await store.entries({ limit: 99 })
  expect(first).toHaveLength(5)

  const fresh: Item = { guid: 'new', title: 'A new moon', link: 'https://tides.example/moon' }
  await say([fresh, ...items])
  const second = await store.entries({ limit: 99 })
  expect(second).toHaveLength(6)
  const keys = items.map(({ guid }) => guid)
  expect(
    second
      .filter(({ key }) => keys.includes(key))
      .map(({ id }) => id)
      .sort(),
  ).toEqual(first.map(({ id }) => id).sort())

  await say([fresh, { ...items[0]!, title: 'Lowest water' }, ...items.slice(1)])
  const third = await store.entries({ limit: 99 })
  expect(third).toHaveLength(6)
  const corrected = third.find(({ title }) => title === 'Lowest water')
  expect((await store.versions(corrected!.id)).map(({ title }) => title)).toContain('Low water')
  expect(internalErrors(events)).toEqual([])
})
