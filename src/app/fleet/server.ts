/** The server of a fleet: the crawler interface behind its page and API. Commands that change something use it, too. */
import { systemClock } from '../../clocks/system-clock.ts'
import { createFleetClient, type FleetClient } from '../../crawl/index.ts'
import { rolesOf, type SeenMember } from '../../ports/index.ts'
import { budgetSettings, newFeedSettings, type OpenStore, type Overrides } from '../composition.ts'
import type { Config } from '../config.ts'
import { watchStore } from '../health.ts'
import type { Probes } from '../outage-log.ts'
import { openStoreAt } from '../store-at.ts'
import { assertSharedStore, joinFleet, type OnMistake } from './join-fleet.ts'

export interface FleetServer extends OpenStore {
  crawler: FleetClient
  name: string
  /** Runs until the signal aborts. Rejects if the store or the queue fails permanently; the supervisor then restarts the process. */
  run(signal: AbortSignal): Promise<void>
  probes: Probes
  /** The processes of the fleet. */
  members(): SeenMember[]
  announce(url: string): void
}

export async function openFleetServer(
  config: Config,
  onMistake: OnMistake,
  overrides: Overrides = {},
): Promise<FleetServer> {
  const clock = overrides.clock ?? systemClock()
  const { store, search, contentStore } = await openStoreAt(assertSharedStore(config), {
    mode: 'write',
    now: clock.now,
    isLongRunning: true,
  })
  const membership = await joinFleet('server', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { queue, fleet, member, isConnected, whileConnected, leave } = membership
  const dispatch = queue.dispatch({ byBucket: true })
  const crawler = createFleetClient({
    store,
    clock,
    ...budgetSettings(config, overrides),
    ...newFeedSettings(config),
    groupWindowMs: config.groupWindow,
    fleetConnection: { fleet, member },
    ...(config.publicUrl && { keepPushed: dispatch.storePush }),
  })
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(contentStore && { contentStore }),
    crawler,
    name: member.name,
    members: fleet.members,
    announce: () => {},
    probes: { store: store.newestEntryId, queue: isConnected },
    async run(signal) {
      const storeFailed = new AbortController()
      await whileConnected(AbortSignal.any([signal, storeFailed.signal]), async (ended) => {
        const watching = watchStore(store, clock, ended).finally(() => storeFailed.abort())
        await Promise.all([crawler.run(AbortSignal.any([ended, storeFailed.signal])), watching])
      })
    },
    async close() {
      await dispatch.close()
      await leave()
      await store.close()
    },
  }
}
