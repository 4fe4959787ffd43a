/** The order of entries whose feeds give few dates. */
import { expect, it } from 'vitest'
import { createCrawlHarness, START, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { DAY, HOUR, sortAt } from '../model/index.ts'

function siteOf(name: string, text: string, type: string): SiteSpec {
  return {
    name,
    rhythm: { kind: 'daily', hour: 3 },
    feeds: [{ path: '/feed', fault: { kind: 'document', text, type } }],
  }
}

it('dates entries that have only a modification date by it', async () => {
  const dates = ['2025-12-30', '2024-06-01', '2016-02-03']
  const entries = dates.map(
    (day, i) => `<entry><id>tag:${i}</id><title>v${9 - i}</title><updated>${day}T10:00:00Z</updated></entry>`,
  )
  const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>${entries.join('')}</feed>`
  const one = createCrawlHarness([siteOf('forge', text, 'application/atom+xml')])
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(HOUR)
  const listed = await one.store.entries({ limit: 9 })
  expect(
    listed.map((entry) => [entry.title, new Date(sortAt(entry, entry.seenAt)).toISOString().slice(0, 10)]),
  ).toEqual([
    ['v9', '2025-12-30'],
    ['v8', '2024-06-01'],
    ['v7', '2016-02-03'],
  ])
})

it('keeps the order of 151 entries without dates, and does not list them before new entries', async () => {
  const items = Array.from({ length: 151 }, (_, i) => `<item><guid>${i}</guid><title>Link ${i}</title></item>`)
  const text = `<rss version="2.0"><channel><title>Links</title>${items.join('')}</channel></rss>`
  const paper: SiteSpec = { name: 'paper', rhythm: { kind: 'clockwork', everyMs: HOUR }, feeds: [{ path: '/feed' }] }
  const one = createCrawlHarness([siteOf('links', text, 'application/rss+xml'), paper], { strategy: 'fixed:1h' })
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(2 * HOUR)
  const listed = await one.store.entries({ limit: 200 })
  const own = listed.filter(({ title }) => title.startsWith('Link '))
  expect(own.map(({ title }) => title)).toEqual(Array.from({ length: 151 }, (_, i) => `Link ${i}`))
  expect(listed.slice(0, 12).some(({ title }) => title.startsWith('Link '))).toBe(false)
  expect(sortAt(own[0]!, own[0]!.seenAt)).toBeLessThan(START - DAY / 2)
})
