/**
 * Finds the feeds of an address. In this order: rules for known hosts, the address itself, the feeds that the page declares, those that
 * its list of feeds or its blog declares, a few likely addresses (probes), and its sitemaps. Every candidate is fetched and read once, and
 * the readable ones are ranked. Probes are also tried if a bot check or a consent page blocks the page.
 * The requests are few and sequential, with a gap between them. The result lists all of them, so that users see why a feed was chosen.
 */
import {
  CONSENT_MESSAGE,
  decodeText,
  detectBotCheck,
  type FeedCandidate,
  feedLinks,
  furtherPages,
  hostRuleFeeds,
  isConsentPage,
  type ProbedFeed,
  pageBehindConsent,
  pageTitle,
  probeAddresses,
  rankFeeds,
  refreshTarget,
  sitemapAddresses,
} from '../../feeds/index.ts'
import {
  describeFailure,
  type Failure,
  type FeedCredentials,
  type FetchedFeed,
  type FoundBy,
  MINUTE,
  type Millis,
  mayShareCredentials,
  type WebAddress,
} from '../../model/index.ts'
import { isSameTenant, rootOfHost, tenantOf } from '../../politeness/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import { createFailedProbes, type FailedProbes } from './failed-probes.ts'
import { type HtmlPage, pageOf, sitemapsIn } from './page-answer.ts'
import { type DocumentResult, type ReadDocument, readInProcess } from './read-document.ts'
import { bodyHashOf, redirectedUrl } from './read-feed.ts'
import { createRobotsCache, type RobotsCache } from './robots-cache.ts'
import { MAX_REDIRECT_TARGETS } from './unplanned-redirect.ts'
import { withUserGivenAddress } from './user-given-address.ts'

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

