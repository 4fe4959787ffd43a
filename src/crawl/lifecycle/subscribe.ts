/** Adds addresses as feeds or sources, up to a hundred thousand at once, in chunks, so that other work runs in between. */
import { noFeedReason, normalizeUserAddress, parsePastedAddress, parseUserAddress } from '../../feeds/index.ts'
import {
  hasPersonalSettings,
  isSameLogin,
  type Memory,
  type SourceId,
  truncateLabels,
  type UserId,
  type WebAddress,
  withoutCredentials,
} from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Catalogue, Clock, FeedRegistry, NewFeed, ReaderState, Users } from '../../ports/index.ts'
import type { Address, SubscribeResult } from '../crawler.ts'
import { feedToAdd, userSettingsOf } from '../recorder/record-discovery.ts'
import { MAX_SIBLINGS } from '../recorder/reschedule.ts'
import { MAX_INITIAL_UNREAD, newSubscriptionsOf } from './followers.ts'

/** Addresses per transaction. */
const CHUNK_SIZE = 250

interface SubscribeParts {
  catalogue: Pick<Catalogue, 'feedAt' | 'feedsById' | 'sourceAt' | 'sourcesById'>
  feedRegistry: FeedRegistry
  readerState: ReaderState
  users: Users
  clock: Clock
  strategy: string
}

/**
 * Adds addresses. An address with kind `feed` becomes a feed that is due at once; any other becomes a source, whose feed is discovered.
 * Results are in the order of the addresses; an invalid address is refused without affecting others. Credentials in an address are
 * moved out of it. One address is one feed, and an existing feed keeps its credentials. A chunk is added completely or not at all;
 * after an interruption the caller can add all addresses again.
 */
export async function subscribe(
  addresses: Address[],
  parts: SubscribeParts,
  { userId, listed }: { userId?: UserId; listed?: true } = {},
): Promise<SubscribeResult[]> {
  const siblings = createSiblings(parts)
  const first = await parts.users.firstUser()
  const isAlone = (await parts.users.allUsers()).length <= 1
  const subscriber = {
    id: userId ?? first,
    isForAll: listed === true || (isAlone && (userId === undefined || userId === first)),
    isAlone,
    ...(listed && { listed }),
  }
  const results: SubscribeResult[] = []
  for (let from = 0; from < addresses.length; from += CHUNK_SIZE) {
    const chunk = addresses.slice(from, from + CHUNK_SIZE).map(truncateLabels)
    const refusals = await Promise.all(chunk.map((address) => refusalOf(address, parts, subscriber)))
    const accepted = chunk.filter((_, i) => refusals[i] === undefined)
    const added = await follow(accepted, await addChunk(accepted, parts, siblings, subscriber), parts, subscriber)
    const addedResults = added.values()
    for (const refusal of refusals) results.push(refusal ?? addedResults.next().value!)
  }
  return results
}

/** Lets the subscriber follow the added feeds. A listed feed is followed only when it is new, so that a user can unfollow it. */
async function follow(
  addresses: Address[],
  results: SubscribeResult[],
  { readerState, clock }: SubscribeParts,
  { id, listed }: Subscriber,
): Promise<SubscribeResult[]> {
  const isFollowed = (result: SubscribeResult) => result.kind !== 'refused' && (result.added || !listed)
  const subscriptions = results
    .flatMap((result, i) => (isFollowed(result) ? [newSubscriptionsOf(result, addresses[i])] : []))
    .flat()
  const followed = (await readerState.follow(id, subscriptions, clock.now(), MAX_INITIAL_UNREAD)).values()
  return results.map((result) =>
    isFollowed(result) ? { ...result, followed: followed.next().value ?? false } : result,
  )
}

/** The user for whom addresses are added. */
interface Subscriber {
  id: UserId
  /** Titles and folders also apply to the crawl: for the only user, and for feeds listed in freshet.toml. */
  isForAll: boolean
  /** There are no other users. */
  isAlone: boolean
  listed?: true
}

/** Addresses of feeds stay as they are written; others may be names of profiles, or links to links. */
function parseAddress({ url, kind }: Address): ReturnType<typeof parseUserAddress> {
  return kind === 'any' ? parsePastedAddress(url) : parseUserAddress(url)
}

/**
 * Why a user may not add an address; undefined if they may. Addresses on hosts without feeds would only be searched in vain. One address is one feed with one set of credentials, and its followers read
 * what was fetched with them. So with several users, a new follower has to give the same credentials, and nobody can set credentials for
 * an address that others wait for.
 */
