/**
 * How long one round of 793 feeds takes (Adam et al. 2009, figure 3), in three set-ups: one after the other with nothing remembered; many
 * at once with nothing remembered; and many at once by who remembers what it has seen and asks only those whose turn it is.
 *
 * The real controller, terminal, queue and a store in memory, on the real clock; the web is a Net that takes its time to answer. Who
 * remembers nothing is shown a document that is another each time; the others have validators, and are answered 304.
 */

import { systemClock } from '../../clocks/index.ts'
import { createController, createTerminal, feedToAdd, fixedPrice } from '../../crawl/index.ts'
import { HOUR, MINUTE, type Millis, type WebAddress, webAddress } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import { type Clock, type Net, rolesOf } from '../../ports/index.ts'
import { createInProcessQueue } from '../../queues/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

export interface RoundTimes {
  feeds: number
  answerMs: Millis
  rows: { setUp: string; hands: number; asked: number; tookMs: Millis }[]
}

const FEEDS = 793
const ANSWER_MS: Millis = 25
const HANDS = 64
const ENTRIES = 20

/** `share`: of the feeds whose turn it is in a round, by the strategy that adapts. */
export async function roundTimes(share: number, feeds = FEEDS, answerMs = ANSWER_MS): Promise<RoundTimes> {
  const due = Math.max(1, Math.round(share * feeds))
  const setUps = [
    { setUp: 'one after the other, nothing remembered', hands: 1, asked: feeds, remembers: false },
    { setUp: 'many at once, nothing remembered', hands: HANDS, asked: feeds, remembers: false },
    { setUp: 'many at once, with adaptation', hands: HANDS, asked: due, remembers: true },
  ]
  const rows: RoundTimes['rows'] = []
  for (const { setUp, hands, asked, remembers } of setUps) {
    const tookMs = await timed({ feeds, hands, asked, remembers, answerMs })
    rows.push({ setUp, hands, asked, tookMs })
  }
  return { feeds, answerMs, rows }
}

async function timed(how: { feeds: number; hands: number; asked: number; remembers: boolean; answerMs: Millis }) {
  const clock = systemClock()
  const store = createMemoryStore()
  const queue = createInProcessQueue({ concurrency: how.hands })
  let polled = 0
  const controller = createController({
    ...rolesOf(store),
    queue,
    clock,
    pace: createPace({ gapMs: 0 }),
    hands: () => how.hands,
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
  queue.serve(createTerminal({ clock, obeyRobots: 'guesses', net: slowWeb(clock, () => waitMs, how.remembers) }))
  const started = clock.now()
  const added = await store.addFeeds(
    Array.from({ length: how.feeds }, (_, i) => feedToAdd({ url: addressOf(i), title: `${i}` }, 'fixed:1d', started)),
  )
  await controller.begin()
  await untilPolled(how.feeds)

  waitMs = how.answerMs
  for (const { id } of added.slice(0, how.asked)) await store.changeFeed(id, {}, { dueAt: clock.now() })
  const from = performance.now()
  await untilPolled(how.feeds + how.asked)
  const tookMs = performance.now() - from
  await queue.close()
  return tookMs

  async function untilPolled(polls: number): Promise<void> {
    const giveUpAt = clock.now() + 10 * MINUTE
    while (polled < polls && clock.now() < giveUpAt) {
      await controller.tick()
      await controller.landed()
    }
  }
}

function slowWeb(clock: Clock, waitMs: () => Millis, remembers: boolean): Net {
  let asked = 0
  return {
    async get({ url, headers }) {
      const wait = waitMs()
      if (wait > 0) await clock.sleepUntil(clock.now() + wait)
      const number = asked++
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