export interface DiscoveryRequest {
  url: WebAddress
  /** `address`: the given address. */
  via: FeedCandidate['via'] | 'address'
  result: { kind: 'feed' } | { kind: 'page' } | { kind: 'failed'; failure: Failure }
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

export interface DiscoverParts {
  net: Net
  clock: Clock
  /** Probed addresses that are known to have no feed. */
  failedProbes?: FailedProbes
  robots?: RobotsCache
  /** guesses: robots.txt applies to addresses that were only guessed. all: to every address. */
  obeyRobots: 'guesses' | 'all'
  /** Reads documents; in process by default. */
  read?: ReadDocument
}

const MAX_REQUESTS = 14 // plus robots.txt; chosen so that a site without a feed hardly notices the search
const SITEMAP_REQUESTS = 4 // of these, for sitemaps if no feed is found
const MIN_REQUESTS = 4 // even where gaps are long: the page, and the feeds it declares
const MAX_DISCOVERY_MS = 5 * MINUTE // chosen; a lease lasts at most twice that
const FORBIDDEN: Failure = { kind: 'forbidden-by-robots' }

interface ReadFeed extends ProbedFeed {
  reading: FetchedFeed
}

interface DiscoveryTarget {
  url: WebAddress
  credentials?: FeedCredentials
  /** A feed to skip: the one that moved. */
  not?: WebAddress
  gapMs: Millis
  /** Hosts that it may visit besides the host of the address; absent: any. */
  ends?: string[]
}

/** Probes if the page is blocked: servers often allow feeds where they block pages. */
const MAX_PROBES_IF_BLOCKED = 4
/** Feeds read from one further page. */
const MAX_LISTED = 4

/** Probes on a site that declares only feeds of other sites. */
const MAX_PROBES_FOR_OWN_FEED = 2

export async function discover(target: DiscoveryTarget, parts: DiscoverParts, signal: AbortSignal): Promise<Discovery> {
  const { url } = target
  const search = createSearch(target, parts, signal)
  const { requests, otherHosts, canVisit, get, getPage, readAnswer, read, readFurther, probe } = search
  const { findSitemaps, readSitemaps } = search
  const byHostRule = (await read(via('host-rule', hostRuleFeeds(url)), { enough: hasEntries })).filter(hasEntries)
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (byHostRule.length > 0) return { requests, feeds: ranked(byHostRule, { url, title: undefined }) }

  const page = await getPage()
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
  const listed = isPage ? sitemapsIn(pageOf(page)) : []
  if (listed.length > 0) {
    const sitemaps = await readSitemaps(listed)
    if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
    if (sitemaps.length > 0) return { requests, feeds: ranked(sitemaps, { url, title: undefined }) }
    return { requests, feeds: [], failure: itself.failure }
  }
  const from = redirectedUrl(page)
  const block = blockedBy(page, itself.failure)
  if (block) {
    const { found } = await probe(url, '', MAX_PROBES_IF_BLOCKED, hasEntries)
    if (found.length > 0) return { requests, feeds: ranked(found, { url, title: undefined }) }
    return { requests, feeds: [], failure: block, ...(from && { from }) }
  }
  if (!isPage) return { requests, feeds: [], failure: itself.failure, ...(from && { from }) }

  let shownPage: HtmlPage = { html: decodeText(page.body, page.headers['content-type']).text, url: page.url }
  const linkHeader = page.headers.link
  let links = feedLinks({ ...shownPage, sameSite, ...(linkHeader && { linkHeader }) })
  const refreshed = links.length === 0 ? refreshTarget(shownPage) : undefined
  if (refreshed !== undefined && canVisit(refreshed)) {
    const next = pageOf(await get(refreshed, 'address'))
    requests.push({
      url: refreshed,
      via: 'address',
      result: next ? { kind: 'page' } : { kind: 'failed', failure: NO_PAGE },
    })
    shownPage = next ?? shownPage
    links = feedLinks({ ...shownPage, sameSite })
  }
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
  const { likely, found } = await probe(where.url, html, search.probesBeforeSitemaps(), () => true)
  const all = [...declared, ...found]
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (all.length > 0) return { requests, feeds: ranked(all, where) }
  const sitemaps = await readSitemaps(await findSitemaps(where.url))
  if (otherHosts.length > 0) return { requests, feeds: [], otherHosts }
  if (sitemaps.length > 0) return { requests, feeds: ranked(withTitle(sitemaps, where.title), where) }
  const declaration = failure
    ? `the page declares ${refused?.url}, but ${describeFailure(failure)}`
    : 'the page declares none'
  const detail = `${declaration}, ${likely.length} likely addresses have none, and no sitemap was found`
  return { requests, feeds: [], failure: { kind: 'no-feed-found', detail } }
}

/** The requests of one search, and the functions that make more: within the limit, and only to hosts that the task may visit. */
function createSearch(
  { url, credentials, not, gapMs, ends }: DiscoveryTarget,
  parts: DiscoverParts,
  signal: AbortSignal,
) {
  const { clock, obeyRobots, failedProbes = createFailedProbes(), read: readDocument = readInProcess } = parts
  const net = withUserGivenAddress(parts.net, not ?? url) // in a search for a moved feed, the user gave the feed's address
  const robots = parts.robots ?? createRobotsCache({ net, clock })
  const requests: DiscoveryRequest[] = []
  const otherHosts: WebAddress[] = []
  /** Linked pages that looked like feeds, and other documents in place of sitemaps; most are lists of feeds or sitemaps. */
  const pages = new Map<WebAddress, HtmlPage>()
  const mayDefer = ends !== undefined && ends.length < MAX_REDIRECT_TARGETS

  function canVisit(address: WebAddress): boolean {
    return ends === undefined || [tenantOf(url), ...ends].includes(tenantOf(address))
  }

  /** Fewer if the gaps of the host are long. */
  function maxRequests(): number {
    const fitting = Math.floor(MAX_DISCOVERY_MS / Math.max(1, robots.gapMs(url, gapMs)))
    return Math.min(MAX_REQUESTS, Math.max(MIN_REQUESTS, fitting))
  }

  /** robots.txt applies to guessed addresses, not to the address that the user gave or to feeds that the page declares. */
  async function get(address: WebAddress, way: DiscoveryRequest['via']): Promise<NetAnswer> {
    const isGuess = way === 'probe' || way === 'body' || way === 'sitemap'
    if ((isGuess || obeyRobots === 'all') && !(await robots.allows(address, gapMs, signal)))
      return { ok: false, failure: FORBIDDEN }
    if (requests.length > 0) await clock.sleepUntil(clock.now() + robots.gapMs(address, gapMs), signal)
    const login = credentials !== undefined && mayShareCredentials(url, address) ? { credentials } : {}
    const answer = await net.get({ url: address, shouldFollow: canVisit, signal, ...login })
    if (!answer.ok || answer.leadsTo === undefined) return answer
    if (mayDefer) otherHosts.push(answer.leadsTo)
    return { ok: false, failure: { kind: 'redirects', detail: 'they lead to yet another host' } }
  }

  function readAnswer(answer: NetAnswer): Promise<DocumentResult> {
    return readDocument(answer, clock.now(), answer.ok ? bodyHashOf(answer.body) : '', 'parsed')
  }

  /** Reads candidates until one is `enough`, and returns the feeds among them. Stops as soon as other hosts are needed. */
  async function read(
    candidates: FeedCandidate[],
    { enough }: { enough: (feed: ReadFeed) => boolean },
  ): Promise<ReadFeed[]> {
    const found: ReadFeed[] = []
    const reachable = candidates.filter((candidate) => canVisit(candidate.url))
    if (mayDefer)
      otherHosts.push(...candidates.filter((candidate) => !reachable.includes(candidate)).map((far) => far.url))
    for (const candidate of reachable) {
      if (otherHosts.length > 0 || requests.length >= maxRequests() || signal.aborted || found.some(enough)) break
      if (candidate.url === not) continue
      const answer = await get(candidate.url, candidate.via)
      const { url: address, via } = candidate
      const page = via === 'body' || via === 'sitemap' ? pageOf(answer) : undefined // before the reader takes its bytes
      const result = await readAnswer(answer)
      if (page && result.kind === 'failed' && result.failure.kind === 'not-a-feed') pages.set(address, page)
      requests.push({ url: address, via, result: result.kind === 'failed' ? result : { kind: 'feed' } })
      if (result.kind === 'failed' && (via === 'probe' || (via === 'sitemap' && !pages.has(address))))
        failedProbes.record(address, result.failure, clock.now())
      if (result.kind === 'reading' && result.parsed && answer.ok)
        found.push({ candidate, feed: result.parsed, finalUrl: answer.url, reading: result.reading })
    }
    return found
  }

  async function probe(where: WebAddress, html: string, maxProbes: number, enough: (feed: ReadFeed) => boolean) {
    const limit = Math.min(maxProbes, maxRequests() - requests.length)
    const likely = probeAddresses({ url: where, html, limit })
    const untried = likely.filter((candidate) => !failedProbes.has(candidate, clock.now()))
    return { likely, found: await read(via('probe', untried), { enough }) }
  }

  /** Gets the page; if a consent page comes instead, it makes one request for the page behind it. */
  async function getPage(): Promise<NetAnswer> {
    const page = await get(url, 'address')
    const behind = page.ok && isConsentPage(page.url) ? pageBehindConsent(page.url, url) : undefined
    if (behind === undefined || !canVisit(behind)) return page
    requests.push({ url, via: 'address', result: { kind: 'failed', failure: CONSENT } })
    const next = await get(behind, 'address')
    return next.ok && next.status === 200 ? next : page
  }

  /** Feeds that are declared one page further: by the site's list of feeds, or its blog. */
  async function readFurther(page: HtmlPage): Promise<ReadFeed[]> {
    for (const address of furtherPages({ ...page, sameSite })) {
      if (otherHosts.length > 0 || requests.length >= maxRequests() || signal.aborted) break
      let next = pages.get(address)
      if (!next && !requests.some((request) => request.url === address) && canVisit(address)) {
        next = pageOf(await get(address, 'body'))
        requests.push({
          url: address,
          via: 'body',
          result: next ? { kind: 'page' } : { kind: 'failed', failure: NO_PAGE },
        })
      }
      const links = next ? feedLinks({ ...next, sameSite }) : []
      const fresh = links.filter((link) => !requests.some((request) => request.url === link.url)).slice(0, MAX_LISTED)
      const found = await read(fresh, { enough: () => false })
      if (found.length > 0) return found
    }
    return []
  }

  /** Keeps some requests for sitemaps. */
  function probesBeforeSitemaps(): number {
    const left = maxRequests() - requests.length
    return left - Math.min(SITEMAP_REQUESTS, Math.floor(left / 3))
  }

  /** Addresses of sitemaps to try. Its robots.txt was fetched for the probes. */
  async function findSitemaps(where: WebAddress): Promise<WebAddress[]> {
    if (requests.length >= maxRequests()) return []
    const addresses = sitemapAddresses(where, await robots.sitemaps(where, gapMs, signal), isSameTenant)
    return addresses.filter((address) => !failedProbes.has(address, clock.now()))
  }

  /** The first sitemap with entries. A list of sitemaps is followed, also to further lists, as long as requests are left. */
  async function readSitemaps(addresses: WebAddress[], depth = 0): Promise<ReadFeed[]> {
    for (const address of addresses) {
      if (requests.length >= maxRequests() || signal.aborted) break
      if (requests.some((request) => request.url === address)) continue
      const found = (await read(via('sitemap', [address]), { enough: hasEntries })).filter(hasEntries)
      if (found.length > 0) return found
      const list = depth < MAX_SITEMAP_DEPTH ? pages.get(address) : undefined
      const further = list ? await readSitemaps(sitemapsIn(list), depth + 1) : []
      if (further.length > 0) return further
    }
    return []
  }

  return {
    requests,
    otherHosts,
    canVisit,
    get,
    getPage,
    readAnswer,
    read,
    readFurther,
    probe,
    probesBeforeSitemaps,
    findSitemaps,
    readSitemaps,
  }
}

const CONSENT: Failure = { kind: 'no-feed-found', detail: CONSENT_MESSAGE }
const NO_PAGE: Failure = { kind: 'not-a-page' }

/** Why the page is blocked, for users; undefined if it is not. */
function blockedBy(page: NetAnswer, failure: Failure): Failure | undefined {
  if (!page.ok) return undefined
  if (detectBotCheck(page.status, page.headers)) return failure
  return isConsentPage(page.url) ? CONSENT : undefined
}

/** Lists of sitemaps name sitemaps, or once more lists. */
const MAX_SITEMAP_DEPTH = 2

function via(way: FeedCandidate['via'], addresses: WebAddress[]): FeedCandidate[] {
  return addresses.map((url) => ({ url, via: way }))
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

function sameSite(a: string, b: string): boolean {
  return rootOfHost(a) === rootOfHost(b)
}

/** Temporary: the feed is at the declared address, and no other has to be searched. */
function isTemporary(failure: Failure): boolean {
  if (failure.kind === 'http') return ![404, 410].includes(failure.status)
  return failure.kind !== 'not-a-feed'
}
