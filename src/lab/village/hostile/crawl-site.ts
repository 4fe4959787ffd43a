/**
 * Crawls a hostile site: the real controller, fetcher and HTTP client on real sockets, an in-memory store, and a clock
 * that jumps to the next due date after each poll.
 */

import type { SteppedClock } from '../../../clocks/index.ts'
import { createController, createFetcher, feedToAdd, fixedPrice } from '../../../crawl/index.ts'
import { HOUR, MINUTE } from '../../../model/index.ts'
import { createHostQueue } from '../../../politeness/index.ts'
import { type Net, rolesOf } from '../../../ports/index.ts'
import { createInProcessQueue } from '../../../queues/index.ts'
import { createMemoryStore } from '../../../stores/index.ts'
import type { HostileServer } from './hostile-server.ts'
import { type CrawlOutcome, excerpt, type HostileSite } from './site.ts'

export interface HostileCrawlResult extends CrawlOutcome {
  polls: string[]
}

const MAX_TICKS = 1000

export async function crawlHostileSite(
  site: HostileSite,
  quarter: HostileServer,
  net: Net,
  clock: SteppedClock,
): Promise<HostileCrawlResult> {
  const startAt = clock.now()
  const store = createMemoryStore()
  const polls: string[] = []
  const mistakes: unknown[] = []
  const queue = createInProcessQueue({ concurrency: 1, onInternalError: (error) => mistakes.push(error) })
  const controller = createController({
    ...rolesOf(store),
    queue,
    clock,
    hostQueue: createHostQueue({ gapMs: 0 }),
    slots: () => 1,
    budget: fixedPrice(HOUR, { minMs: MINUTE, maxMs: HOUR }),
    strategy: 'fixed:1h',
    random: () => 0,
    knownBy: 'key',
    emit(event) {
      if (event.kind === 'polled') polls.push(excerpt(event.result))
      if (event.kind === 'internal-error') mistakes.push(event.error)
    },
  })
  queue.collect(controller.apply)
  queue.serve(createFetcher({ clock, obeyRobots: 'guesses', net }))
  await store.addFeeds([feedToAdd({ url: quarter.feedUrl(site), title: site.name }, 'fixed:1h', startAt)])

  for (let tick = 0; tick < MAX_TICKS && polls.length < site.polls.length && mistakes.length === 0; tick++) {
    const dueAt = (await store.nextDue()).pollAt
    if (dueAt === undefined) break
    await clock.advanceTo(dueAt)
    await controller.tick()
    await controller.waitUntilIdle()
  }
  await queue.close()
  if (mistakes.length > 0) throw new Error(`${site.name} made us make a mistake`, { cause: mistakes[0] })

  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  if (!scheduled) throw new Error(`${site.name} has lost its feed`)
  const { feed, schedule } = scheduled
  const { pathname, search } = new URL(feed.url)
  const entries = await store.entries({ feedId: feed.id, limit: Number.MAX_SAFE_INTEGER })
  const aheadMs = entries.map(({ publishedAt = 0 }) => publishedAt - clock.now())
  return {
    polls,
    entries: entries.length,
    title: entries[0]?.title,
    minutesAhead: Math.round(aheadMs.reduce((most, ms) => Math.max(most, ms), 0) / MINUTE),
    etag: feed.validators.etag,
    state: feed.state,
    path: pathname + search,
    waitMinutes: Math.round((schedule.dueAt - (schedule.polledAt ?? startAt)) / MINUTE),
    requests: quarter.requestsTo(site.name).length,
  }
}
