/** State of the memory store, and the changes that several of its methods share. Maps keep insertion order. */
import type { NewMembership, StoredGroup } from '../../dedup/index.ts'
import {
  type Bucket,
  type ComparedBy,
  type Entry,
  type EntryDraft,
  type EntryId,
  type EntryVersion,
  extrasOf,
  type FailedProbe,
  type Feed,
  type FeedId,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  HOUR,
  type Host,
  type HubSubscription,
  type Instant,
  type LeaseToken,
  type Market,
  type Poll,
  type PollingGoals,
  type Schedule,
  type SiteRobots,
  type Source,
  type SourceId,
  sortAt,
} from '../../model/index.ts'
import {
  type EntryChanges,
  type FeedChange,
  isRunPoll,
  isWithinRun,
  MAX_BODIES,
  MAX_POLLS_IN_RUN,
  MAX_VERSIONS,
  type NewFeed,
  type PollRecordDraft,
  previousBody,
  type QueuePosition,
} from '../../ports/index.ts'
import { type ArticlesState, createArticles } from './article-state.ts'
import { copyOf } from './copy.ts'
import { createReaders, type ReadersState } from './reader-state.ts'

export interface MemoryFeed {
  feed: Feed
  schedule: Schedule
  revision: number
  lease?: MemoryLease
  /** Every key the feed has ever shown. */
  idByKey: Map<string, EntryId | 'forgotten'>
  /** New entries, and articles to fetch for them, by hour since 1970; oldest first. */
  hours: Map<number, { entries: number; pages: number }>
  /** The latest polls, if they were unchanged and the next one may join their run (`ports/poll-runs`); else empty. */
  openRun: Poll[]
}

export interface MemorySource {
  source: Source
  lease?: MemoryLease
}

export interface MemoryLease {
  token: LeaseToken
  until: Instant
  takenAt: Instant
}

export interface MemorySignature {
  at: Instant
  placedAt: Instant
  comparedBy: ComparedBy
  simhash: bigint
  signature: Uint8Array
}

export interface MemoryGroup extends StoredGroup {
  /** Absent until the group is settled. */
  primaryId?: EntryId
  distanceSum: number
  members: Map<EntryId, NewMembership>
}

export interface State {
  feeds: Map<FeedId, MemoryFeed>
  feedIdByUrl: Map<string, FeedId>
  sources: Map<SourceId, MemorySource>
  sourceIdByUrl: Map<string, SourceId>
  entries: Map<EntryId, Entry>
  versions: Map<EntryId, EntryVersion[]>
  /** Lines of the poll log in the order in which they ended, without open runs. Each line holds its polls, oldest first. */
  pollLog: Poll[][]
  hosts: Map<string, Host>
  folderWants: Map<string, PollingGoals>
  market?: Market
  userBudget?: number
  hubSubscriptions: Map<string, HubSubscription>
  /** Start and end of each run of the crawler. */
  runs: Map<Instant, Instant>
  robots: Map<string, SiteRobots & { root: string }>
  failedProbes: Map<string, FailedProbe>
  articles: ArticlesState
  /** Entries to index, each with its queue position. A change moves an entry to the end. */
  unindexed: Map<EntryId, QueuePosition>
  /** Entries to group, likewise. */
  ungrouped: Map<EntryId, QueuePosition>
  /** In the order in which entries were grouped. */
  signatures: Map<EntryId, MemorySignature>
  boilerplate: Map<FeedId, Uint8Array>
  groups: Map<GroupId, MemoryGroup>
  moves: Map<EntryId, GroupMove[]>
  /** Ids and queue positions assigned last; none is ever reused. */
  lastIds: { feed: number; source: number; entry: number; group: number; queuePosition: number; lease: number }
  readers: ReadersState
  aliveUntilByOwner: Map<string, Instant>
  buckets: Map<Bucket, { owner: string | undefined; epoch: number }>
}

const RETAINED_HOURS = 48

