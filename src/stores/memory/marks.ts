/** What people have read and starred. */
import {
  type ChangeId,
  type Entry,
  type EntryId,
  type FeedId,
  type GroupLevel,
  isOfLanguage,
  type PersonId,
  placeInTime,
  type Reach,
  sortAt,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import {
  type MarkedAs,
  type MarkedUntil,
  type Readership,
  type ReadingScope,
  readingWeight,
} from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { isAfter, newestFirst } from './entries.ts'
import type { HeldMark, HeldReading } from './held-readers.ts'
import {
  isEntryRepeatedWithin,
  isFeedWithin,
  isInScope,
  isRead,
  ofPerson,
  readingsOfPerson,
} from './reading-changes.ts'
import { isRepeatedIn, type State } from './state.ts'

type MarkMethods = 'mark' | 'markAllRead' | 'takeBack' | 'star' | 'marksOf' | 'entriesFor' | 'arrivalsFor'

export function marksOf(state: State): Pick<Readership, MarkMethods> {
  const { readers } = state
  const marksOfPerson = (id: PersonId) => ofPerson(readers.marks, id, () => new Map<EntryId, HeldMark>())
  const newChange = () => ++readers.last.change as ChangeId

  function setMark(personId: PersonId, id: EntryId, read: boolean | undefined, change: ChangeId): void {
    const marks = marksOfPerson(personId)
    const was = marks.get(id)?.read
    marks.set(id, { ...(read !== undefined && { read }), ...(was !== undefined && { was }), change })
  }

  function entriesOfFeed(feedId: FeedId): Entry[] {
    return [...state.entries.values()].filter((entry) => entry.feedId === feedId)
  }

  /** Moves the end of what is read as far as everything before it is meant; what is meant beyond is marked one by one. */
  function readUntil(
    personId: PersonId,
    reading: HeldReading,
    until: MarkedUntil | undefined,
    change: ChangeId,
  ): number {
    const all = entriesOfFeed(reading.feedId)
    const meant = all.filter((entry) => isMeant(entry, until) && isRead(state, personId, entry) === false)
    if (meant.length === 0) return 0
    const spared = all.find((entry) => !isMeant(entry, until) && isRead(state, personId, entry) === false)
    const last = meant.filter(({ id }) => id < (spared?.id ?? Number.POSITIVE_INFINITY)).at(-1)?.id
    const upTo = Math.max(reading.upTo, last ?? 0) as EntryId
    for (const { id } of meant)
      if (id > upTo) setMark(personId, id, true, change)
      else if (readers.marks.get(personId)?.get(id)?.read === false) setMark(personId, id, undefined, change)
    Object.assign(reading, { upTo, wasUpTo: reading.upTo, change })
    return meant.length
  }

  function inScope(personId: PersonId, scope: ReadingScope): HeldReading[] {
    return [...readingsOfPerson(state, personId).values()].filter(isInScope(scope))
  }

  function marked(
    personId: PersonId,
    { read, starred, reach, ...scope }: MarkedAs & ReadingScope & { reach?: Reach },
  ): (entry: Entry) => boolean {
    const own = new Set(inScope(personId, scope).map(({ feedId }) => feedId))
    const isWhole = scope.feedIds === undefined && scope.folder === undefined
    const anyFeed = starred && read === undefined && isWhole && reach === undefined
    const isSeen = (feedId: FeedId) =>
      reach !== undefined && scope.folder === undefined
        ? (scope.feedIds?.includes(feedId) ?? true) && isFeedWithin(state, { personId, reach }, feedId)
        : own.has(feedId)
    return (entry) =>
      (anyFeed || isSeen(entry.feedId)) &&
      (read === undefined || isRead(state, personId, entry) === read) &&
      (!starred || (readers.stars.get(personId)?.has(entry.id) ?? false))
  }

  return {
    async mark(personId, ids, as, at) {
      const change = newChange()
      const changed: EntryId[] = []
      for (const id of new Set(ids)) {
        const entry = state.entries.get(id)
        if (!entry || isRead(state, personId, entry) !== (as === 'unread')) continue
        setMark(personId, id, as === 'read', change)
        changed.push(id)
        const reading = readingsOfPerson(state, personId).get(entry.feedId)
        if (reading && as === 'read')
          Object.assign(reading, { reads: reading.reads * readingWeight(at - reading.readAt) + 1, readAt: at })
      }
      return { change, changed }
    },

    async markAllRead(personId, scope, until) {
      const change = newChange()
      const marked = inScope(personId, scope).map((reading) => readUntil(personId, reading, until, change))
      return { change, marked: marked.reduce((sum, count) => sum + count, 0) }
    },

    async takeBack(personId, change) {
      const before = new Map([...state.entries.values()].map((entry) => [entry, isRead(state, personId, entry)]))
      for (const reading of readingsOfPerson(state, personId).values()) {
        if (reading.change !== change) continue
        reading.upTo = reading.wasUpTo
        delete reading.change
      }
      const marks = marksOfPerson(personId)
      for (const [id, mark] of [...marks]) {
        if (mark.change !== change) continue
        if (mark.was === undefined) marks.delete(id)
        else marks.set(id, { read: mark.was, change: 0 as ChangeId })
      }
      return [...before].filter(([entry, was]) => isRead(state, personId, entry) !== was).length
    },

    async star(personId, ids, starred) {
      const stars = ofPerson(readers.stars, personId, () => new Set<EntryId>())
      const changed = [...new Set(ids)].filter((id) => state.entries.has(id) && stars.has(id) !== starred)
      for (const id of changed) starred ? stars.add(id) : stars.delete(id)
      return changed
    },

    async marksOf(personId, ids) {
      return ids.map((id) => {
        const entry = state.entries.get(id)
        const read = entry && isRead(state, personId, entry)
        return { ...(read !== undefined && { read }), starred: readers.stars.get(personId)?.has(id) ?? false }
      })
    },

    async entriesFor(personId, { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...query }) {
      const { language, category, unique, after, limit, ...rest } = query
      const { reach } = rest
      const isRepeated = ({ id }: Entry, level: GroupLevel) =>
        reach ? isEntryRepeatedWithin(state, { personId, reach }, id, level) : isRepeatedIn(state, id, level)
      const found = [...state.entries.values()]
        .filter(marked(personId, rest))
        .filter((entry) => sortAt(entry, entry.seenAt) >= since && sortAt(entry, entry.seenAt) <= until)
        .filter((entry) => language === undefined || isOfLanguage(entry.language ?? UNKNOWN_LANGUAGE, language))
        .filter((entry) => category === undefined || (entry.category ?? UNCATEGORIZED) === category)
        .filter((entry) => !(unique && isRepeated(entry, unique)) && (!after || isAfter(entry, after)))
        .sort(newestFirst)
      const entries = found.slice(0, limit)
      const last = entries.at(-1)
      return { entries: copyOf(entries), ...(last && found.length > limit && { goesOnAfter: placeInTime(last) }) }
    },

    async arrivalsFor(personId, { order, after, seenSince, seenUntil, limit, ...rest }) {
      const sign = order === 'newest' ? -1 : 1
      const found = [...state.entries.values()]
        .filter(marked(personId, rest))
        .filter(({ seenAt }) => seenAt >= (seenSince ?? seenAt) && seenAt <= (seenUntil ?? seenAt))
        .filter(({ id }) => after === undefined || (id - after) * sign > 0)
        .sort((a, b) => (a.id - b.id) * sign)
      const arrivals = found.slice(0, limit).map(({ id, feedId, seenAt }) => ({ id, feedId, seenAt }))
      const last = arrivals.at(-1)
      return { arrivals, ...(last && found.length > limit && { goesOnAfter: last.id }) }
    },
  }
}

function isMeant(entry: Entry, until: MarkedUntil | undefined): boolean {
  if (until === undefined) return true
  if ('entryId' in until) return entry.id <= until.entryId
  if ('seenBefore' in until) return entry.seenAt < until.seenBefore
  return sortAt(entry, entry.seenAt) < until.datedBefore
}
