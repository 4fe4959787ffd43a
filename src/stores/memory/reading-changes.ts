/** What happens to people's readings and marks when feeds, sources and entries come and go; and what these come to. */
import {
  type Entry,
  type EntryId,
  type FeedId,
  type FeedScope,
  type GroupLevel,
  isInFolder,
  isPrivateFeed,
  type PersonId,
  type Reading,
  type SourceId,
} from '../../model/index.ts'
import type { ReadingScope } from '../../ports/index.ts'
import type { HeldReading } from './held-readers.ts'
import type { State } from './state.ts'

/** What somebody has of a kind, there or not yet. */
export function ofPerson<Things>(all: Map<PersonId, Things>, id: PersonId, empty: () => Things): Things {
  const own = all.get(id) ?? empty()
  all.set(id, own)
  return own
}

export function readingsOfPerson({ readers }: State, id: PersonId): Map<FeedId, HeldReading> {
  return ofPerson(readers.readings, id, () => new Map())
}

export function countReaders({ readers }: State, feedId: FeedId): number {
  return [...readers.readings.values()].filter((readings) => readings.has(feedId)).length
}

/** Unless it is followed already. `upTo`: all up to there is read. */
export function addReading(state: State, personId: PersonId, reading: Reading, upTo: EntryId): boolean {
  const readings = readingsOfPerson(state, personId)
  const held = state.feeds.get(reading.feedId)
  if (!held || readings.has(reading.feedId)) return false
  if (countReaders(state, reading.feedId) > 0) {
    held.feed.subscribers++
    held.revision++
  }
  readings.set(reading.feedId, { ...reading, upTo, wasUpTo: upTo, reads: 0, readAt: reading.addedAt })
  return true
}

export function dropReading(state: State, personId: PersonId, feedId: FeedId): boolean {
  if (!readingsOfPerson(state, personId).delete(feedId)) return false
  const marks = state.readers.marks.get(personId)
  for (const id of [...(marks?.keys() ?? [])]) if (state.entries.get(id)?.feedId === feedId) marks?.delete(id)
  const held = state.feeds.get(feedId)
  if (held && countReaders(state, feedId) > 0) {
    held.feed.subscribers = Math.max(1, held.feed.subscribers - 1)
    held.revision++
  }
  state.readers.left.add(feedId)
  return true
}

/** Who waited for the feed of this source follows it now. */
export function feedFound(state: State, sourceId: SourceId, feedId: FeedId): void {
  for (const [personId, waiting] of state.readers.waiting) {
    const wanted = waiting.get(sourceId)
    if (!wanted) continue
    waiting.delete(sourceId)
    const { sourceId: _, ...about } = wanted
    addReading(state, personId, { feedId, ...about }, 0 as EntryId)
  }
}

export function letGoOfSource({ readers }: State, sourceId: SourceId): void {
  for (const waiting of readers.waiting.values()) waiting.delete(sourceId)
}

export function letGoOfFeed(state: State, feedId: FeedId, entryIds: EntryId[]): void {
  for (const readings of state.readers.readings.values()) readings.delete(feedId)
  for (const id of entryIds) letGoOfEntry(state, id)
  for (const stars of state.readers.stars.values()) for (const id of entryIds) stars.delete(id)
  state.readers.left.delete(feedId)
  for (const { id, of } of [...state.readers.feedsOut.values()])
    if (of.kind === 'feed' && of.feedId === feedId) state.readers.feedsOut.delete(id)
}

export function letGoOfEntry({ readers }: State, id: EntryId): void {
  for (const marks of readers.marks.values()) marks.delete(id)
}

export function isStarred({ readers }: State, id: EntryId): boolean {
  return [...readers.stars.values()].some((stars) => stars.has(id))
}

export function letGoOfPerson(state: State, personId: PersonId): void {
  const { readers } = state
  for (const feedId of [...readingsOfPerson(state, personId).keys()]) dropReading(state, personId, feedId)
  for (const kind of [readers.readings, readers.waiting, readers.marks, readers.stars]) kind.delete(personId)
  for (const kind of [readers.searches, readers.feedsOut, readers.webhooks])
    for (const one of [...kind.values()]) if (one.personId === personId) kind.delete(one.id)
}

/** Undefined where its feed is not followed. */
export function isRead(state: State, personId: PersonId, { id, feedId }: Entry): boolean | undefined {
  const reading = state.readers.readings.get(personId)?.get(feedId)
  return reading && (state.readers.marks.get(personId)?.get(id)?.read ?? id <= reading.upTo)
}

export function isInScope({ feedIds, folder }: ReadingScope): (reading: HeldReading) => boolean {
  return (reading) =>
    (feedIds?.includes(reading.feedId) ?? true) &&
    (folder === undefined || (folder === '' ? reading.folder === undefined : isInFolder(reading.folder, folder)))
}

/** With a second account: the only user's titles and folders are no longer those of the crawl. */
export function personalLeavesFeeds(state: State): void {
  for (const { feed } of state.feeds.values()) {
    if (!feed.listed) delete feed.folder
    const titles = [...state.readers.readings.values()].map((own) => own.get(feed.id)?.title)
    if (!feed.title || !titles.includes(feed.title)) continue
    Object.assign(feed, { title: '', validators: {} })
    delete feed.bodyHash
    delete feed.windowHash
  }
  for (const { source } of state.sources.values()) if (!source.listed) delete source.folder
}

/** Whether a feed is within a user's reach. */
export function isFeedWithin(state: State, { personId, reach }: FeedScope, feedId: FeedId): boolean {
  const feed = state.feeds.get(feedId)?.feed
  if (!feed) return false
  const isFollowed = readingsOfPerson(state, personId).has(feedId)
  switch (reach) {
    case 'followed':
      return isFollowed
    case 'common':
      return isFollowed || feed.listed === true
    case 'shared':
      return isFollowed || feed.listed === true || !isPrivateFeed(feed)
    case 'public':
      return !isPrivateFeed(feed)
  }
}

/** An entry that repeats another within a user's reach: their primary, or the earliest where that is out of reach. */
export function isEntryRepeatedWithin(state: State, scope: FeedScope, id: EntryId, level: GroupLevel): boolean {
  const isSeen = (entryId: EntryId) => isFeedWithin(state, scope, state.entries.get(entryId)?.feedId ?? (0 as FeedId))
  for (const { level: own, primaryId, members } of state.groups.values()) {
    const member = members.get(id)
    if (own !== level || !member || primaryId === id) continue
    const isBefore = (other: { at: number; entryId: EntryId }) =>
      other.at < member.at || (other.at === member.at && other.entryId < id)
    return [...members.values()].some(
      (other) => (other.entryId === primaryId || isBefore(other)) && isSeen(other.entryId),
    )
  }
  return false
}
