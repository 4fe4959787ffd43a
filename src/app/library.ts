/** The store with its library, where one is named; and the walk that mends what a crash left between the two. */
import {
  type Mended,
  mendLibrary,
  namesLibraryText,
  openCassandraLibrary,
  openSqliteStore,
  systemClock,
  withLibrary,
} from '../drivers/index.ts'
import { HintedError, type Instant } from '../model/index.ts'
import { type Library, type Store, StoreError } from '../ports/index.ts'
import type { Config } from './config.ts'

type Named = Pick<Config, 'library' | 'store'>

/** Closes the store if the library cannot be had. */
export async function withItsLibrary(config: Named, store: Store): Promise<{ store: Store; library?: Library }> {
  try {
    if (config.library === '') {
      await refuseWithout(config, store)
      return { store }
    }
    const library = await openCassandraLibrary(config.library)
    return { store: withLibrary(store, library), library }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** No feed can write what stands in the place of a text: whoever finds it has forgotten the library. */
async function refuseWithout({ store: file }: Named, store: Store): Promise<void> {
  const newest = await store.entries({ limit: NEWEST })
  if (!newest.some(({ content }) => namesLibraryText(content))) return
  const hint = 'Name it with --library, as when the store was written.'
  throw new StoreError('no-access', `what the entries of ${file} say is in a library`, hint)
}

const NEWEST = 50

/** Goes through what was kept since then, at most so many hours of it; works beside a running crawl. */
export async function mendStoreLibrary(
  config: Named,
  since: Instant,
  hours: number,
): Promise<Mended & { health: string }> {
  if (config.library === '') throw new HintedError('there is no library', 'Name one with --library.')
  const { now } = systemClock()
  const { store } = await openSqliteStore({ file: config.store, mode: 'read', now })
  try {
    const library = await openCassandraLibrary(config.library)
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
