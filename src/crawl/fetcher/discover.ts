/**
 * Finds the feeds of an address. In this order: rules for known hosts, a document that tells the feed (a lookup), the address itself, the feeds that the page declares, those that
 * its list of feeds or its blog declares, a few likely addresses (probes), and its sitemaps. Every candidate is fetched and read once, and the
 * readable ones are ranked. Probes are also tried if a bot check or a consent page blocks the page.
 * The requests are few and sequential, with a gap between them. The result lists all of them, so that users see why a feed was chosen.
 */
import {
  decodeText,
  detectBotCheck,
  feedLinks,
  hostRuleFeeds,
  isConsentPage,
  noFeedReason,
  pageTitle,
  rankFeeds,
  refreshTarget,
} from '../../feeds/index.ts'
import { describeFailure, type Failure, type FetchedFeed, type FoundBy, type WebAddress } from '../../model/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import {
  CONSENT,
  createSearch,
  type DiscoverParts,
  type DiscoveryRequest,
  type DiscoveryTarget,
  type FeedSearch,
  type HtmlPage,
  NO_PAGE,
  pageOf,
  type ReadFeed,
  sameSite,
  via,
} from './discovery-requests.ts'
import { redirectedUrl } from './read-feed.ts'
import { probesBeforeSitemaps, readSitemaps, SITEMAP_REQUESTS, sitemapsIn } from './sitemap-search.ts'

export interface Discovery {
  /** All requests in order, with their results. */
  requests: DiscoveryRequest[]
  /** Best first. Feeds with the same entries as a better one (`sameListAs`) come last. */
  feeds: FoundFeed[]
  /** Why no feed was found; `from`: the URL of that response after redirects. */
  failure?: Failure
  from?: WebAddress
  /** The search stopped because it leads to these addresses on hosts that the task must not visit yet. */
  otherHosts?: WebAddress[]
}

export interface FoundFeed {
  url: WebAddress
  score: number
  why: string[]
  sameListAs?: WebAddress
  /** How the feed was found. */
  via?: FoundBy
  reading: FetchedFeed
}

/** Probes if the page is blocked: servers often allow feeds where they block pages. */
const MAX_PROBES_IF_BLOCKED = 4
/** Probes on a site that declares only feeds of other sites. */
const MAX_PROBES_FOR_OWN_FEED = 2

export async function discover(target: DiscoveryTarget, parts: DiscoverParts, signal: AbortSignal): Promise<Discovery> {
  const search = createSearch(target, parts, signal)
  const { requests, otherHosts, visit, get, getPage, readAnswer, read, readFurther, probe, findSitemaps } = search
  const known = await searchKnownHost(target.url, search)
  if ('feeds' in known) return known
  const url = known.page
  const page = await getPage(url)
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  const itself = await readAnswer(page)
  if (itself.kind === 'reading') {
    requests.push({ url, via: 'address', result: { kind: 'feed' } })
    return {
      requests,
      feeds: [
        { url: canonicalOf(url, page), score: 0, why: ['the address itself'], via: 'address', reading: itself.reading },
      ],
    }
  }
  const isPage = page.ok && itself.failure.kind === 'not-a-feed'
  requests.push({ url, via: 'address', result: isPage ? { kind: 'page' } : itself })
  const from = redirectedUrl(page)
  const listed = isPage ? sitemapsIn(pageOf(page)) : []
  if (listed.length > 0) {
    const sitemaps = await readSitemaps(search, listed)
    if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
    if (sitemaps.length > 0) return { requests, feeds: ranked(sitemaps, { url, title: undefined }) }
    return { requests, feeds: [], failure: itself.failure }
  }
  const block = blockedBy(page, itself.failure)
  if (block) {
    const { found } = await probe(url, '', MAX_PROBES_IF_BLOCKED, hasEntries)
    if (found.length > 0) return { requests, feeds: ranked(found, { url, title: undefined }) }
    return { requests, feeds: [], failure: block, ...(from && { from }) }
  }
  if (!isPage) return { requests, feeds: [], failure: itself.failure, ...(from && { from }) }
  if (new URL(page.url).hostname !== new URL(url).hostname) {
    const arrived = await searchKnownHost(page.url, search)
    if ('feeds' in arrived) return arrived
  }

  let shownPage: HtmlPage = { html: decodeText(page.body, page.headers['content-type']).text, url: page.url }
  const linkHeader = page.headers.link
  let links = feedLinks({ ...shownPage, sameSite, ...(linkHeader && { linkHeader }) })
  const refreshed = links.length === 0 ? refreshTarget(shownPage) : undefined
  if (refreshed !== undefined && visit(refreshed)) {
    const next = pageOf(await get(refreshed, 'address'))
    requests.push({
      url: refreshed,
      via: 'address',
      result: next ? { kind: 'page' } : { kind: 'failed', failure: NO_PAGE },
    })
    shownPage = next ?? shownPage
    links = feedLinks({ ...shownPage, sameSite })
  }
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  const { html } = shownPage
  const where = { url: shownPage.url, title: pageTitle(html) }
  const declared = await read(links, { enough: () => false })
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  const best = ranked(declared, where)
  if ((best[0]?.score ?? -1) >= 0) {
    // Sites may declare only the copy of their feed on a platform. Probes may find their own feed, which is better.
    const isElsewhere = best.every((feed) => !sameSite(new URL(feed.url).hostname, new URL(where.url).hostname))
    if (!isElsewhere) return { requests, feeds: best }
    const { found: ownFeeds } = await probe(where.url, html, MAX_PROBES_FOR_OWN_FEED, hasEntries)
    return { requests, feeds: ownFeeds.length > 0 ? ranked([...declared, ...ownFeeds], where) : best }
  }

  const refused = requests.find(({ via, result }) => via !== 'address' && result.kind === 'failed')
  const failure = refused?.result.kind === 'failed' ? refused.result.failure : undefined
  if (declared.length === 0 && failure && isTemporary(failure)) return { requests, feeds: [], failure }

  // The page declares no feed, only missing feeds, or only feeds of comments and tags.
  const further = await readFurther(shownPage)
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (further.length > 0) return { requests, feeds: ranked([...declared, ...further], where) }
  const { likely, found } = await probe(where.url, html, probesBeforeSitemaps(search), () => true)
  const all = [...declared, ...found]
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (all.length > 0) return { requests, feeds: ranked(all, where) }
  const sitemaps = await readSitemaps(search, await findSitemaps(where.url, SITEMAP_REQUESTS))
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (sitemaps.length > 0) return { requests, feeds: ranked(withTitle(sitemaps, where.title), where) }
  const declaration = failure
    ? `the page declares ${refused?.url}, but ${describeFailure(failure)}`
    : 'the page declares none'
  const detail = `${declaration}, ${likely.length} likely addresses have none, and no sitemap was found`
  return { requests, feeds: [], failure: { kind: 'no-feed-found', detail } }
}

