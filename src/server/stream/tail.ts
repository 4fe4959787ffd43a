/**
 * The newest entries as JSON, shared by all listeners. Ids only increase, so the position in the stream is the id of the last entry sent.
 * Listeners that are up to date read from here; listeners further behind read the catalogue until they have caught up. The number of
 * entries is limited.
 */
import type { Entry, EntryId, FeedId } from '../../model/index.ts'
import { type Catalogues, entriesWithTitles } from '../../views/index.ts'

export interface TailEntry {
  id: EntryId
  feedId: FeedId
  category: string
  language: string
  /** Its JSON. */
  json: string
  /** The same without what it says of copies. */
  jsonWithoutCopies: string
}

export interface Tail {
  /** Reads new entries, or starts at the newest one after `clear`. Concurrent calls share one read. */
  refresh(): Promise<void>
  /** Entries after this one in the order of arrival, up to the newest one read. */
  after(id: EntryId): AsyncGenerator<TailEntry>
  /** Call when the last listener is gone. */
  clear(): void
}

const MAX_ENTRIES = 500
const CHUNK = 100

export function createTail(from: Catalogues): Tail {
  /** `recent` has everything after this entry; undefined without listeners. */
  let startsAfter: EntryId | undefined
  let recent: TailEntry[] = []
  let refreshing: Promise<void> | undefined
  let isOutdated = false

  async function readNewEntries(): Promise<void> {
    startsAfter ??= await from.catalogue.newestEntryId()
    do {
      isOutdated = false
      for await (const chunk of entriesAfter(recent.at(-1)?.id ?? startsAfter, from)) {
        if (startsAfter === undefined) return
        recent.push(...chunk)
        const dropped = recent.splice(0, recent.length - MAX_ENTRIES).at(-1)
        if (dropped) startsAfter = dropped.id
      }
    } while (isOutdated && startsAfter !== undefined)
  }

  return {
    refresh() {
      isOutdated = true
      refreshing ??= readNewEntries().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
    async *after(id) {
      let last = id
      while (startsAfter === undefined || last < startsAfter) {
        const before = last
        for await (const chunk of entriesAfter(last, from))
          for (const item of chunk) {
            yield item
            last = item.id
          }
        if (last === before) return // nothing precedes the tail
      }
      for (const item of recent.filter((one) => one.id > last)) yield item
    },
    clear() {
      startsAfter = undefined
      recent = []
    },
  }
}

async function* entriesAfter(id: EntryId, from: Catalogues): AsyncGenerator<TailEntry[]> {
  let entries: Entry[] = []
  for await (const entry of from.catalogue.everyEntry({ after: id })) {
    if (entry.imported) continue // it did not arrive now
    if (entries.push(entry) < CHUNK) continue
    yield await toTailEntries(entries, from)
    entries = []
  }
  if (entries.length > 0) yield await toTailEntries(entries, from)
}

async function toTailEntries(entries: Entry[], from: Catalogues): Promise<TailEntry[]> {
  const shapes = await entriesWithTitles(entries, from)
  return entries.map(({ id, feedId }, i) => {
    const { category, language } = shapes[i]!
    const { copyOf: _, copies: __, ...withoutCopies } = shapes[i]!
    return {
      id,
      feedId,
      category,
      language,
      json: JSON.stringify(shapes[i]),
      jsonWithoutCopies: JSON.stringify(withoutCopies),
    }
  })
}
