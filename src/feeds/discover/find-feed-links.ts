/**
 * Finds feed links in a page, most reliable first: the HTTP Link header; <link>, then <a> and <area>, that declare a feed by rel and
 * type; links in the body of the same site that look like feeds. Within each kind, document order is kept, because the first is
 * usually the main feed.
 */
import type { WebAddress } from '../../model/index.ts'
import {
  cannotBeFeed,
  type FeedCandidate,
  isFeedHost,
  isFeedLike,
  secondaryKindByAddress,
  secondaryKindByTitle,
} from './candidates.ts'
import { hostRuleFeeds } from './host-rules.ts'
import { parseLinkHeader } from './link-header.ts'
import { pageDataFeed } from './page-data.ts'
import { declaresFeed, extractPageLinks } from './page-links.ts'
import { isSameSite, resolvePageLink, type SameSite, sameSiteByName } from './user-address.ts'

/** Together with the page and some probes, discovery makes at most fifteen requests. */
const MAX_CANDIDATES = 10
const MAX_BODY_LINKS = 8

export interface PageInput {
  html: string
  /** The address of the page, after redirects. */
  url: WebAddress
  /** The HTTP `Link` header, if any. */
  linkHeader?: string
  /** Whether two host names belong to one publisher; by default, the names are compared. */
  sameSite?: SameSite
}

/** Feed addresses found in the page, most reliable first, without duplicates and without the page itself. */
export function feedLinks({ html, url, linkHeader = '', sameSite = sameSiteByName }: PageInput): FeedCandidate[] {
  const ownUrl = resolvePageLink(url) ?? url
  const page = extractPageLinks(html)
  const base = resolvePageLink(page.base ?? '', ownUrl) ?? ownUrl
  const seen = new Set([ownUrl])

  const candidate = (
    written: { href: string; title?: string },
    via: FeedCandidate['via'],
    against = base,
  ): FeedCandidate[] => {
    const address = resolvePageLink(written.href, against)
    const isDeclared = via !== 'body'
    if (address === undefined || seen.has(address) || cannotBeFeed(address, isDeclared)) return []
    seen.add(address)
    return [{ url: address, ...(written.title && { title: written.title }), via }]
  }

  const declared = [
    ...headerLinks(linkHeader).flatMap((link) => candidate(link, 'link-header', ownUrl)),
    ...page.links.flatMap((link) => candidate(link, 'link')),
    ...page.anchors.flatMap((link) => candidate(link, 'anchor')),
    ...canonicalFeeds(page.canonical, ownUrl, sameSite).flatMap((href) => candidate({ href }, 'host-rule')),
    ...[pageDataFeed(ownUrl, html)].flatMap((href) => (href ? candidate({ href }, 'host-rule') : [])),
  ]
  const likely = page.bodyLinks.filter(({ href, isNamedFeed }) => {
    const address = resolvePageLink(href, base)
    return (
      address !== undefined &&
      (isNamedFeed || isFeedLike(address)) &&
      (isFeedHost(address) || isSameSite(address, ownUrl, sameSite))
    )
  })
  const chosen = preferMainFeeds(topicsFirst(declared), MAX_CANDIDATES)
  const maxBodyLinks = Math.min(MAX_BODY_LINKS, MAX_CANDIDATES - chosen.length)
  const body = likely.flatMap((link) => candidate(link, 'body'))
  return [...chosen, ...preferMainFeeds(body, maxBodyLinks)]
}

/** Discourse forums declare the feed of replies before the feed of topics. */
function topicsFirst(candidates: FeedCandidate[]): FeedCandidate[] {
  const isOf = (path: string) => (candidate: FeedCandidate) => new URL(candidate.url).pathname.endsWith(path)
  if (!candidates.some(isOf('/latest.rss'))) return candidates
  const isReplies = isOf('/posts.rss')
  return [...candidates.filter((candidate) => !isReplies(candidate)), ...candidates.filter(isReplies)]
}

const MAX_FURTHER = 2

/**
 * Other pages of the site worth searching if this one names no feed: of a mobile page the one for desktops, its list of feeds, then its
 * blog or news.
 */
export function furtherPages({ html, url, sameSite = sameSiteByName }: PageInput): WebAddress[] {
  const ownUrl = resolvePageLink(url) ?? url
  const page = extractPageLinks(html)
  const base = resolvePageLink(page.base ?? '', ownUrl) ?? ownUrl
  const onSite = ({ href }: { href: string }) => {
    const address = resolvePageLink(href, base)
    return address !== undefined && address !== ownUrl && isSameSite(address, ownUrl, sameSite) ? [address] : []
  }
  const canonical = page.canonical === undefined ? [] : onSite({ href: page.canonical })
  const desktop = canonical.filter((address) => new URL(address).hostname !== new URL(ownUrl).hostname)
  const lists = page.bodyLinks.filter(({ isNamedFeed }) => isNamedFeed).flatMap(onSite)
  const blogs = page.blogLinks.flatMap(onSite)
  return [...new Set([...desktop, ...lists.slice(0, 1), ...blogs.slice(0, 1), ...lists])].slice(0, MAX_FURTHER)
}

/** The target of an immediate meta refresh, if any. */
export function refreshTarget({ html, url }: PageInput): WebAddress | undefined {
  const { refresh } = extractPageLinks(html)
  const address = refresh === undefined ? undefined : resolvePageLink(refresh, url)
  return address === url ? undefined : address
}

/** The site's name, else the page's title; compared with feed titles. */
export function pageTitle(html: string): string | undefined {
  return extractPageLinks(html).title
}

function headerLinks(linkHeader: string): { href: string; title?: string }[] {
  return parseLinkHeader(linkHeader)
    .filter(({ parameters }) => !parameters.has('anchor')) // it would be about another page
    .filter(({ href, parameters }) => declaresFeed(new Map([['href', href], ...parameters])))
    .map(({ href, parameters }) => ({ href, title: parameters.get('title') ?? '' }))
}

/** A page under a vanity address may name a canonical one for which there is a host rule (mostly video channels). */
function canonicalFeeds(canonical: string | undefined, ownUrl: WebAddress, sameSite: SameSite): WebAddress[] {
  const address = canonical === undefined ? undefined : resolvePageLink(canonical, ownUrl)
  return address !== undefined && address !== ownUrl && isSameSite(address, ownUrl, sameSite)
    ? hostRuleFeeds(address)
    : []
}

/**
 * If there are too many candidates, drops feeds of comments and tags first, then those with the longest addresses: among dozens, the
 * main feed usually has the shortest. Keeps the order of the others, and always the first.
 */
function preferMainFeeds(candidates: FeedCandidate[], limit: number): FeedCandidate[] {
  if (candidates.length <= limit) return candidates
  const isMinor = ({ url, title = '' }: FeedCandidate) =>
    (secondaryKindByAddress(url) ?? secondaryKindByTitle(title)) !== undefined
  const length = (candidate: FeedCandidate) => (candidate === candidates[0] ? 0 : candidate.url.length)
  const byWorth = candidates.toSorted((a, b) => Number(isMinor(a)) - Number(isMinor(b)) || length(a) - length(b))
  const chosen = new Set(byWorth.slice(0, limit))
  return candidates.filter((candidate) => chosen.has(candidate))
}
