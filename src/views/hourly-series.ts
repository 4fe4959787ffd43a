/**
 * Hourly series for forecasting: entries and polls of all feeds, or the entries of one feed, a category or a folder. Hours are named by
 * their beginning, in UTC; hours without entries are included. The series of selected feeds starts at the hour of `since`, or else at their
 * first entry, and ends at the current hour, so several series can be aligned.
 */
import type { HourShape } from '../api/index.ts'
import { type FeedId, HOUR, type HourOfEntries, type Instant, type UserId } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { feedsInFolder } from './followed-feeds.ts'
import { isoDate } from './shapes/values.ts'

export interface HourFilter {
  feedId?: FeedId
  /** Category of feeds: set by a user, else by the publisher. */
  category?: string
  folder?: string
  since?: Instant
}

type Stores = Pick<Roles, 'catalogue' | 'groupCatalogue' | 'readerState'>

/** Feeds per query. */
const PAGE = 500

/** `reader` is the user whose folders are used. */
export async function hourlySeries(
  filter: HourFilter,
  stores: Stores,
  { reader, now }: { reader: UserId | undefined; now: Instant },
): Promise<{ hours: Iterable<HourShape> } | { fault: string; hint: string }> {
  const { feedId, category, folder, since } = filter
  if (feedId === undefined && category === undefined && folder === undefined) {
    const { series } = await stores.groupCatalogue.statistics(since ?? 0)
    return { hours: series.map(({ at, ...hour }) => ({ at: isoDate(at), ...hour })) }
  }
  const found: FeedId[][] = []
  if (feedId !== undefined) {
    const [scheduled] = await stores.catalogue.feedsById([feedId])
    if (!scheduled) return { fault: `there is no feed ${feedId}`, hint: 'it may have been removed meanwhile' }
    found.push([feedId])
  }
  if (folder !== undefined) {
    const ids = await feedsInFolder(folder, stores, reader)
    if (ids.length === 0) return noFeedsIn('folder', folder)
    found.push(ids)
  }
  if (category !== undefined) {
    const ids = await feedsOfCategory(category, stores)
    if (ids.length === 0) return noFeedsIn('category', category)
    found.push(ids)
  }
  const firstHour = since === undefined ? undefined : Math.floor(since / HOUR) * HOUR
  const counts = await stores.groupCatalogue.entriesByHour(intersection(found), firstHour ?? 0)
  return { hours: fillHours(counts, firstHour ?? counts[0]?.at, now) }
}

function noFeedsIn(kind: 'folder' | 'category', name: string) {
  return { fault: `no feed is in the ${kind} "${name}"`, hint: `the list of feeds names the ${kind} of each` }
}

async function feedsOfCategory(category: string, { catalogue }: Stores): Promise<FeedId[]> {
  const ids: FeedId[] = []
  for (let after: { id: FeedId; dueAt: Instant } | undefined; ; ) {
    const page = await catalogue.feeds({ category, order: 'id', limit: PAGE, ...(after && { after }) })
    for (const { feed } of page) ids.push(feed.id)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return ids
    after = { id: last.feed.id, dueAt: last.schedule.dueAt }
  }
}

function intersection([first = [], ...rest]: FeedId[][]): FeedId[] {
  const sets = rest.map((ids) => new Set(ids))
  return first.filter((id) => sets.every((set) => set.has(id)))
}

/** Lazy: a feed with entries of many years has hundreds of thousands of hours. */
function* fillHours(counts: HourOfEntries[], first: Instant | undefined, now: Instant): Iterable<HourShape> {
  if (first === undefined) return
  let next = 0
  for (let at = first; at <= now || next < counts.length; at += HOUR) {
    const hour = counts[next]?.at === at ? counts[next++]! : { entries: 0, copies: 0 }
    yield { at: isoDate(at), entries: hour.entries, copies: hour.copies }
  }
}
