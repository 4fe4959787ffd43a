/** Counts the sites that entries link to, by the number of different feeds that link there. Pure; memory is limited. */
import type { EntryId, FeedId } from '../model/index.ts'
import { hostOf } from '../ports/index.ts'

export interface LinkingEntry {
  id: EntryId
  feedId: FeedId
  title: string
  url?: string | undefined
}

export interface LinkedSite {
  host: string
  /** Of its most recent link, without path. */
  origin: string
  feeds: number
  /** Entries that link there. */
  entries: number
  examples: { entryId: EntryId; title: string; feedId: FeedId; url: string }[]
}

const MAX_SITES = 20_000
const MAX_EXAMPLES = 3
/** A site is suggested if two feeds link there, or one does so again and again. */
const MIN_FEEDS = 2
const MIN_ENTRIES = 3

/** Platforms, shops and services that most sites link to. Their subdomains are skipped, too. */
const PLATFORMS: ReadonlySet<string> = new Set(
  `amazonaws.com amzn.to apple.com archive.org bing.com bit.ly bsky.app buff.ly cloudfront.net creativecommons.org discord.com discord.gg
  doi.org dropbox.com eventbrite.com facebook.com fb.com feedburner.com flickr.com github.com gitlab.com gofundme.com goo.gl
  googleusercontent.com gravatar.com imgur.com instagram.com ko-fi.com linkedin.com list-manage.com lnkd.in mailchi.mp microsoft.com ow.ly
  patreon.com paypal.com pinterest.com redd.it reddit.com soundcloud.com spotify.com stackoverflow.com surveymonkey.com t.co t.me
  telegram.org threads.net tiktok.com tinyurl.com twitch.tv twitter.com vimeo.com w3.org wa.me whatsapp.com wikimedia.org wikipedia.org
  wp.com x.com youtu.be youtube.com zoom.us`.split(/\s+/),
)
/** The same with a domain per country. */
const PLATFORM_OF_COUNTRY = /(?:^|\.)(?:amazon|ebay|google|yahoo)\.[a-z]{2,3}(?:\.[a-z]{2})?$/

/** `followedHosts`: of the feeds that the user follows, and of their sites. */
export function createLinkTally(followedHosts: Iterable<string>) {
  const followed = new Set<string>()
  const aboveFollowed = new Set<string>()
  for (const host of followedHosts) {
    followed.add(host)
    for (const parent of parentsOf(host)) aboveFollowed.add(parent)
  }
  const sites = new Map<string, { site: LinkedSite; feedIds: Set<FeedId> }>()

  function isSkipped(host: string): boolean {
    if (!host.includes('.') || /^[\d.]+$|:/.test(host)) return true // no name of the public web
    if (followed.has(host) || aboveFollowed.has(host) || PLATFORM_OF_COUNTRY.test(host)) return true
    return [host, ...parentsOf(host)].some((one) => PLATFORMS.has(one) || followed.has(one))
  }

  return {
    add(entry: LinkingEntry, links: readonly string[]): void {
      const ownHost = entry.url === undefined ? undefined : hostOf(entry.url)
      const counted = new Set<string>()
      for (const url of links) {
        const host = hostOf(url)
        if (host === undefined || host === ownHost || counted.has(host) || isSkipped(host)) continue
        counted.add(host)
        const known = sites.get(host)
        if (!known && sites.size >= MAX_SITES) continue
        const { site, feedIds } = known ?? newSite(host, url)
        sites.set(host, { site, feedIds })
        const isNewFeed = !feedIds.has(entry.feedId)
        feedIds.add(entry.feedId)
        site.feeds = feedIds.size
        site.entries++
        if (isNewFeed && site.examples.length < MAX_EXAMPLES)
          site.examples.push({ entryId: entry.id, title: entry.title, feedId: entry.feedId, url })
      }
    },
    /** Those that most feeds link to come first. */
    top(limit: number): LinkedSite[] {
      return [...sites.values()]
        .map(({ site }) => site)
        .filter(({ feeds, entries }) => feeds >= MIN_FEEDS || entries >= MIN_ENTRIES)
        .sort((a, b) => b.feeds - a.feeds || b.entries - a.entries || (a.host < b.host ? -1 : 1))
        .slice(0, limit)
    },
  }
}

function newSite(host: string, url: string): { site: LinkedSite; feedIds: Set<FeedId> } {
  return { site: { host, origin: new URL(url).origin, feeds: 0, entries: 0, examples: [] }, feedIds: new Set() }
}

/** `a.b.example.org` → `b.example.org`, `example.org`. */
function parentsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.slice(1, -1).map((_, i) => labels.slice(i + 1).join('.'))
}
