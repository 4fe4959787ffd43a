/**
 * Looking for the feeds of an address: the address itself may be one; else a place that is known for its host; else what
 * the page declares; else a few likely places. Every candidate is fetched once and read, and the readable ones are ranked.
 * Few requests, one after the other, with a gap between them. All that was asked is told, so that people can see why.
 */
import {
  decodeText,
  type FeedCandidate,
  feedLinks,
  hostRuleFeeds,
  pageTitle,
  probeAddresses,
  rankFeeds,
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
import { MOST_ENDS } from './led-elsewhere.ts'
import { namedNet } from './named.ts'
import { type DocumentRead, type ReadDocument, readHere } from './read-document.ts'
import { awayFrom, bodyHashOf } from './read-feed.ts'
import { createRobotsCache, type RobotsCache } from './robots-cache.ts'

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

/** Places that are tried on a site that announces only feeds of another. */
const MOST_BESIDE = 2

export async function discover(
  { url, credentials, not, gapMs, ends }: Wanted,
  parts: DiscoverParts,
  signal: AbortSignal,
): Promise<Discovery> {
  const { clock, obeyRobots, misses = createFailedProbes(), read: readDocument = readHere } = parts
  const net = namedNet(parts.net, not ?? url) // of a feed that is sought, a person has named the feed
  const robots = parts.robots ?? createRobotsCache({ net, clock })
  const asked: Asked[] = []
  const away: WebAddress[] = []
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
      const what = await readAnswer(answer)
      const { url: address, via } = candidate
      asked.push({ url: address, via, result: what.kind === 'failed' ? what : { kind: 'feed' } })
      if (what.kind === 'failed' && via === 'probe') misses.note(address, what.failure, clock.now())
      if (what.kind === 'reading' && what.parsed && answer.ok)
        found.push({ candidate, feed: what.parsed, finalUrl: answer.url, reading: what.reading })
    }
    return found
  }

  const known = (await read(via('host-rule', hostRuleFeeds(url)), { enough: hasEntries })).filter(hasEntries)
  if (away.length > 0) return { asked, feeds: [], away }
  if (known.length > 0) return { asked, feeds: ranked(known, { url, title: undefined }) }

  const page = await get(url, 'address')
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
  if (!isPage) return { asked, feeds: [], failure: itself.failure, ...(from && { from }) }

  const html = decodeText(page.body, page.headers['content-type']).text
  const where = { url: page.url, title: pageTitle(html) }
  const linkHeader = page.headers.link
  const links = feedLinks({ html, url: page.url, sameSite, ...(linkHeader && { linkHeader }) })
  const declared = await read(links, { enough: () => false })
  if (away.length > 0) return { asked, feeds: [], away }
  const best = ranked(declared, where)
  if ((best[0]?.score ?? -1) >= 0) {
    // A platform's copy is announced where the site may have a feed of its own; then the better one is taken.
    const isElsewhere = best.every((feed) => !sameSite(new URL(feed.url).hostname, new URL(page.url).hostname))
    if (!isElsewhere) return { asked, feeds: best }
    const likely = probeAddresses({ url: page.url, html, limit: Math.min(MOST_BESIDE, mostRequests() - asked.length) })
    const places = likely.filter((place) => !misses.has(place, clock.now()))
    const own = await read(via('probe', places), { enough: hasEntries })
    return { asked, feeds: own.length > 0 ? ranked([...declared, ...own], where) : best }
  }

  const refused = asked.find(({ via, result }) => via !== 'address' && result.kind === 'failed')
  const failure = refused?.result.kind === 'failed' ? refused.result.failure : undefined
  if (declared.length === 0 && failure && mayPass(failure)) return { asked, feeds: [], failure }

  // Nothing is declared, or nothing that is there, or nothing but comments and tags.
  const likely = probeAddresses({ url: page.url, html, limit: mostRequests() - asked.length })
  const places = likely.filter((place) => !misses.has(place, clock.now()))
  const all = [...declared, ...(await read(via('probe', places), { enough: () => true }))]
  if (away.length > 0) return { asked, feeds: [], away }
  if (all.length > 0) return { asked, feeds: ranked(all, where) }
  const named = failure ? `the page names ${refused?.url}, but ${failureInWords(failure)}` : 'the page names none'
  const detail = `${named}, and ${likely.length} likely places have none`
  return { asked, feeds: [], failure: { kind: 'no-feed-found', detail } }
}

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
