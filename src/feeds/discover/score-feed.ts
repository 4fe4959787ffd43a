/**
 * Scores one feed of a site. The points are our own choice: being on the same site outweighs everything except being a feed of
 * comments or a part; how it was found comes next; the rest breaks ties.
 */
import { DAY, type Instant, type WebAddress, webAddress } from '../../model/index.ts'
import type { ParsedFeed } from '../parse/parsed-feed.ts'
import {
  type FeedCandidate,
  type SecondaryFeedKind,
  secondaryKindByAddress,
  secondaryKindByTitle,
} from './candidates.ts'
import { isSameSite, type SameSite } from './user-address.ts'

export interface ProbedFeed {
  candidate: FeedCandidate
  /** The parser's result, including fields beyond the model that identify comments and podcasts. */
  feed: Pick<ParsedFeed, 'facts' | 'entries'>
  /** Its address after redirects. */
  finalUrl: WebAddress
}

export interface PageFacts {
  url: WebAddress
  title?: string
}

export interface FeedScore {
  score: number
  /** The points and their reasons. */
  why: string[]
}

const VIA: Record<FeedCandidate['via'], [points: number, reason: string]> = {
  'host-rule': [30, 'where this host has its feeds'],
  'link-header': [20, 'declared by the server'],
  link: [20, 'declared by the page'],
  anchor: [15, 'declared by a link in the page'],
  body: [5, 'linked from the page'],
  probe: [0, 'found by trying'],
  sitemap: [-10, 'a sitemap, since there is no feed'],
}
const MINOR: Record<SecondaryFeedKind, [points: number, reason: string]> = {
  comments: [-200, 'comments'],
  part: [-150, 'only a part of the site'],
  podcast: [-50, 'a podcast'],
  places: [-50, 'places on a map'],
}
/** Entries looked at; hostile feeds have twenty thousand. */
const MAX_LINKS = 200

/** `position`: order of discovery. `newestAt`: the newest entry of all tried feeds. `shortest`: the shortest of many addresses, if many. */
export function feedScore(
  probed: ProbedFeed,
  position: number,
  page: PageFacts,
  { newestAt, shortest }: { newestAt: Instant; shortest: WebAddress | undefined },
  sameSite: SameSite,
): FeedScore {
  const { candidate, feed, finalUrl } = probed
  const reasons: string[] = []
  let score = 0
  const count = (points: number, reason: string) => {
    score += points
    if (points !== 0) reasons.push(`${points > 0 ? '+' : ''}${points} ${reason}`)
  }

  if (isSameSite(finalUrl, page.url, sameSite)) count(100, 'on the same site')
  count(...VIA[candidate.via])
  const minor = minorOf(probed, page)
  if (minor !== undefined) count(...MINOR[minor])
  if (isBelow(finalUrl, page.url)) count(12, 'beneath this page')
  if (isSectionFeed(probed, page)) count(25, 'of this section')
  count(-Math.min(position, 10), 'not the first')
  if (finalUrl === shortest) count(12, 'the shortest address of many')
  if (hasTitleOf(feed.facts.title, page.title)) count(10, 'named like the site')

  const entries = feed.entries.slice(0, MAX_LINKS)
  const links = entries.flatMap(({ url }) => webAddress(url) ?? [])
  const onSite = links.filter((link) => isSameSite(link, page.url, sameSite)).length
  if (entries.length === 0) count(-40, 'no entries')
  if (onSite > 0) count(Math.round((10 * onSite) / links.length), 'its entries are on the site')
  const newest = newestOf(probed)
  if (newestAt > 0 && newest >= newestAt - 7 * DAY) count(8, 'has news')
  if (newest > 0 && newest < newestAt - 365 * DAY) count(-10, 'a year behind')
  return { score, why: reasons }
}

/** 0 if no entry is dated. */
export function newestOf({ feed }: ProbedFeed): Instant {
  let newest = 0
  for (const { publishedAt, updatedAt } of feed.entries) newest = Math.max(newest, publishedAt ?? updatedAt ?? 0)
  return newest
}

/** A user who gives a tag's or podcast's page wants its feed; nobody wants the comments. */
function minorOf({ candidate, feed, finalUrl }: ProbedFeed, page: PageFacts): SecondaryFeedKind | undefined {
  const { entries, facts } = feed
  const byTitle = [candidate.title, facts.title]
    .map((title) => secondaryKindByTitle(title ?? ''))
    .find((minor) => minor !== undefined && minor !== secondaryKindByTitle(page.title ?? ''))
  const byAddress = secondaryKindByAddress(finalUrl)
  if (byAddress === 'comments' || byTitle === 'comments' || isCommentsFeed(entries)) return 'comments'
  const minor = byAddress ?? byTitle ?? (isAllSound(entries) ? 'podcast' : undefined)
  const isMeant = minor === secondaryKindByAddress(page.url) && (minor !== 'part' || isBelow(finalUrl, page.url))
  return isMeant ? undefined : minor
}

function isCommentsFeed(entries: ParsedFeed['entries']): boolean {
  const comments = entries.filter(({ url, inReplyTo }) => inReplyTo || /#(?:comment|reply|c)-?\d/i.test(url ?? ''))
  return comments.length > 1 && comments.length * 2 > entries.length
}

function isAllSound(entries: ParsedFeed['entries']): boolean {
  const isSound = (type = '') => /^(?:audio|video)\//.test(type)
  return entries.length > 0 && entries.every(({ enclosures }) => enclosures?.some(({ type }) => isSound(type)))
}

/** A blog in a folder of a larger site, or a tag: feeds below the page's folder are preferred to the site's. */
function isBelow(feedUrl: WebAddress, pageUrl: WebAddress): boolean {
  const path = new URL(pageUrl).pathname
  const lastSlash = path.lastIndexOf('/')
  const isFolder = lastSlash < path.length - 1 && !path.includes('.', lastSlash)
  const folder = isFolder ? `${path}/` : path.slice(0, lastSlash + 1)
  return folder !== '/' && new URL(feedUrl).pathname.startsWith(folder)
}

/** For a page such as /sections/science, the feed with that word in its address or title is preferred. */
function isSectionFeed({ candidate, feed, finalUrl }: ProbedFeed, page: PageFacts): boolean {
  const section = new URL(page.url).pathname.split('/').filter(Boolean).at(-1)?.toLowerCase() ?? ''
  if (!/^[a-z]{4,}(?:-[a-z]+)?$/.test(section)) return false
  const words = [candidate.title, feed.facts.title, new URL(finalUrl).pathname]
    .join(' ')
    .slice(0, MAX_TITLE)
    .toLowerCase()
  return words.split(/[^a-z-]+/).includes(section)
}

/** "Example - RSS" matches "Home | Example". */
function hasTitleOf(feedTitle = '', pageTitle = ''): boolean {
  const name = simplifyTitle(feedTitle)
  if (name === '') return false
  return [pageTitle, ...pageTitle.split(/\s+[|–—·»:-]\s+/)].some((part) => simplifyTitle(part) === name)
}

const MAX_TITLE = 300

function simplifyTitle(title: string): string {
  return title
    .slice(0, MAX_TITLE)
    .toLowerCase()
    .replace(/[\s|–—·»:()-]*\b(?:rss|atom)?\s*(?:rss|atom|feed)\)?$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
