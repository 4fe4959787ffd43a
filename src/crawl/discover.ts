/**
 * How a terminal finds the feed of an address: the address itself may be one; else a place that is known for its host;
 * else what the page declares; else a few likely places. Every candidate is fetched once and read, the best one wins.
 * Few requests, one after the other, with a gap between them.
 */
import {
  type Candidate,
  decodeText,
  feedLinks,
  hostRuleFeeds,
  pageTitle,
  probeAddresses,
  type RankedFeed,
  rankFeeds,
  type TriedFeed,
} from '../feeds/index.ts'
import { type DiscoverTask, type Failure, failureInWords, type OutcomeResult, type Reading } from '../model/index.ts'
import { rootOf } from '../politeness/index.ts'
import type { Clock, Net, NetAnswer } from '../ports/index.ts'
import { readAnswer } from './reading.ts'

const MOST_REQUESTS = 15 // ours: a site without a feed shall not notice that we looked

interface Read extends TriedFeed {
  reading: Reading
}

export async function discover(
  { url, gapMs }: DiscoverTask,
  { net, clock }: { net: Net; clock: Clock },
  signal: AbortSignal,
): Promise<OutcomeResult> {
  let requests = 0
  /** Why the first candidate that the page itself declares could not be read. */
  let refused: { url: string; failure: Failure } | undefined

  async function get(address: string): Promise<NetAnswer> {
    if (requests++ > 0) await clock.sleepUntil(clock.now() + gapMs, signal)
    return net.get({ url: address, signal })
  }

  /** Those candidates that turn out to be feeds, up to the first that is `enough`. */
  async function read(candidates: Candidate[], { enough }: { enough: (feed: Read) => boolean }): Promise<Read[]> {
    const found: Read[] = []
    for (const candidate of candidates) {
      if (requests >= MOST_REQUESTS || signal.aborted || found.some(enough)) break
      const answer = await get(candidate.url)
      const what = readAnswer(answer, clock.now())
      if (what.kind === 'reading' && answer.ok)
        found.push({ candidate, feed: what.reading, finalUrl: answer.url, reading: what.reading })
      else if (what.kind === 'failed' && candidate.via !== 'probe') refused ??= { url: candidate.url, ...what }
    }
    return found
  }

  const known = await read(via('host-rule', hostRuleFeeds(url)), { enough: hasEntries })
  if (known.some(hasEntries)) return found(known.filter(hasEntries), { url, title: undefined })

  const page = await get(url)
  const itself = readAnswer(page, clock.now())
  if (itself.kind === 'reading')
    return { kind: 'found', url: canonicalOf(url, page), reading: itself.reading, others: [] }
  if (!page.ok || itself.failure.kind !== 'not-a-feed') return itself

  const html = decodeText(page.body, page.headers['content-type']).text
  const linkHeader = page.headers.link
  const links = feedLinks({ html, url: page.url, sameSite, ...(linkHeader && { linkHeader }) })
  const where = { url: page.url, title: pageTitle(html) }
  const declared = await read(links, { enough: () => false })
  if ((ranked(declared, where)[0]?.score ?? -1) >= 0) return found(declared, where)

  if (declared.length === 0 && refused && mayPass(refused.failure)) return { kind: 'failed', failure: refused.failure }

  // Nothing is declared, or nothing that is there, or nothing but comments and tags.
  const places = probeAddresses({ url: page.url, html, limit: MOST_REQUESTS - requests })
  const all = [...declared, ...(await read(via('probe', places), { enough: () => true }))]
  if (all.length > 0) return found(all, where)
  return { kind: 'failed', failure: nothingFound(refused, places.length) }
}

function via(way: Candidate['via'], addresses: string[]): Candidate[] {
  return addresses.map((url) => ({ url, via: way }))
}

interface Page {
  url: string
  title: string | undefined
}

function found(read: Read[], page: Page): OutcomeResult {
  const [best, ...others] = ranked(read, page).filter(({ sameListAs }) => sameListAs === undefined)
  const chosen = read.find(({ finalUrl }) => finalUrl === best?.url)
  if (!chosen) throw new Error(`of ${read.length} feeds at ${page.url} none was chosen`)
  return { kind: 'found', url: chosen.finalUrl, reading: chosen.reading, others: others.map((one) => one.url) }
}

function ranked(read: Read[], { url, title }: Page): RankedFeed[] {
  return rankFeeds(read, { url, ...(title && { title }) }, sameSite)
}

function hasEntries({ reading }: Read): boolean {
  return reading.entries.length > 0
}

/** A feed that moved for good is kept under its new address; one that is merely elsewhere today, under the one given. */
function canonicalOf(asked: string, answer: NetAnswer): string {
  const permanent = answer.ok && answer.redirects.every(({ status }) => status === 301 || status === 308)
  return answer.ok && permanent ? answer.url : asked
}

function sameSite(a: string, b: string): boolean {
  return rootOf(`http://${a}/`) === rootOf(`http://${b}/`)
}

/** Trouble of today: the feed is where the page says, and there is no need to look elsewhere. */
function mayPass(failure: Failure): boolean {
  if (failure.kind === 'http') return ![404, 410].includes(failure.status)
  return failure.kind !== 'not-a-feed'
}

function nothingFound(refused: { url: string; failure: Failure } | undefined, places: number): Failure {
  const named = refused
    ? `the page names ${refused.url}, but ${failureInWords(refused.failure)}`
    : 'the page names none'
  return { kind: 'no-feed-found', detail: `${named}, and ${places} likely places have none` }
}
