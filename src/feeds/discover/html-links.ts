/**
 * Finds feed links in a page, most reliable first: the HTTP Link header; <link>, then <a> and <area>, that declare a feed by rel and
 * type; links in the body of the same site that look like feeds. Within each kind, document order is kept, because the first is
 * usually the main feed.
 */
import type { WebAddress } from '../../model/index.ts'
import { cannotBeFeed, type FeedCandidate, isFeedHost, isFeedLike, minorByAddress, minorByTitle } from './candidates.ts'
import { hostRuleFeeds } from './host-rules.ts'
import { readLinkHeader } from './link-header.ts'
import { declaresFeed, readPageLinks } from './page-links.ts'
import { onOneSite, type SameSite, sameSiteByName, writtenAddress } from './typed-address.ts'

/** Together with the page and some probes, discovery makes at most fifteen requests. */
const MAX_CANDIDATES = 10
const MAX_BODY_LINKS = 8

export interface PageQuestion {
  html: string
  /** Where the page came from, after redirects. */
  url: WebAddress
  /** The HTTP `Link` header, if any. */
  linkHeader?: string
  /** Whether two host names belong to one publisher; by default, the names are compared. */
  sameSite?: SameSite
}

/** Feed addresses found in the page, most reliable first, without duplicates and without the page itself. */
export function feedLinks({ html, url, linkHeader = '', sameSite = sameSiteByName }: PageQuestion): FeedCandidate[] {
  const own = writtenAddress(url) ?? url
  const page = readPageLinks(html)
  const base = writtenAddress(page.base ?? '', own) ?? own
  const taken = new Set([own])

  const candidate = (
    written: { href: string; title?: string },
    via: FeedCandidate['via'],
    against = base,
  ): FeedCandidate[] => {
    const address = writtenAddress(written.href, against)
    const isDeclared = via !== 'body'
    if (address === undefined || taken.has(address) || cannotBeFeed(address, isDeclared)) return []
    taken.add(address)
    return [{ url: address, ...(written.title && { title: written.title }), via }]
  }

  const declared = [
    ...headerLinks(linkHeader).flatMap((link) => candidate(link, 'link-header', own)),
    ...page.links.flatMap((link) => candidate(link, 'link')),
    ...page.anchors.flatMap((link) => candidate(link, 'anchor')),
    ...canonicalFeeds(page.canonical, own, sameSite).flatMap((href) => candidate({ href }, 'host-rule')),
  ]
  const looking = page.bodyLinks.filter(({ href, saysSo }) => {
    const address = writtenAddress(href, base)
    return (
      address !== undefined &&
      (saysSo || isFeedLike(address)) &&
      (isFeedHost(address) || onOneSite(address, own, sameSite))
    )
  })
  const chosen = mainOnesFirst(topicsFirst(declared), MAX_CANDIDATES)
  const room = Math.min(MAX_BODY_LINKS, MAX_CANDIDATES - chosen.length)
  const body = looking.flatMap((link) => candidate(link, 'body'))
  return [...chosen, ...mainOnesFirst(body, room)]
}

/** Discourse forums declare the feed of replies before the feed of topics. */
function topicsFirst(candidates: FeedCandidate[]): FeedCandidate[] {
  const isOf = (path: string) => (one: FeedCandidate) => new URL(one.url).pathname.endsWith(path)
  if (!candidates.some(isOf('/latest.rss'))) return candidates
  const isReplies = isOf('/posts.rss')
  return [...candidates.filter((one) => !isReplies(one)), ...candidates.filter(isReplies)]
}

const MOST_FURTHER = 2

/** Other pages of the site worth searching if this one names no feed: its list of feeds, then its blog or news. */
export function furtherPages({ html, url, sameSite = sameSiteByName }: PageQuestion): WebAddress[] {
  const own = writtenAddress(url) ?? url
  const page = readPageLinks(html)
  const base = writtenAddress(page.base ?? '', own) ?? own
  const onSite = ({ href }: { href: string }) => {
    const address = writtenAddress(href, base)
    return address !== undefined && address !== own && onOneSite(address, own, sameSite) ? [address] : []
  }
  const lists = page.bodyLinks.filter(({ saysSo }) => saysSo).flatMap(onSite)
  const blogs = page.blogLinks.flatMap(onSite)
  return [...new Set([...lists.slice(0, 1), ...blogs.slice(0, 1), ...lists])].slice(0, MOST_FURTHER)
}

/** The target of an immediate meta refresh, if any. */
export function refreshedTo({ html, url }: PageQuestion): WebAddress | undefined {
  const { refresh } = readPageLinks(html)
  const address = refresh === undefined ? undefined : writtenAddress(refresh, url)
  return address === url ? undefined : address
}

/** The site's name, else the page's title; compared with feed titles. */
export function pageTitle(html: string): string | undefined {
  return readPageLinks(html).title
}

function headerLinks(linkHeader: string): { href: string; title?: string }[] {
  return readLinkHeader(linkHeader)
    .filter(({ parameters }) => !parameters.has('anchor')) // it would be about another page
    .filter(({ href, parameters }) => declaresFeed(new Map([['href', href], ...parameters])))
    .map(({ href, parameters }) => ({ href, title: parameters.get('title') ?? '' }))
}

/** A page under a vanity address may name a canonical one for which there is a host rule (mostly video channels). */
function canonicalFeeds(canonical: string | undefined, own: WebAddress, sameSite: SameSite): WebAddress[] {
  const address = canonical === undefined ? undefined : writtenAddress(canonical, own)
  return address !== undefined && address !== own && onOneSite(address, own, sameSite) ? hostRuleFeeds(address) : []
}

/**
 * If there are too many candidates, drops feeds of comments and tags first, then those with the longest addresses: among dozens, the
 * main feed usually has the shortest. Keeps the order of the others, and always the first.
 */
function mainOnesFirst(candidates: FeedCandidate[], room: number): FeedCandidate[] {
  if (candidates.length <= room) return candidates
  const isMinor = ({ url, title = '' }: FeedCandidate) => (minorByAddress(url) ?? minorByTitle(title)) !== undefined
  const length = (one: FeedCandidate) => (one === candidates[0] ? 0 : one.url.length)
  const byWorth = candidates.toSorted((a, b) => Number(isMinor(a)) - Number(isMinor(b)) || length(a) - length(b))
  const chosen = new Set(byWorth.slice(0, room))
  return candidates.filter((one) => chosen.has(one))
}
