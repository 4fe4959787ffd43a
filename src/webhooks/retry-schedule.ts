/** Retry schedule of failed webhooks and sends: exponential backoff. Webhooks are disabled after three days, which covers a long weekend. */
import { HOUR, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'

/** Waits after the first failure, the second, and so on; the last one repeats. */
const PAUSES: Millis[] = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]
export const MAX_FAILURES = 13

/** Undefined: give up. `chance` in [0, 1) adds jitter. */
export function nextRetryAt(
  failures: number,
  now: Instant,
  chance: number,
  maxFailures = MAX_FAILURES,
): Instant | undefined {
  if (failures >= maxFailures) return undefined
  const pause = PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0
  return now + pause * (0.9 + 0.2 * chance)
}
