/** Media of entries, in the village: a podcast with transcripts, and a feed of pictures. */
import { expect, it } from 'vitest'
import { createCrawlHarness, internalErrors, subscribeFeeds } from '../../test/crawl-harness.ts'
import type { SiteSpec } from '../lab/index.ts'
import { bestPicture, DAY, HOUR, recordingOf } from '../model/index.ts'

const podcast: SiteSpec = {
  name: 'burrow',
  voice: 'podcast',
  rhythm: { kind: 'clockwork', everyMs: 6 * HOUR },
  feeds: [{ path: '/feed', content: 'full' }],
}

it('stores an episode with its audio file, and fetches its transcript', async () => {
  const one = createCrawlHarness([podcast], { articles: { preference: 'auto', backlog: 3 } })
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(DAY)
  const [entry] = await one.store.entries({ limit: 1 })
  const recording = recordingOf(entry?.media)
  expect(recording).toMatchObject({ kind: 'audio', type: 'audio/wav', bytes: 180_044 })
  const answer = await one.village
    .net()
    .get({ url: recording!.url, maxBytes: 200_000, signal: AbortSignal.timeout(1e6) })
  expect(answer).toMatchObject({ ok: true, status: 200 })
  expect(entry?.people).toEqual([
    { name: entry?.author, role: 'author' },
    { name: entry?.author, role: 'host' },
  ])
  expect(entry?.podcast).toMatchObject({ durationMs: 60_000, transcripts: [{ type: 'text/vtt' }] })
  expect(entry?.podcast?.chaptersUrl).toMatch(/\.chapters\.json$/)

  const [article] = await one.store.articlesOfEntries([entry!.id])
  expect(article).toMatchObject({ state: 'read', url: entry?.podcast?.transcripts?.[0]?.url })
  const [text] = await one.store.articleTexts([article!.id])
  expect(text!.text.startsWith(`${entry!.author}: `)).toBe(true)
  expect(article!.facts!.words).toBeGreaterThan(20)
  expect(internalErrors(one.events)).toEqual([])
})

it('fetches no transcripts if a user wants no articles', async () => {
  const one = createCrawlHarness([podcast], { articles: { preference: 'never', backlog: 3 } })
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(DAY)
  expect(one.village.requests.filter(({ url }) => url.endsWith('.vtt'))).toEqual([])
})

it('selects the best picture of a post', async () => {
  const one = createCrawlHarness([
    { name: 'photos', pictures: 'feed', rhythm: { kind: 'daily', hour: 6 }, feeds: [{ path: '/feed' }] },
  ])
  await subscribeFeeds(one.crawler, one.village)
  await one.clock.advance(DAY)
  const [entry] = await one.store.entries({ limit: 1 })
  expect(entry?.media).toMatchObject([{ width: 720, height: 480 }, { preview: true }])
  expect(bestPicture(entry?.media)?.url).toMatch(/\.png$/)
})
