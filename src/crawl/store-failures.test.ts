/** A store that fails transiently or permanently while the crawl runs. */
import { describe, expect, test } from 'vitest'
import { createCrawlHarness, internalErrors, newspaperSite, subscribeFeeds } from '../../test/crawl-harness.ts'
import { HOUR, MINUTE, SECOND } from '../model/index.ts'
import { type Store, StoreError } from '../ports/index.ts'
import { createMemoryStore } from '../stores/index.ts'

const FULL = new StoreError('no-access', 'could not write to news.db: the disk is full', 'Make room.', {
  isTransient: true,
})
const DAMAGED = new StoreError('not-a-store', 'could not write to news.db: it is damaged', 'Restore it.')

const READS = [
  'counts',
  'everyFeed',
  'everyFeedReads',
  'feeds',
  'feedsById',
  'entries',
  'hubSubscriptionsOf',
  'hosts',
  'hosts',
  'pollSettings',
  'market',
  'close',
]

/** Rejects all writes while `error` is set. */
function refusingStore() {
  const store = createMemoryStore()
  const state: { error?: StoreError; onceTaken?: StoreError; refused: string[] } = { refused: [] }
  const refusing = new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (name === 'leaseDue' && state.onceTaken)
          queueMicrotask(() => Object.assign(state, { error: state.onceTaken }))
        if (!state.error || READS.includes(name)) return method.apply(target, args)
        state.refused.push(name)
        return Promise.reject(state.error)
      }
    },
  })
  return { store: refusing, state }
}

describe('a store that fails transiently', () => {
  test('is retried with backoff, and polls go on when it works again', async () => {
    const { store, state } = refusingStore()
    const { clock, village, crawler, server, events } = createCrawlHarness([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    const before = (await store.counts()).polls
    expect(before).toBeGreaterThanOrEqual(2)

    state.error = FULL
    await clock.advance(HOUR)
    const health = await server.app.request('http://127.0.0.1/healthz')
    expect(health.status).toBe(503)
    expect(await health.json()).toMatchObject({ ok: false, error: FULL.message, hint: FULL.hint })
    expect(state.refused.length).toBeLessThan(4 * 60)
    const written = await server.app.request('http://127.0.0.1/api/v1/feeds/1/poll', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(written.status).toBe(503)
    expect(events.filter(({ kind }) => kind === 'store-unavailable')).toHaveLength(1)

    delete state.error
    for (let minute = 0; minute < 3; minute++) await clock.advance(MINUTE)
    expect((await server.app.request('http://127.0.0.1/healthz')).status).toBe(200)
    expect(events.filter(({ kind }) => kind === 'store-recovered')).toHaveLength(1)
    await clock.advance(2 * HOUR)
    expect((await store.counts()).polls).toBeGreaterThanOrEqual(before + 2)
    expect(internalErrors(events)).toEqual([])
  })

  test('gets the outcomes in flight, without another request to the site', async () => {
    const { store, state } = refusingStore()
    const { clock, village, crawler } = createCrawlHarness([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    state.onceTaken = FULL
    await clock.advance(10 * SECOND)
    expect((await store.counts()).polls).toBe(0)
    const requests = village.requests.length
    delete state.onceTaken
    delete state.error
    await clock.advance(2 * MINUTE)
    expect((await store.counts()).polls).toBe(1)
    expect(await store.entries({ limit: 99 })).toHaveLength(20)
    expect(village.requests).toHaveLength(requests)
  })

  test('does not keep the crawl from stopping', async () => {
    const { store, state } = refusingStore()
    const { clock, village, crawler, stop } = createCrawlHarness([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    state.error = FULL
    await clock.advance(HOUR)
    await stop()
  })
})

test('a damaged store ends the crawl with its error', async () => {
  const { store, state } = refusingStore()
  const one = createCrawlHarness([newspaperSite], { store })
  const { clock, village, crawler, running } = one
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  one.expectedError = DAMAGED
  const ended = running.catch((error: unknown) => error)
  state.error = DAMAGED
  await clock.advance(2 * HOUR)
  expect(await ended).toBe(DAMAGED)
  delete state.error
})

test('a single run fails at once if the store fails', async () => {
  const { store, state } = refusingStore()
  const { village, crawler } = createCrawlHarness([newspaperSite], { store, isIdle: true })
  await subscribeFeeds(crawler, village)
  state.onceTaken = FULL
  await expect(crawler.runOnce(new AbortController().signal)).rejects.toBe(FULL)
})
