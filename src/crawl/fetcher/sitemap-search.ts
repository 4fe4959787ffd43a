/** Searches the sitemaps of a site that has no feed. */
import { listedSitemaps } from '../../feeds/index.ts'
import type { WebAddress } from '../../model/index.ts'
import { isSameTenant } from '../../politeness/index.ts'
import { type FeedSearch, type HtmlPage, type ReadFeed, via } from './discovery-requests.ts'

/** Of those of a search. */
export const SITEMAP_REQUESTS = 4
/** Lists of sitemaps name sitemaps, or once more lists. */
const MAX_DEPTH = 2

/** How many likely addresses of feeds are tried, so that some requests are left for sitemaps. */
export function probesBeforeSitemaps({ requestsLeft }: FeedSearch): number {
  const left = requestsLeft()
  return left - Math.min(SITEMAP_REQUESTS, Math.floor(left / 3))
}

/** The sitemaps in a list of sitemaps, the most likely first. */
export function sitemapsIn(page: HtmlPage | undefined): WebAddress[] {
  return page ? listedSitemaps({ text: page.html, url: page.url }, isSameTenant) : []
}

/** The first sitemap with entries. A list of sitemaps is followed, also to further lists, as long as requests are left. */
export async function readSitemaps(search: FeedSearch, addresses: WebAddress[], depth = 0): Promise<ReadFeed[]> {
  const { requests, requestsLeft, read, pages } = search
  for (const address of addresses) {
    if (requestsLeft() <= 0) break
    if (requests.some((request) => request.url === address)) continue
    const found = (await read(via('sitemap', [address]), { enough: () => true })).filter(
      ({ reading }) => reading.entries.length > 0,
    )
    if (found.length > 0) return found
    const list = depth < MAX_DEPTH ? pages.get(address) : undefined
    const further = list ? await readSitemaps(search, sitemapsIn(list), depth + 1) : []
    if (further.length > 0) return further
  }
  return []
}