export function createState(): State {
  return {
    feeds: new Map(),
    feedIdByUrl: new Map(),
    sources: new Map(),
    sourceIdByUrl: new Map(),
    entries: new Map(),
    versions: new Map(),
    pollLog: [],
    hosts: new Map(),
    folderWants: new Map(),
    hubSubscriptions: new Map(),
    runs: new Map(),
    robots: new Map(),
    failedProbes: new Map(),
    articles: createArticles(),
    unindexed: new Map(),
    ungrouped: new Map(),
    signatures: new Map(),
    boilerplate: new Map(),
    groups: new Map(),
    moves: new Map(),
    lastIds: { feed: 0, source: 0, entry: 0, group: 0, queuePosition: 0, lease: 0 },
    readers: createReaders(),
    aliveUntilByOwner: new Map(),
    buckets: new Map(),
  }
}

// Inputs are copied before anything is written, so an invalid record throws here and not halfway through a batch.

export function copyFeed({ feed, schedule }: NewFeed): NewFeed {
  return copyOf({ feed, schedule })
}

export function copyRecord<Kind extends EntryChanges>(record: Kind): Kind {
  const { fresh, changed, ...rest } = record
  return { ...record, ...copyOf(rest), fresh: fresh.map(copyDraft), changed: changed.map(copyDraft) }
}

function copyDraft({ key, ...rest }: EntryDraft): EntryDraft {
  return { key, ...copyOf(rest) }
}

/** Stores `feed` without copying: the caller must pass a copy. */
export function storeFeed(state: State, { feed, schedule }: NewFeed): { id: FeedId; added: boolean } {
  const existing = state.feedIdByUrl.get(feed.url)
  if (existing !== undefined) return { id: existing, added: false }
  const id = ++state.lastIds.feed as FeedId
  const { name, ...unnamed } = feed
  const named = name === undefined || isNameUsed(state, name) ? unnamed : feed
  state.feeds.set(id, {
    feed: { ...named, id },
    schedule,
    revision: 0,
    idByKey: new Map(),
    hours: new Map(),
    openRun: [],
  })
  state.feedIdByUrl.set(feed.url, id)
  return { id, added: true }
}

function isNameUsed(state: State, name: string): boolean {
  return [...state.feeds.values()].some(({ feed }) => feed.name === name)
}

export function isAddressUsed(state: State, { feed }: MemoryFeed, url: string | undefined): boolean {
  return url !== undefined && (state.feedIdByUrl.get(url) ?? feed.id) !== feed.id
}

/** Two feeds never share an address: if another feed has the new address, the change skips it and its root. */
export function applyChange(state: State, stored: MemoryFeed, change: FeedChange): void {
  const { url, root, ...changes } = copyOf(change)
  const isUsed = isAddressUsed(state, stored, url)
  const rest = { ...changes, ...(root !== undefined && !isUsed && { root }) }
  if (rest.name && rest.name !== stored.feed.name && isNameUsed(state, rest.name)) delete rest.name
  Object.assign(stored.feed, rest)
  for (const [name, value] of Object.entries(rest)) if (value === null) delete stored.feed[name as keyof Feed]
  if (url === undefined || isUsed) return
  state.feedIdByUrl.delete(stored.feed.url)
  state.feedIdByUrl.set(url, stored.feed.id)
  stored.feed.url = url
}

/** Stores `record` without copying: the caller must pass a copy. */
export function applyPoll(state: State, stored: MemoryFeed, { poll, schedule, feed }: PollRecordDraft): void {
  logPoll(state, stored, { ...poll, feedId: stored.feed.id })
  stored.schedule = { ...schedule, polledAt: poll.at }
  delete stored.lease
  stored.revision++
  if (feed) applyChange(state, stored, feed)
}

function logPoll(state: State, stored: MemoryFeed, poll: Poll): void {
  const [first] = stored.openRun
  const joins = isRunPoll(poll)
  if (first && (!joins || !isWithinRun(first.at, poll.at))) endRun(state, stored)
  if (joins) stored.openRun.push(poll)
  else state.pollLog.push([poll])
  if (stored.openRun.length >= MAX_POLLS_IN_RUN) endRun(state, stored)
}

function endRun(state: State, stored: MemoryFeed): void {
  state.pollLog.push(stored.openRun)
  stored.openRun = []
}

