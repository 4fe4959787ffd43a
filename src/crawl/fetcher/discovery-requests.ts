/** The requests of a search for feeds: within its limits, with gaps between them, and only to hosts that its task may visit. */
import {
  CONSENT_MESSAGE,
  decodeText,
  type FeedCandidate,
  feedLinks,
  furtherPages,
  isConsentPage,
  type LookupResult,
  lookupOf,
  type ProbedFeed,
  pageBehindConsent,
  probeAddresses,
  sitemapAddresses,
} from '../../feeds/index.ts'
import {
  type Failure,
  type FeedCredentials,
  type FetchedFeed,
  MINUTE,
  type Millis,
  mayShareCredentials,
  type WebAddress,
} from '../../model/index.ts'
import { isSameTenant, rootOfHost, tenantOf } from '../../politeness/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import { createFailedProbes, type FailedProbes } from './failed-probes.ts'
import { type DocumentResult, type ReadDocument, readInProcess } from './read-document.ts'
import { bodyHashOf, httpFailure } from './read-feed.ts'
import { createRobotsCache, type RobotsCache } from './robots-cache.ts'
import { MAX_REDIRECT_TARGETS } from './unplanned-redirect.ts'
import { withUserGivenAddress } from './user-given-address.ts'

export interface DiscoveryRequest {
  url: WebAddress
  /** `address`: the given address. */
  via: FeedCandidate['via'] | 'address'
  result: { kind: 'feed' } | { kind: 'page' } | { kind: 'failed'; failure: Failure }
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
const MIN_REQUESTS = 4 // even where gaps are long: the page, and the feeds it declares
const MAX_DISCOVERY_MS = 5 * MINUTE // chosen; a lease lasts at most twice that
const FORBIDDEN: Failure = { kind: 'forbidden-by-robots' }

export interface ReadFeed extends ProbedFeed {
  reading: FetchedFeed
}

export interface DiscoveryTarget {
  url: WebAddress
  credentials?: FeedCredentials
  /** A feed to skip: the one that moved. */
  not?: WebAddress
  gapMs: Millis
  /** Hosts that it may visit besides the host of the address; absent: any. */
  ends?: string[]
}

/** Feeds read from one further page. */
const MAX_LISTED = 4

/** A page that is searched for links. */
export interface HtmlPage {
  html: string
  url: WebAddress
}

export type FeedSearch = ReturnType<typeof createSearch>

/** The requests of one search, and the functions that make more: within the limit, and only to hosts that the task may visit. */
export function createSearch(
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

  /** Like `canVisit`; an address that it cannot visit yet is noted. */
  function visit(address: WebAddress): boolean {
    const isReachable = canVisit(address)
    if (!isReachable && mayDefer) otherHosts.push(address)
    return isReachable
  }

  /** Fewer if the gaps of the host are long. */
  function maxRequests(): number {
    const fitting = Math.floor(MAX_DISCOVERY_MS / Math.max(1, robots.gapMs(url, gapMs)))
    return Math.min(MAX_REQUESTS, Math.max(MIN_REQUESTS, fitting))
  }

  function requestsLeft(): number {
    return signal.aborted ? 0 : maxRequests() - requests.length
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

  /** What the lookup document of an address tells; undefined if it has none. */
  async function lookUp(address: WebAddress): Promise<(LookupResult & { failure?: Failure }) | undefined> {
    const lookup = lookupOf(address)
    if (!lookup || !visit(lookup.url)) return undefined
    const answer = await get(lookup.url, 'host-rule')
    const document = pageOf(answer)
    const failure = document ? undefined : answer.ok ? httpFailure(answer, clock.now()) : answer.failure
    requests.push({
      url: lookup.url,
      via: 'host-rule',
      result: failure ? { kind: 'failed', failure } : { kind: 'page' },
    })
    return { ...lookup.read(parseJson(document?.html)), ...(failure && { failure }) }
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
  async function getPage(wanted: WebAddress): Promise<NetAnswer> {
    const page = await get(wanted, 'address')
    const behind = page.ok && isConsentPage(page.url) ? pageBehindConsent(page.url, wanted) : undefined
    if (behind === undefined || !canVisit(behind)) return page
    requests.push({ url: wanted, via: 'address', result: { kind: 'failed', failure: CONSENT } })
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

  /** Addresses of sitemaps to try. The robots.txt of the site was fetched for the probes. */
  async function findSitemaps(where: WebAddress, limit: number): Promise<WebAddress[]> {
    if (requestsLeft() <= 0) return []
    const addresses = sitemapAddresses(where, await robots.sitemaps(where, gapMs, signal), isSameTenant)
    return addresses.slice(0, limit).filter((address) => !failedProbes.has(address, clock.now()))
  }

  const reading = { get, getPage, lookUp, readAnswer, read, readFurther, probe, findSitemaps }
  return { requests, requestsLeft, otherHosts, pages, visit, ...reading }
}

export const CONSENT: Failure = { kind: 'no-feed-found', detail: CONSENT_MESSAGE }
export const NO_PAGE: Failure = { kind: 'not-a-page' }

/** The page as text, if it is small: no list of feeds has megabytes. */
export function pageOf(answer: NetAnswer): HtmlPage | undefined {
  if (!answer.ok || answer.status !== 200 || answer.body.length > LARGEST_LIST) return undefined
  return { html: decodeText(answer.body, answer.headers['content-type']).text, url: answer.url }
}

const LARGEST_LIST = 1_000_000

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined // such as the page of a server without WebFinger
  }
}

export function via(way: FeedCandidate['via'], addresses: WebAddress[]): FeedCandidate[] {
  return addresses.map((url) => ({ url, via: way }))
}

export function sameSite(a: string, b: string): boolean {
  return rootOfHost(a) === rootOfHost(b)
}
