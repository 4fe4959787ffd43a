/**
 * Audits an archive of our requests and their responses, including robots.txt, pages and discovery, which the poll log does not
 * contain. Exchanges are processed one by one in archive order, with little state for each; whatever happened before the archive
 * began is not judged.
 */
import { hash } from 'node:crypto'
import {
  DAY,
  type Instant,
  MINUTE,
  type Millis,
  type RobotsRecord,
  SECOND,
  type WebAddress,
  webAddress,
} from '../model/index.ts'
import type { Judgement } from './audit-poll-log.ts'
import { retryAfterMs } from './cache-headers.ts'
import { pageDirectives } from './page-directives.ts'
import { isAllowed, MAX_CRAWL_DELAY_MS } from './robots.ts'
import { robotsAfter } from './robots-response.ts'
import { rootOf, tenantOf } from './root.ts'

/** One request and its response. Header names are in lower case. */
export interface AuditedExchange {
  url: string
  at: Instant
  /** The address that redirected here. */
  via?: string
  /** The server's IP address. */
  address?: string
  request: Readonly<Record<string, string>>
  status: number
  headers: Readonly<Record<string, string>>
  /** Decompressed. */
  body: Uint8Array
  /** Detected from the body. */
  kind: 'feed' | 'other'
}

export interface WireAuditParts {
  /** Minimum between two requests to one root. */
  gapMs: Millis
  isExempt: (root: string) => boolean
  /** Addresses of feeds and sources, which users added. */
  isUserAdded: (url: string) => boolean
  /** Absent with a proxy, where server addresses are unknown. */
  mayVisit?: (address: string) => boolean
}

export interface WireAudit {
  add(exchange: AuditedExchange): void
  judgements(): Judgement[]
}

/** The validators last sent by a server. */
interface SentValidators {
  etag?: string
  lastModified?: string
  by: 'body' | 'same-body' | '304'
  bodyHash?: string
  /** The response lacks a validator that the previous one had. */
  dropped?: boolean
  /** All validators ever sent: only these may be sent back. */
  ever: Set<string>
}

interface CrawlDelay {
  origin: string
  ms: Millis
  /** Requests already under way when it was read are exempt. */
  fromAt: Instant
  until: Instant
}

const UNDER_WAY_MS: Millis = 2 * MINUTE
const CRAWL_DELAY_VALID_MS: Millis = 7 * DAY
const CLOCK_TOLERANCE_MS: Millis = SECOND / 10 // tolerance between the clocks of the log and the network
const PAGES = /^(?:text\/html|application\/xhtml\+xml)\b/i
const USER_AGENT = /^[A-Za-z][\w.-]*\/\d[\w.-]*(?: \(\+https?:\/\/[^\s;)]+(?:; \d+ subscribers?)?\))?$/

