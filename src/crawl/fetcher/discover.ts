/**
 * Looking for the feeds of an address: the address itself may be one; else a place that is known for its host; else what
 * the page declares; else what its list of feeds or its blog declares; else a few likely places. Every candidate is fetched
 * once and read, and the readable ones are ranked. Where a wall stands before the page, the likely places are tried all the same.
 * Few requests, one after the other, with a gap between them. All that was asked is told, so that people can see why.
 */
import {
  CONSENT_WALL,
  challengeIn,
  decodeText,
  type FeedCandidate,
  feedLinks,
  furtherPages,
  hostRuleFeeds,
  isConsentPage,
  pageBehindConsent,
  pageTitle,
  probeAddresses,
  rankFeeds,
  refreshedTo,
  type TriedFeed,
} from '../../feeds/index.ts'
import {
  type Credentials,
  type Failure,
  type FeedReading,
  type FoundBy,
  failureInWords,
  MINUTE,
  type Millis,
  mayShareCredentials,
  type WebAddress,
} from '../../model/index.ts'
import { rootOfHost, tenantOf } from '../../politeness/index.ts'
import type { Clock, Net, NetAnswer } from '../../ports/index.ts'
import { createFailedProbes, type FailedProbes } from './failed-probes.ts'
import { type DocumentRead, type ReadDocument, readHere } from './read-document.ts'
import { awayFrom, bodyHashOf } from './read-feed.ts'
import { createRobotsCache, type RobotsCache } from './robots-cache.ts'
import { namedNet } from './robots-exemption.ts'
import { MOST_ENDS } from './unplanned-redirect.ts'

export interface Discovery {
  /** Every address that was asked for, in that order, and what came of it. */
  asked: Asked[]
  /** Best first; documents of a list that another stands for (`sameListAs`) come last. */
  feeds: FoundFeed[]
  /** Why there is none; `from`: where that came from, if redirects had led away. */
  failure?: Failure
  from?: WebAddress
  /** It was given up, because the way leads to these addresses of hosts that it must not go to now. */
  away?: WebAddress[]
}

export interface Asked {
  url: WebAddress
  /** `address`: it is the one that was given. */
  via: FeedCandidate['via'] | 'address'
  result: { kind: 'feed' } | { kind: 'page' } | { kind: 'failed'; failure: Failure }
}

export interface FoundFeed {
  url: WebAddress
  score: number
  why: string[]
  sameListAs?: WebAddress
  /** How we came by it. */
  via?: FoundBy
  reading: FeedReading
}

export interface DiscoverParts {
  net: Net
  clock: Clock
  /** Likely places that are known to have nothing. */
  misses?: FailedProbes
  robots?: RobotsCache
  /** guesses: robots.txt is heeded for addresses that nobody named to us. all: for every address. */
  obeyRobots: 'guesses' | 'all'
  /** Where documents are read: here, if nothing else is said. */
  read?: ReadDocument
}

const MOST_REQUESTS = 14 // ours, and robots.txt: a site without a feed shall not notice that we looked
const LEAST_REQUESTS = 4 // also where the gaps are long: the page, and what it names
const LONGEST_LOOK_MS = 5 * MINUTE // ours: a lease is no longer than twice that
const FORBIDDEN: Failure = { kind: 'forbidden-by-robots' }

interface Read extends TriedFeed {
  reading: FeedReading
}

interface Wanted {
  url: WebAddress
  credentials?: Credentials
  /** Where it need not look. */
  not?: WebAddress
  gapMs: Millis
  /** The hosts that it may go to beside that of the address; absent: any. */
  ends?: string[]
}

/** Places that are tried behind a wall: feeds are often let through where pages are not. */
const MOST_BEHIND_WALL = 4
/** Feeds of a further page that are read. */
const MOST_LISTED = 4

/** A page that was read for links. */
interface PageRead {
  html: string
  url: WebAddress
}

/** Places that are tried on a site that announces only feeds of another. */
const MOST_BESIDE = 2

