/**
 * What the protocols of feed readers have in common, over the same roles and views as our API: whom somebody follows, entries with their
 * texts and marks, and how an address becomes a feed that is followed. Nothing here knows how a protocol writes it.
 */
import {
  type EntryId,
  type EntryMarks,
  type Feed,
  type FeedId,
  type Instant,
  type Medium,
  type PersonId,
  type Schedule,
  SECOND,
} from '../../model/index.ts'
import type { ArrivalQuery, ArrivedEntry } from '../../ports/index.ts'
import { type OutgoingItem, outgoingItems, visibleToUser } from '../../views/index.ts'
import type { MadeParts } from '../server-parts.ts'

export interface FollowedFeed {
  feedId: FeedId
  title: string
  /** Empty: in none. */
  folder: string
  unread: number
  feed: Feed
  schedule: Schedule
}

export interface ShelfItem extends OutgoingItem {
  feedId: FeedId
  marks: EntryMarks
  media: Medium[]
}

const PAGE = 1000
/** A site's feed is looked for so long before a reader is told to come again. */
const PATIENCE_MS = 20 * SECOND
const LOOK_EVERY_MS = SECOND / 4

export type ShelfParts = Pick<
  MadeParts,
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

/** All that somebody follows, in the order of the feeds' ids. */
export async function everyFollowed(parts: ShelfParts, personId: PersonId, folder?: string): Promise<FollowedFeed[]> {
  const { readership, catalogue } = parts
  const all: FollowedFeed[] = []
  for (let after: FeedId | undefined; ; ) {
    const query = { limit: PAGE, ...(folder !== undefined && { folder }), ...(after !== undefined && { after }) }
    const readings = await readership.readings(personId, query)
    const feeds = await catalogue.feedsById(readings.map(({ feedId }) => feedId))
    for (const [i, { feedId, title, folder: own = '', unread }] of readings.entries()) {
      const held = feeds[i]
      if (held) all.push({ feedId, title: title || held.feed.title || held.feed.url, folder: own, unread, ...held })
    }
    after = readings.at(-1)?.feedId
    if (readings.length < PAGE || after === undefined) return all
  }
}

/** Only what its reader may see: of feeds that he follows, and what he has starred. In the order of `ids`. */
export async function itemsWith(all: ShelfParts, personId: PersonId, ids: EntryId[]): Promise<ShelfItem[]> {
  const parts = await visibleToUser(personId, all)
  const found = (await parts.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
  const marks = await parts.readership.marksOf(
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
    parts,
  )
  return shown.map(({ entry: { feedId, media = [] }, marks: own }, i) => ({ ...items[i]!, feedId, marks: own, media }))
}

/** Times that the store is asked for one page: each time it looks at some thousands, of which few may be somebody's. */
const MOST_ROUNDS = 20

/** As many arrivals as are asked for, if there are so many; a store's own page may be short and still go on. */
export async function arrivalsOf(
  parts: ShelfParts,
  personId: PersonId,
  { limit, ...query }: ArrivalQuery,
  rounds = MOST_ROUNDS,
): Promise<{ arrivals: ArrivedEntry[]; goesOnAfter?: EntryId }> {
  const { readership } = await visibleToUser(personId, parts)
  const all: ArrivedEntry[] = []
  let { after } = query
  for (let round = 0; round < rounds && all.length < limit; round++) {
    const asked = { ...query, limit: limit - all.length, ...(after !== undefined && { after }) }
    const { arrivals, goesOnAfter } = await readership.arrivalsFor(personId, asked)
    for (const arrival of arrivals) all.push(arrival)
    if (goesOnAfter === undefined) return { arrivals: all }
    after = goesOnAfter
  }
  return { arrivals: all, ...(after !== undefined && { goesOnAfter: after }) }
}

/** Only what they may see. */
export async function star(
  parts: ShelfParts,
  personId: PersonId,
  ids: EntryId[],
  starred: boolean,
  at: Instant,
): Promise<void> {
  const { readership } = await visibleToUser(personId, parts)
  await readership.star(personId, ids, starred, at)
}

type Subscribed =
  | { kind: 'feed'; feedId: FeedId }
  /** It waits: its feed is still looked for. */
  | { kind: 'looking' }
  | { kind: 'refused'; reason: string }

/** Follows an address; where that is a site, its feed is waited for, for a while. */
export async function followAddress(
  { follow, catalogue, clock }: ShelfParts,
  personId: PersonId,
  url: string,
  about: { title?: string; folder?: string },
  signal: AbortSignal,
): Promise<Subscribed> {
  const [given] = await follow.add([{ url, kind: 'any', ...about }], { personId, signal })
  if (!given || given.kind === 'refused') return { kind: 'refused', reason: given?.reason ?? 'it is no address' }
  if (given.kind === 'feed') return { kind: 'feed', feedId: given.feedId }
  const until = clock.now() + PATIENCE_MS
  while (clock.now() < until && !signal.aborted) {
    const [source] = await catalogue.sourcesById([given.sourceId])
    if (source?.feedId !== undefined) return { kind: 'feed', feedId: source.feedId }
    if (source?.trouble) break
    await clock.sleepUntil(clock.now() + LOOK_EVERY_MS, signal)
  }
  return { kind: 'looking' }
}

/** In seconds, as these protocols have dates. */
export function seconds(at: Instant): number {
  return Math.floor(at / SECOND)
}