/** All lines of the poll log, open runs last. */
export function logLines(state: State): Poll[][] {
  const open = [...state.feeds.values()].map(({ openRun }) => openRun)
  return [...state.pollLog, ...open.filter((run) => run.length > 0)]
}

/** Stores the entries without copying: the caller must pass a copy. */
export function applyEntryChanges(
  state: State,
  stored: MemoryFeed,
  { keyChanges = [], completed = [], fresh, changed }: EntryChanges,
  at: Instant,
): void {
  const feedId = stored.feed.id
  for (const { from, to } of keyChanges) {
    const id = stored.idByKey.get(from)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry || stored.idByKey.has(to)) continue
    stored.idByKey.delete(from)
    stored.idByKey.set(to, entry.id)
    entry.key = to
  }
  for (const draft of fresh) {
    if (stored.idByKey.has(draft.key)) continue
    hourlyCountsOf(stored, at).entries++
    const id = ++state.lastIds.entry as EntryId
    state.entries.set(id, { ...draft, id, feedId, seenAt: at })
    stored.idByKey.set(draft.key, id)
    enqueueEntry(state, state.unindexed, id)
    enqueueEntry(state, state.ungrouped, id)
  }
  for (const draft of changed) {
    const id = stored.idByKey.get(draft.key)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry) continue
    const { title, url } = entry
    const body = previousBody(entry, draft)
    const version = { title, ...(url !== undefined && { url }), until: at, ...(body !== undefined && { body }) }
    const versions = [...(state.versions.get(entry.id) ?? []), version].slice(-MAX_VERSIONS)
    const withBody = versions.filter((one) => one.body !== undefined)
    for (const one of withBody.slice(0, -MAX_BODIES)) delete one.body
    state.versions.set(entry.id, versions)
    state.entries.set(entry.id, { ...draft, id: entry.id, feedId, seenAt: entry.seenAt, changedAt: at })
    enqueueEntry(state, state.unindexed, entry.id)
    enqueueEntry(state, state.ungrouped, entry.id)
  }
  for (const { key, extras } of completed) {
    const id = stored.idByKey.get(key)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry || extrasOf(entry)) continue
    Object.assign(entry, extras)
    enqueueEntry(state, state.unindexed, entry.id)
  }
}

export function hourlyCountsOf({ hours }: MemoryFeed, at: Instant): { entries: number; pages: number } {
  const hour = Math.floor(at / HOUR)
  const counts = hours.get(hour) ?? { entries: 0, pages: 0 }
  hours.set(hour, counts)
  for (const old of hours.keys()) if (old < hour - RETAINED_HOURS) hours.delete(old)
  return counts
}

export function newLease({ lastIds }: State, takenAt: Instant, until: Instant): MemoryLease {
  return { token: `lease ${++lastIds.lease}` as LeaseToken, until, takenAt }
}

/** A caller without a token is trusted. */
export function holdsLease(lease: MemoryLease | undefined, token: LeaseToken | undefined): boolean {
  return token === undefined || lease?.token === token
}

/** Moves an entry to the end of a queue. */
export function enqueueEntry(state: State, queue: Map<EntryId, QueuePosition>, id: EntryId): void {
  queue.delete(id)
  queue.set(id, ++state.lastIds.queuePosition as QueuePosition)
}

/** Removes the entries at these positions; entries that were queued again since stay. */
export function dequeuePositions(queue: Map<EntryId, QueuePosition>, positions: QueuePosition[]): void {
  const done = new Set(positions)
  for (const [id, position] of queue) if (done.has(position)) queue.delete(id)
}

/** Hour of the day, UTC. For a date without a time of day, the time the entry was first seen. */
export function hourOfDay(entry: Entry): number {
  return new Date(entry.dateOnly ? entry.seenAt : sortAt(entry, entry.seenAt)).getUTCHours()
}

/** Whether an entry is in a group whose primary is another entry. */
export function isDuplicate(state: State, id: EntryId, level: GroupLevel): boolean {
  for (const group of state.groups.values())
    if (group.level === level && group.primaryId !== id && group.members.has(id)) return true
  return false
}