async function refusalOf(
  address: Address,
  { catalogue, readerState }: SubscribeParts,
  { id, isAlone, listed }: Subscriber,
): Promise<SubscribeResult | undefined> {
  const parsed = parseAddress(address)
  if (!parsed) return undefined
  const { url, credentials = address.credentials } = parsed
  const refuse = (reason: string): SubscribeResult => ({ kind: 'refused', url, reason })
  const noFeed = address.kind === 'any' ? noFeedReason(url) : undefined
  if (noFeed !== undefined) return refuse(noFeed)
  if (isAlone || listed) return undefined
  const sourceId = address.kind === 'any' ? await catalogue.sourceAt(url) : undefined
  const [source] = sourceId === undefined ? [] : await catalogue.sourcesById([sourceId])
  const feedId = source?.feedId ?? (await catalogue.feedAt(url))
  const [stored] = feedId === undefined ? [] : await catalogue.feedsById([feedId])
  if (stored) {
    const { listed: isCommon, credentials: required } = stored.feed
    const [existing] = await readerState.subscriptionsTo(id, [stored.feed.id])
    if (!existing && !isCommon && hasPersonalSettings(stored.feed)) return refuse(HAS_PERSONAL_SETTINGS)
    return !required || existing || isCommon || isSameLogin(required, credentials) ? undefined : refuse(NEEDS_LOGIN)
  }
  if (!source || isSameLogin(source.credentials, credentials) || (source.listed && !credentials)) return undefined
  const [first] = await readerState.pendingSubscriptions(id, { after: (source.id - 1) as SourceId, limit: 1 })
  const isWaiting = first?.sourceId === source.id
  const [waiting = 0] = await readerState.followerCounts([{ sourceId: source.id }])
  const isOnlyFollower = waiting === (isWaiting ? 1 : 0) && !source.listed
  if (isOnlyFollower && (isWaiting || !source.credentials)) return undefined
  return refuse(source.credentials ? NEEDS_LOGIN : NO_LOGIN_ALLOWED)
}

const HAS_PERSONAL_SETTINGS = 'another user follows this address with settings of their own, such as cookies or a proxy'
const NEEDS_LOGIN = 'another user follows this address with credentials; add it with the same user name and password'
const NO_LOGIN_ALLOWED = 'other users have added this address without credentials; add it without credentials'

async function addChunk(
  addresses: Address[],
  { feedRegistry, clock, strategy }: SubscribeParts,
  siblingsOf: (urls: WebAddress[]) => Promise<Memory[][]>,
  { isForAll, listed }: Subscriber,
): Promise<SubscribeResult[]> {
  const now = clock.now()
  const listedMark = listed ? { listed } : {}
  const parsed = addresses.map((address) => {
    const { url, credentials } = parseAddress(address) ?? {}
    const { folder, title, ...rest } = address
    const own = { ...rest, ...(isForAll && folder && { folder }), ...(isForAll && title && { title }) }
    return { address: { ...(credentials && { credentials }), ...own }, url }
  })
  const feeds = parsed.flatMap(({ address, url }) => (url && address.kind === 'feed' ? [{ ...address, url }] : []))
  const sources = parsed.flatMap(({ address, url }) => (url && address.kind === 'any' ? [{ ...address, url }] : []))

  const siblings = await siblingsOf(feeds.map(({ url }) => url))
  const newFeeds = feeds.map(({ url, credentials, title = '', folder, siteUrl, about: details }, i): NewFeed => {
    const site = siteUrl ? normalizeUserAddress(siteUrl) : undefined
    const about = {
      ...(folder && { folder }),
      ...(site && { siteUrl: site }),
      ...(credentials && { credentials }),
      ...listedMark,
    }
    return feedToAdd({ url, title, ...about, ...userSettingsOf(details) }, strategy, now, siblings[i]!)
  })
  const newSources = sources.map(({ url, credentials, folder, about: details }) => {
    const about = {
      ...listedMark,
      ...(folder && { folder }),
      ...(credentials && { credentials }),
      ...(details && { about: details }),
    }
    return { url, root: rootOf(url), addedAt: now, dueAt: now, ...about }
  })
  const feedIds = (await feedRegistry.addFeeds(newFeeds)).values()
  const sourceIds = (await feedRegistry.addSources(newSources)).values()
  return parsed.map(({ address, url }): SubscribeResult => {
    if (!url)
      return {
        kind: 'refused',
        url: withoutCredentials(address.url),
        reason: 'this is not a web address (http or https)',
      }
    if (address.kind === 'feed') {
      const { id, added } = feedIds.next().value!
      return { kind: 'feed', url, feedId: id, added }
    }
    const { id, added } = sourceIds.next().value!
    return { kind: 'source', url, sourceId: id, added }
  })
}

/** Looks up the polling memories of other feeds of a root, once per root, however many of its feeds are added. */
function createSiblings({ feedRegistry, strategy }: SubscribeParts): (urls: WebAddress[]) => Promise<Memory[][]> {
  const siblings = new Map<string, Memory[]>()
  return async (urls) => {
    const roots = urls.map((url) => rootOf(url))
    const unknown = [...new Set(roots)].filter((root) => !siblings.has(root))
    const found = unknown.length > 0 ? await feedRegistry.memoriesOfRoots(unknown, strategy, MAX_SIBLINGS) : []
    for (const [i, root] of unknown.entries()) siblings.set(root, found[i] ?? [])
    return roots.map((root) => siblings.get(root)!)
  }
}
