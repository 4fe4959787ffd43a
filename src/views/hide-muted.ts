/**
 * Leaves entries that a user muted out of lists and exports. Lists by read state (`entriesFor`) leave them out in the store, searches in
 * resolve-query.ts. Single entries stay accessible.
 */
import { type Entry, sortPosition, type UserId } from '../model/index.ts'
import type { Catalogue, ReaderState } from '../ports/index.ts'

type ListParts = {
  catalogue: Catalogue
  readerState: Pick<ReaderState, 'hasMuted' | 'entryStates'>
}

/** Entries per query. */
const CHUNK = 50

export function withoutMuted<Parts extends ListParts>(parts: Parts, userId: UserId): Parts {
  const { catalogue, readerState } = parts

  async function unmuted(entries: Entry[]): Promise<Entry[]> {
    if (entries.length === 0 || !(await readerState.hasMuted(userId))) return entries
    const states = await readerState.entryStates(
      userId,
      entries.map(({ id }) => id),
    )
    return entries.filter((_, i) => !states[i]?.muted)
  }

  return {
    ...parts,
    catalogue: {
      ...catalogue,
      entries: async (query) => unmuted(await catalogue.entries(query)),
      async listEntries(query) {
        const { entries, nextAfter } = await catalogue.listEntries(query)
        const last = entries.at(-1)
        const shown = await unmuted(entries)
        if (shown.length === entries.length || !last) return { entries, ...(nextAfter && { nextAfter }) }
        // The page is short: callers continue after its last entry.
        const isFull = entries.length >= query.limit
        const position = isFull ? sortPosition(last) : nextAfter
        return { entries: shown, ...(position && { nextAfter: position }) }
      },
      async *everyEntry(query) {
        let chunk: Entry[] = []
        for await (const entry of catalogue.everyEntry(query)) {
          if (chunk.push(entry) < CHUNK) continue
          yield* await unmuted(chunk)
          chunk = []
        }
        yield* await unmuted(chunk)
      },
    },
  }
}
