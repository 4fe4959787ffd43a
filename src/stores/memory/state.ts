/** What the memory store keeps, and the few changes that several of its methods make. Maps keep the order of arrival. */
import type { NewSeat, SeatedGroup } from '../../dedup/index.ts'
import {
  type Bucket,
  type ComparedBy,
  type Entry,
  type EntryDraft,
  type EntryId,
  type EntryVersion,
  extrasOf,
  type Feed,
  type FeedId,
  type GroupId,
  type GroupLevel,
  type GroupMove,
  HOUR,
  type Host,
  type Instant,
  type LeaseToken,
  type Market,
  type Miss,
  type Poll,
  type Push,
  type Schedule,
  type SiteRobots,
  type Source,
  type SourceId,
  sortAt,
  type Wants,
} from '../../model/index.ts'
import {
  bodyBefore,
  type FeedChange,
  isInReach,
  isRunPoll,
  KEPT_BODIES,
  KEPT_VERSIONS,
  type Mark,
  MOST_POLLS_IN_RUN,
  type NewFeed,
  type News,
  type PollRecordDraft,
} from '../../ports/index.ts'
import { copyOf } from './copy.ts'
import { type Articles, createArticles } from './held-articles.ts'
import { createReaders, type Readers } from './held-readers.ts'

export interface HeldFeed {
  feed: Feed
  schedule: Schedule
  revision: number
  /** Absent while it is in nobody's hands. */
  lease?: HeldLease
  /** Every key the feed has shown us. */
  keys: Map<string, EntryId | 'forgotten'>
  /** How many entries came in which hour since 1970, and how many pages were to be fetched for them; oldest first. */
  hours: Map<number, { entries: number; pages: number }>
  /** Its last polls, if they were unchanged and the next may join them (`ports/poll-runs`); else none. */
  openRun: Poll[]
}

export interface HeldSource {
  source: Source
  lease?: HeldLease
}

export interface HeldLease {
  token: LeaseToken
  until: Instant
  takenAt: Instant
}

export interface HeldSignature {
  at: Instant
  placedAt: Instant
  comparedBy: ComparedBy
  simhash: bigint
  signature: Uint8Array
}

export interface HeldGroup extends SeatedGroup {
  /** Absent until it is settled. */
  primaryId?: EntryId
  distanceSum: number
  members: Map<EntryId, NewSeat>
}

export interface State {
  feeds: Map<FeedId, HeldFeed>
  feedIds: Map<string, FeedId>
  sources: Map<SourceId, HeldSource>
  sourceIds: Map<string, SourceId>
  entries: Map<EntryId, Entry>
  versions: Map<EntryId, EntryVersion[]>
  /** Lines of the poll log in the order in which they ended, without the open runs of feeds; each has its polls, oldest first. */
  log: Poll[][]
  hosts: Map<string, Host>
  folders: Map<string, Wants>
  market?: Market
  namedBudget?: number
  pushes: Map<string, Push>
  /** From when until when crawls ran. */
  runs: Map<Instant, Instant>
  robots: Map<string, SiteRobots & { root: string }>
  misses: Map<string, Miss>
  articles: Articles
  /** Entries that the search index has to hear of, each with its place in the line; a change sends it to the end. */
  unindexed: Map<EntryId, Mark>
  /** The same for entries that have still to be placed among copies and stories. */
  unplaced: Map<EntryId, Mark>
  /** In the order in which entries were placed. */
  signatures: Map<EntryId, HeldSignature>
  habits: Map<FeedId, Uint8Array>
  groups: Map<GroupId, HeldGroup>
  moves: Map<EntryId, GroupMove[]>
  /** What was given out last: ids and places in a line are never given twice. */
  last: { feed: number; source: number; entry: number; group: number; place: number; lease: number }
  /** Who lives until when, and whose each bucket is. */
  readers: Readers
  owners: Map<string, Instant>
  buckets: Map<Bucket, { owner: string | undefined; epoch: number }>
}

