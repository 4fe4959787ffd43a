/** A store that refuses for a while, or for good, under a running crawl. */
import { describe, expect, test } from 'vitest'
import { box, mistakes, newspaperSite, subscribeFeeds } from '../../test/crawl-harness.ts'
import { HOUR, MINUTE, SECOND } from '../model/index.ts'
import { type Store, StoreError } from '../ports/index.ts'
import { createMemoryStore } from '../stores/index.ts'

const FULL = new StoreError('no-access', 'could not write to news.db: the disk is full', 'Make room.', {
  isPassing: true,
})
const DAMAGED = new StoreError('not-a-store', 'could not write to news.db: it is damaged', 'Restore it.')

const READS = [
  'counts',
  'everyFeed',
  'everyFeedsReads',
  'feeds',
  'feedsById',
  'entries',
  'pushesOf',
  'hosts',
  'hostsNamed',
  'folders',
  'market',
  'close',
]

/** Refuses everything that writes, as long as `error` is there. */
function refusingStore() {
  const store = createMemoryStore()
  const held: { error?: StoreError; onceTaken?: StoreError; refused: string[] } = { refused: [] }
  const refusing = new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (name === 'takeDue' && held.onceTaken) queueMicrotask(() => Object.assign(held, { error: held.onceTaken }))
        if (!held.error || READS.includes(name)) return method.apply(target, args)
        held.refused.push(name)
        return Promise.reject(held.error)
      }
    },
  })
  return { store: refusing, held }
}

describe('a store that refuses for a while', () => {
  test('is asked again ever more seldom, and polls go on when it is well', async () => {
    const { store, held } = refusingStore()
    const { clock, village, crawler, server, events } = box([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * HOUR)
    const before = (await store.counts()).polls
    expect(before).toBeGreaterThanOrEqual(2)

    held.error = FULL
    await clock.advance(HOUR)
    const health = await server.app.request('http://127.0.0.1/healthz')
    expect(health.status).toBe(503)
    expect(await health.json()).toMatchObject({ ok: false, error: FULL.message, hint: FULL.hint })
    expect(held.refused.length).toBeLessThan(4 * 60)
    const written = await server.app.request('http://127.0.0.1/api/v1/feeds/1/poll', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(written.status).toBe(503)
    expect(events.filter(({ kind }) => kind === 'store-refuses')).toHaveLength(1)

    delete held.error
    for (let minute = 0; minute < 3; minute++) await clock.advance(MINUTE)
    expect((await server.app.request('http://127.0.0.1/healthz')).status).toBe(200)
    expect(events.filter(({ kind }) => kind === 'store-well')).toHaveLength(1)
    await clock.advance(2 * HOUR)
    expect((await store.counts()).polls).toBeGreaterThanOrEqual(before + 2)
    expect(mistakes(events)).toEqual([])
  })

  test('gets what was under way, and the site is not asked for it again', async () => {
    const { store, held } = refusingStore()
    const { clock, village, crawler } = box([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    held.onceTaken = FULL
    await clock.advance(10 * SECOND)
    expect((await store.counts()).polls).toBe(0)
    const asked = village.requests.length
    delete held.onceTaken
    delete held.error
    await clock.advance(2 * MINUTE)
    expect((await store.counts()).polls).toBe(1)
    expect(await store.entries({ limit: 99 })).toHaveLength(20)
    expect(village.requests).toHaveLength(asked)
  })

  test('does not keep the crawl from stopping', async () => {
    const { store, held } = refusingStore()
    const { clock, village, crawler, stop } = box([newspaperSite], { store })
    await subscribeFeeds(crawler, village)
    held.error = FULL
    await clock.advance(HOUR)
    await stop()
  })
})

test('a store that is damaged ends the crawl, with what is wrong with it', async () => {
  const { store, held } = refusingStore()
  const one = box([newspaperSite], { store })
  const { clock, village, crawler, running } = one
  await subscribeFeeds(crawler, village)
  await clock.advance(HOUR)
  one.mayEndWith = DAMAGED
  const ended = running.catch((error: unknown) => error)
  held.error = DAMAGED
  await clock.advance(2 * HOUR)
  expect(await ended).toBe(DAMAGED)
  delete held.error
})

test('who does one thing and ends is told at once that the store refuses', async () => {
  const { store, held } = refusingStore()
  const { village, crawler } = box([newspaperSite], { store, isIdle: true })
  await subscribeFeeds(crawler, village)
  held.onceTaken = FULL
  await expect(crawler.runOnce(new AbortController().signal)).rejects.toBe(FULL)
})
