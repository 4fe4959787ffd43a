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
  rankFeeds,
  type TriedFeed,
} from '../feeds/index.ts'
import type { DiscoverTask, Failure, OutcomeResult, Reading } from '../model/index.ts'
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

  async function get(address: string): Promise<NetAnswer> {
    if (requests++ > 0) await clock.sleepUntil(clock.now() + gapMs, signal)
    return net.get({ url: address, signal })
  }

  /** Those candidates that turn out to be feeds; with `first`, only the first of them. */
  async function read(candidates: Candidate[], { first }: { first: boolean }): Promise<Read[]> {
    const found: Read[] = []
    for (const candidate of candidates) {
      if (requests >= MOST_REQUESTS || signal.aborted || (first && found.length > 0)) break
      const answer = await get(candidate.url)
      const what = readAnswer(answer, clock.now())
      if (what.kind === 'reading' && answer.ok)
        found.push({ candidate, feed: what.reading, finalUrl: answer.url, reading: what.reading })
    }
    return found
  }

  const known = await read(via('host-rule', hostRuleFeeds(url)), { first: true })
  if (known[0]) return found(known, url, undefined)

  const page = await get(url)
  const itself = readAnswer(page, clock.now())
  if (itself.kind === 'reading')
    return { kind: 'found', url: canonicalOf(url, page), reading: itself.reading, others: [] }
  if (!page.ok || itself.failure.kind !== 'not-a-feed') return itself

  const html = decodeText(page.body, page.headers['content-type']).text
  const linkHeader = page.headers.link
  const links = feedLinks({ html, url: page.url, sameSite, ...(linkHeader && { linkHeader }) })
  const declared = await read(links, { first: false })
  if (declared.length > 0) return found(declared, page.url, pageTitle(html))

  const probed = await read(via('probe', probeAddresses({ url: page.url, html })), { first: true })
  if (probed.length > 0) return found(probed, page.url, pageTitle(html))
  return { kind: 'failed', failure: nothingFound(requests) }
}

function via(way: Candidate['via'], addresses: string[]): Candidate[] {
  return addresses.map((url) => ({ url, via: way }))
}

function found(read: Read[], pageUrl: string, title: string | undefined): OutcomeResult {
  const ranked = rankFeeds(read, { url: pageUrl, ...(title && { title }) }, sameSite)
  const [best, ...others] = ranked.filter(({ sameListAs }) => sameListAs === undefined)
  const chosen = read.find(({ finalUrl }) => finalUrl === best?.url)
  if (!chosen) throw new Error(`of ${read.length} feeds at ${pageUrl} none was chosen`)
  return { kind: 'found', url: chosen.finalUrl, reading: chosen.reading, others: others.map((one) => one.url) }
}

/** A feed that moved for good is kept under its new address; one that is merely elsewhere today, under the one given. */
function canonicalOf(asked: string, answer: NetAnswer): string {
  const permanent = answer.ok && answer.redirects.every(({ status }) => status === 301 || status === 308)
  return answer.ok && permanent ? answer.url : asked
}

function sameSite(a: string, b: string): boolean {
  return rootOf(`http://${a}/`) === rootOf(`http://${b}/`)
}

function nothingFound(requests: number): Failure {
  return { kind: 'no-feed-found', detail: `the page names none and ${requests - 1} likely places have none` }
}
