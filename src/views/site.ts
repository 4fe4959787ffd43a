/**
 * Everything about one site: its feeds, when it publishes, whom it repeats and who repeats it. Of its copies the newest are
 * looked at, so many and no more, so that a large site costs no more than a small one.
 */
import type { SiteShape } from '../api/index.ts'
import type { Entry, EntryId, FeedId, Group, RobotsRecord, ScheduledFeed } from '../model/index.ts'
import { hostOf } from '../ports/index.ts'
import { feedsWithHubs } from './feed-details.ts'
import { type Catalogues, feedTitles } from './find-entries.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

const MOST_FEEDS = 50
const MOST_FEEDS_LOOKED_AT = 1000
const MOST_ENTRIES = 1000
const MOST_GROUPS = 200
const MOST_MEMBERS = 20
const MOST_NAMED = 20

type RobotsOf = (origins: string[]) => Promise<(RobotsRecord | undefined)[]>

export async function siteReport(
  host: string,
  from: Catalogues & Parameters<typeof feedsWithHubs>[1],
  robotsOf: RobotsOf,
): Promise<SiteShape | undefined> {
  const { catalogue } = from
  const ids = (await catalogue.feedIds({ text: host })).slice(0, MOST_FEEDS_LOOKED_AT)
  const feeds = (await catalogue.feedsById(ids)).filter(
    (one): one is ScheduledFeed => one !== undefined && isOf(one, host),
  )
  if (feeds.length === 0) return undefined
  const feedIds = feeds.map(({ feed }) => feed.id)
  const { entries } = await catalogue.listEntries({ feedIds, limit: MOST_ENTRIES })
  const origin = originOf(feeds[0]!)
  const [robots] = origin ? await robotsOf([origin]) : []
  return {
    host,
    feeds: await feedsWithHubs(feeds.slice(0, MOST_FEEDS), from),
    more: feeds.length > MOST_FEEDS,
    looked: entries.length,
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

function isOf({ feed }: ScheduledFeed, host: string): boolean {
  return [feed.siteUrl, feed.url].some((url) => url !== undefined && sameHost(hostOf(url) ?? '', host))
}

function sameHost(one: string, other: string): boolean {
  return one.replace(/^www\./, '') === other.replace(/^www\./, '')
}

function originOf({ feed }: ScheduledFeed): string | undefined {
  return URL.canParse(feed.url) ? new URL(feed.url).origin : undefined
}

async function copiesAcrossSites(
  entries: readonly Entry[],
  own: ReadonlySet<FeedId>,
  { catalogue, groupCatalogue, readership }: Catalogues,
): Promise<Pick<SiteShape, 'alone' | 'copiedBy' | 'copies'>> {
  const groups = await groupCatalogue.groupsOfEntries(
    entries.map(({ id }) => id),
    'copy',
  )
  const known = new Map(groups.flatMap((group): [number, Group][] => (group ? [[group.id, group]] : [])))
  const copiedBy = new Map<FeedId, number>()
  const copies = new Map<FeedId, number>()
  for (const { id } of [...known.values()].slice(0, MOST_GROUPS)) {
    const members = await groupCatalogue.members(id, MOST_MEMBERS)
    const told = await catalogue.entriesById(members.map(({ entryId }) => entryId as EntryId))
    const [first, ...others] = told.flatMap((entry) => (entry ? [entry.feedId] : []))
    if (first === undefined) continue
    if (own.has(first)) for (const feedId of new Set(others)) if (!own.has(feedId)) add(copiedBy, feedId)
    if (!own.has(first)) add(copies, first)
  }
  const ids = [...new Set([...copiedBy.keys(), ...copies.keys()])]
  const titles = await feedTitles(ids, { catalogue, readership })
  const named = (counts: Map<FeedId, number>) =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_NAMED)
      .map(([feedId, count]) => ({ feedId, feedTitle: titles.get(feedId) ?? '', count }))
  return { alone: groups.filter((group) => !group).length, copiedBy: named(copiedBy), copies: named(copies) }
}

function add(counts: Map<FeedId, number>, id: FeedId): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}
