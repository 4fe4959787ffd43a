/** The library that a setting names, and a store with it beside. */

import { HintedError, type Instant, withoutCredentials } from '../model/index.ts'
import { type Library, type Store, StoreError } from '../ports/index.ts'
import { isMarked as namesLibraryText } from '../stores/split/names.ts'
import { awayLibrary } from './away-library.ts'

export function isLibrary(address: string): boolean {
  return /^cassandra:\/\/[^/]/i.test(address)
}

/** For people and logs. */
export function shownLibrary(address: string): string {
  return withoutCredentials(address)
}

/** For commands that are about nothing else. */
export async function openNamedLibrary(address: string): Promise<Library> {
  if (address === '') throw new HintedError('no content store is configured', 'Set --content-store.')
  return (await loadCassandra()).openCassandraLibrary(address)
}

function loadCassandra() {
  return import('../stores/cassandra/index.ts')
}

/** Closes the store if the library cannot be had; who only reads does without as long as it can. */
export async function besideLibrary(
  store: Store,
  shownStore: string,
  address: string,
  { mode, now }: { mode: 'write' | 'read'; now: () => Instant },
): Promise<{ with: (store: Store) => Store; library?: Library }> {
  try {
    if (address === '') {
      await refuseWithout(shownStore, store)
      return { with: (alone) => alone }
    }
    const { withLibrary } = await import('../stores/split/index.ts')
    const { openCassandraLibrary } = await loadCassandra()
    const library = await openCassandraLibrary(address).catch((error) => {
      if (mode === 'read' && error instanceof StoreError && error.isPassing) return awayLibrary(error)
      throw error
    })
    return { with: (ledger) => withLibrary(ledger, library, { now }), library }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** No feed can write what stands in the place of a text: whoever finds it has forgotten the library. */
async function refuseWithout(shownStore: string, store: Store): Promise<void> {
  const newest = await store.entries({ limit: NEWEST })
  if (!newest.some(({ content, summary }) => namesLibraryText(content) || namesLibraryText(summary))) return
  const hint = 'Set --content-store to the one that was used before.'
  throw new StoreError('no-access', `the texts of ${shownStore} are in a content store`, hint)
}

const NEWEST = 50
