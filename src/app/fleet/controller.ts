/** The controller of a fleet: schedules polls of its buckets and records the results. */

import { systemClock } from '../../clocks/system-clock.ts'
import { createCrawler, createDocumentReader, READER_MODULE, type RunningCrawler } from '../../crawl/index.ts'
import { type Millis, SECOND } from '../../model/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createThread } from '../../runtime/function-thread.ts'
import { crawlSettings, type OpenStore, type Overrides } from '../composition.ts'
import type { Config } from '../config.ts'
import type { Probes } from '../outage-log.ts'
import { openStoreAt } from '../store-at.ts'
import { assertSharedStore, joinFleet, type OnMistake } from './join-fleet.ts'

const GRACE_MS: Millis = 20 * SECOND
const BATCH_MS = 50

export interface FleetController extends OpenStore {
  crawler: RunningCrawler
  name: string
  run: RunningCrawler['run']
  probes: Probes
  close(graceMs?: Millis): Promise<void>
}

export async function openController(
  config: Config,
  onMistake: OnMistake,
  overrides: Overrides = {},
): Promise<FleetController> {
  const clock = overrides.clock ?? systemClock()
  const { store, search, contentStore } = await openStoreAt(assertSharedStore(config), {
    mode: 'write',
    now: clock.now,
  })
  const membership = await joinFleet('controller', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { queue, fleet, member, isConnected, serveHealth, whileConnected, leave } = membership
  const probes = { store: store.newestEntryId, queue: isConnected }
  const dispatch = queue.dispatch({
    byBucket: true,
    clock,
    gatherMs: BATCH_MS,
    onUnreadable: (from, what) => crawler.fetcherStatus?.noteUnreadable(from, what),
  })
  const thread = createThread({ module: READER_MODULE })
  const crawler: RunningCrawler = createCrawler({
    store,
    search,
    queue: dispatch,
    clock,
    ...crawlSettings(config, overrides),
    read: createDocumentReader({ thread }).read,
    ownerName: member.name,
    fleetConnection: { fleet, member },
  })
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(contentStore && { contentStore }),
    crawler,
    name: member.name,
    async run(signal) {
      const endHealth = await serveHealth(probes)
      return whileConnected(signal, crawler.run).finally(endHealth)
    },
    probes,
    async close(graceMs = GRACE_MS) {
      try {
        await crawler.stop(graceMs)
      } finally {
        await Promise.all([leave(), thread.close()])
        await store.close()
      }
    },
  }
}