export async function discover(wanted: Wanted, parts: DiscoverParts, signal: AbortSignal): Promise<Discovery> {
  const { url } = wanted
  const { asked, away, reaches, get, getPage, readAnswer, read, readFurther, tryPlaces } = createLook(
    wanted,
    parts,
    signal,
  )
  const known = (await read(via('host-rule', hostRuleFeeds(url)), { enough: hasEntries })).filter(hasEntries)
  if (away.length > 0) return { asked, feeds: [], away }
  if (known.length > 0) return { asked, feeds: ranked(known, { url, title: undefined }) }

  const page = await getPage()
  if (away.length > 0) return { asked, feeds: [], away }
  const itself = await readAnswer(page)
  if (itself.kind === 'reading') {
    asked.push({ url, via: 'address', result: { kind: 'feed' } })
    return {
      asked,
      feeds: [
        { url: canonicalOf(url, page), score: 0, why: ['the address itself'], via: 'address', reading: itself.reading },
      ],
    }
  }
  const isPage = page.ok && itself.failure.kind === 'not-a-feed'
  asked.push({ url, via: 'address', result: isPage ? { kind: 'page' } : itself })
  const from = awayFrom(page)
  const wall = wallIn(page, itself.failure)
  if (wall) {
    const { found } = await tryPlaces(url, '', MOST_BEHIND_WALL, hasEntries)
    if (found.length > 0) return { asked, feeds: ranked(found, { url, title: undefined }) }
    return { asked, feeds: [], failure: wall, ...(from && { from }) }
  }
  if (!isPage) return { asked, feeds: [], failure: itself.failure, ...(from && { from }) }

  let shown: PageRead = { html: decodeText(page.body, page.headers['content-type']).text, url: page.url }
  const linkHeader = page.headers.link
  let links = feedLinks({ ...shown, sameSite, ...(linkHeader && { linkHeader }) })
  const refreshed = links.length === 0 ? refreshedTo(shown) : undefined
  if (refreshed !== undefined && reaches(refreshed)) {
    const next = pageOf(await get(refreshed, 'address'))
    asked.push({
      url: refreshed,
      via: 'address',
      result: next ? { kind: 'page' } : { kind: 'failed', failure: NO_PAGE },
    })
    shown = next ?? shown
    links = feedLinks({ ...shown, sameSite })
  }
  const { html } = shown
  const where = { url: shown.url, title: pageTitle(html) }
  const declared = await read(links, { enough: () => false })
  if (away.length > 0) return { asked, feeds: [], away }
  const best = ranked(declared, where)
  if ((best[0]?.score ?? -1) >= 0) {
    // A platform's copy is announced where the site may have a feed of its own; then the better one is taken.
    const isElsewhere = best.every((feed) => !sameSite(new URL(feed.url).hostname, new URL(where.url).hostname))
    if (!isElsewhere) return { asked, feeds: best }
    const { found: own } = await tryPlaces(where.url, html, MOST_BESIDE, hasEntries)
    return { asked, feeds: own.length > 0 ? ranked([...declared, ...own], where) : best }
  }

  const refused = asked.find(({ via, result }) => via !== 'address' && result.kind === 'failed')
  const failure = refused?.result.kind === 'failed' ? refused.result.failure : undefined
  if (declared.length === 0 && failure && mayPass(failure)) return { asked, feeds: [], failure }

  // Nothing is declared, or nothing that is there, or nothing but comments and tags.
  const further = await readFurther(shown)
  if (away.length > 0) return { asked, feeds: [], away }
  if (further.length > 0) return { asked, feeds: ranked([...declared, ...further], where) }
  const { likely, found } = await tryPlaces(where.url, html, MOST_REQUESTS, () => true)
  const all = [...declared, ...found]
  if (away.length > 0) return { asked, feeds: [], away }
  if (all.length > 0) return { asked, feeds: ranked(all, where) }
  const named = failure ? `the page names ${refused?.url}, but ${failureInWords(failure)}` : 'the page names none'
  const detail = `${named}, and ${likely.length} likely places have none`
  return { asked, feeds: [], failure: { kind: 'no-feed-found', detail } }
}

