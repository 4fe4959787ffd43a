/**
 * Pauses for a whole host. 429 and 503 concern the server, not just the requested feed: the host is paused, longer each time, and
 * one success resets that.
 */
import { DAY, type Failure, type Host, type Instant, MINUTE } from '../model/index.ts'

const FIRST_PAUSE_MS = 5 * MINUTE // ours, without Retry-After
const MAX_PAUSE_MS = DAY // ours, without Retry-After; a Retry-After is respected up to a week (cache-headers.ts)

/** The host's state after a response; undefined if unchanged. `chance` in [0, 1) adds jitter. */
export function hostPauseAfter(
  before: Host | undefined,
  root: string,
  failure: Failure | undefined,
  now: Instant,
  chance: number,
): Host | undefined {
  if (!failure)
    return before && before.strikes > 0 && before.notBeforeAt <= now ? { root, notBeforeAt: 0, strikes: 0 } : undefined
  if (failure.kind !== 'http') return undefined
  const isPauseRequest = failure.status === 429 || (failure.status === 503 && failure.retryAfterMs !== undefined)
  if (!isPauseRequest) return undefined

  const strikes = before?.strikes ?? 0
  const backoffMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(16, strikes)) * (1 + chance / 4)
  const restMs = failure.retryAfterMs ?? backoffMs
  return {
    root,
    notBeforeAt: Math.max(before?.notBeforeAt ?? 0, Math.ceil(now + restMs)),
    strikes: strikes + 1,
    trouble: failure,
  }
}
