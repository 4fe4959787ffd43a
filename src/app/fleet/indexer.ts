/** The indexer of a fleet: runs the leader tasks for the search index, grouping, retention and the price of a poll. */

import { systemClock } from '../../clocks/system-clock.ts'
import { createAnalysisThread, createIndexer, type Indexer, isFleetMessage, sendHeartbeats } from '../../crawl/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { budgetSettings, groupingSettings, type OpenStore, type Overrides, retentionSettings } from '../composition.ts'
import type { Config } from '../config.ts'
import type { Probes } from '../outage-log.ts'
import { openStoreAt } from '../store-at.ts'
import { assertSharedStore, joinFleet, type OnMistake } from './join-fleet.ts'

export interface FleetIndexer extends OpenStore {
  keeping: Indexer
  name: string
  run(signal: AbortSignal): Promise<void>
  probes: Probes
}

export async function openIndexer(
  config: Config,
  onMistake: OnMistake,
  overrides: Overrides = {},
): Promise<FleetIndexer> {
  const clock = overrides.clock ?? systemClock()
  const { store, search, contentStore } = await openStoreAt(assertSharedStore(config), {
    mode: 'write',
    now: clock.now,
    isLongRunning: true,
    encryptExisting: true,
  })
  const membership = await joinFleet('indexer', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { fleet, member, isConnected, serveHealth, whileConnected, leave } = membership
  const probes = { store: store.newestEntryId, queue: isConnected }
  const { name } = member
  const startedAt = clock.now()
  const settings = { ...budgetSettings(config, overrides), ...groupingSettings(config), ...retentionSettings(config) }
  const thread = createAnalysisThread({ groupMemoryBytes: config.groupMemory })
  const indexer = createIndexer({ store, search, analysis: thread.analysis, clock, ...settings, name })
  fleet.onBroadcast((message) => {
    if (isFleetMessage(message) && message.kind === 'news') indexer.notify()
  })
  const close = async () => {
    await leave()
    await thread.close()
    await store.close()
  }
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(contentStore && { contentStore }),
    keeping: indexer,
    name,
    probes,
    async run(signal) {
      const endHealth = await serveHealth(probes)
      const finished = new AbortController()
      const runIndexer = async (ended: AbortSignal) => {
        const heartbeats = sendHeartbeats(AbortSignal.any([ended, finished.signal]), { fleet, clock }, () => {
          return { role: 'indexer', ...member, startedAt, leaderTasks: indexer.activeTasks() }
        })
        try {
          await indexer.run(ended)
        } finally {
          finished.abort() // otherwise an indexer that failed would keep sending heartbeats
          await heartbeats
        }
      }
      await whileConnected(signal, runIndexer).finally(endHealth)
    },
    close,
  }
}