/** What one look for feeds has asked, and how it asks on: within its number of requests, and only where it may go now. */
function createLook({ url, credentials, not, gapMs, ends }: Wanted, parts: DiscoverParts, signal: AbortSignal) {
  const { clock, obeyRobots, misses = createFailedProbes(), read: readDocument = readHere } = parts
  const net = namedNet(parts.net, not ?? url) // of a feed that is sought, a person has named the feed
  const robots = parts.robots ?? createRobotsCache({ net, clock })
  const asked: Asked[] = []
  const away: WebAddress[] = []
  /** Links that looked like feeds and are pages: most are lists of feeds. */
  const pages = new Map<WebAddress, PageRead>()
  const mayWait = ends !== undefined && ends.length < MOST_ENDS

  function reaches(address: WebAddress): boolean {
    return ends === undefined || [tenantOf(url), ...ends].includes(tenantOf(address))
  }

  /** Fewer where the site is owed long gaps. */
  function mostRequests(): number {
    const fitting = Math.floor(LONGEST_LOOK_MS / Math.max(1, robots.gapMs(url, gapMs)))
    return Math.min(MOST_REQUESTS, Math.max(LEAST_REQUESTS, fitting))
  }

  /** A person named the address, and the page its feeds; what we only guess is the site's to forbid. */
  async function get(address: WebAddress, way: Asked['via']): Promise<NetAnswer> {
    const isGuess = way === 'probe' || way === 'body'
    if ((isGuess || obeyRobots === 'all') && !(await robots.allows(address, gapMs, signal)))
      return { ok: false, failure: FORBIDDEN }
    if (asked.length > 0) await clock.sleepUntil(clock.now() + robots.gapMs(address, gapMs), signal)
    const login = credentials !== undefined && mayShareCredentials(url, address) ? { credentials } : {}
    const answer = await net.get({ url: address, follows: reaches, signal, ...login })
    if (!answer.ok || answer.leadsTo === undefined) return answer
    if (mayWait) away.push(answer.leadsTo)
    return { ok: false, failure: { kind: 'redirects', detail: 'they lead to yet another host' } }
  }

  function readAnswer(answer: NetAnswer): Promise<DocumentRead> {
    return readDocument(answer, clock.now(), answer.ok ? bodyHashOf(answer.body) : '', 'parsed')
  }

  /** Those candidates that turn out to be feeds, up to the first that is `enough`. None is asked while some are away. */
  async function read(candidates: FeedCandidate[], { enough }: { enough: (feed: Read) => boolean }): Promise<Read[]> {
    const found: Read[] = []
    const near = candidates.filter((candidate) => reaches(candidate.url))
    if (mayWait) away.push(...candidates.filter((candidate) => !near.includes(candidate)).map((far) => far.url))
    for (const candidate of near) {
      if (away.length > 0 || asked.length >= mostRequests() || signal.aborted || found.some(enough)) break
      if (candidate.url === not) continue
      const answer = await get(candidate.url, candidate.via)
      const { url: address, via } = candidate
      const page = via === 'body' ? pageOf(answer) : undefined // before its bytes are handed over
      const what = await readAnswer(answer)
      if (page && what.kind === 'failed' && what.failure.kind === 'not-a-feed') pages.set(address, page)
      asked.push({ url: address, via, result: what.kind === 'failed' ? what : { kind: 'feed' } })
      if (what.kind === 'failed' && via === 'probe') misses.note(address, what.failure, clock.now())
      if (what.kind === 'reading' && what.parsed && answer.ok)
        found.push({ candidate, feed: what.parsed, finalUrl: answer.url, reading: what.reading })
    }
    return found
  }

  async function tryPlaces(where: WebAddress, html: string, most: number, enough: (feed: Read) => boolean) {
    const limit = Math.min(most, mostRequests() - asked.length)
    const likely = probeAddresses({ url: where, html, limit })
    const places = likely.filter((place) => !misses.has(place, clock.now()))
    return { likely, found: await read(via('probe', places), { enough }) }
  }

  /** A page that asks for consent is asked once for the page behind it. */
  async function getPage(): Promise<NetAnswer> {
    const page = await get(url, 'address')
    const behind = page.ok && isConsentPage(page.url) ? pageBehindConsent(page.url, url) : undefined
    if (behind === undefined || !reaches(behind)) return page
    asked.push({ url, via: 'address', result: { kind: 'failed', failure: CONSENT } })
    const next = await get(behind, 'address')
    return next.ok && next.status === 200 ? next : page
  }

  /** One step further: what the site's list of feeds declares, or its blog. */
  async function readFurther(page: PageRead): Promise<Read[]> {
    for (const address of furtherPages({ ...page, sameSite })) {
      if (away.length > 0 || asked.length >= mostRequests() || signal.aborted) break
      let next = pages.get(address)
      if (!next && !asked.some((one) => one.url === address) && reaches(address)) {
        next = pageOf(await get(address, 'body'))
        asked.push({
          url: address,
          via: 'body',
          result: next ? { kind: 'page' } : { kind: 'failed', failure: NO_PAGE },
        })
      }
      const links = next ? feedLinks({ ...next, sameSite }) : []
      const fresh = links.filter((link) => !asked.some((one) => one.url === link.url)).slice(0, MOST_LISTED)
      const found = await read(fresh, { enough: () => false })
      if (found.length > 0) return found
    }
    return []
  }

  return { asked, away, reaches, get, getPage, readAnswer, read, readFurther, tryPlaces }
}

