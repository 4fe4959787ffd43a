/**
 * Imports data of another reader for a user: follows the feeds, then applies the state of entries feed by feed. Feeds of starred entries
 * are followed, too, because stars are kept as long as their feed. Entries are only added to feeds that nobody else follows and that
 * freshet.toml does not list for everybody, since all who read a feed see them. It only adds, so after an interruption it can be repeated.
 */
import type { ImportedFeedShape, ReaderImportShape } from '../api/index.ts'
import type { Address, Crawler, ImportedEntries, SubscribeResult } from '../crawl/index.ts'
import {
  assignFeeds,
  type ImportedEntry,
  type KnownFeed,
  knownFeedsOf,
  MAX_REMEMBERED_PER_FEED,
  type ReaderData,
} from '../feeds/index.ts'
import { type FeedId, type UserId, withoutCredentials } from '../model/index.ts'
import type { Catalogue, ReaderState, Users } from '../ports/index.ts'
import { subscriptionPages } from '../views/index.ts'
import type { AddressSubscriber, SubscribingUser } from './address-subscriber.ts'
import { Problem } from './problem.ts'

interface ImportParts {
  crawler: Crawler
  catalogue: Catalogue
  readerState: ReaderState
  users: Users
  addressSubscriber: AddressSubscriber
}

const MAX_LISTED = 100
const MAX_UNASSIGNED = 1000

export async function importForUser(
  data: ReaderData,
  subscriber: SubscribingUser,
  isDryRun: boolean,
  parts: ImportParts,
): Promise<ReaderImportShape> {
  const { readerState, crawler, catalogue, users } = parts
  const { userId } = subscriber
  const hasOtherUsers = (await users.allUsers()).length > 1
  const entries = withoutFolders(await withFeeds(data, subscriber, parts), await folderNames(data, userId, parts))
  const byFeed = Map.groupBy(entries, ({ feedUrl = '' }) => feedUrl as string)
  const unassigned = byFeed.get('') ?? []
  const addresses = addressesOf(data, byFeed)
  const results = isDryRun
    ? await foreseeResults(addresses, subscriber, parts)
    : await parts.addressSubscriber.add(addresses, subscriber)
  const feeds: ImportedFeedShape[] = []
  for (const [i, result] of results.entries()) {
    if (subscriber.signal.aborted) throw new Problem(400, 'the connection was closed', 'send the file again')
    const { url, title } = addresses[i]!
    const ofFeed = byFeed.get(url) ?? []
    byFeed.delete(url)
    feeds.push(await importFeed(result, title, ofFeed))
  }
  // Entries of feeds that are followed under another address, or not at all: only starred ones make us follow a feed.
  for (const [url, ofFeed] of byFeed) {
    if (url === '') continue
    const feedId = await followedFeedAt(url, subscriber, parts)
    if (feedId === undefined) unassigned.push(...ofFeed)
    else feeds.push(await importFeed({ kind: 'feed', url, feedId, added: false }, ofFeed[0]?.feedTitle, ofFeed))
  }
  return { isDryRun, ...reportOf(feeds, unassigned, data) }

  async function importFeed(
    result: SubscribeResult,
    title: string | undefined,
    ofFeed: ImportedEntry[],
  ): Promise<ImportedFeedShape> {
    const about = { url: withoutCredentials(result.url), ...(title && { title }) }
    const none = {
      ...NO_COUNTS,
      missing: ofFeed.length,
      createdEntries: [],
      missingStars: listed(ofFeed.filter(isKept)),
    }
    if (result.kind === 'refused') return { ...about, result: 'refused', reason: result.reason, ...none }
    const state = (result.followed ?? result.added) ? 'added' : 'existing'
    if (result.kind === 'source') {
      const found = isDryRun ? {} : { sourceId: result.sourceId }
      return { ...about, ...found, result: state, ...none }
    }
    const isStored = result.feedId !== NOT_STORED
    const base = { ...about, ...(isStored && { feedId: result.feedId }), result: state } as const
    if (ofFeed.length === 0) return { ...base, ...NO_COUNTS, createdEntries: [], missingStars: [] }
    const [subscription] = isStored ? await readerState.subscriptionsTo(userId, [result.feedId]) : []
    const [followers = 0] = isStored ? await readerState.followerCounts([{ feedId: result.feedId }]) : []
    const [stored] = isStored ? await catalogue.feedsById([result.feedId]) : []
    const otherFollowers = followers - (isDryRun && state === 'added' ? 0 : 1)
    const isShared = otherFollowers > 0 || (hasOtherUsers && stored?.feed.listed === true)
    const imported = isStored
      ? await crawler.importEntries(userId, result.feedId, ofFeed, { mayCreate: !isShared, isDryRun })
      : foreseenEntries(ofFeed)
    const { created, missing, labelsRefused, ...counts } = imported
    const missed = missing.map((position) => ofFeed[position]!)
    const missingStars = missed.filter(isKept)
    return {
      ...base,
      ...(subscription?.title && { title: subscription.title }),
      ...counts,
      created: created.length,
      missing: missed.length,
      createdEntries: listed(created.map((position) => ofFeed[position]!)),
      missingStars: listed(missingStars),
      ...(labelsRefused && { labelsRefused: true as const }),
      ...(isShared && missingStars.length > 0 && { sharedWithOthers: true as const }),
    }
  }
}

const NO_COUNTS = { matched: 0, read: 0, starred: 0, labeled: 0, created: 0, waiting: 0, missing: 0 }

