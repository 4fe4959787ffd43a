/**
 * Ranks the feeds of a site by score. Several documents with the same entries (usually RSS and Atom) count as one feed, represented
 * by the best document: on the same site, then with full articles, then Atom, then with the higher score. Ties are decided by the
 * shorter address, which also scores on a front page with many feeds if it names no topic; otherwise by position.
 */
import type { WebAddress } from '../../model/index.ts'
import { normalizeUrl } from '../reconcile/reconcile.ts'
import { isFeedHost, isMainByAddress, secondaryKindByAddress } from './candidates.ts'
import { type FeedScore, feedScore, newestOf, type PageFacts, type ProbedFeed } from './score-feed.ts'
import { isSameSite, type SameSite, sameSiteByName } from './user-address.ts'

export interface RankedFeed extends FeedScore {
  url: WebAddress
  /** This document has the same entries as the representative at this address. */
  sameListAs?: WebAddress
}

/**
 * Best first, duplicates of a representative last. `tried` is in order of discovery. Feeds on other sites are dropped unless the site
 * links to them.
 */
export function rankFeeds(probed: ProbedFeed[], page: PageFacts, sameSite: SameSite = sameSiteByName): RankedFeed[] {
  const feeds = firstOfEachAddress(probed).filter((feed) => isNamedBySite(feed, page, sameSite))
  const newestAt = feeds.reduce((newest, feed) => Math.max(newest, newestOf(feed)), 0)
  const shortest = shortestOfMany(feeds, page, sameSite)
  const documents = feeds.map((feed, position) => {
    const score = feedScore(feed, position, page, { newestAt, shortest }, sameSite)
    return documentOf(feed, score, isSameSite(feed.finalUrl, page.url, sameSite))
  })

  const heads: RankedFeed[] = []
  const duplicates: RankedFeed[] = []
  for (const list of groupByEntries(documents)) {
    const [head, ...duplicatesOfHead] = byWorth(list)
    const { score, why: reasons } = list.toSorted(byScore)[0]!
    heads.push({ url: head!.url, score, why: reasons })
    for (const { url, score, why: reasons } of duplicatesOfHead)
      duplicates.push({ url, score, why: reasons, sameListAs: head!.url })
  }
  return [...heads.toSorted(byScore), ...duplicates.toSorted(byScore)]
}

const MANY = 6

/** The shortest feed address of a front page that declares many feeds. */
function shortestOfMany(feeds: ProbedFeed[], page: PageFacts, sameSite: SameSite): WebAddress | undefined {
  if (new URL(page.url).pathname !== '/') return undefined
  const main = feeds.filter(
    ({ candidate: { via }, finalUrl }) =>
      via === 'link' && secondaryKindByAddress(finalUrl) === undefined && isSameSite(finalUrl, page.url, sameSite),
  )
  if (main.length < MANY) return undefined
  const [shortest] = main.map(({ finalUrl }) => finalUrl).toSorted((a, b) => a.length - b.length)
  return shortest !== undefined && isMainByAddress(shortest) ? shortest : undefined
}

interface Document extends FeedScore {
  url: WebAddress
  onSite: boolean
  isAtom: boolean
  /** Average characters of content per entry. */
  fullness: number
  /** Addresses of the first entries. */
  links: string[]
}

/** Number of entries compared to decide whether two documents have the same entries. */
const COMPARED = 100
/** Share of common entries; one document may be slightly older than the other. */
const SAME_LIST = 0.8

function documentOf({ feed, finalUrl }: ProbedFeed, score: FeedScore, onSite: boolean): Document {
  const entries = feed.entries.slice(0, COMPARED)
  const chars = entries.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
  return {
    ...score,
    url: finalUrl,
    onSite,
    isAtom: feed.facts.format === 'atom',
    fullness: chars / Math.max(1, entries.length),
    links: entries.flatMap(({ url }) => (url === undefined ? [] : comparableLink(url))),
  }
}

/** Ignores the scheme, www and a trailing slash. */
function comparableLink(url: string): string {
  return (normalizeUrl(url) ?? url).replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
}

function firstOfEachAddress(probed: ProbedFeed[]): ProbedFeed[] {
  const met = new Set<string>()
  return probed.filter(({ finalUrl }) => !met.has(finalUrl) && met.add(finalUrl))
}

/** Whether the site declares the feed or the feed was reached through one of the site's addresses. */
function isNamedBySite({ candidate, finalUrl }: ProbedFeed, page: PageFacts, sameSite: SameSite): boolean {
  const isDeclared = candidate.via !== 'body' && candidate.via !== 'probe'
  return (
    isDeclared ||
    isFeedHost(candidate.url) ||
    [finalUrl, candidate.url].some((url) => isSameSite(url, page.url, sameSite))
  )
}

/** There are at most a dozen documents, so comparing all pairs is fine. */
function groupByEntries(documents: Document[]): Document[][] {
  const lists: Document[][] = []
  for (const document of documents) {
    const list = lists.find((group) => group.some(({ links }) => isSameList(links, document.links)))
    if (list) list.push(document)
    else lists.push([document])
  }
  return lists
}

/** Compares only as many top entries as the shorter document has: otherwise every tag's feed would count as part of the main one. */
function isSameList(a: string[], b: string[]): boolean {
  const length = Math.min(a.length, b.length)
  const upper = new Set(a.slice(0, length))
  const linksOfB = new Set(b.slice(0, length))
  const common = [...upper].filter((link) => linksOfB.has(link)).length
  return length > 0 && common >= SAME_LIST * Math.max(upper.size, linksOfB.size)
}

function byWorth(list: Document[]): Document[] {
  const fullest = Math.max(...list.map(({ fullness }) => fullness))
  const isFull = ({ fullness }: Document) => fullness >= fullest / 2
  return list.toSorted(
    (a, b) =>
      Number(b.onSite) - Number(a.onSite) ||
      Number(isFull(b)) - Number(isFull(a)) ||
      Number(b.isAtom) - Number(a.isAtom) ||
      byScore(a, b),
  )
}

function byScore(a: { score: number; url: string }, b: { score: number; url: string }): number {
  return b.score - a.score || a.url.length - b.url.length
}
