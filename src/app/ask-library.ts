/** What the library beside a store has, also of what the store has forgotten; asked of the library alone. */

import type { Entry, EntryId, Instant, Poll } from '../model/index.ts'
import { type CardQuery, type FiledPollQuery, type Library, MOST_BITS_APART } from '../ports/index.ts'
import { entriesTold } from '../stores/split/texts-out.ts'
import { openNamedLibrary } from './library.ts'

export interface LikeEntry {
  entry: Entry
  /** Bits of 64 in which the fingerprints differ. */
  distance: number
}

export interface LibraryAnswers {
  health(): ReturnType<Library['health']>
  /** Newest first, with all that they say. */
  entries(query: CardQuery): Promise<Entry[]>
  /** What was placed since then and has nearly the same fingerprint, nearest first; undefined where the library knows no such entry. */
  near(id: EntryId, since: Instant, until: Instant, bits: number): Promise<LikeEntry[] | undefined>
  /** The copies of a primary, in the order of time. */
  copiesOf(primaryId: EntryId): Promise<LikeEntry[]>
  polls(query: FiledPollQuery): Promise<Poll[]>
  close(): Promise<void>
}

export async function askLibrary({ contentStore: address }: { contentStore: string }): Promise<LibraryAnswers> {
  const library = await openNamedLibrary(address)

  async function likeEntries(found: readonly { id: EntryId; distance: number }[]): Promise<LikeEntry[]> {
    const cards = await library.filed(found.map(({ id }) => id))
    const entries = await entriesTold(library, cards)
    return found.flatMap(({ distance }, i) => (entries[i] ? [{ entry: entries[i], distance }] : []))
  }

  return {
    health: library.health,
    entries: async (query) => entriesTold(library, await library.list(query)),
    async near(id, since, until, bits) {
      const [own] = await library.signaturesOf([id])
      if (!own) return undefined
      const found = await library.near({ simhash: own.simhash, bits: Math.min(bits, MOST_BITS_APART), since, until })
      return likeEntries(found.filter((one) => one.id !== id))
    },
    copiesOf: async (primaryId) => likeEntries(await library.copiesOf(primaryId)),
    polls: library.filedPolls,
    close: library.close,
  }
}
