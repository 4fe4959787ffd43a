/** The walk that mends what a crash left between a store and its library. */
import { systemClock } from '../clocks/system-clock.ts'
import type { Instant } from '../model/index.ts'
import type { Mended } from '../stores/split/mend.ts'
import { openNamedLibrary } from './library.ts'
import { openLedgerAt, type StorePlace } from './store-at.ts'

/** Goes through what was kept since then, at most so many hours of it; works beside a running crawl. */
export async function mendStoreLibrary(
  place: StorePlace,
  since: Instant,
  hours: number,
): Promise<Mended & { health: string }> {
  const { now } = systemClock()
  const library = await openNamedLibrary(place.contentStore)
  try {
    const { store } = await openLedgerAt(place.store, { mode: 'read', now })
    try {
      const { summary } = await library.health()
      const { mendLibrary } = await import('../stores/split/mend.ts')
      return { ...(await mendLibrary(store, library, { from: since, now: now(), hours })), health: summary }
    } finally {
      await store.close()
    }
  } finally {
    await library.close()
  }
}
