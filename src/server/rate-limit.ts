/**
 * Rate limits as token buckets. That of all requests has a bucket for each credential, and for each address without one. Requests that need no login, as on
 * a single user's own machine, are not limited.
 */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { type Instant, SECOND, setBounded } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { Problem } from './problem.ts'

const REQUESTS_PER_SECOND = 50
const BURST = 500
/** Least recently used buckets are dropped, which refills them. */
const MAX_BUCKETS = 10_000

/** Returns a function that takes a token and returns the seconds to wait; 0 if the request is allowed. */
export function createTokenBuckets({ perSecond, burst }: { perSecond: number; burst: number }) {
  const buckets = new Map<string, { left: number; at: Instant }>()
  return function takeToken(key: string, now: Instant): number {
    const { left, at } = buckets.get(key) ?? { left: burst, at: now }
    const available = Math.min(burst, left + (Math.max(0, now - at) / SECOND) * perSecond)
    setBounded(buckets, key, { left: available < 1 ? available : available - 1, at: now }, MAX_BUCKETS)
    return available < 1 ? (1 - available) / perSecond : 0
  }
}

export function rateLimit(clock: Clock, trusted: BlockList | undefined): MiddlewareHandler {
  const takeToken = createTokenBuckets({ perSecond: REQUESTS_PER_SECOND, burst: BURST })

  return async (c, next) => {
    const { scope, credential, user, isProxied } = callerOf(c)
    const isCounted = credential !== undefined || isProxied || scope === undefined
    const key = credential
      ? `credential ${credential.id}`
      : isProxied
        ? `user ${user?.id}`
        : `from ${clientKey(c, trusted)}`
    const waitSeconds = isCounted ? takeToken(key, clock.now()) : 0
    if (waitSeconds > 0)
      throw new Problem(429, 'too many requests', `the limit is ${REQUESTS_PER_SECOND} per second`, waitSeconds)
    await next()
  }
}