/**
 * What is known of the host of an address, without its page: its feeds, why it has none, or that it leads to other hosts; else the page on
 * which to go on.
 */
async function searchKnownHost(
  url: WebAddress,
  { requests, otherHosts, visit, read, lookUp }: FeedSearch,
): Promise<Discovery | { page: WebAddress }> {
  const reason = noFeedReason(url)
  if (reason !== undefined) return { requests, feeds: [], failure: { kind: 'no-feed-found', detail: reason } }
  const looked = await lookUp(url)
  const addresses = looked?.feeds ?? hostRuleFeeds(url)
  const found = (await read(via('host-rule', addresses), { enough: hasEntries })).filter(hasEntries)
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (found.length > 0) return { requests, feeds: ranked(found, { url, title: undefined }) }
  if (looked && !looked.page)
    return { requests, feeds: [], failure: looked.failure ?? { kind: 'no-feed-found', detail: looked.reason } }
  const page = looked?.page ?? url
  return visit(page) ? { page } : { requests, feeds: [], otherHosts }
}

/** Why the page is blocked, for users; undefined if it is not. */
function blockedBy(page: NetAnswer, failure: Failure): Failure | undefined {
  if (!page.ok) return undefined
  if (detectBotCheck(page.status, page.headers)) return failure
  return isConsentPage(page.url) ? CONSENT : undefined
}

function ranked(read: ReadFeed[], { url, title }: { url: WebAddress; title: string | undefined }): FoundFeed[] {
  return rankFeeds(read, { url, ...(title && { title }) }, sameSite).flatMap((feed) => {
    const match = read.find(({ finalUrl }) => finalUrl === feed.url)
    return match ? [{ ...feed, via: match.candidate.via, reading: match.reading }] : []
  })
}

/** A sitemap of pages has no title, so it is called like the page. */
function withTitle(sitemaps: ReadFeed[], title: string | undefined): ReadFeed[] {
  if (!title) return sitemaps
  return sitemaps.map((feed) => ({ ...feed, reading: { ...feed.reading, facts: { title, ...feed.reading.facts } } }))
}

function hasEntries({ reading }: ReadFeed): boolean {
  return reading.entries.length > 0
}

/** The feed's address: the final one after permanent redirects, else the requested one. */
function canonicalOf(requested: WebAddress, answer: NetAnswer): WebAddress {
  const permanent = answer.ok && answer.redirects.every(({ status }) => status === 301 || status === 308)
  return answer.ok && permanent ? answer.url : requested
}

/** Temporary: the feed is at the declared address, and no other has to be searched. */
function isTemporary(failure: Failure): boolean {
  if (failure.kind === 'http') return ![404, 410].includes(failure.status)
  return failure.kind !== 'not-a-feed'
}
