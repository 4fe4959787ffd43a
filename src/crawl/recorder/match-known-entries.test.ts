/** Reused guids, through the whole crawl: documents change every hour, and no entry is duplicated or lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCrawlHarness, onlyFeed, quietNewspaperSite, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { type FeedId, HOUR } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore, openSqliteStore } from '../../stores/index.ts'
import { createWindowMatcher } from './match-known-entries.ts'

const item = (guid: string, path: string, title: string) =>
  `<item><guid>${guid}</guid><link>https://a.example/${path}</link><title>${title}</title></item>`
const rss = (...items: string[]) => `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`

it.each<[string, () => { store: Store; drop?: () => void }]>([
  ['in memory', () => ({ store: createMemoryStore() })],
  [
    'on disk',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
      const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => 0 })
      return { store, drop: () => rmSync(folder, { recursive: true }) }
    },
  ],
])('stores entries with a reused guid once each, and an edited entry as one: %s', async (_, open) => {
  const { store, drop } = open()
  const { crawler, village, clock, stop } = createCrawlHarness([quietNewspaperSite], { store })
  const one = item('g', '1', 'One')
  const two = item('g', '2', 'Two')
  const shows = async (...items: string[]) => {
    village.site('gazette').addFault({ kind: 'document', type: 'application/rss+xml', text: rss(...items) })
    await clock.advance(HOUR)
  }
  const titles = async () => (await store.entries({ limit: 99 })).map(({ title }) => title).sort()

  village.site('gazette').addFault({ kind: 'document', type: 'application/rss+xml', text: rss(one) })
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  await shows(two, one)
  expect(await titles()).toEqual(['One', 'Two'])
  await shows(one, two, item('h', '3', 'Three'))
  await shows(two)
  await shows(item('g', '2', 'Two, corrected'), item('h', '3', 'Three'))
  expect(await titles()).toEqual(['One', 'Three', 'Two, corrected'])
  await shows(one, item('g', '2', 'Two, corrected'))
  expect(await titles()).toEqual(['One', 'Three', 'Two, corrected'])

  const entries = await store.entries({ limit: 9 })
  const edited = entries.find(({ title }) => title === 'Two, corrected')
  expect((await store.versions(edited!.id)).map(({ title }) => title)).toEqual(['Two'])
  expect((await onlyFeed(store)).feed.gapAt).toBeUndefined()
  await stop()
  await store.close()
  drop?.()
})

it('matches a long window in chunks, even if all of it is new', async () => {
  const requested: number[] = []
  const memory = createMemoryStore()
  const pollResults: Store = {
    ...memory,
    knownEntries(questions) {
      requested.push(questions.reduce((sum, { keys }) => sum + keys.length, 0))
      return memory.knownEntries(questions)
    },
  }
  const [{ id: feedId } = { id: 0 as FeedId }] = await memory.addFeeds([newFeed('a')])
  await memory.recordPolls([record(feedId, START)])
  const entries = Array.from({ length: 3000 }, (_, i) => draft(`k${i}`, { url: `https://a.example/${i}` }))
  const reading = {
    facts: { format: 'rss' as const },
    entries,
    validators: {},
    bodyHash: '',
    windowHash: '',
    restMs: 0,
  }
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const matchWindows = createWindowMatcher({ catalogue: memory, pollResults, knownBy: 'key' })
  const [scheduled] = await memory.feedsById([feedId])
  const [matched] = await matchWindows([{ scheduled: scheduled!, reading }])
  clearImmediate(next)
  expect(matched?.knownEntries.keys.size).toBe(0)
  expect(requested.length).toBeGreaterThan(6)
  expect(Math.max(...requested)).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThanOrEqual(3000 / 500)
})
