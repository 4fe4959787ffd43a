/**
 * Interprets the response to a request for /robots.txt (RFC 9309, 2.3.1 and 2.4). The rules apply to the requested site, wherever
 * redirects led.
 *
 * - read:        2xx; the rules in the file, possibly none
 * - none:        4xx, or too many redirects; everything is allowed
 * - unreachable: 5xx, 429, no answer; nothing is allowed until a later fetch succeeds. After a month we assume that there is none, as
 *                the RFC permits: otherwise a site with a broken server could never be read again
 */
import {
  DAY,
  type Failure,
  HOUR,
  type Instant,
  MINUTE,
  type Millis,
  type RobotsRecord,
  type RobotsRules,
} from '../model/index.ts'
import { restMs, retryAfterMs } from './cache-headers.ts'
import { parseRobots } from './robots.ts'

/** Compatible with a response of `Net`. Of the body, the first `MAX_ROBOTS_BYTES` are enough. */
export type RobotsResponse =
  | {
      ok: true
      status: number
      headers: Readonly<Record<string, string>>
      body: Uint8Array
      redirects: readonly unknown[]
    }
  | { ok: false; failure: Failure }

const MAX_CACHE_MS: Millis = DAY // RFC 9309, 2.4
const MIN_CACHE_MS: Millis = 5 * MINUTE // ours: a max-age of seconds must not double our requests
const RETRY_MS: Millis = HOUR // ours: articles wait meanwhile
const ASSUMED_MISSING_AFTER_MS: Millis = 30 * DAY // RFC 9309, 2.3.1.4
const MAX_REDIRECTS = 5 // RFC 9309, 2.3.1.2

const ALL_ALLOWED: RobotsRules = { rules: [] }
const ALL_DISALLOWED: RobotsRules = { rules: ['-/'] }

/** `before`: the known state. */
export function robotsAfter(answer: RobotsResponse, now: Instant, before?: RobotsRecord): RobotsRecord {
  const found = interpretResponse(answer)
  if (found === 'unreachable') {
    const since = before?.unreachableSince ?? now
    const robots = now - since >= ASSUMED_MISSING_AFTER_MS ? ALL_ALLOWED : ALL_DISALLOWED
    const waitMs = Math.min(MAX_CACHE_MS, Math.max(RETRY_MS, requestedWaitMs(answer, now)))
    return { found, robots, fetchedAt: now, until: now + waitMs, unreachableSince: since }
  }
  const headerMs = answer.ok ? restMs(answer.headers, now) : 0
  const cacheMs = headerMs > 0 ? Math.min(MAX_CACHE_MS, Math.max(MIN_CACHE_MS, headerMs)) : MAX_CACHE_MS
  const robots = found === 'read' && answer.ok ? parseRobots(answer.body) : ALL_ALLOWED
  return { found, robots, fetchedAt: now, until: now + cacheMs }
}

function interpretResponse(answer: RobotsResponse): RobotsRecord['found'] {
  if (!answer.ok) {
    const { failure } = answer
    if (failure.kind === 'http') return ofStatus(failure.status)
    return failure.kind === 'redirects' ? 'none' : 'unreachable'
  }
  return answer.redirects.length > MAX_REDIRECTS ? 'none' : ofStatus(answer.status)
}

/** 429 is a 4xx, but it does not mean that there is none. */
function ofStatus(status: number): RobotsRecord['found'] {
  if (status >= 500 || status === 429) return 'unreachable'
  return status >= 200 && status < 300 ? 'read' : 'none'
}

function requestedWaitMs(answer: RobotsResponse, now: Instant): Millis {
  if (answer.ok) return retryAfterMs(answer.headers, now) ?? 0
  return answer.failure.kind === 'http' ? (answer.failure.retryAfterMs ?? 0) : 0
}
