/**
 * The series by hour, for programs that predict: what all feeds said and how they were polled; or what some of them said, one feed or those
 * of a category or a folder. An hour is named by its beginning, in UTC, and hours without entries are there, too. Of some feeds the series
 * begins with the hour of `since`, or else with their first entry, and ends with the present hour, so that several of them fit together.
 */
import type { HourShape } from '../api/index.ts'
import { type FeedId, HOUR, type HourOfEntries, type Instant, type PersonId } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { feedsInFolder } from './followed-feeds.ts'
import { isoDate } from './shapes/values.ts'

export interface HourFilter {
  feedId?: FeedId
  /** Of feeds: what a person takes them for, else what their publisher says. */
  category?: string
  folder?: string
  since?: Instant
}

type From = Pick<Roles, 'catalogue' | 'groupCatalogue' | 'readership'>

/** Feeds that are asked for at once. */
const PAGE = 500

/** `reader`: whose folders are meant. */
export async function hourlySeries(
  asked: HourFilter,
  from: From,
  { reader, now }: { reader: PersonId | undefined; now: Instant },
): Promise<{ hours: Iterable<HourShape> } | { fault: string; hint: string }> {
  const { feedId, category, folder, since } = asked
  if (feedId === undefined && category === undefined && folder === undefined) {
    const { series } = await from.groupCatalogue.statistics(since ?? 0)
    return { hours: series.map(({ at, ...hour }) => ({ at: isoDate(at), ...hour })) }
  }
  const found: FeedId[][] = []
  if (feedId !== undefined) {
    const [held] = await from.catalogue.feedsById([feedId])
    if (!held) return { fault: `there is no feed ${feedId}`, hint: 'it may have been removed meanwhile' }
    found.push([feedId])
  }
  if (folder !== undefined) {
    const ids = await feedsInFolder(folder, from, reader)
    if (ids.length === 0) return noFeedsIn('folder', folder)
    found.push(ids)
  }
  if (category !== undefined) {
    const ids = await feedsOfCategory(category, from)
    if (ids.length === 0) return noFeedsIn('category', category)
    found.push(ids)
  }
  const firstHour = since === undefined ? undefined : Math.floor(since / HOUR) * HOUR
  const said = await from.groupCatalogue.entriesByHour(inAll(found), firstHour ?? 0)
  return { hours: filled(said, firstHour ?? said[0]?.at, now) }
}

function noFeedsIn(what: 'folder' | 'category', name: string) {
  return { fault: `no feed is in the ${what} "${name}"`, hint: `the list of feeds names the ${what} of each` }
}

async function feedsOfCategory(category: string, { catalogue }: From): Promise<FeedId[]> {
  const ids: FeedId[] = []
  for (let after: { id: FeedId; dueAt: Instant } | undefined; ; ) {
    const page = await catalogue.feeds({ category, order: 'id', limit: PAGE, ...(after && { after }) })
    for (const { feed } of page) ids.push(feed.id)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return ids
    after = { id: last.feed.id, dueAt: last.schedule.dueAt }
  }
}

function inAll([first = [], ...others]: FeedId[][]): FeedId[] {
  const sets = others.map((ids) => new Set(ids))
  return first.filter((id) => sets.every((set) => set.has(id)))
}

/** Made as it is taken: of a feed with entries of many years these are hundreds of thousands. */
function* filled(said: HourOfEntries[], first: Instant | undefined, now: Instant): Iterable<HourShape> {
  if (first === undefined) return
  let next = 0
  for (let at = first; at <= now || next < said.length; at += HOUR) {
    const hour = said[next]?.at === at ? said[next++]! : { entries: 0, copies: 0 }
    yield { at: isoDate(at), entries: hour.entries, copies: hour.copies }
  }
}
