/**
 * Lists of entries as clients of Miniflux ask for them: filtered, ordered, and cut by offset and limit. Lists by date or by id read little
 * more than their page. Other lists (searches, other orders, dates of change) collect up to `MAX_COLLECTED` entries first. An offset costs
 * what it skips, so it is limited; clients that want all entries go on by `after_entry_id`, which costs nothing.
 */
import { type Entry, type EntryId, sortPosition, type UserId } from '../../../model/index.ts'
import type { ArrivalQuery, ReaderQuery, ReaderState, SubscriptionScope } from '../../../ports/index.ts'
import { findEntryIds, followedFeedIds, subscriptionPages } from '../../../views/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import type { ReaderAdapter, ReaderItem } from '../reader-adapter.ts'
import type { MinifluxEntryQuery } from './entry-query.ts'
import { changedAtOf, UNSORTED } from './shapes.ts'

export interface EntryListParts extends Pick<AuthenticatedParts, 'readerState' | 'catalogue' | 'clock'> {
  adapter: ReaderAdapter
}

interface EntryList {
  parts: EntryListParts
  userId: UserId
  scope: SubscriptionScope
  query: MinifluxEntryQuery
}

/** Entries whose ids and dates are collected for one list, newest first; it ends there. */
export const MAX_COLLECTED = 10_000
/** Entries that are read for one list, to sort or filter them by what only the entries know. */
const MAX_READ = 5000
const CHUNK = 500
/** Pages of the store for one list. */
const MAX_ROUNDS = 40

export async function listedItems(
  parts: EntryListParts,
  userId: UserId,
  scope: SubscriptionScope,
  query: MinifluxEntryQuery,
): Promise<{ total: number; items: ReaderItem[] }> {
  const { total, ids } = await listedIds(parts, userId, scope, query)
  return { total, items: await parts.adapter.loadItems(userId, ids) }
}

export async function listedIds(
  parts: EntryListParts,
  userId: UserId,
  scope: SubscriptionScope,
  query: MinifluxEntryQuery,
): Promise<{ total: number; ids: EntryId[] }> {
  const list = { parts, userId, scope, query }
  const { limit, offset } = query
  const listed = needsCollection(query) ? undefined : isByArrival(query) ? await byArrival(list) : await byDate(list)
  if (!listed) {
    const collected = await collect(list)
    return { total: collected.length, ids: collected.slice(offset, offset + limit) }
  }
  const ids = listed.slice(offset)
  const isComplete = ids.length < limit && (ids.length > 0 || offset === 0)
  return { total: isComplete ? listed.length : Math.max(listed.length, await totalOf(list)), ids }
}

function isByArrival({ order }: MinifluxEntryQuery): boolean {
  return order === 'id' || order === 'created_at'
}

function needsEntries({ tags, order, search, ...dates }: MinifluxEntryQuery): boolean {
  const isByKey = !['id', 'created_at', 'published_at'].includes(order)
  const isDated = dates.since !== undefined || dates.until !== undefined
  const isChanged = dates.changedSince !== undefined || dates.changedUntil !== undefined
  return isByKey || tags.length > 0 || isChanged || (search !== undefined && isDated) // the index knows dates to the minute
}

function needsCollection(query: MinifluxEntryQuery): boolean {
  if (query.search !== undefined || needsEntries(query)) return true
  const hasIds = query.afterId !== undefined || query.beforeId !== undefined
  return !isByArrival(query) && hasIds
}

