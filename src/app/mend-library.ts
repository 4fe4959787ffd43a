/** The walk that mends what a crash left between a store and its library. */
import { type Mended, mendLibrary, openCassandraLibrary, systemClock } from '../drivers/index.ts'
import { HintedError, type Instant } from '../model/index.ts'
import { openLedgerAt, type StorePlace } from './store-at.ts'

/** Goes through what was kept since then, at most so many hours of it; works beside a running crawl. */
export async function mendStoreLibrary(
  place: StorePlace,
  since: Instant,
  hours: number,
): Promise<Mended & { health: string }> {
  if (place.library === '') throw new HintedError('there is no library', 'Name one with --library.')
  const { now } = systemClock()
  const { store } = await openLedgerAt(place.store, { mode: 'read', now })
  try {
    const library = await openCassandraLibrary(place.library)
    try {
      const { summary } = await library.health()
      return { ...(await mendLibrary(store, library, { from: since, now: now(), hours })), health: summary }
    } finally {
      await library.close()
    }
  } finally {
    await store.close()
  }
}