const HOURS_KEPT = 48

export function createState(): State {
  return {
    feeds: new Map(),
    feedIds: new Map(),
    sources: new Map(),
    sourceIds: new Map(),
    entries: new Map(),
    versions: new Map(),
    log: [],
    hosts: new Map(),
    folders: new Map(),
    pushes: new Map(),
    runs: new Map(),
    robots: new Map(),
    misses: new Map(),
    articles: createArticles(),
    unindexed: new Map(),
    unplaced: new Map(),
    signatures: new Map(),
    habits: new Map(),
    groups: new Map(),
    moves: new Map(),
    last: { feed: 0, source: 0, entry: 0, group: 0, place: 0, lease: 0 },
    readers: createReaders(),
    owners: new Map(),
    buckets: new Map(),
  }
}

// What comes in is copied before anything is written: what cannot be read throws here, and takes none of its neighbours
// halfway along.

export function ownFeed({ feed, schedule }: NewFeed): NewFeed {
  return copyOf({ feed, schedule })
}

export function ownRecord<Kind extends News>(record: Kind): Kind {
  const { fresh, changed, ...rest } = record
  return { ...record, ...copyOf(rest), fresh: fresh.map(ownDraft), changed: changed.map(ownDraft) }
}

function ownDraft({ key, ...rest }: EntryDraft): EntryDraft {
  return { key, ...copyOf(rest) }
}

/** `feed` must be the store's own: it is kept as it is. */
export function keepFeed(state: State, { feed, schedule }: NewFeed): { id: FeedId; added: boolean } {
  const there = state.feedIds.get(feed.url)
  if (there !== undefined) return { id: there, added: false }
  const id = ++state.last.feed as FeedId
  const { name, ...unnamed } = feed
  const own = name === undefined || isNamed(state, name) ? unnamed : feed
  state.feeds.set(id, { feed: { ...own, id }, schedule, revision: 0, keys: new Map(), hours: new Map(), openRun: [] })
  state.feedIds.set(feed.url, id)
  return { id, added: true }
}

function isNamed(state: State, name: string): boolean {
  return [...state.feeds.values()].some(({ feed }) => feed.name === name)
}

export function isTaken(state: State, { feed }: HeldFeed, url: string | undefined): boolean {
  return url !== undefined && (state.feedIds.get(url) ?? feed.id) !== feed.id
}

/** Two feeds never share an address: a new address that another feed has is left out of the change, and its root. */
export function applyChange(state: State, held: HeldFeed, change: FeedChange): void {
  const { url, root, ...others } = copyOf(change)
  const taken = isTaken(state, held, url)
  const rest = { ...others, ...(root !== undefined && !taken && { root }) }
  if (rest.name && rest.name !== held.feed.name && isNamed(state, rest.name)) delete rest.name
  Object.assign(held.feed, rest)
  for (const [name, value] of Object.entries(rest)) if (value === null) delete held.feed[name as keyof Feed]
  if (url === undefined || taken) return
  state.feedIds.delete(held.feed.url)
  state.feedIds.set(url, held.feed.id)
  held.feed.url = url
}

/** `record` must be the store's own: it is kept as it is. */
export function applyPoll(state: State, held: HeldFeed, { poll, schedule, feed }: PollRecordDraft): void {
  logPoll(state, held, { ...poll, feedId: held.feed.id })
  held.schedule = { ...schedule, polledAt: poll.at }
  delete held.lease
  held.revision++
  if (feed) applyChange(state, held, feed)
}

function logPoll(state: State, held: HeldFeed, poll: Poll): void {
  const [first] = held.openRun
  const joins = isRunPoll(poll)
  if (first && (!joins || !isInReach(first.at, poll.at))) endRun(state, held)
  if (joins) held.openRun.push(poll)
  else state.log.push([poll])
  if (held.openRun.length >= MOST_POLLS_IN_RUN) endRun(state, held)
}

function endRun(state: State, held: HeldFeed): void {
  state.log.push(held.openRun)
  held.openRun = []
}

