/**
 * Everything known about one site: its feeds, when it publishes, which sites it copies and which sites copy it. Only a limited number of
 * its newest copies are read, so a large site costs no more than a small one.
 */
import type { SiteShape } from '../api/index.ts'
import type { Entry, EntryId, FeedId, Group, RobotsRecord, ScheduledFeed } from '../model/index.ts'
import { hostOf } from '../ports/index.ts'
import type { Catalogues } from './entry-texts.ts'
import { feedsWithHubs } from './feed-details.ts'
import { feedTitles } from './find-entries.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

const MAX_FEEDS = 50
const MAX_FEEDS_CHECKED = 1000
const MAX_ENTRIES = 1000
const MAX_GROUPS = 200
const MAX_MEMBERS = 20
const MAX_LISTED = 20

type RobotsOf = (origins: string[]) => Promise<(RobotsRecord | undefined)[]>

export async function siteReport(
  host: string,
  from: Catalogues & Parameters<typeof feedsWithHubs>[1],
  robotsOf: RobotsOf,
): Promise<SiteShape | undefined> {
  const { catalogue } = from
  const ids = (await catalogue.feedIds({ text: host })).slice(0, MAX_FEEDS_CHECKED)
  const feeds = (await catalogue.feedsById(ids)).filter(
    (scheduled): scheduled is ScheduledFeed => scheduled !== undefined && belongsTo(scheduled, host),
  )
  if (feeds.length === 0) return undefined
  const feedIds = feeds.map(({ feed }) => feed.id)
  const { entries } = await catalogue.listEntries({ feedIds, limit: MAX_ENTRIES })
  const origin = originOf(feeds[0]!)
  const [robots] = origin ? await robotsOf([origin]) : []
  return {
    host,
    feeds: await feedsWithHubs(feeds.slice(0, MAX_FEEDS), from),
    more: feeds.length > MAX_FEEDS,
    examined: entries.length,
    times: entries.map(({ publishedAt, seenAt }) => isoDate(publishedAt ?? seenAt)),
    ...(await copiesAcrossSites(entries, new Set(feedIds), from)),
    ...(origin &&
      robots && {
        robots: {
          origin,
          found: robots.found,
          rules: robots.robots.rules.length,
          fetchedAt: isoDate(robots.fetchedAt),
          ...omitUndefined({ crawlDelayMs: robots.robots.crawlDelayMs }),
        },
      }),
  }
}

function belongsTo({ feed }: ScheduledFeed, host: string): boolean {
  return [feed.siteUrl, feed.url].some((url) => url !== undefined && sameHost(hostOf(url) ?? '', host))
}

function sameHost(scheduled: string, other: string): boolean {
  return scheduled.replace(/^www\./, '') === other.replace(/^www\./, '')
}

function originOf({ feed }: ScheduledFeed): string | undefined {
  return URL.canParse(feed.url) ? new URL(feed.url).origin : undefined
}

async function copiesAcrossSites(
  entries: readonly Entry[],
  siteFeeds: ReadonlySet<FeedId>,
  { catalogue, groupCatalogue, readerState }: Catalogues,
): Promise<Pick<SiteShape, 'withoutCopies' | 'copiedBy' | 'copies'>> {
  const groups = await groupCatalogue.groupsOfEntries(
    entries.map(({ id }) => id),
    'copy',
  )
  const groupsById = new Map(groups.flatMap((group): [number, Group][] => (group ? [[group.id, group]] : [])))
  const copiedBy = new Map<FeedId, number>()
  const copies = new Map<FeedId, number>()
  for (const { id } of [...groupsById.values()].slice(0, MAX_GROUPS)) {
    const members = await groupCatalogue.members(id, MAX_MEMBERS)
    const memberEntries = await catalogue.entriesById(members.map(({ entryId }) => entryId as EntryId))
    const [first, ...others] = memberEntries.flatMap((entry) => (entry ? [entry.feedId] : []))
    if (first === undefined) continue
    if (siteFeeds.has(first))
      for (const feedId of new Set(others)) if (!siteFeeds.has(feedId)) increment(copiedBy, feedId)
    if (!siteFeeds.has(first)) increment(copies, first)
  }
  const ids = [...new Set([...copiedBy.keys(), ...copies.keys()])]
  const titles = await feedTitles(ids, { catalogue, readerState })
  const topFeeds = (counts: Map<FeedId, number>) =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_LISTED)
      .map(([feedId, count]) => ({ feedId, feedTitle: titles.get(feedId) ?? '', count }))
  return {
    withoutCopies: groups.filter((group) => !group).length,
    copiedBy: topFeeds(copiedBy),
    copies: topFeeds(copies),
  }
}

function increment(counts: Map<FeedId, number>, id: FeedId): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}
