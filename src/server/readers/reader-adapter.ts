/**
 * What the protocols of feed readers have in common: a user's subscriptions, entries with their texts and their read and starred state, and
 * subscribing to an address. Everything is limited to what the user may see. Nothing here knows how a protocol writes it.
 */
import { createOpmlList } from '../../feeds/index.ts'
import {
  type EntryId,
  type EntryMarks,
  type Feed,
  type FeedId,
  type Instant,
  type Medium,
  type PersonId,
  type Schedule,
  type ScheduledFeed,
  SECOND,
} from '../../model/index.ts'
import type { ArrivalQuery, ArrivedEntry } from '../../ports/index.ts'
import { type OutgoingItem, outgoingItems, subscriptionPages, visibleToUser } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { SharedParts } from '../server-parts.ts'
import { folderNumber, NO_FOLDER } from './folder-number.ts'

export interface SubscribedFeed {
  feedId: FeedId
  title: string
  /** Empty: in no folder. */
  folder: string
  unread: number
  feed: Feed
  schedule: Schedule
}

export interface ReaderItem extends OutgoingItem {
  feedId: FeedId
  marks: EntryMarks
  media: Medium[]
}

export type ReaderAdapterParts = Pick<
  SharedParts,
  | 'catalogue'
  | 'articleCatalogue'
  | 'groupCatalogue'
  | 'readership'
  | 'people'
  | 'sharedReading'
  | 'follow'
  | 'clock'
  | 'search'
>

export interface ReaderAdapter {
  /** The stores as the user sees them. */
  visibleTo(personId: PersonId): Promise<ReaderAdapterParts>
  /** All feeds that the user follows, or those in a folder, ordered by feed id. */
  subscriptions(personId: PersonId, folder?: string): Promise<SubscribedFeed[]>
  /** Also feeds that the user no longer follows: they may have starred an entry. */
  feedsById(personId: PersonId, ids: FeedId[]): Promise<Map<FeedId, SubscribedFeed>>
  /** The user's subscriptions as an OPML document. */
  opml(personId: PersonId): Promise<string>
  /** Undefined if the user has no folder with that number. */
  folderWithNumber(personId: PersonId, number: number): Promise<string | undefined>
  /** Entries of feeds that the user follows, and those that they starred, in the order of `ids`. */
  items(personId: PersonId, ids: EntryId[]): Promise<ReaderItem[]>
  /** A full page of arrivals, if there are so many: a page of the store may be short although others follow. */
  arrivals(personId: PersonId, query: ArrivalQuery, maxRounds?: number): Promise<ArrivalPage>
  star(personId: PersonId, ids: EntryId[], starred: boolean): Promise<void>
  /** Waits a while for the feed of a site; undefined if it is still being looked for. Throws a Problem if the address is refused. */
  subscribe(personId: PersonId, subscription: NewSubscription, signal: AbortSignal): Promise<FeedId | undefined>
}

interface ArrivalPage {
  arrivals: ArrivedEntry[]
  goesOnAfter?: EntryId
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
  const { catalogue, readership, follow, clock } = parts
  const visibleTo = (personId: PersonId) => visibleToUser(personId, parts)

  async function subscriptions(personId: PersonId, folder?: string): Promise<SubscribedFeed[]> {
    const all: SubscribedFeed[] = []
    for await (const readings of subscriptionPages(readership, personId, folder)) {
      const feeds = await catalogue.feedsById(readings.map(({ feedId }) => feedId))
      for (const [i, reading] of readings.entries()) if (feeds[i]) all.push(subscribedFeed(feeds[i], reading))
    }
    return all
  }

  return {
    visibleTo,
    subscriptions,

    async feedsById(personId, ids) {
      const [feeds, readings] = [await catalogue.feedsById(ids), await readership.readingsOf(personId, ids)]
      return new Map(ids.flatMap((id, i) => (feeds[i] ? [[id, subscribedFeed(feeds[i], readings[i])]] : [])))
    },

    async opml(personId) {
      const list = createOpmlList('Feeds of Freshet')
      for (const { title, folder, feed } of await subscriptions(personId))
        list.add({ url: feed.url, title, ...(feed.siteUrl && { siteUrl: feed.siteUrl }), folder })
      return [...list.pieces()].join('')
    },

    async folderWithNumber(personId, number) {
      if (number === NO_FOLDER) return ''
      const { folders } = await readership.standing(personId)
      return folders.find(({ folder }) => folder && folderNumber(folder) === number)?.folder
    },

    async items(personId, ids) {
      const visible = await visibleTo(personId)
      const found = (await visible.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
      const marks = await visible.readership.marksOf(
        personId,
        found.map(({ id }) => id),
      )
      const shown = found.flatMap((entry, i) => {
        const own = marks[i]
        return own && (own.read !== undefined || own.starred) ? [{ entry, marks: own }] : []
      })
      const items = await outgoingItems(
        shown.map(({ entry }) => entry),
        { text: 'full', reader: personId },
        visible,
      )
      return shown.map(({ entry: { feedId, media = [] }, marks: own }, i) => ({
        ...items[i]!,
        feedId,
        marks: own,
        media,
      }))
    },

    async arrivals(personId, { limit, ...query }, maxRounds = MAX_ROUNDS) {
      const visible = await visibleTo(personId)
      const all: ArrivedEntry[] = []
      let { after } = query
      for (let round = 0; round < maxRounds && all.length < limit; round++) {
        const rest = { ...query, limit: limit - all.length, ...(after !== undefined && { after }) }
        const { arrivals, goesOnAfter } = await visible.readership.arrivalsFor(personId, rest)
        for (const arrival of arrivals) all.push(arrival)
        if (goesOnAfter === undefined) return { arrivals: all }
        after = goesOnAfter
      }
      return { arrivals: all, ...(after !== undefined && { goesOnAfter: after }) }
    },

    async star(personId, ids, starred) {
      const visible = await visibleTo(personId)
      await visible.readership.star(personId, ids, starred, clock.now())
    },

    async subscribe(personId, { url, title, folder }, signal) {
      const address = { url, kind: 'any' as const, ...(title && { title }), ...(folder && { folder }) }
      const [added] = await follow.add([address], { personId, signal })
      if (!added || added.kind === 'refused') {
        const reason = added?.reason ?? 'it is no address'
        throw new Problem(400, `${url.slice(0, 100)}: ${reason}`, 'check the address')
      }
      if (added.kind === 'feed') return added.feedId
      const until = clock.now() + DISCOVERY_TIMEOUT_MS
      while (clock.now() < until && !signal.aborted) {
        const [source] = await catalogue.sourcesById([added.sourceId])
        if (source?.feedId !== undefined) return source.feedId
        if (source?.trouble) break
        await clock.sleepUntil(clock.now() + DISCOVERY_INTERVAL_MS, signal)
      }
      return undefined
    },
  }
}

function subscribedFeed(
  { feed, schedule }: ScheduledFeed,
  reading: { title?: string; folder?: string; unread: number } | undefined,
): SubscribedFeed {
  return {
    feedId: feed.id,
    title: reading?.title || feed.title || feed.url,
    folder: reading?.folder ?? '',
    unread: reading?.unread ?? 0,
    feed,
    schedule,
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
