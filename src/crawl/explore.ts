/**
 * Looking for the feeds of an address: the address itself may be one; else a place that is known for its host; else what
 * the page declares; else a few likely places. Every candidate is fetched once and read, and the readable ones are ranked.
 * Few requests, one after the other, with a gap between them. All that was asked is told, so that people can see why.
 */
import {
  type Candidate,
  decodeText,
  feedLinks,
  hostRuleFeeds,
  pageTitle,
  probeAddresses,
  rankFeeds,
  type TriedFeed,
} from '../feeds/index.ts'
import {
  type Credentials,
  type Failure,
  failureInWords,
  MINUTE,
  type Millis,
  mayShareCredentials,
  type Reading,
  type WebAddress,
} from '../model/index.ts'
import { rootOfHost } from '../politeness/index.ts'
import type { Clock, Net, NetAnswer } from '../ports/index.ts'
import { createMisses, type Misses } from './misses.ts'
import { readAnswer } from './reading.ts'
import { createRobotsKeeper, type RobotsKeeper } from './robots-keeper.ts'

export interface Exploration {
  /** Every address that was asked for, in that order, and what came of it. */
  asked: Asked[]
  /** Best first; documents of a list that another stands for (`sameListAs`) come last. */
  feeds: FoundFeed[]
  /** Why there is none. */
  failure?: Failure
}

export interface Asked {
  url: WebAddress
  /** `address`: it is the one that was given. */
  via: Candidate['via'] | 'address'
  result: { kind: 'feed' } | { kind: 'page' } | { kind: 'failed'; failure: Failure }
}

export interface FoundFeed {
  url: WebAddress
  score: number
  why: string[]
  sameListAs?: WebAddress
  reading: Reading
}

export interface ExploreParts {
  net: Net
  clock: Clock
  /** Likely places that are known to have nothing. */
  misses?: Misses
  robots?: RobotsKeeper
  /** guesses: robots.txt is heeded for addresses that nobody named to us. all: for every address. */
  obeyRobots: 'guesses' | 'all'
}

const MOST_REQUESTS = 14 // ours, and robots.txt: a site without a feed shall not notice that we looked
const LEAST_REQUESTS = 4 // also where the gaps are long: the page, and what it names
const LONGEST_LOOK_MS = 5 * MINUTE // ours: a lease is no longer than twice that
const FORBIDDEN: Failure = { kind: 'forbidden-by-robots' }

interface Read extends TriedFeed {
  reading: Reading
}

export async function explore(
  { url, credentials, not, gapMs }: { url: WebAddress; credentials?: Credentials; not?: WebAddress; gapMs: Millis },
  { net, clock, obeyRobots, misses = createMisses(), robots = createRobotsKeeper({ net, clock }) }: ExploreParts,
  signal: AbortSignal,
): Promise<Exploration> {
  const asked: Asked[] = []

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
    const isOurs = credentials !== undefined && mayShareCredentials(url, address)
    return net.get({ url: address, signal, ...(isOurs && { credentials }) })
  }

  /** Those candidates that turn out to be feeds, up to the first that is `enough`. */
  async function read(candidates: Candidate[], { enough }: { enough: (feed: Read) => boolean }): Promise<Read[]> {
    const found: Read[] = []
    for (const candidate of candidates) {
      if (asked.length >= mostRequests() || signal.aborted || found.some(enough)) break
      if (candidate.url === not) continue
      const answer = await get(candidate.url, candidate.via)
      const what = readAnswer(answer, clock.now())
      const { url: address, via } = candidate
      asked.push({ url: address, via, result: what.kind === 'failed' ? what : { kind: 'feed' } })
      if (what.kind === 'failed' && via === 'probe') misses.note(address, what.failure, clock.now())
      if (what.kind === 'reading' && answer.ok)
        found.push({ candidate, feed: what.parsed, finalUrl: answer.url, reading: what.reading })
    }
    return found
  }

  const known = (await read(via('host-rule', hostRuleFeeds(url)), { enough: hasEntries })).filter(hasEntries)
  if (known.length > 0) return { asked, feeds: ranked(known, { url, title: undefined }) }

  const page = await get(url, 'address')
  const itself = readAnswer(page, clock.now())
  if (itself.kind === 'reading') {
    asked.push({ url, via: 'address', result: { kind: 'feed' } })
    return {
      asked,
      feeds: [{ url: canonicalOf(url, page), score: 0, why: ['the address itself'], reading: itself.reading }],
    }
  }
  const isPage = page.ok && itself.failure.kind === 'not-a-feed'
  asked.push({ url, via: 'address', result: isPage ? { kind: 'page' } : itself })
  if (!isPage) return { asked, feeds: [], failure: itself.failure }

  const html = decodeText(page.body, page.headers['content-type']).text
  const where = { url: page.url, title: pageTitle(html) }
  const linkHeader = page.headers.link
  const links = feedLinks({ html, url: page.url, sameSite, ...(linkHeader && { linkHeader }) })
  const declared = await read(links, { enough: () => false })
  const best = ranked(declared, where)
  if ((best[0]?.score ?? -1) >= 0) return { asked, feeds: best }

  const refused = asked.find(({ via, result }) => via !== 'address' && result.kind === 'failed')
  const failure = refused?.result.kind === 'failed' ? refused.result.failure : undefined
  if (declared.length === 0 && failure && mayPass(failure)) return { asked, feeds: [], failure }

  // Nothing is declared, or nothing that is there, or nothing but comments and tags.
  const likely = probeAddresses({ url: page.url, html, limit: mostRequests() - asked.length })
  const places = likely.filter((place) => !misses.has(place, clock.now()))
  const all = [...declared, ...(await read(via('probe', places), { enough: () => true }))]
  if (all.length > 0) return { asked, feeds: ranked(all, where) }
  const named = failure ? `the page names ${refused?.url}, but ${failureInWords(failure)}` : 'the page names none'
  const detail = `${named}, and ${likely.length} likely places have none`
  return { asked, feeds: [], failure: { kind: 'no-feed-found', detail } }
}

function via(way: Candidate['via'], addresses: WebAddress[]): Candidate[] {
  return addresses.map((url) => ({ url, via: way }))
}

function ranked(read: Read[], { url, title }: { url: WebAddress; title: string | undefined }): FoundFeed[] {
  return rankFeeds(read, { url, ...(title && { title }) }, sameSite).flatMap((feed) => {
    const reading = read.find(({ finalUrl }) => finalUrl === feed.url)?.reading
    return reading ? [{ ...feed, reading }] : []
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
