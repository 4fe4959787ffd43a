/**
 * Measures how long a round of 793 feeds takes (Adam et al. 2009, figure 3), in three setups: sequential without
 * memory; parallel without memory; and parallel with memory, polling only the feeds that are due.
 *
 * The real controller, fetcher, queue and in-memory store, on the real clock; the web is a Net with a delay. Without
 * memory, each response is a different document; with memory, validators are sent and answered with 304.
 */

import { systemClock } from '../../clocks/index.ts'
import { createController, createFetcher, feedToAdd, fixedPrice } from '../../crawl/index.ts'
import { HOUR, MINUTE, type Millis, type WebAddress, webAddress } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import { type Clock, type Net, rolesOf } from '../../ports/index.ts'
import { createInProcessQueue } from '../../queues/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

export interface RoundTimes {
  feeds: number
  answerMs: Millis
  rows: { setUp: string; slots: number; requested: number; tookMs: Millis }[]
}

const FEEDS = 793
const ANSWER_MS: Millis = 25
const SLOTS = 64
const ENTRIES = 20

/** `share`: of the feeds that the adaptive strategy polls in a round. */
export async function roundTimes(share: number, feeds = FEEDS, answerMs = ANSWER_MS): Promise<RoundTimes> {
  const due = Math.max(1, Math.round(share * feeds))
  const setUps = [
    { setUp: 'one after the other, nothing remembered', slots: 1, requested: feeds, remembers: false },
    { setUp: 'many at once, nothing remembered', slots: SLOTS, requested: feeds, remembers: false },
    { setUp: 'many at once, with adaptation', slots: SLOTS, requested: due, remembers: true },
  ]
  const rows: RoundTimes['rows'] = []
  for (const { setUp, slots, requested, remembers } of setUps) {
    const tookMs = await timed({ feeds, slots, requested, remembers, answerMs })
    rows.push({ setUp, slots, requested, tookMs })
  }
  return { feeds, answerMs, rows }
}

async function timed(setUp: { feeds: number; slots: number; requested: number; remembers: boolean; answerMs: Millis }) {
  const clock = systemClock()
  const store = createMemoryStore()
  const queue = createInProcessQueue({ concurrency: setUp.slots })
  let polled = 0
  const controller = createController({
    ...rolesOf(store),
    queue,
    clock,
    hostQueue: createHostQueue({ gapMs: 0 }),
    slots: () => setUp.slots,
    budget: fixedPrice(HOUR, LIMITS),
    strategy: 'fixed:1d',
    random: () => 0.5,
    knownBy: 'key',
    emit: (event) => {
      if (event.kind === 'polled') polled++
    },
  })
  queue.collect(controller.apply)
  let waitMs = 0
  queue.serve(createFetcher({ clock, obeyRobots: 'guesses', net: slowWeb(clock, () => waitMs, setUp.remembers) }))
  const started = clock.now()
  const added = await store.addFeeds(
    Array.from({ length: setUp.feeds }, (_, i) => feedToAdd({ url: addressOf(i), title: `${i}` }, 'fixed:1d', started)),
  )
  await controller.begin()
  await untilPolled(setUp.feeds)

  waitMs = setUp.answerMs
  for (const { id } of added.slice(0, setUp.requested)) await store.changeFeed(id, {}, { dueAt: clock.now() })
  const from = performance.now()
  await untilPolled(setUp.feeds + setUp.requested)
  const tookMs = performance.now() - from
  await queue.close()
  return tookMs

  async function untilPolled(polls: number): Promise<void> {
    const giveUpAt = clock.now() + 10 * MINUTE
    while (polled < polls && clock.now() < giveUpAt) {
      await controller.tick()
      await controller.waitUntilIdle()
    }
  }
}

function slowWeb(clock: Clock, waitMs: () => Millis, remembers: boolean): Net {
  let requestCount = 0
  return {
    async get({ url, headers }) {
      const wait = waitMs()
      if (wait > 0) await clock.sleepUntil(clock.now() + wait)
      const number = requestCount++
      const answer = { ok: true as const, url: url as WebAddress, redirects: [], headers: { etag: '"1"' } }
      const isKnown = remembers && Object.keys(headers ?? {}).some((name) => /if-none-match/i.test(name))
      if (isKnown) return { ...answer, status: 304, body: new Uint8Array(), wireBytes: 0 }
      const items = Array.from({ length: ENTRIES }, (_, i) => ({ id: `${url} ${i}`, title: `No. ${i}` }))
      const document = { version: 'https://jsonfeed.org/version/1.1', title: 'a feed', description: `${number}`, items }
      const body = new TextEncoder().encode(JSON.stringify(document))
      return { ...answer, headers: remembers ? answer.headers : {}, status: 200, body, wireBytes: body.length }
    },
    post: () => Promise.reject(new Error('nobody posts here')),
    close: async () => {},
  }
}

function addressOf(number: number): WebAddress {
  return webAddress(`http://feed-${number}.example/feed.json`)!
}
