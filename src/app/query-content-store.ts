/** Queries the content store, which also has entries and polls that retention removed from the store. */
import type { Entry, EntryId, Instant, Poll } from '../model/index.ts'
import { type ContentStore, type EntryRecordQuery, MAX_HAMMING_DISTANCE, type PollRecordQuery } from '../ports/index.ts'
import { hydrateEntryRecords } from '../stores/external-content/hydrate-texts.ts'
import { openConfiguredContentStore } from './content-store.ts'

export interface SimilarEntry {
  entry: Entry
  /** Bits of 64 in which the fingerprints differ. */
  distance: number
}

export interface ContentQueries {
  health(): ReturnType<ContentStore['health']>
  /** Newest first, with their texts. */
  entries(query: EntryRecordQuery): Promise<Entry[]>
  /** Entries with nearly the same fingerprint, nearest first. Undefined if the content store has no fingerprint of the entry. */
  near(id: EntryId, since: Instant, until: Instant, bits: number): Promise<SimilarEntry[] | undefined>
  /** The copies of a primary, oldest first. */
  copiesOf(primaryId: EntryId): Promise<SimilarEntry[]>
  polls(query: PollRecordQuery): Promise<Poll[]>
  close(): Promise<void>
}

export async function openContentQueries({ contentStore: address }: { contentStore: string }): Promise<ContentQueries> {
  const contentStore = await openConfiguredContentStore(address)

  async function toSimilarEntries(matches: readonly { id: EntryId; distance: number }[]): Promise<SimilarEntry[]> {
    const records = await contentStore.getEntries(matches.map(({ id }) => id))
    const entries = await hydrateEntryRecords(contentStore, records)
    return matches.flatMap(({ distance }, i) => (entries[i] ? [{ entry: entries[i], distance }] : []))
  }

  return {
    health: contentStore.health,
    entries: async (query) => hydrateEntryRecords(contentStore, await contentStore.listEntries(query)),
    async near(id, since, until, bits) {
      const [signature] = await contentStore.getSignatures([id])
      if (!signature) return undefined
      const matches = await contentStore.findSimilar({
        simhash: signature.simhash,
        bits: Math.min(bits, MAX_HAMMING_DISTANCE),
        since,
        until,
      })
      return toSimilarEntries(matches.filter((one) => one.id !== id))
    },
    copiesOf: async (primaryId) => toSimilarEntries(await contentStore.listCopies(primaryId)),
    polls: contentStore.listPolls,
    close: contentStore.close,
  }
}
