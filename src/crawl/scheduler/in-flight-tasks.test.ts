/** In-flight tasks, with a queue that loses, duplicates and delays, and fetchers whose clocks are wrong. */
import { describe, expect, it } from 'vitest'
import {
  createCrawlHarness,
  internalErrors,
  newspaperSite,
  START,
  subscribeFeeds,
} from '../../../test/crawl-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE, type Outcome, type PollTask } from '../../model/index.ts'
import type { Clock, Queue } from '../../ports/index.ts'
import { createInFlightTasks, LEASE_MS } from './in-flight-tasks.ts'

const poll = (id: number): PollTask => {
  const url = address(`https://f${id}.example/feed`)
  return { kind: 'poll', feedId: id as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 }
}
const outcomeOf = (task: PollTask, at: number): Outcome => {
  return { task, at, tookMs: 1, bytes: 1, result: { kind: 'not-modified', by: 'server', restMs: 0 } }
}

describe('an in-flight task', () => {
  it('completes once, and is dated by its start', () => {
    const inFlight = createInFlightTasks()
    const task = inFlight.start(poll(1), START)
    expect(inFlight.complete(outcomeOf(task, START - HOUR))?.at).toBe(START)
    expect(inFlight.complete(outcomeOf(task, START))).toBeUndefined()
    expect(inFlight.size).toBe(0)
  })

  it('does not complete after it expired, even if a task with the same name started since', () => {
    const inFlight = createInFlightTasks()
    const lost = inFlight.start(poll(1), START)
    const later = inFlight.start(poll(2), START + MINUTE)
    expect(inFlight.nextExpiryAt()).toBe(START + LEASE_MS)
    expect(inFlight.expire(START + LEASE_MS - 1)).toEqual([])
    expect(inFlight.expire(START + LEASE_MS).map(({ task }) => task)).toEqual([lost])
    const again = inFlight.start(poll(1), START + LEASE_MS)
    expect(inFlight.complete(outcomeOf(lost, START))).toBeUndefined()
    expect(inFlight.all().map(({ task }) => task)).toEqual([later, again])
    expect(inFlight.complete(outcomeOf(again, START))).toBeDefined()
  })
})

/** Independent sites, each with one feed that publishes every twenty minutes. */
const sites = (count: number) => Array.from({ length: count }, (_, i) => ({ ...newspaperSite, name: `paper${i}` }))

describe('with an unreliable queue', () => {
  it('lost tasks free their slot and host slots when their lease ends', async () => {
    let left = 3
    const wrapQueue = (queue: Queue): Queue => ({
      ...queue,
      send: (tasks) => queue.send(tasks.filter(() => left-- <= 0)),
    })
    const { crawler, village, clock, store } = createCrawlHarness(sites(10), { concurrency: 3, wrapQueue })
    await subscribeFeeds(crawler, village)
    await clock.advance(9 * MINUTE)
    expect((await store.counts()).polls).toBe(0)
    await clock.advance(10 * MINUTE)
    expect((await store.counts()).unpolled).toBe(0)
    await clock.advance(3 * HOUR)
    const polls = await store.polls({ limit: 999 })
    expect(new Set(polls.map(({ feedId }) => feedId)).size).toBe(10)
    expect(polls.length).toBeGreaterThanOrEqual(30)
  })

  it('counts a duplicated outcome once, as a poll and as a refusal', async () => {
    const one = createCrawlHarness(sites(1), { queueFaults: { outcomeDuplicationRate: 1 } })
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(3 * HOUR)
    const requests = one.village.requests.length
    expect((await one.store.counts()).polls).toBe(requests)
    expect(one.crawler.activity().totals.polls).toBe(requests)
    one.village.site('paper0').addFault({ kind: 'status', status: 429 })
    await one.clock.advance(HOUR)
    expect((await one.store.hosts()).map(({ strikes }) => strikes)).toEqual([1])
    expect(internalErrors(one.events)).toEqual([])
  })

  it('stores every entry once, whatever is lost and duplicated', async () => {
    const { crawler, village, clock, store, events } = createCrawlHarness(sites(6), {
      queueFaults: { taskLossRate: 0.1 },
    })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * DAY)
    for (const site of village.sites) {
      const published = site.published(START, clock.now() - 3 * HOUR).length
      const feed = (await store.feeds({ order: 'id', limit: 9 })).find(({ feed }) => feed.url === site.feeds[0]!.url)!
      const entries = await store.entries({ feedId: feed.feed.id, since: START, limit: 999 })
      expect(entries.length).toBeGreaterThanOrEqual(published)
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
    }
    expect(internalErrors(events)).toEqual([])
  })

  it('accepts all outcomes of fetchers whose clock is an hour behind', async () => {
    const fetcherClock = (clock: Clock) => ({ ...clock, now: () => clock.now() - HOUR })
    const { crawler, village, clock, store } = createCrawlHarness(sites(1), { fetcherClock })
    await subscribeFeeds(crawler, village)
    await clock.advance(6 * HOUR)
    const polls = await store.polls({ limit: 99 })
    expect(polls.length).toBe(village.requests.length)
    expect(polls.length).toBeLessThanOrEqual(8)
    expect(polls.every(({ at }) => at >= START)).toBe(true)
  })
})
