/** The daily limit of article pages per feed: for polls and pushes together, and after a restart. */
import { expect, test } from 'vitest'
import { createRecorderHarness } from '../../test/recorder-harness.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, type Instant, MINUTE, type Outcome } from '../model/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { readAnswer } from './fetcher/read-feed.ts'
import { feedToAdd } from './index.ts'
import { MAX_ARTICLES_PER_DAY } from './recorder/chunked-writes.ts'

const START = Date.UTC(2026, 0, 5, 8)
const URL = address('https://flood.example/feed')

/** Each entry links to another domain. */
function documentOf(from: number, count: number, word: string): Uint8Array {
  const item = (n: number) =>
    `<item><guid>e${n}</guid><title>${word} ${n}</title><link>https://a${n}.example/story</link></item>`
  const items = Array.from({ length: count }, (_, i) => item(from + i)).join('')
  return new TextEncoder().encode(`<rss version="2.0"><channel><title>Flood</title>${items}</channel></rss>`)
}

async function flooded(store = createMemoryStore()) {
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([
    feedToAdd({ url: URL, title: 'Flood', siteUrl: address('https://flood.example/') }, 'fixed:1h', START),
  ])
  const { recorder, events } = createRecorderHarness(store, START, { preference: 'always', backlog: 20 })
  const pages = async () => (await store.counts()).articles.waiting
  const left = () => events.reduce((sum, event) => sum + (event.kind === 'flood' ? event.pagesLeft : 0), 0)

  async function poll(at: Instant, from: number, count: number, word = 'No.'): Promise<void> {
    const body = documentOf(from, count, word)
    const read = readAnswer({ ok: true, status: 200, url: URL, redirects: [], headers: {}, body, wireBytes: 1 }, at)
    if (read.kind !== 'reading') throw new Error('it is a feed')
    const outcome: Outcome = {
      task: { kind: 'poll', feedId: id, url: URL, validators: {}, subscribers: 1, gapMs: 0 },
      at,
      tookMs: 1,
      bytes: 1,
      result: { kind: 'window', reading: read.reading },
    }
    await recorder.record([outcome], new Set())
  }
  async function push(at: Instant, from: number, count: number) {
    const [scheduled] = await store.feedsById([id])
    await recorder.recordPush(scheduled!, { headers: {}, body: documentOf(from, count, 'No.') }, at)
  }
  return { store, pages, left, poll, push }
}

test('limits the pages fetched for polls per day, and fetches more another day', async () => {
  const { poll, pages, left, store } = await flooded()
  await poll(START, 0, 20)
  for (let i = 1; i < 8; i++) await poll(START + i * HOUR, i * 400, 400)
  expect(await pages()).toBe(MAX_ARTICLES_PER_DAY)
  expect(left()).toBe(20 + 7 * 400 - MAX_ARTICLES_PER_DAY)
  expect((await store.counts()).entries).toBe(20 + 7 * 400) // the entries are stored in any case
  await poll(START + 2 * DAY, 4000, 400)
  expect(await pages()).toBe(MAX_ARTICLES_PER_DAY + 400)
})

test('limits pages for pushes, polls and pushes together, and after a restart', async () => {
  const first = await flooded()
  await first.poll(START, 0, 20)
  await first.push(START + MINUTE, 1000, 1500)
  const second = await flooded(first.store)
  await Promise.all([second.push(START + HOUR, 3000, 900), second.poll(START + HOUR, 5000, 900)])
  expect(await first.pages()).toBeLessThanOrEqual(MAX_ARTICLES_PER_DAY)
  await second.push(START + 2 * HOUR, 7000, 1000)
  expect(await first.pages()).toBe(MAX_ARTICLES_PER_DAY)
})

test('limits pages of changed entries, whether they were fetched before or not', async () => {
  const { poll, pages, store } = await flooded()
  await poll(START, 0, 20)
  await poll(START + HOUR, 1000, 3000)
  await poll(START + 2 * HOUR, 1000, 3000, 'Number')
  expect(await pages()).toBe(MAX_ARTICLES_PER_DAY)
  expect(await store.countStoredSince([1 as FeedId], START - DAY)).toMatchObject([{ pages: MAX_ARTICLES_PER_DAY }])
})
