/**
 * Leaves entries that a user muted out of lists and exports, and stories whose first entry they muted out of lists of stories. Lists by read state (`entriesFor`) leave them out in the store, searches in
 * resolve-query.ts. Single entries stay accessible.
 */
import { type Entry, type Group, sortPosition, type UserId } from '../model/index.ts'
import type { Catalogue, GroupCatalogue, ReaderState } from '../ports/index.ts'

type ListParts = {
  catalogue: Catalogue
  groupCatalogue: GroupCatalogue
  readerState: Pick<ReaderState, 'hasMuted' | 'entryStates'>
}

/** Entries per query. */
const CHUNK = 50
/** Pages of groups that are read for one page without muted ones. */
const MAX_GROUP_PAGES = 10

/** `viewer` is asked when it is needed; undefined if nobody's muted entries are left out. */
export function withoutMuted<Parts extends ListParts>(parts: Parts, viewer: () => Promise<UserId | undefined>): Parts {
  const { catalogue, groupCatalogue, readerState } = parts

  async function unmuted(entries: Entry[]): Promise<Entry[]> {
    const userId = entries.length > 0 ? await viewer() : undefined
    if (userId === undefined || !(await readerState.hasMuted(userId))) return entries
    const states = await readerState.entryStates(
      userId,
      entries.map(({ id }) => id),
    )
    return entries.filter((_, i) => !states[i]?.muted)
  }

  return {
    ...parts,
    groupCatalogue: {
      ...groupCatalogue,
      /** Groups whose primary is muted are left out. */
      async groups(query) {
        const userId = await viewer()
        if (userId === undefined || !(await readerState.hasMuted(userId))) return groupCatalogue.groups(query)
        const shown: Group[] = []
        let { after } = query
        for (let page = 0; page < MAX_GROUP_PAGES && shown.length < query.limit; page++) {
          const groups = await groupCatalogue.groups({ ...query, ...(after && { after }) })
          const states = await readerState.entryStates(
            userId,
            groups.map(({ primaryId }) => primaryId),
          )
          shown.push(...groups.filter((_, i) => !states[i]?.muted))
          after = groups.at(-1)
          if (!after || groups.length < query.limit) break
        }
        return shown.slice(0, query.limit)
      },
    },
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
