/**
 * What the protocols of feed readers have in common: a user's subscriptions, entries with their texts and their read and starred state, and
 * subscribing to an address. Everything is limited to what the user may see. Nothing here knows how a protocol writes it.
 */
import { createOpmlWriter } from '../../feeds/index.ts'
import {
  type EntryId,
  type EntryState,
  type FeedId,
  type FollowedFeed,
  followedFeedOf,
  type Instant,
  isInFolder,
  type Medium,
  type ScheduledFeed,
  SECOND,
  type UserId,
} from '../../model/index.ts'
import { type ArrivalQuery, type ArrivedEntry, type LabelChange, MAX_LABELS } from '../../ports/index.ts'
import { followedFeedPages, type OutgoingItem, outgoingItems, visibleToUser } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { SharedParts } from '../server-parts.ts'
import { createReaderFolders, type ReaderFolders } from './folders.ts'

export interface ReaderItem extends OutgoingItem {
  feedId: FeedId
  state: EntryState
  media: Medium[]
}

export type ReaderAdapterParts = Pick<
  SharedParts,
  | 'catalogue'
  | 'articleCatalogue'
  | 'groupCatalogue'
  | 'readerState'
  | 'users'
  | 'sharedReading'
  | 'addressSubscriber'
  | 'clock'
  | 'search'
  | 'interactions'
  | 'userValues'
  | 'crawler'
>

export interface ReaderAdapter {
  /** The stores as the user sees them. */
  visibleTo(userId: UserId): Promise<ReaderAdapterParts>
  /** What `shapeOf` makes of all feeds that the user follows, or of those in a folder, ordered by feed id. Holds only one page of feeds. */
  mapSubscriptions<Shape>(
    userId: UserId,
    shapeOf: (feed: FollowedFeed) => Shape,
    folder?: string | undefined,
  ): Promise<Shape[]>
  /**
   * The same as the body of a response: a JSON array between these texts. It is written page by page, and is never a single text or buffer:
   * megabytes of either make V8 collect the whole heap.
   */
  subscriptionsJson(
    userId: UserId,
    shapeOf: (feed: FollowedFeed) => object | undefined,
    { folder, before, after }?: { folder?: string | undefined; before?: string; after?: string },
  ): Promise<ReadableStream<Uint8Array>>
  /** Also feeds that the user no longer follows: they may have starred an entry. */
  feedsById(userId: UserId, ids: FeedId[]): Promise<Map<FeedId, FollowedFeed>>
  /** The user's subscriptions as an OPML document. */
  opml(userId: UserId): Promise<string>
  folders: ReaderFolders
  /** Whether the user has a folder of this name, or folders below it. */
  hasFolder(userId: UserId, name: string): Promise<boolean>
  /** Entries of feeds that the user follows, and those that they starred or labeled, in the order of `ids`. */
  loadItems(userId: UserId, ids: EntryId[]): Promise<ReaderItem[]>
  /** A full page of arrivals, if there are enough: a page of the store may be short although more follow. */
  listArrivals(userId: UserId, query: ArrivalQuery, maxRounds?: number): Promise<ArrivalPage>
  star(userId: UserId, ids: EntryId[], starred: boolean): Promise<void>
  /** One entry that is marked as read alone was probably opened. */
  markEntries(userId: UserId, ids: EntryId[], as: 'read' | 'unread'): Promise<void>
  label(userId: UserId, ids: EntryId[], change: LabelChange): Promise<void>
  /** Waits a while for the feed of a site; undefined if it is still being looked for. Throws a Problem if the address is refused. */
  subscribe(userId: UserId, subscription: NewSubscription, signal: AbortSignal): Promise<FeedId | undefined>
}

interface ArrivalPage {
  arrivals: ArrivedEntry[]
  nextAfter?: EntryId
}

interface NewSubscription {
  url: string
  title?: string | undefined
  folder?: string | undefined
}

/** How often the store is asked for one page. Each time it looks at some thousand entries, of which few may be the user's. */
const MAX_ROUNDS = 20
const DISCOVERY_TIMEOUT_MS = 20 * SECOND
const DISCOVERY_INTERVAL_MS = SECOND / 4

