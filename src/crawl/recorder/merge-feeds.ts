/**
 * Merges one feed under several addresses (http and https, with and without www, an old address that redirects): two feeds become one if
 * their requests end at one address and their entries are nearly the same.
 *
 *     poll of a feed is redirected --> another feed has the target address, or is redirected there, too
 *                                  --> their entries agree --> followers, read and starred states, outgoing feeds move --> the other is removed
 *
 * The feed that was added first stays, since it has the longer history; a feed listed in freshet.toml always stays. Private feeds are never
 * merged, since followers of one may not read the other. All steps can be repeated: what has already moved is found in its new place.
 */

import {
  DAY,
  type Entry,
  type EntryDraft,
  type EntryId,
  type Feed,
  type FeedId,
  type Instant,
  isEmptySettings,
  isPrivateFeed,
  pageSettingsOf,
  sortPosition,
  type UserId,
  type WebAddress,
  withoutFragment,
} from '../../model/index.ts'
import type { Clock, FeedChange, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { addLabels, type LabeledEntry } from './add-labels.ts'
import { identifiersOf } from './entry-identifiers.ts'

export interface FeedMergerParts
  extends Pick<Roles, 'catalogue' | 'pollResults' | 'feedRegistry' | 'users' | 'readerState' | 'sharing'> {
  clock: Clock
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
}

export interface FeedMerger {
  /** Merges this feed with another whose requests end at the same URL, if both have the same entries. */
  mergeIfSame(feed: Feed, finalUrl: WebAddress): Promise<void>
}

/** How many of the newest entries of each feed are compared. */
const MAX_COMPARED = 200
const MIN_IN_COMMON = 3
const MIN_AGREEMENT = 0.9
/** Feeds with more entries are not merged. */
const MAX_ENTRIES = 10_000
const CHUNK = 500
/** When a pair that does not agree is compared again. */
const RECOMPARE_MS = DAY
const MAX_CACHED = 10_000

export function createFeedMerger(parts: FeedMergerParts): FeedMerger {
  const { catalogue, retryTransient, clock, emit } = parts
  const feedByFinalUrl = new Map<string, FeedId>()
  const comparedAt = new Map<string, Instant>()

  async function otherFeedAt(id: FeedId, url: string): Promise<FeedId | undefined> {
    const existing = await retryTransient('read feeds', () => catalogue.feedAt(url))
    if (existing !== undefined) return existing === id ? undefined : existing
    const before = feedByFinalUrl.get(url)
    remember(feedByFinalUrl, url, id)
    return before === id ? undefined : before
  }

  return {
    async mergeIfSame({ id, url }, finalUrl) {
      const targetUrl = withoutFragment(finalUrl)
      if (targetUrl === url) return
      const other = await otherFeedAt(id, targetUrl)
      if (other === undefined) return
      const pair = [id, other].sort((a, b) => a - b).join(' ')
      const now = clock.now()
      if (now - (comparedAt.get(pair) ?? Number.NEGATIVE_INFINITY) < RECOMPARE_MS) return
      remember(comparedAt, pair, now)
      const [one, two] = (await retryTransient('read feeds', () => catalogue.feedsById([id, other]))).map(
        (scheduled) => scheduled?.feed,
      )
      const choice = one && two && chooseFeedToKeep(one, two)
      if (!choice) return
      const { kept, dropped } = choice
      if (!(await retryTransient('read feeds', () => haveSameEntries(parts, kept.id, dropped.id)))) return
      await retryTransient('merge feeds', () => mergeFeeds(parts, kept, dropped))
      const about = { at: now, feedId: kept.id, title: kept.title }
      emit({ kind: 'merged', ...about, url: kept.url, mergedId: dropped.id, mergedUrl: dropped.url })
    },
  }
}

/** Undefined if they must not be merged. */
function chooseFeedToKeep(one: Feed, two: Feed): { kept: Feed; dropped: Feed } | undefined {
  if ([one, two].some((feed) => isPrivateFeed(feed) || feed.state !== 'active') || (one.listed && two.listed)) return
  const isFirst = one.listed === two.listed ? one.id < two.id : one.listed === true
  return isFirst ? { kept: one, dropped: two } : { kept: two, dropped: one }
}

/** Whether nearly all entries are the same in the period that both cover. */
async function haveSameEntries({ catalogue }: FeedMergerParts, one: FeedId, two: FeedId): Promise<boolean> {
  const counts = await catalogue.entryCounts([one, two])
  if (counts.some((count) => count > MAX_ENTRIES)) return false
  const samples = [
    await catalogue.entries({ feedId: one, limit: MAX_COMPARED }),
    await catalogue.entries({ feedId: two, limit: MAX_COMPARED }),
  ]
  const since = Math.max(...samples.map((entries) => sortPosition(entries.at(-1) ?? NO_ENTRY).at))
  const [entriesOfOne, entriesOfTwo] = samples.map((entries) =>
    entries.filter((entry) => sortPosition(entry).at >= since),
  )
  return [
    [entriesOfOne!, entriesOfTwo!],
    [entriesOfTwo!, entriesOfOne!],
  ].every(([entries, others]) => {
    const find = finderOf(others!)
    const common = entries!.filter((entry) => find(entry) !== undefined).length
    return common >= MIN_IN_COMMON && common >= MIN_AGREEMENT * entries!.length
  })
}

const NO_ENTRY = { seenAt: Number.POSITIVE_INFINITY, id: 0 } as Entry

/** Moves all user data of one feed to the other, and removes it. */
async function mergeFeeds(parts: FeedMergerParts, kept: Feed, dropped: Feed): Promise<void> {
  const { catalogue, feedRegistry, users, readerState, sharing } = parts
  const droppedEntries = await identitiesOf(parts, dropped.id)
  await addMissing(parts, kept.id, droppedEntries)
  const entriesOfKept = await identitiesOf(parts, kept.id)
  const find = finderOf(entriesOfKept)
  const pairs = droppedEntries.flatMap((entry) => {
    const same = find(entry)
    return same === undefined ? [] : [{ from: entry.id, to: same }]
  })
  const merge: Merge = { kept: kept.id, dropped: dropped.id, pairs, ids: entriesOfKept.map(({ id }) => id) }
  for (const userId of new Set([await users.firstUser(), ...(await users.allUsers()).map(({ id }) => id)])) {
    await moveUserData(parts, userId, merge)
    for (const { id, of } of await sharing.sharedItems('feedOut', userId))
      if (of.kind === 'feed' && of.feedId === dropped.id)
        await sharing.changeSharedItem('feedOut', userId, id, { of: { kind: 'feed', feedId: kept.id } })
  }
  const [scheduled] = await catalogue.feedsById([kept.id])
  if (!scheduled || ((await readerState.followerCounts([{ feedId: dropped.id }]))[0] ?? 0) > 0) return // a new follower meanwhile: merged by a later poll
  await feedRegistry.removeFeed(dropped.id)
  const change = missingUserSettings(scheduled.feed, dropped)
  if (Object.keys(change).length > 0) await feedRegistry.changeFeed(kept.id, change)
}

/** Copies the entries that the remaining feed lacks. */
async function addMissing(
  { catalogue, pollResults, clock }: FeedMergerParts,
  kept: FeedId,
  droppedEntries: EntryIdentity[],
): Promise<void> {
  const find = finderOf(await identitiesOf({ catalogue }, kept))
  const missing = droppedEntries.filter((entry) => find(entry) === undefined).map(({ id }) => id)
  for (let i = 0; i < missing.length; i += CHUNK) {
    const entries = await catalogue.entriesById(missing.slice(i, i + CHUNK))
    const fresh = entries.flatMap((entry) => (entry ? [draftOf(entry)] : []))
    await pollResults.recordEntries([{ feedId: kept, at: clock.now(), fresh, changed: [] }])
  }
}

interface Merge {
  kept: FeedId
  dropped: FeedId
  /** Equal entries. */
  pairs: { from: EntryId; to: EntryId }[]
  /** All entries of the remaining feed. */
  ids: EntryId[]
}

/**
 * Moves one user's subscription, entry states and labels. An entry that is read in either feed is read. If the user did not follow the remaining feed,
 * the same entries stay unread as before. Entries are marked read last, so that an interruption loses nothing.
 */
async function moveUserData({ readerState, clock }: FeedMergerParts, userId: UserId, merge: Merge): Promise<void> {
  const { kept, dropped, pairs, ids } = merge
  const [subscription, remaining] = await readerState.subscriptionsTo(userId, [dropped, kept])
  const now = clock.now()
  const read = new Set<EntryId>()
  const unread = new Set<EntryId>()
  const starred: EntryId[] = []
  const labeled: LabeledEntry[] = []
  for (let i = 0; i < pairs.length; i += CHUNK) {
    const chunk = pairs.slice(i, i + CHUNK)
    const states = await readerState.entryStates(
      userId,
      chunk.map(({ from }) => from),
    )
    for (const [n, { to }] of chunk.entries()) {
      if (states[n]!.read === true) read.add(to)
      if (states[n]!.read === false) unread.add(to)
      if (states[n]!.starred) starred.push(to)
      labeled.push({ id: to, ...states[n]! })
    }
  }
  await addLabels(readerState, userId, labeled, now)
  for (const chunk of chunksOf(starred)) await readerState.starEntries(userId, chunk, true, now)
  if (!subscription) return
  const { title, folder } = subscription
  const settings = { ...(title && { title }), ...(folder && { folder }) }
  const readIds = remaining ? ids.filter((id) => read.has(id)) : readAmongNewest(ids, unread)
  if (remaining) {
    const missing = { ...(!remaining.title && title && { title }), ...(!remaining.folder && folder && { folder }) }
    await readerState.changeSubscription(userId, kept, missing)
  } else await readerState.follow(userId, [{ feedId: kept, ...settings }], now, unread.size + readIds.length)
  for (const chunk of chunksOf(readIds)) await readerState.markEntries(userId, chunk, 'read', now)
  await readerState.unfollow(userId, [{ feedId: dropped }])
}

/** Entries newer than the oldest unread one, except unread ones. */
function readAmongNewest(ids: EntryId[], unread: ReadonlySet<EntryId>): EntryId[] {
  const oldest = Math.min(...unread)
  return ids.filter((id) => id > oldest && !unread.has(id))
}

function chunksOf<Thing>(things: Thing[]): Thing[][] {
  return Array.from({ length: Math.ceil(things.length / CHUNK) }, (_, i) => things.slice(i * CHUNK, (i + 1) * CHUNK))
}

/** User settings of the removed feed that the remaining one lacks. */
function missingUserSettings(kept: Feed, dropped: Feed): FeedChange {
  const { folder, name, ownCategory, articles, wants, titlePrefix, fetching } = dropped
  const { rewrites } = fetching ?? {}
  const reading = { ...pageSettingsOf(fetching), ...(rewrites && { rewrites }) }
  const isNamed = kept.title !== '' && kept.title !== kept.publisherTitle
  const title = dropped.title !== dropped.publisherTitle ? dropped.title : ''
  const settings: FeedChange = {
    ...(folder && !kept.folder && { folder }),
    ...(name && !kept.name && { name }),
    ...(ownCategory && !kept.ownCategory && { ownCategory }),
    ...(articles && !kept.articles && { articles }),
    ...(wants && !kept.wants && { wants }),
    ...(titlePrefix && !kept.titlePrefix && { titlePrefix }),
    ...(!isEmptySettings(reading) && !kept.fetching && { fetching: reading }),
    ...(title && !isNamed && { title }),
  }
  return settings
}

/** The fields that identify an entry. */
type EntryIdentity = Pick<Entry, 'id' | 'key' | 'url' | 'title' | 'publishedAt'>

async function identitiesOf(
  { catalogue }: Pick<FeedMergerParts, 'catalogue'>,
  feedId: FeedId,
): Promise<EntryIdentity[]> {
  const all: EntryIdentity[] = []
  for await (const { id, key, url, title, publishedAt } of catalogue.everyEntry({ feedId }))
    all.push({ id, key, title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }) })
  return all
}

/** Finds the same entry in another feed. */
function finderOf(entries: readonly EntryIdentity[]): (entry: EntryIdentity) => EntryId | undefined {
  const known = new Map<string, EntryId>()
  for (const entry of entries)
    for (const identifier of identifiersOf(entry)) if (!known.has(identifier)) known.set(identifier, entry.id)
  return (entry) => {
    for (const identifier of identifiersOf(entry)) if (known.has(identifier)) return known.get(identifier)
    return undefined
  }
}

function draftOf({ id: _id, feedId: _feedId, seenAt: _seenAt, changedAt: _changedAt, ...draft }: Entry): EntryDraft {
  return draft
}

/** Evicts the oldest. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  for (const old of map.keys()) {
    if (map.size <= MAX_CACHED) break
    map.delete(old)
  }
}
