/** How soon a feed may be polled when somebody asks for it: not at once after the last poll, nor before a date that its server named. */
import { type Instant, MINUTE, type Millis, type Schedule } from '../../model/index.ts'

/** How soon after a poll a person may ask for the next. */
export const HAND_POLL_GAP_MS: Millis = MINUTE

export function earliestPollAt({ polledAt, trouble }: Schedule, gapMs: Millis, now: Instant): Instant {
  if (polledAt === undefined) return now
  const askedMs = trouble?.kind === 'http' ? (trouble.retryAfterMs ?? 0) : 0
  return Math.max(now, polledAt + Math.max(gapMs, askedMs))
}