export function createReaderAdapter(parts: ReaderAdapterParts): ReaderAdapter {
  const { catalogue, readerState, addressSubscriber, interactions, clock } = parts
  const visibleTo = (userId: UserId) => visibleToUser(userId, parts)

  async function mapSubscriptions<Shape>(
    userId: UserId,
    shapeOf: (feed: FollowedFeed) => Shape,
    folder?: string,
  ): Promise<Shape[]> {
    const all: Shape[] = []
    for await (const feeds of followedFeedPages(readerState, userId, folder === undefined ? {} : { folder }))
      for (const feed of feeds) all.push(shapeOf(feed))
    return all
  }

  return {
    visibleTo,
    mapSubscriptions,

    async subscriptionsJson(userId, shapeOf, { folder, before = '', after = '' } = {}) {
      const pages = followedFeedPages(readerState, userId, folder === undefined ? {} : { folder })
      const first = await pages.next() // before the response begins, so that a failure of the store is a problem

      async function* pieces() {
        let items = itemsOf(first.value ?? [])
        yield Buffer.from(`${before}[${items}`)
        for await (const feeds of pages) {
          const more = itemsOf(feeds)
          if (more !== '') yield Buffer.from(items === '' ? more : `,${more}`)
          items ||= more
        }
        yield Buffer.from(`]${after}`)
      }
      const itemsOf = (feeds: FollowedFeed[]) =>
        JSON.stringify(feeds.flatMap((feed) => shapeOf(feed) ?? [])).slice(1, -1)
      return ReadableStream.from(pieces())
    },

    async feedsById(userId, ids) {
      const [feeds, subscriptions] = [await catalogue.feedsById(ids), await readerState.subscriptionsTo(userId, ids)]
      const unfollowed = ({ feed }: ScheduledFeed) => ({ feedId: feed.id, addedAt: feed.addedAt, unread: 0 })
      return new Map(
        feeds.flatMap((feed, i) =>
          feed ? [[ids[i]!, followedFeedOf(feed, subscriptions[i] ?? unfollowed(feed))]] : [],
        ),
      )
    },

    async opml(userId) {
      const list = createOpmlWriter('Feeds of Freshet')
      await mapSubscriptions(userId, ({ shownTitle, url, siteUrl, folder = '' }) =>
        list.add({ url, title: shownTitle, ...(siteUrl && { siteUrl }), folder }),
      )
      return [...list.pieces()].join('')
    },

    folders: createReaderFolders(parts),

    async hasFolder(userId, name) {
      const { folders } = await readerState.readerCounts(userId)
      return folders.some(({ folder }) => isInFolder(folder, name))
    },

    async loadItems(userId, ids) {
      const visible = await visibleTo(userId)
      const found = (await visible.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
      const states = await visible.readerState.entryStates(
        userId,
        found.map(({ id }) => id),
      )
      const shown = found.flatMap((entry, i) => {
        const state = states[i]
        return state && (state.read !== undefined || state.starred || state.labels) ? [{ entry, state }] : []
      })
      const items = await outgoingItems(
        shown.map(({ entry }) => entry),
        { text: 'full', reader: userId, audience: { reader: userId } },
        visible,
      )
      return shown.map(({ entry: { feedId, media = [] }, state }, i) => ({
        ...items[i]!,
        feedId,
        state,
        media,
      }))
    },

    async listArrivals(userId, { limit, ...query }, maxRounds = MAX_ROUNDS) {
      const visible = await visibleTo(userId)
      const all: ArrivedEntry[] = []
      let { after } = query
      for (let round = 0; round < maxRounds && all.length < limit; round++) {
        const rest = { ...query, limit: limit - all.length, ...(after !== undefined && { after }) }
        const { arrivals, nextAfter } = await visible.readerState.arrivalsFor(userId, rest)
        for (const arrival of arrivals) all.push(arrival)
        if (nextAfter === undefined) return { arrivals: all }
        after = nextAfter
      }
      return { arrivals: all, ...(after !== undefined && { nextAfter: after }) }
    },

    async star(userId, ids, starred) {
      const visible = await visibleTo(userId)
      const changed = await visible.readerState.starEntries(userId, ids, starred, clock.now())
      if (starred) await interactions.record(userId, { starred: changed })
    },

    async markEntries(userId, ids, as) {
      const { changed } = await readerState.markEntries(userId, ids, as, clock.now())
      if (as === 'read' && ids.length === 1) await interactions.record(userId, { read: changed })
    },

    async label(userId, ids, change) {
      const visible = await visibleTo(userId)
      const changed = await visible.readerState.labelEntries(userId, ids, change, clock.now())
      if (changed === 'too-many-labels') throw new Problem(409, `you have ${MAX_LABELS} labels`, 'remove some first')
    },

    async subscribe(userId, { url, title, folder }, signal) {
      const address = { url, kind: 'any' as const, ...(title && { title }), ...(folder && { folder }) }
      const [result] = await addressSubscriber.add([address], { userId, signal })
      if (!result || result.kind === 'refused') {
        const reason = result?.reason ?? 'it is not a web address'
        throw new Problem(400, `${url.slice(0, 100)}: ${reason}`, 'check the address')
      }
      if (result.kind === 'feed') return result.feedId
      const until = clock.now() + DISCOVERY_TIMEOUT_MS
      while (clock.now() < until && !signal.aborted) {
        const [source] = await catalogue.sourcesById([result.sourceId])
        if (source?.feedId !== undefined) return source.feedId
        if (source?.trouble) break
        await clock.sleepUntil(clock.now() + DISCOVERY_INTERVAL_MS, signal)
      }
      return undefined
    },
  }
}

/** Dates of these protocols are in seconds. */
export function seconds(at: Instant): number {
  return Math.floor(at / SECOND)
}

/** An attached image that only previews the entry is not listed as an enclosure. */
export function enclosuresOf({ media }: Pick<ReaderItem, 'media'>): Medium[] {
  return media.filter(({ preview }) => !preview)
}