/** What the store filters by. */
function filterOf({ scope, query: { read, starred, since, until } }: EntryList) {
  return {
    ...scope,
    ...(read !== undefined && { read }),
    ...(starred !== undefined && { starred }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

async function byDate(list: EntryList): Promise<EntryId[]> {
  const { parts, userId, query } = list
  const count = query.offset + query.limit
  const { readerState } = await parts.adapter.visibleTo(userId)
  const ids: EntryId[] = []
  let after: ReaderQuery['after']
  for (let round = 0; round < MAX_ROUNDS && ids.length < count; round++) {
    const rest = { limit: count - ids.length, oldestFirst: query.isAscending, ...(after && { after }) }
    const { entries, nextAfter } = await readerState.entriesFor(userId, { ...filterOf(list), ...rest })
    for (const { id } of entries) ids.push(id)
    if (!nextAfter) break
    after = nextAfter
  }
  return ids
}

async function byArrival(list: EntryList): Promise<EntryId[]> {
  const { isAscending, offset, limit } = list.query
  return (await arrivals(list, isAscending ? 'oldest' : 'newest', offset + limit)).map(({ id }) => id)
}

async function arrivals(list: EntryList, order: ArrivalQuery['order'], limit: number) {
  const { parts, userId, query } = list
  const { afterId = 0, beforeId = Number.MAX_SAFE_INTEGER } = query
  const after = (order === 'oldest' ? afterId : beforeId) as EntryId
  const page = await parts.adapter.listArrivals(userId, { ...filterOf(list), order, after, limit }, MAX_ROUNDS)
  return page.arrivals.filter(({ id }) => id > afterId && id < beforeId)
}

/** The ids of a list in its order. */
async function collect(list: EntryList): Promise<EntryId[]> {
  const { query } = list
  const direction = query.isAscending ? 1 : -1
  if (query.search === undefined && !needsEntries(query)) {
    const found = await arrivals(list, query.afterId === undefined ? 'newest' : 'oldest', MAX_COLLECTED)
    return found.sort((a, b) => (a.at - b.at || a.id - b.id) * direction).map(({ id }) => id)
  }
  const ids = query.search === undefined ? await newestIds(list) : await searched(list, query.search)
  if (!needsEntries(query)) {
    if (isByArrival(query)) return ids.sort((a, b) => (a - b) * direction)
    return query.isAscending ? ids.reverse() : ids
  }
  const found: { entry: Pick<Entry, 'id'>; key: string | number }[] = []
  const keyOf = await sortKeys(list)
  for (let i = 0; i < Math.min(ids.length, MAX_READ); i += CHUNK) {
    const entries = (await list.parts.catalogue.entriesById(ids.slice(i, i + CHUNK))).filter(
      (entry) => entry !== undefined,
    )
    const matching = entries.filter((entry) => matches(entry, query))
    const keys = await keyOf(matching)
    for (const [k, { id }] of matching.entries()) found.push({ entry: { id }, key: keys[k]! })
  }
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  found.sort((a, b) => (compare(a.key, b.key) || a.entry.id - b.entry.id) * direction)
  return found.map(({ entry: { id } }) => id)
}

async function newestIds(list: EntryList): Promise<EntryId[]> {
  return (await arrivals(list, list.query.afterId === undefined ? 'newest' : 'oldest', MAX_READ)).map(({ id }) => id)
}

/** Newest first. The index knows dates, feeds and words; state and ids are checked here. */
async function searched({ parts, userId, scope, query }: EntryList, search: string): Promise<EntryId[]> {
  const { adapter, clock } = parts
  const visible = await adapter.visibleTo(userId)
  const feedIds =
    scope.feedIds ??
    (scope.folder === undefined ? undefined : await followedFeedIds(visible.readerState, userId, scope.folder))
  const { since, until, afterId = 0, beforeId = Number.MAX_SAFE_INTEGER } = query
  const dates = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
  const found = await findEntryIds(search, visible, {
    reader: userId,
    now: clock.now(),
    ...(feedIds && { feedIds }),
    ...dates,
  })
  if ('fault' in found) throw new Problem(400, found.fault, found.hint)
  const ids: EntryId[] = []
  const candidates = found.ids.filter((id) => id > afterId && id < beforeId)
  for (let i = 0; i < candidates.length; i += CHUNK) {
    const chunk = candidates.slice(i, i + CHUNK)
    const states = await visible.readerState.entryStates(userId, chunk)
    ids.push(
      ...chunk.filter((_, k) => {
        const { read, starred } = states[k]!
        const isListed = read !== undefined || (starred && query.starred === true)
        return isListed && (query.read ?? read) === read && (query.starred ?? starred) === starred
      }),
    )
  }
  return ids
}

function matches(entry: Entry, { tags, since, until, changedSince, changedUntil }: MinifluxEntryQuery): boolean {
  const { at } = sortPosition(entry)
  const changedAt = changedAtOf(entry)
  const own = new Set((entry.tags ?? []).map((tag) => tag.toLowerCase()))
  return (
    tags.every((tag) => own.has(tag)) &&
    at >= (since ?? at) &&
    at <= (until ?? at) &&
    changedAt >= (changedSince ?? changedAt) &&
    changedAt <= (changedUntil ?? changedAt)
  )
}

/** The values by which entries are sorted. */
async function sortKeys({
  parts: { adapter, readerState },
  userId,
  query: { order },
}: EntryList): Promise<(entries: Entry[]) => Promise<(string | number)[]>> {
  const numberOf = await adapter.folders.numbersOf(userId)
  return async (entries) => {
    switch (order) {
      case 'status': {
        const states = await readerState.entryStates(
          userId,
          entries.map(({ id }) => id),
        )
        return states.map(({ read }) => (read === false ? 0 : 1))
      }
      case 'category_id':
      case 'category_title': {
        const feeds = await adapter.feedsById(userId, [...new Set(entries.map(({ feedId }) => feedId))])
        const folders = entries.map(({ feedId }) => feeds.get(feedId)?.folder ?? '')
        return folders.map((folder) => (order === 'category_id' ? numberOf(folder) : folder || UNSORTED))
      }
      case 'title':
      case 'author':
        return entries.map((entry) => entry[order] ?? '')
      case 'changed_at':
        return entries.map(changedAtOf)
      case 'published_at':
        return entries.map((entry) => sortPosition(entry).at)
      default:
        return entries.map(({ id }) => id)
    }
  }
}

/** Counters know the totals of feeds; otherwise, up to `MAX_COLLECTED` entries are counted. */
async function totalOf(list: EntryList): Promise<number> {
  const { parts, userId, scope, query } = list
  const { readerState, catalogue } = parts
  const isPlain = [query.starred, query.since, query.until, query.afterId, query.beforeId].every(
    (one) => one === undefined,
  )
  if (!isPlain) return (await arrivals(list, query.isAscending ? 'oldest' : 'newest', MAX_COLLECTED)).length
  let total = 0
  for await (const page of subscriptionsIn(readerState, userId, scope)) {
    const unread = page.reduce((sum, feed) => sum + feed.unread, 0)
    const ids = page.map(({ feedId }) => feedId)
    const all = query.read === false ? 0 : (await catalogue.entryCounts(ids)).reduce((sum, count) => sum + count, 0)
    total += query.read === undefined ? all : query.read ? all - unread : unread
  }
  return total
}

async function* subscriptionsIn(readerState: ReaderState, userId: UserId, { feedIds, folder }: SubscriptionScope) {
  if (feedIds) yield (await readerState.subscriptionsTo(userId, [...feedIds])).filter((one) => one !== undefined)
  else yield* subscriptionPages(readerState, userId, folder)
}
