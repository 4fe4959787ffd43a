import { describe, expect, test } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { parseFeed } from '../../feeds/index.ts'
import { SECOND } from '../../model/index.ts'
import { DEFAULT_SITES, LIVELY_SITES } from './default-sites.ts'
import type { Fault } from './spec.ts'
import { createVillage, type VillageFeed } from './village.ts'

const START = Date.UTC(2030, 2, 6, 15, 35)
const READABLE: Fault['kind'][] = ['moved', 'broken-xml', 'rush-hour'] // a minute without rush hour

describe.each([
  ['default', DEFAULT_SITES],
  ['lively', LIVELY_SITES],
])('%s sites', (_, sites) => {
  const village = createVillage({ clock: createSteppedClock(START), sites })

  async function read(feed: VillageFeed) {
    const answer = await village.net().get({ url: feed.url })
    if (!answer.ok || answer.status !== 200) return undefined
    const contentType = answer.headers['content-type']!
    return parseFeed(answer.body, { url: answer.url, contentType })
  }

  const feeds = village.sites.flatMap((site) => site.feeds.map((feed) => ({ site, feed })))

  test.each(feeds.filter(({ feed }) => !feed.fault || READABLE.includes(feed.fault.kind)))(
    '$feed.url can be read, and contains what was published',
    async ({ site, feed }) => {
      const parsed = await read(feed)
      if (parsed?.kind !== 'feed') throw new Error(`${feed.url} is not a feed`)
      const { facts, entries } = parsed
      if (feed.fault?.kind !== 'moved') expect(facts.format).toBe(feed.format ?? 'rss')
      expect(facts.title).toContain(site.title)
      expect(entries.length).toBeGreaterThan(0)
      for (const { title, publishedAt } of entries) {
        expect(publishedAt === undefined).toBe(feed.dated === false)
        if (publishedAt === undefined || feed.about === 'comments') continue
        const titles = site.published(publishedAt - SECOND, publishedAt + SECOND).map((post) => post.title)
        expect(titles).toContain(title.replace(/ \((corrected|berichtigt|corrigé)\)$/, ''))
      }
    },
  )

  test.each(feeds.filter(({ feed }) => feed.fault && !READABLE.includes(feed.fault.kind)))(
    '$feed.url cannot be read',
    async ({ feed }) => {
      expect((await read(feed))?.kind).not.toBe('feed')
    },
  )
})
