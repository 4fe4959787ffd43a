/** Garbage collection of the content store: removes texts that a crash left without a reference in the store. */
import { systemClock } from '../clocks/system-clock.ts'
import type { Instant } from '../model/index.ts'
import type { GarbageCollection } from '../stores/external-content/collect-garbage.ts'
import { openConfiguredContentStore } from './content-store.ts'
import { openPlainStoreAt, type StoreLocation } from './store-at.ts'

/** Checks texts stored since then, at most the given number of hours. Works while a crawl is running. */
export async function collectContentGarbage(
  location: StoreLocation,
  since: Instant,
  hours: number,
): Promise<GarbageCollection & { health: string }> {
  const { now } = systemClock()
  const contentStore = await openConfiguredContentStore(location.contentStore)
  try {
    const { store } = await openPlainStoreAt(location.store, { mode: 'read', now })
    try {
      const { summary } = await contentStore.health()
      const { collectGarbage } = await import('../stores/external-content/collect-garbage.ts')
      return { ...(await collectGarbage(store, contentStore, { from: since, now: now(), hours })), health: summary }
    } finally {
      await store.close()
    }
  } finally {
    await contentStore.close()
  }
}
