/** Feeds that people follow. */
import type { CountedReading, EntryId, FeedId, PersonId } from '../../model/index.ts'
import { type Followed, readingWeight } from '../../ports/index.ts'
import type { ReadingMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import type { HeldReading } from './held-readers.ts'
import {
  addReading,
  countReaders,
  dropReading,
  isFeedWithin,
  isInScope,
  isRead,
  ofPerson,
  readingsOfPerson,
} from './reading-changes.ts'
import type { State } from './state.ts'

const SEPARATOR = ' / '

export function readingsOf(state: State): ReadingMethods {
  const { readers } = state

  function unreadOf(personId: PersonId, feedId: FeedId): number {
    let unread = 0
    for (const entry of state.entries.values())
      if (entry.feedId === feedId && isRead(state, personId, entry) === false) unread++
    return unread
  }

  function counted(personId: PersonId, { feedId, title, folder, addedAt }: HeldReading): CountedReading {
    return {
      feedId,
      ...(title !== undefined && { title }),
      ...(folder !== undefined && { folder }),
      addedAt,
      unread: unreadOf(personId, feedId),
    }
  }

  /** All entries up to this one are read, so that the newest so many are not. */
  function readUpTo(feedId: FeedId, unread: number): EntryId {
    const ids = [...state.entries.values()].filter((entry) => entry.feedId === feedId).map(({ id }) => id)
    return ids.at(-1 - unread) ?? (0 as EntryId)
  }

  function countFollowers(one: Followed): number {
    if ('feedId' in one) return countReaders(state, one.feedId)
    return [...readers.waiting.values()].filter((waiting) => waiting.has(one.sourceId)).length
  }

  return {
    async follow(personId, wanted, at, unread) {
      return copyOf(wanted).map(({ title, folder, ...what }) => {
        const about = { ...(title && { title }), ...(folder && { folder }), addedAt: at }
        if ('feedId' in what) {
          return addReading(state, personId, { feedId: what.feedId, ...about }, readUpTo(what.feedId, unread))
        }
        const source = state.sources.get(what.sourceId)?.source
        if (source?.feedId !== undefined)
          return addReading(state, personId, { feedId: source.feedId, ...about }, readUpTo(source.feedId, unread))
        const waiting = ofPerson(readers.waiting, personId, () => new Map())
        if (!source || waiting.has(source.id)) return false
        waiting.set(source.id, { sourceId: source.id, ...about })
        return true
      })
    },

    async unfollow(personId, what) {
      return what.map((one) => {
        const was =
          'feedId' in one
            ? dropReading(state, personId, one.feedId)
            : (readers.waiting.get(personId)?.delete(one.sourceId) ?? false)
        return { was, others: countFollowers(one) }
      })
    },

    async changeReading(personId, feedId, change) {
      const reading = readingsOfPerson(state, personId).get(feedId)
      if (!reading) return false
      for (const name of ['title', 'folder'] as const) {
        const value = change[name]
        if (value === null) delete reading[name]
        else if (value !== undefined) reading[name] = value
      }
      return true
    },

    async renameFolder(personId, from, to) {
      let moved = 0
      for (const reading of readingsOfPerson(state, personId).values()) {
        const { folder } = reading
        if (folder !== from && !folder?.startsWith(from + SEPARATOR)) continue
        const below = folder.slice(from.length + SEPARATOR.length)
        if (to !== null) reading.folder = below ? to + SEPARATOR + below : to
        else if (below) reading.folder = below
        else delete reading.folder
        moved++
      }
      return moved
    },

    async readings(personId, { folder, after = 0 as FeedId, limit }) {
      const own = [...readingsOfPerson(state, personId).values()].filter(
        isInScope(folder === undefined ? {} : { folder }),
      )
      const next = own.filter(({ feedId }) => feedId > after).sort((a, b) => a.feedId - b.feedId)
      return next.slice(0, limit).map((reading) => counted(personId, reading))
    },

    async readingsOf(personId, ids) {
      const own = readingsOfPerson(state, personId)
      return ids.map((id) => {
        const reading = own.get(id)
        return reading && counted(personId, reading)
      })
    },

    async waitingReadings(personId, { after = 0, limit }) {
      const own = [...(readers.waiting.get(personId)?.values() ?? [])].filter(({ sourceId }) => sourceId > after)
      return copyOf(own.sort((a, b) => a.sourceId - b.sourceId).slice(0, limit))
    },

    async standing(personId) {
      const counts = new Map<string | undefined, { feeds: number; unread: number }>()
      for (const { folder, feedId } of readingsOfPerson(state, personId).values()) {
        const { feeds, unread } = counts.get(folder) ?? { feeds: 0, unread: 0 }
        counts.set(folder, { feeds: feeds + 1, unread: unread + unreadOf(personId, feedId) })
      }
      const inOrder = [...counts].sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0))
      return {
        feeds: inOrder.reduce((sum, [, { feeds }]) => sum + feeds, 0),
        unread: inOrder.reduce((sum, [, { unread }]) => sum + unread, 0),
        starred: readers.stars.get(personId)?.size ?? 0,
        folders: inOrder.map(([folder, count]) => ({ ...(folder !== undefined && { folder }), ...count })),
      }
    },

    readersOf: async (what) => what.map(countFollowers),

    async feedsWithin(scope, query) {
      if ('among' in query) return query.among.filter((id) => isFeedWithin(state, scope, id))
      const { hidden = false, after = 0 as FeedId, limit } = query
      const ids = [...state.feeds.keys()].filter((id) => id > after && isFeedWithin(state, scope, id) !== hidden)
      return ids.sort((a, b) => a - b).slice(0, limit)
    },

    async unwanted(limit) {
      const left = [...readers.left].filter(
        (id) => state.feeds.has(id) && !state.feeds.get(id)?.feed.listed && countReaders(state, id) === 0,
      )
      return left.slice(0, limit)
    },

    async *everyFeedsReads(now) {
      const all = new Map<FeedId, { readers: number; reads: number }>()
      for (const readings of readers.readings.values())
        for (const { feedId, reads, readAt } of readings.values()) {
          const sum = all.get(feedId) ?? { readers: 0, reads: 0 }
          all.set(feedId, { readers: sum.readers + 1, reads: sum.reads + reads * readingWeight(now - readAt) })
        }
      for (const [feedId, { readers, reads }] of all) yield { feedId, readers, reads }
    },
  }
}
