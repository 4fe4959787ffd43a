/**
 * Suggests what to follow: sites that the user's feeds link to, and feeds of the crawl that often publish a story before the user's feeds.
 * Only the newest entries and stories are read, so it costs as much for many feeds as for some.
 */
import type { SuggestionsShape } from '../api/index.ts'
import { outgoingLinks } from '../feeds/index.ts'
import { DAY, type EntryId, type FeedId, type Instant, type Millis, type UserId } from '../model/index.ts'
import { hostOf } from '../ports/index.ts'
import type { Catalogues } from './entry-texts.ts'
import { feedTitles } from './find-entries.ts'
import { subscriptionPages } from './followed-feeds.ts'
import { createLinkTally, type LinkedSite } from './linked-sites.ts'
import { omitUndefined } from './shapes/values.ts'

const MAX_ENTRIES = 1500
const ENTRIES_PER_PAGE = 100
/** Pages may have few entries and still be followed by others. */
const MAX_PAGES = 60
const MAX_HTML = 50_000
const MAX_LINKS = 100
const MAX_SUGGESTIONS = 20

const STORY_AGE: Millis = 30 * DAY
const MAX_STORIES = 200
const MAX_MEMBERS = 20
const MIN_FIRST = 2
const MAX_EXAMPLES = 3

interface Followed {
  feedIds: ReadonlySet<FeedId>
  hosts: ReadonlySet<string>
}

/** `stores` are restricted to the user. `seesOthers`: they may see feeds that they do not follow. */
export async function suggestFeeds(
  userId: UserId,
  stores: Catalogues,
  { now, seesOthers }: { now: Instant; seesOthers: boolean },
): Promise<SuggestionsShape> {
  const followed = await followedBy(userId, stores)
  const { sites, entries } = await linkedSites(userId, stores, followed)
  const titles = await feedTitles(
    [...new Set(sites.flatMap(({ examples }) => examples.map(({ feedId }) => feedId)))],
    stores,
  )
  return {
    entries,
    linked: sites.map(({ host, origin, feeds, entries, examples }) => ({
      host,
      url: `${origin}/`,
      feeds,
      entries,
      examples: examples.map(({ feedId, ...example }) => ({ ...example, feedTitle: titles.get(feedId) ?? '' })),
    })),
    first: seesOthers ? await firstReporters(stores, followed, now) : [],
  }
}

async function followedBy(userId: UserId, { catalogue, readerState }: Catalogues): Promise<Followed> {
  const feedIds = new Set<FeedId>()
  const hosts = new Set<string>()
  for await (const page of subscriptionPages(readerState, userId)) {
    const ids = page.map(({ feedId }) => feedId)
    for (const id of ids) feedIds.add(id)
    for (const scheduled of await catalogue.feedsById(ids))
      for (const url of [scheduled?.feed.url, scheduled?.feed.siteUrl]) {
        const host = url && hostOf(url)
        if (host) hosts.add(host)
      }
  }
  return { feedIds, hosts }
}

async function linkedSites(
  userId: UserId,
  { readerState }: Catalogues,
  { hosts }: Followed,
): Promise<{ sites: LinkedSite[]; entries: number }> {
  const tally = createLinkTally(hosts)
  let count = 0
  let after: { at: Instant; id: EntryId } | undefined
  for (let page = 0; page < MAX_PAGES && count < MAX_ENTRIES; page++) {
    const { entries, nextAfter } = await readerState.entriesFor(userId, {
      limit: Math.min(ENTRIES_PER_PAGE, MAX_ENTRIES - count),
      ...(after && { after }),
    })
    for (const entry of entries)
      tally.add(entry, outgoingLinks((entry.content ?? entry.summary ?? '').slice(0, MAX_HTML), MAX_LINKS))
    count += entries.length
    after = nextAfter
    if (!after) break
  }
  return { sites: tally.top(MAX_SUGGESTIONS), entries: count }
}

interface FirstReports {
  feedId: FeedId
  leads: Millis[]
  entryIds: EntryId[]
}

/** Feeds that were first in stories that the user's feeds reported, too. */
async function firstReporters(
  { catalogue, groupCatalogue }: Catalogues,
  followed: Followed,
  now: Instant,
): Promise<SuggestionsShape['first']> {
  const stories = await groupCatalogue.groups({
    level: 'story',
    since: now - STORY_AGE,
    order: 'recent',
    limit: MAX_STORIES,
  })
  const reports = new Map<FeedId, FirstReports>()
  for (const { id } of stories) {
    const members = await groupCatalogue.members(id, MAX_MEMBERS)
    const feedIds = await catalogue.feedsOfEntries(members.map(({ entryId }) => entryId))
    const [feedId, first] = [feedIds[0], members[0]]
    if (feedId === undefined || !first || followed.feedIds.has(feedId)) continue
    const own = members.find((_, i) => feedIds[i] !== undefined && followed.feedIds.has(feedIds[i]))
    if (!own) continue
    const report = reports.get(feedId) ?? { feedId, leads: [], entryIds: [] }
    report.leads.push(own.at - first.at)
    report.entryIds.push(first.entryId)
    reports.set(feedId, report)
  }
  const top = [...reports.values()]
    .filter(({ leads }) => leads.length >= MIN_FIRST)
    .sort((a, b) => b.leads.length - a.leads.length || a.feedId - b.feedId)
    .slice(0, MAX_SUGGESTIONS)
  const feeds = await catalogue.feedsById(top.map(({ feedId }) => feedId))
  const examples = await catalogue.entriesById(top.flatMap(({ entryIds }) => entryIds.slice(0, MAX_EXAMPLES)))
  return top.flatMap(({ feedId, leads }, i) => {
    const feed = feeds[i]?.feed
    if (!feed) return []
    const own = examples.flatMap((entry) =>
      entry?.feedId === feedId ? [{ entryId: entry.id, title: entry.title }] : [],
    )
    const { url, siteUrl, title } = feed
    return [
      {
        feedId,
        title: title || url,
        url,
        ...omitUndefined({ siteUrl }),
        stories: leads.length,
        leadMs: median(leads),
        examples: own,
      },
    ]
  })
}

function median(values: readonly Millis[]): Millis {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