const CONSENT: Failure = { kind: 'no-feed-found', detail: CONSENT_WALL }
const NO_PAGE: Failure = { kind: 'not-a-page' }

/** Why the page is not what was asked for, in words for people; undefined if nothing stands before it. */
function wallIn(page: NetAnswer, failure: Failure): Failure | undefined {
  if (!page.ok) return undefined
  if (challengeIn(page.status, page.headers)) return failure
  return isConsentPage(page.url) ? CONSENT : undefined
}

/** A small page, as text: a list of feeds has no megabytes. */
function pageOf(answer: NetAnswer): PageRead | undefined {
  if (!answer.ok || answer.status !== 200 || answer.body.length > LARGEST_LIST) return undefined
  return { html: decodeText(answer.body, answer.headers['content-type']).text, url: answer.url }
}

const LARGEST_LIST = 1_000_000

function via(way: FeedCandidate['via'], addresses: WebAddress[]): FeedCandidate[] {
  return addresses.map((url) => ({ url, via: way }))
}

function ranked(read: Read[], { url, title }: { url: WebAddress; title: string | undefined }): FoundFeed[] {
  return rankFeeds(read, { url, ...(title && { title }) }, sameSite).flatMap((feed) => {
    const one = read.find(({ finalUrl }) => finalUrl === feed.url)
    return one ? [{ ...feed, via: one.candidate.via, reading: one.reading }] : []
  })
}

function hasEntries({ reading }: Read): boolean {
  return reading.entries.length > 0
}

/** A feed that moved for good is kept under its new address; one that is merely elsewhere today, under the one given. */
function canonicalOf(asked: WebAddress, answer: NetAnswer): WebAddress {
  const permanent = answer.ok && answer.redirects.every(({ status }) => status === 301 || status === 308)
  return answer.ok && permanent ? answer.url : asked
}

function sameSite(a: string, b: string): boolean {
  return rootOfHost(a) === rootOfHost(b)
}

/** Trouble of today: the feed is where the page says, and there is no need to look elsewhere. */
function mayPass(failure: Failure): boolean {
  if (failure.kind === 'http') return ![404, 410].includes(failure.status)
  return failure.kind !== 'not-a-feed'
}
