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

const LONGEST_MS: Millis = DAY // RFC 9309, 2.4
const SHORTEST_MS: Millis = 5 * MINUTE // ours: a max-age of seconds must not double our requests
const AFTER_TROUBLE_MS: Millis = HOUR // ours: articles wait meanwhile
const GIVEN_UP_AFTER_MS: Millis = 30 * DAY // RFC 9309, 2.3.1.4
const MOST_REDIRECTS = 5 // RFC 9309, 2.3.1.2

const ALL_ALLOWED: RobotsRules = { rules: [] }
const NOTHING_ALLOWED: RobotsRules = { rules: ['-/'] }

/** `before`: the known state. */
export function robotsAfter(answer: RobotsResponse, now: Instant, before?: RobotsRecord): RobotsRecord {
  const found = meaningOf(answer)
  if (found === 'unreachable') {
    const since = before?.unreachableSince ?? now
    const robots = now - since >= GIVEN_UP_AFTER_MS ? ALL_ALLOWED : NOTHING_ALLOWED
    const waitMs = Math.min(LONGEST_MS, Math.max(AFTER_TROUBLE_MS, askedToWaitMs(answer, now)))
    return { found, robots, fetchedAt: now, until: now + waitMs, unreachableSince: since }
  }
  const saidMs = answer.ok ? restMs(answer.headers, now) : 0
  const keptMs = saidMs > 0 ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, saidMs)) : LONGEST_MS
  const robots = found === 'read' && answer.ok ? parseRobots(answer.body) : ALL_ALLOWED
  return { found, robots, fetchedAt: now, until: now + keptMs }
}

function meaningOf(answer: RobotsResponse): RobotsRecord['found'] {
  if (!answer.ok) {
    const { failure } = answer
    if (failure.kind === 'http') return ofStatus(failure.status)
    return failure.kind === 'redirects' ? 'none' : 'unreachable'
  }
  return answer.redirects.length > MOST_REDIRECTS ? 'none' : ofStatus(answer.status)
}

/** 429 is a 4xx, but it does not mean that there is none. */
function ofStatus(status: number): RobotsRecord['found'] {
  if (status >= 500 || status === 429) return 'unreachable'
  return status >= 200 && status < 300 ? 'read' : 'none'
}

function askedToWaitMs(answer: RobotsResponse, now: Instant): Millis {
  if (answer.ok) return retryAfterMs(answer.headers, now) ?? 0
  return answer.failure.kind === 'http' ? (answer.failure.retryAfterMs ?? 0) : 0
}