/** In a dry run, the id of feeds that would be added. */
const NOT_STORED = 0 as FeedId

/** Entries that a user wants to keep. */
const isKept = ({ starred, labels }: ImportedEntry) => starred === true || labels !== undefined

function listed(entries: readonly ImportedEntry[], most = MAX_LISTED) {
  return entries.slice(0, most).map(({ title, url }) => ({ title, ...(url && { url }) }))
}

/** Feeds that the file lists, and those of starred and labeled entries. */
function addressesOf({ subscriptions }: ReaderData, byFeed: ReadonlyMap<string, ImportedEntry[]>): Address[] {
  const addresses = new Map<string, Address>(
    subscriptions.map(({ kind, ...rest }) => [rest.url, { ...rest, kind: kind === 'feed' ? 'feed' : 'any' }]),
  )
  for (const [url, ofFeed] of byFeed) {
    if (url === '' || addresses.has(url) || !ofFeed.some(isKept)) continue
    const { feedTitle: title, siteUrl } = ofFeed[0]!
    addresses.set(url, { url, kind: 'feed', ...(title && { title }), ...(siteUrl && { siteUrl }) })
  }
  return [...addresses.values()]
}

/** Entries whose file does not name their feed are looked up among the listed and the followed feeds. */
async function withFeeds(
  { subscriptions, entries }: ReaderData,
  { userId }: SubscribingUser,
  { catalogue, readerState }: ImportParts,
): Promise<ImportedEntry[]> {
  const assigned = assignFeeds(entries, knownFeedsOf(subscriptions))
  if (assigned.every(({ feedUrl }) => feedUrl !== undefined)) return assigned
  const followed: KnownFeed[] = []
  for await (const page of subscriptionPages(readerState, userId)) {
    const feeds = await catalogue.feedsById(page.map(({ feedId }) => feedId))
    for (const [i, { title = '' }] of page.entries()) {
      const feed = feeds[i]?.feed
      if (feed) followed.push({ url: feed.url, siteUrl: feed.siteUrl, titles: [title, feed.title] })
    }
  }
  return assignFeeds(assigned, followed)
}

/** Of the file and of the user, in lower case, each level of a nested folder, too. */
async function folderNames(
  { subscriptions }: ReaderData,
  userId: UserId,
  { readerState }: ImportParts,
): Promise<ReadonlySet<string>> {
  const { folders } = await readerState.readerCounts(userId)
  const paths = [...subscriptions, ...folders].flatMap(({ folder }) => folder ?? [])
  return new Set(paths.flatMap((path) => [path, ...path.split(' / ')]).map((name) => name.toLowerCase()))
}

/** Readers of the Google Reader family also label each entry with the folder of its feed. */
function withoutFolders(entries: readonly ImportedEntry[], folders: ReadonlySet<string>): ImportedEntry[] {
  return entries.map(({ labels = [], ...entry }) => {
    const own = labels.filter((label) => !folders.has(label.toLowerCase()))
    return own.length > 0 ? { ...entry, labels: own } : entry
  })
}

async function followedFeedAt(
  url: string,
  { userId }: SubscribingUser,
  { catalogue, readerState }: ImportParts,
): Promise<FeedId | undefined> {
  const feedId = await catalogue.feedAt(url)
  const [subscription] = feedId === undefined ? [] : await readerState.subscriptionsTo(userId, [feedId])
  return subscription?.feedId
}

/** What adding the addresses would do. Does not reveal whether other users follow a feed. */
async function foreseeResults(
  addresses: readonly Address[],
  subscriber: SubscribingUser,
  parts: ImportParts,
): Promise<SubscribeResult[]> {
  let left = await parts.addressSubscriber.countRemaining(subscriber)
  const results: SubscribeResult[] = []
  for (const { url } of addresses) {
    const feedId = await followedFeedAt(url, subscriber, parts)
    if (feedId !== undefined) results.push({ kind: 'feed', url, feedId, added: false })
    else if (left-- > 0) results.push({ kind: 'feed', url, feedId: NOT_STORED, added: true })
    else results.push({ kind: 'refused', url, reason: 'this exceeds the number of feeds that you may follow' })
  }
  return results
}

/** What would happen to the entries of a feed that would be added. */
function foreseenEntries(entries: readonly ImportedEntry[]): ImportedEntries {
  const positions = [...entries.keys()]
  const created = positions.filter((i) => isKept(entries[i]!))
  const waiting = positions.filter((i) => !isKept(entries[i]!) && entries[i]!.read)
  const missing = positions.filter((i) => !isKept(entries[i]!) && !entries[i]!.read)
  const kept = waiting.slice(0, MAX_REMEMBERED_PER_FEED)
  missing.push(...waiting.slice(MAX_REMEMBERED_PER_FEED))
  const labeled = entries.filter(({ labels }) => labels !== undefined).length
  return { matched: 0, read: 0, starred: 0, labeled, labelsRefused: false, created, waiting: kept.length, missing }
}

function reportOf(feeds: ImportedFeedShape[], unassigned: readonly ImportedEntry[], data: ReaderData) {
  const totals = { added: 0, existing: 0, refused: 0, ...NO_COUNTS }
  for (const feed of feeds) {
    totals[feed.result]++
    for (const name of Object.keys(NO_COUNTS) as (keyof typeof NO_COUNTS)[]) totals[name] += feed[name]
  }
  return {
    feeds,
    totals: { ...totals, unassigned: unassigned.length, skipped: data.skipped },
    unassigned: listed(unassigned.filter(isKept), MAX_UNASSIGNED),
  }
}
