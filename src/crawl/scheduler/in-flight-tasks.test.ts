/** What is under way, over a queue that loses, doubles and delays, and with terminals whose clocks are wrong. */
import { describe, expect, it } from 'vitest'
import { box, mistakes, newspaperSite, START, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE, type Outcome, type PollTask } from '../../model/index.ts'
import type { Clock, Queue } from '../../ports/index.ts'
import { createFlights, LEASE_MS } from './in-flight-tasks.ts'

const poll = (id: number): PollTask => {
  const url = address(`https://f${id}.example/feed`)
  return { kind: 'poll', feedId: id as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 }
}
const back = (task: PollTask, at: number): Outcome => {
  return { task, at, tookMs: 1, bytes: 1, result: { kind: 'not-modified', by: 'server', restMs: 0 } }
}

describe('a flight', () => {
  it('lands once, and is dated by its departure', () => {
    const flights = createFlights()
    const task = flights.depart(poll(1), START)
    expect(flights.land(back(task, START - HOUR))?.at).toBe(START)
    expect(flights.land(back(task, START))).toBeUndefined()
    expect(flights.size).toBe(0)
  })

  it('that was lost lands no more, whoever has departed in its place', () => {
    const flights = createFlights()
    const lost = flights.depart(poll(1), START)
    const later = flights.depart(poll(2), START + MINUTE)
    expect(flights.nextLossAt()).toBe(START + LEASE_MS)
    expect(flights.expire(START + LEASE_MS - 1)).toEqual([])
    expect(flights.expire(START + LEASE_MS).map(({ task }) => task)).toEqual([lost])
    const again = flights.depart(poll(1), START + LEASE_MS)
    expect(flights.land(back(lost, START))).toBeUndefined()
    expect(flights.all().map(({ task }) => task)).toEqual([later, again])
    expect(flights.land(back(again, START))).toBeDefined()
  })
})

/** Sites of their own, each with one feed that has news every twenty minutes. */
const sites = (count: number) => Array.from({ length: count }, (_, i) => ({ ...newspaperSite, name: `paper${i}` }))

describe('over a queue that cannot be relied on', () => {
  it('tasks that are lost keep no hand and no door longer than their lease', async () => {
    let left = 3
    const carriedBy = (queue: Queue): Queue => ({
      ...queue,
      send: (tasks) => queue.send(tasks.filter(() => left-- <= 0)),
    })
    const { crawler, village, clock, store } = box(sites(10), { concurrency: 3, carriedBy })
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

  it('an outcome that comes twice counts once, as a poll and as a refusal', async () => {
    const one = box(sites(1), { queueIs: { doublesOutcomes: 1 } })
    await subscribeFeeds(one.crawler, one.village)
    await one.clock.advance(3 * HOUR)
    const asked = one.village.requests.length
    expect((await one.store.counts()).polls).toBe(asked)
    expect(one.crawler.activity().totals.polls).toBe(asked)
    one.village.site('paper0').trouble({ kind: 'status', status: 429 })
    await one.clock.advance(HOUR)
    expect((await one.store.hosts()).map(({ strikes }) => strikes)).toEqual([1])
    expect(mistakes(one.events)).toEqual([])
  })

  it('all news arrives, once, whatever is lost and doubled', async () => {
    const { crawler, village, clock, store, events } = box(sites(6), { queueIs: { losesTasks: 0.1 } })
    await subscribeFeeds(crawler, village)
    await clock.advance(2 * DAY)
    for (const site of village.sites) {
      const published = site.published(START, clock.now() - 3 * HOUR).length
      const feed = (await store.feeds({ order: 'id', limit: 9 })).find(({ feed }) => feed.url === site.feeds[0]!.url)!
      const entries = await store.entries({ feedId: feed.feed.id, since: START, limit: 999 })
      expect(entries.length).toBeGreaterThanOrEqual(published)
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
    }
    expect(mistakes(events)).toEqual([])
  })

  it('terminals whose clock is an hour behind have all their answers taken', async () => {
    const terminalClock = (clock: Clock) => ({ ...clock, now: () => clock.now() - HOUR })
    const { crawler, village, clock, store } = box(sites(1), { terminalClock })
    await subscribeFeeds(crawler, village)
    await clock.advance(6 * HOUR)
    const polls = await store.polls({ limit: 99 })
    expect(polls.length).toBe(village.requests.length)
    expect(polls.length).toBeLessThanOrEqual(8)
    expect(polls.every(({ at }) => at >= START)).toBe(true)
  })
})