/** Open runs last. */
export function logLines(state: State): Poll[][] {
  const open = [...state.feeds.values()].map(({ openRun }) => openRun)
  return [...state.log, ...open.filter((run) => run.length > 0)]
}

/** Likewise. */
export function applyNews(
  state: State,
  held: HeldFeed,
  { rekeyed = [], completed = [], fresh, changed }: News,
  at: Instant,
): void {
  const feedId = held.feed.id
  for (const { from, to } of rekeyed) {
    const id = held.keys.get(from)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry || held.keys.has(to)) continue
    held.keys.delete(from)
    held.keys.set(to, entry.id)
    entry.key = to
  }
  for (const draft of fresh) {
    if (held.keys.has(draft.key)) continue
    brought(held, at).entries++
    const id = ++state.last.entry as EntryId
    state.entries.set(id, { ...draft, id, feedId, seenAt: at })
    held.keys.set(draft.key, id)
    enqueue(state, state.unindexed, id)
    enqueue(state, state.unplaced, id)
  }
  for (const draft of changed) {
    const id = held.keys.get(draft.key)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry) continue
    const { title, url } = entry
    const body = bodyBefore(entry, draft)
    const version = { title, ...(url !== undefined && { url }), until: at, ...(body !== undefined && { body }) }
    const versions = [...(state.versions.get(entry.id) ?? []), version].slice(-KEPT_VERSIONS)
    const withBody = versions.filter((one) => one.body !== undefined)
    for (const one of withBody.slice(0, -KEPT_BODIES)) delete one.body
    state.versions.set(entry.id, versions)
    state.entries.set(entry.id, { ...draft, id: entry.id, feedId, seenAt: entry.seenAt, changedAt: at })
    enqueue(state, state.unindexed, entry.id)
    enqueue(state, state.unplaced, entry.id)
  }
  for (const { key, extras } of completed) {
    const id = held.keys.get(key)
    const entry = id !== undefined && id !== 'forgotten' && state.entries.get(id)
    if (!entry || extrasOf(entry)) continue
    Object.assign(entry, extras)
    enqueue(state, state.unindexed, entry.id)
  }
}

/** What is counted of this hour. */
export function brought({ hours }: HeldFeed, at: Instant): { entries: number; pages: number } {
  const hour = Math.floor(at / HOUR)
  const counted = hours.get(hour) ?? { entries: 0, pages: 0 }
  hours.set(hour, counted)
  for (const old of hours.keys()) if (old < hour - HOURS_KEPT) hours.delete(old)
  return counted
}

export function newLease({ last }: State, takenAt: Instant, until: Instant): HeldLease {
  return { token: `lease ${++last.lease}` as LeaseToken, until, takenAt }
}

/** Whoever shows no token is believed. */
export function isUnder(lease: HeldLease | undefined, token: LeaseToken | undefined): boolean {
  return token === undefined || lease?.token === token
}

/** Puts an entry at the end of a line, wherever it stood before. */
export function enqueue(state: State, line: Map<EntryId, Mark>, id: EntryId): void {
  line.delete(id)
  line.set(id, ++state.last.place as Mark)
}

/** Takes out what waited at these marks, and has not been put there anew. */
export function dealtWith(line: Map<EntryId, Mark>, marks: Mark[]): void {
  const over = new Set(marks)
  for (const [id, mark] of line) if (over.has(mark)) line.delete(id)
}

/** Of the day, UTC; a date without a time of day says nothing of the hour. */
export function hourOfEntry(entry: Entry): number {
  return new Date(entry.dateOnly ? entry.seenAt : sortAt(entry, entry.seenAt)).getUTCHours()
}

/** In a group of which another is the primary. */
export function isRepeatedIn(state: State, id: EntryId, level: GroupLevel): boolean {
  for (const group of state.groups.values())
    if (group.level === level && group.primaryId !== id && group.members.has(id)) return true
  return false
}
