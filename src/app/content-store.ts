/** Opens the content store of a setting, and attaches it to a store. */
import { HintedError, type Instant, withoutCredentials } from '../model/index.ts'
import { type ContentStore, type Store, StoreError } from '../ports/index.ts'
import { isContentReference } from '../stores/external-content/content-addresses.ts'
import { unavailableContentStore } from './unavailable-content-store.ts'

export function isContentStoreUrl(address: string): boolean {
  return /^cassandra:\/\/[^/]/i.test(address)
}

/** Without the password, for users and logs. */
export function formatContentStore(address: string): string {
  return withoutCredentials(address)
}

/** For commands that work on the content store alone. */
export async function openConfiguredContentStore(address: string): Promise<ContentStore> {
  if (address === '') throw new HintedError('no content store is configured', 'Set --content-store.')
  return (await loadCassandra()).openCassandraContentStore(address)
}

function loadCassandra() {
  return import('../stores/cassandra/index.ts')
}

/** Closes the store if the content store cannot be opened. In read mode, an unreachable content store is replaced by one that fails on use. */
export async function attachContentStore(
  store: Store,
  shownStore: string,
  address: string,
  { mode, now }: { mode: 'write' | 'read'; now: () => Instant },
): Promise<{ with: (store: Store) => Store; contentStore?: ContentStore }> {
  try {
    if (address === '') {
      await assertNoExternalContent(shownStore, store)
      return { with: (alone) => alone }
    }
    const { withContentStore } = await import('../stores/external-content/index.ts')
    const { openCassandraContentStore } = await loadCassandra()
    const contentStore = await openCassandraContentStore(address).catch((error) => {
      if (mode === 'read' && error instanceof StoreError && error.isTransient) return unavailableContentStore(error)
      throw error
    })
    return { with: (pollResults) => withContentStore(pollResults, contentStore, { now }), contentStore }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Throws if entries have content addresses instead of texts: the store was used with a content store. No feed can write such an address. */
async function assertNoExternalContent(shownStore: string, store: Store): Promise<void> {
  const newest = await store.entries({ limit: NEWEST })
  if (!newest.some(({ content, summary }) => isContentReference(content) || isContentReference(summary))) return
  const hint = 'Set --content-store to the one that was used before.'
  throw new StoreError('no-access', `the texts of ${shownStore} are in a content store`, hint)
}

const NEWEST = 50
