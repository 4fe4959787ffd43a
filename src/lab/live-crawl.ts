/**
 * Runs the whole crawl through feeds' histories: the real controller, fetcher, queue, store and market, on a clock
 * that jumps from one due date to the next, with a Net that serves each history as a feed. Slower than a replay, but
 * the reference for it, because only time and network are simulated.
 */

import { createSteppedClock } from '../clocks/index.ts'
import { createBudget, createController, createFetcher, feedToAdd, fixedPrice } from '../crawl/index.ts'
import { type Instant, type Millis, type PollingGoals, SECOND, type WebAddress, webAddress } from '../model/index.ts'
import { createHostQueue } from '../politeness/index.ts'
import { type Clock, type Net, rolesOf } from '../ports/index.ts'
import { createInProcessQueue } from '../queues/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { countUpTo, wholeSecond } from './instants.ts'
import type { ReplaySpan } from './replay.ts'

export interface LiveCrawlResult {
  /** When each feed was polled, in order of the histories. */
  polls: Instant[][]
  /** The final price of a poll. */
  price: Millis
}

/** The crawl counts as stuck after this many consecutive ticks without a poll. */
const MAX_IDLE_TICKS = 100

/** Between the first polls of two feeds, so that none has to wait for another. */
export const FIRST_POLL_GAP_MS: Millis = SECOND

export interface LiveCrawlOptions {
  /** With a budget the market sets the price; otherwise it is the span's constant price. */
  pollsPerDay?: number | 'auto'
  /** Preferences of folders, and the folder of each history. */
  folders?: ReadonlyMap<string, PollingGoals>
  folderOf?: (number: number) => string | undefined
  /** Size of each response; that of its document by default. */
  bytesOf?: (number: number) => number | undefined
}

/** Each history is ascending. */
export async function runLiveCrawl(
  histories: readonly (readonly Instant[])[],
  strategy: string,
  span: ReplaySpan,
  { pollsPerDay, folders = new Map(), folderOf = () => undefined, bytesOf = () => undefined }: LiveCrawlOptions = {},
): Promise<LiveCrawlResult> {
  const clock = createSteppedClock(span.from)
  const store = createMemoryStore()
  const polls: Instant[][] = histories.map(() => [])
  const mistakes: unknown[] = []
  const queue = createInProcessQueue({ concurrency: 1, onInternalError: (error) => mistakes.push(error) })
  const { limits } = span
  const budget =
    pollsPerDay === undefined
      ? fixedPrice(span.price, limits)
      : createBudget(rolesOf(store), { limits, pollsPerDay }, span.from)
  const controller = createController({
    ...rolesOf(store),
    queue,
    clock,
    hostQueue: createHostQueue({ gapMs: 0 }),
    slots: () => 1,
    budget,
    strategy,
    random: () => 0.5,
    knownBy: 'key',
    emit(event) {
      if (event.kind === 'polled' && event.result.kind !== 'failed') polls[numberOf(event.url)]?.push(event.at)
      else mistakes.push(event)
    },
  })
  queue.collect(controller.apply)
  queue.serve(createFetcher({ clock, obeyRobots: 'guesses', net: historyNet(histories, span.window, clock, bytesOf) }))
  await store.addFeeds(
    histories.map((_, i) =>
      feedToAdd(
        { url: addressOf(i), title: `history ${i}`, folder: folderOf(i) ?? '' },
        strategy,
        span.from + i * FIRST_POLL_GAP_MS,
      ),
    ),
  )
  for (const [folder, preferences] of folders) await store.changePollSettings({ folder, goals: preferences })
  await controller.begin()

  const nextAt = async () =>
    Math.min(
      (await store.nextDue()).pollAt ?? Number.POSITIVE_INFINITY,
      controller.nextSelectionAt() ?? Number.POSITIVE_INFINITY,
    )
  let idle = 0
  for (let at = await nextAt(); at < span.to; at = await nextAt()) {
    await clock.advanceTo(at)
    const sent = await controller.tick()
    await controller.waitUntilIdle()
    idle = sent > 0 ? 0 : idle + 1
    if (idle > MAX_IDLE_TICKS * (histories.length + 1) || mistakes.length > 0)
      throw new Error(`the crawl could not poll at ${new Date(at).toISOString()}`, { cause: mistakes[0] })
  }
  await queue.close()
  return { polls, price: (await store.market())?.price ?? span.price }
}

function addressOf(number: number): WebAddress {
  return webAddress(`http://history-${number}.example/feed.json`)!
}

function numberOf(url: string): number {
  return Number(/history-(\d+)/.exec(url)?.[1])
}

/** Serves what was published by now, in a document that only changes with new entries. */
function historyNet(
  histories: readonly (readonly Instant[])[],
  window: number,
  clock: Clock,
  bytesOf: NonNullable<LiveCrawlOptions['bytesOf']>,
): Net {
  return {
    async get({ url }) {
      const number = numberOf(url)
      const published = histories[number] ?? []
      const upTo = countUpTo(published, clock.now())
      const first = Math.max(0, upTo - window)
      const items = published.slice(first, upTo).map((at, i) => ({
        id: `${first + i}`,
        title: `No. ${first + i}`,
        date_published: new Date(wholeSecond(at)).toISOString(),
      }))
      const document = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'history', items })
      const body = new TextEncoder().encode(document)
      const wireBytes = bytesOf(number) ?? body.length
      return { ok: true, status: 200, url: addressOf(number), redirects: [], headers: {}, body, wireBytes }
    },
    post: () => Promise.reject(new Error('a history takes no forms')),
    close: async () => {},
  }
}
