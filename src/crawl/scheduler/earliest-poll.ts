/** How soon a feed may be polled on request: not directly after the last poll, and not before the server's Retry-After. */
import { type Instant, MINUTE, type Millis, type Schedule } from '../../model/index.ts'

/** The minimum interval between two polls of a feed that users request. */
export const USER_POLL_GAP_MS: Millis = MINUTE

export function earliestPollAt({ polledAt, trouble }: Schedule, gapMs: Millis, now: Instant): Instant {
  if (polledAt === undefined) return now
  const retryAfterMs = trouble?.kind === 'http' ? (trouble.retryAfterMs ?? 0) : 0
  return Math.max(now, polledAt + Math.max(gapMs, retryAfterMs))
}