export function createWireAudit({ gapMs, isExempt, isUserAdded, mayVisit }: WireAuditParts): WireAudit {
  const tally = new Map<number, Judgement>()
  const sentByUrl = new Map<string, SentValidators>()
  const roots = new Map<string, Instant>()
  const rests = new Map<string, { until: Instant; status: number }>()
  const sites = new Map<string, RobotsRecord>()
  const delays = new Map<string, CrawlDelay>()
  const missing = new Map<string, Instant>()
  let ourName: string | undefined

  function judge(rule: number, isPassed: boolean, worst?: Judgement['worst'], isWorse = shorter): void {
    const judgement = tally.get(rule) ?? { rule, passed: 0, checked: 0 }
    tally.set(rule, judgement)
    judgement.checked++
    if (isPassed) judgement.passed++
    if (worst && (!judgement.worst || isWorse(worst.ms, judgement.worst.ms))) judgement.worst = worst
  }

  /** 22, 31, 33, 52: headers and target of every request. */
  function judgeRequest({ url, request, address }: AuditedExchange): void {
    const { 'user-agent': name = '', 'accept-encoding': packed = '' } = request
    const unnumbered = name.replace(/; \d+ subscribers?/, '')
    ourName ??= unnumbered
    judge(22, /\bgzip\b/.test(packed) && /\bbr\b/.test(packed))
    judge(31, USER_AGENT.test(name) && unnumbered === ourName)
    judge(33, request.cookie === undefined && request.referer === undefined && !url.includes('#'))
    if (mayVisit && address !== undefined) judge(52, mayVisit(address))
  }

  /** 15, 16, 35, 43: timing. A redirect within a root belongs to the same visit. */
  function judgeTime({ url, at, via }: AuditedExchange, address: WebAddress): void {
    const [root, tenant] = [rootOf(address), tenantOf(address)]
    const pause = rests.get(tenant)
    if (pause) {
      const early = pause.until - at
      judge(
        pause.status === 429 ? 15 : 16,
        early <= CLOCK_TOLERANCE_MS,
        early > 0 ? { at, ms: early } : undefined,
        longer,
      )
      rests.delete(tenant)
    }
    const before = roots.get(root)
    const isHop = via !== undefined && rootOf(webAddress(via) ?? address) === root
    if (before !== undefined && !isHop && !isExempt(root)) {
      const ms = at - before
      judge(35, ms >= gapMs - CLOCK_TOLERANCE_MS, { at, ms })
      const delay = delays.get(root)
      if (delay && at >= delay.fromAt && at < delay.until) judge(43, ms >= delay.ms - CLOCK_TOLERANCE_MS, { at, ms })
    }
    if (missing.has(url)) judge(34, at - missing.get(url)! >= DAY - MINUTE)
    missing.delete(url)
    roots.set(root, at)
  }

  function noteRest({ at, status, headers }: AuditedExchange, address: WebAddress): void {
    const restMs = status === 429 || status === 503 ? retryAfterMs(headers, at) : undefined
    if (restMs !== undefined) rests.set(tenantOf(address), { until: at + restMs, status })
  }

  /** 2 to 6, 23, 37: validators of addresses that returned a feed before. */
  function judgeValidators({ url, request, headers, status, body, kind }: AuditedExchange): void {
    const { 'if-none-match': etag, 'if-modified-since': date } = request
    const before = sentByUrl.get(url)
    if (before && etag !== undefined) {
      judge(2, before.ever.has(etag))
      if (/-gzip"?$/.test(etag)) judge(23, before.ever.has(etag))
    }
    if (before && date !== undefined) judge(3, before.ever.has(date))
    if (before) {
      const isConditional = etag !== undefined || date !== undefined
      const isLatest = etag === before.etag && date === before.lastModified
      if (before.by === 'same-body' && isConditional) for (const rule of [4, 37]) judge(rule, isLatest)
      if (before.by === '304' && isConditional) judge(5, isLatest)
      if (before.dropped) judge(6, !(before.etag === undefined && etag) && !(before.lastModified === undefined && date))
    }
    const after = validatorsAfter({ headers, status, body, kind }, before)
    if (after) sentByUrl.set(url, after)
  }

  /** 39, 40, 41, 44: robots.txt and robots directives, for addresses that no user added. */
  function judgeSite(exchange: AuditedExchange, address: WebAddress): void {
    const { url, at, status, headers, body, via } = exchange
    const { origin, pathname, search } = new URL(address)
    const robotsRecord = sites.get(origin)
    if (pathname === '/robots.txt') {
      if (robotsRecord && via === undefined) judge(41, at >= robotsRecord.until - CLOCK_TOLERANCE_MS)
      if (status < 300 || status >= 400) {
        const record = robotsAfter({ ok: true, status, headers, body, redirects: [] }, at, robotsRecord)
        sites.set(origin, record)
        recordCrawlDelay(record, origin, rootOf(address))
      }
      return
    }
    const isPage = PAGES.test(headers['content-type'] ?? '')
    if (!isPage || isUserAdded(url) || (via !== undefined && isUserAdded(via))) return
    if (status === 404 || status === 410) missing.set(url, at)
    if (robotsRecord && at < robotsRecord.until)
      judge(robotsRecord.found === 'read' ? 39 : 40, isAllowed(robotsRecord.robots, `${pathname}${search}`))
    const { noIndex, noArchive } = pageDirectives(headers['x-robots-tag'], [])
    if (status === 200) judge(44, !noIndex && !noArchive)
  }

  function recordCrawlDelay({ robots, fetchedAt }: RobotsRecord, origin: string, root: string): void {
    const ms = Math.min(MAX_CRAWL_DELAY_MS, robots.crawlDelayMs ?? 0)
    const before = delays.get(root)
    if (ms > 0) {
      const fromAt = before?.ms === ms ? before.fromAt : fetchedAt + UNDER_WAY_MS
      delays.set(root, { origin, ms, fromAt, until: fetchedAt + CRAWL_DELAY_VALID_MS })
    } else if (before?.origin === origin) delays.delete(root)
  }

  return {
    add(exchange) {
      judgeRequest(exchange)
      const address = webAddress(exchange.url)
      if (!address) return
      judgeTime(exchange, address)
      judgeSite(exchange, address)
      judgeValidators(exchange)
      noteRest(exchange, address)
    },
    judgements: () => [...tally.values()].sort((a, b) => a.rule! - b.rule!),
  }
}

function validatorsAfter(
  { headers, status, body, kind }: Pick<AuditedExchange, 'headers' | 'status' | 'body' | 'kind'>,
  before: SentValidators | undefined,
): SentValidators | undefined {
  const { etag, 'last-modified': lastModified } = headers
  const ever = new Set(before?.ever).add(etag ?? '').add(lastModified ?? '')
  ever.delete('')
  const validators = { ...(etag && { etag }), ...(lastModified && { lastModified }) }
  if (status === 304 && before) return { ...before, ...validators, by: '304', dropped: false, ever }
  if (status !== 200 || kind !== 'feed') return undefined
  const bodyHash = hash('sha1', body)
  const dropped = (before?.etag !== undefined && !etag) || (before?.lastModified !== undefined && !lastModified)
  return { ...validators, by: before?.bodyHash === bodyHash ? 'same-body' : 'body', bodyHash, dropped, ever }
}

function shorter(a: Millis, b: Millis): boolean {
  return a < b
}

function longer(a: Millis, b: Millis): boolean {
  return a > b
}
