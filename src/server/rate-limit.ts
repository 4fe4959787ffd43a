/**
 * Nobody asks so often that others have to wait: each pass, and each address without one, has a purse of requests that fills again at a
 * steady rate. Who is alone on his own machine, and needs no login, is not counted.
 */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { type Instant, SECOND, setBounded } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { Problem } from './problem.ts'

const A_SECOND = 50
const AT_ONCE = 500
/** Purses that are remembered; the one that was not used for longest is forgotten, which fills it. */
const MOST = 10_000

export function rateLimit(clock: Clock, trusted: BlockList | undefined): MiddlewareHandler {
  const purses = new Map<string, { left: number; at: Instant }>()

  /** How long to wait, in seconds; 0 if it may be now. */
  function take(key: string, now: Instant): number {
    const { left, at } = purses.get(key) ?? { left: AT_ONCE, at: now }
    const filled = Math.min(AT_ONCE, left + (Math.max(0, now - at) / SECOND) * A_SECOND)
    setBounded(purses, key, { left: filled < 1 ? filled : filled - 1, at: now }, MOST)
    return filled < 1 ? (1 - filled) / A_SECOND : 0
  }

  return async (c, next) => {
    const { allows, pass } = callerOf(c)
    const isCounted = pass !== undefined || allows === undefined
    const waitSeconds = isCounted ? take(pass ? `pass ${pass.id}` : `from ${clientKey(c, trusted)}`, clock.now()) : 0
    if (waitSeconds > 0) throw new Problem(429, 'too many requests', `the limit is ${A_SECOND} per second`, waitSeconds)
    await next()
  }
}
