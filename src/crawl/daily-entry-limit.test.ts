/** The daily limit of new entries per feed: for polls and pushes together, in many small documents, and after a restart. */
import { expect, test } from 'vitest'
import { createRecorderHarness } from '../../test/recorder-harness.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, type Instant, MINUTE, type Outcome } from '../model/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { readAnswer } from './fetcher/read-feed.ts'
import { feedToAdd } from './index.ts'
import { MAX_ENTRIES_PER_DAY } from './recorder/chunked-writes.ts'

const START = Date.UTC(2026, 0, 5, 8)
const URL = address('https://flood.example/feed')

function documentOf(from: number, count: number): Uint8Array {
  const item = (n: number) => `<item><guid>e${n}</guid><title>No. ${n}</title></item>`
  const items = Array.from({ length: count }, (_, i) => item(from + i)).join('')
  return new TextEncoder().encode(`<rss version="2.0"><channel><title>Flood</title>${items}</channel></rss>`)
}

async function flooded(store = createMemoryStore()) {
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([
    feedToAdd({ url: URL, title: 'Flood', siteUrl: address('https://flood.example/') }, 'fixed:1h', START),
  ])
  const { recorder, events } = createRecorderHarness(store, START)
  const scheduled = async () => (await store.feedsById([id]))[0]!
  const entries = async () => (await store.counts()).entries
  const left = () => events.reduce((sum, event) => sum + (event.kind === 'flood' ? event.left : 0), 0)

  async function poll(at: Instant, from: number, count: number, older?: true): Promise<void> {
    const body = documentOf(from, count)
    const headers = { etag: '"1"' }
    const read = readAnswer({ ok: true, status: 200, url: URL, redirects: [], headers, body, wireBytes: 1 }, at)
    if (read.kind !== 'reading') throw new Error('it is a feed')
    const task = { kind: 'poll' as const, feedId: id, url: URL, validators: {}, subscribers: 1, gapMs: 0 }
    const outcome: Outcome = {
      task: older ? { ...task, older } : task,
      at,
      tookMs: 1,
      bytes: 1,
      result: { kind: 'window', reading: read.reading },
    }
    await recorder.record([outcome], new Set())
  }
  const push = async (at: Instant, from: number, count: number) =>
    recorder.recordPush(await scheduled(), { headers: {}, body: documentOf(from, count) }, at)
  return { store, id, scheduled, entries, left, poll, push, events }
}

test('limits the new entries of many small polls per day, and stores the rest another day', async () => {
  const { poll, entries, left, scheduled } = await flooded()
  for (let i = 0; i < 60; i++) await poll(START + i * 10 * MINUTE, i * 400, 400)
  expect(await entries()).toBe(MAX_ENTRIES_PER_DAY)
  expect(left()).toBe(60 * 400 - MAX_ENTRIES_PER_DAY)
  expect((await scheduled()).feed.validators).toEqual({}) // the next poll is unconditional, to get the rest
  await poll(START + 2 * DAY, 59 * 400, 400)
  expect(await entries()).toBe(MAX_ENTRIES_PER_DAY + 400)
  expect((await scheduled()).feed.validators).toEqual({ etag: '"1"' })
})

test('limits pushes, polls and pushes together, and after a restart', async () => {
  const first = await flooded()
  for (let i = 0; i < 3; i++) await first.push(START + i, i * 5000, 5000)
  const second = await flooded(first.store)
  await Promise.all([second.push(START + MINUTE, 15_000, 4000), second.poll(START + MINUTE, 20_000, 4000)])
  expect(await first.entries()).toBeLessThanOrEqual(MAX_ENTRIES_PER_DAY) // half-written entries count as written and as pending
  await second.push(START + 2 * MINUTE, 30_000, 5000)
  expect(await second.push(START + 3 * MINUTE, 40_000, 5000)).toEqual({ fresh: [], changed: 0 })
  expect(await first.entries()).toBe(MAX_ENTRIES_PER_DAY)
  expect(second.left()).toBe(15_000 + 4000 + 4000 + 5000 + 5000 - MAX_ENTRIES_PER_DAY)
  expect((await second.scheduled()).feed.validators).toEqual({})
})

test('limits entries of older documents', async () => {
  const { store, id, poll, entries } = await flooded()
  await poll(START, 0, 9000)
  for (const [i, left] of [4, 3, 2, 1].entries()) {
    const followUp = { kind: 'backfill', url: URL, left, resumeAt: START + DAY } as const
    await store.changeFeed(id, { followUp })
    await poll(START + (i + 1) * MINUTE, 9000 * (i + 1), 9000, true)
  }
  expect(await entries()).toBe(MAX_ENTRIES_PER_DAY)
})
