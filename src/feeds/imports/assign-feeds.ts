/**
 * Finds the feeds of entries whose file names only a site or a title, such as lists of saved pages: by the address of the site, by the
 * title of the feed, or by the host of the entry, if exactly one feed has it.
 */
import type { WebAddress } from '../../model/index.ts'
import type { ImportedEntry } from './reader-data.ts'

/** What identifies a feed besides its address. */
export interface KnownFeed {
  url: WebAddress
  siteUrl?: WebAddress | undefined
  titles: readonly string[]
}

/** The entries in their order, with the address of their feed where it is known now. */
export function assignFeeds(entries: readonly ImportedEntry[], feeds: Iterable<KnownFeed>): ImportedEntry[] {
  if (entries.every(({ feedUrl }) => feedUrl !== undefined)) return [...entries]
  const sites = createLookup()
  const titles = createLookup()
  const hosts = createLookup()
  for (const feed of feeds) {
    if (feed.siteUrl) sites.add(withoutScheme(feed.siteUrl), feed.url)
    for (const title of feed.titles) if (title) titles.add(title.toLowerCase(), feed.url)
    for (const address of [feed.url, feed.siteUrl]) if (address) hosts.add(hostOf(address), feed.url)
  }
  return entries.map((entry) => {
    if (entry.feedUrl) return entry
    const { siteUrl, feedTitle, url } = entry
    const feedUrl =
      (siteUrl && sites.find(withoutScheme(siteUrl))) ||
      (feedTitle && titles.find(feedTitle.toLowerCase())) ||
      (url && hosts.find(hostOf(url)))
    return feedUrl ? { ...entry, feedUrl } : entry
  })
}

/** Finds an address by a name that only one address has. */
function createLookup() {
  const byName = new Map<string, WebAddress | 'several'>()
  return {
    add(name: string, url: WebAddress): void {
      const before = byName.get(name)
      byName.set(name, before === undefined || before === url ? url : 'several')
    },
    find(name: string): WebAddress | undefined {
      const found = byName.get(name)
      return found === 'several' ? undefined : found
    },
  }
}

function withoutScheme(address: WebAddress): string {
  return address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
}

function hostOf(address: WebAddress): string {
  return new URL(address).hostname.replace(/^www\./, '')
}
