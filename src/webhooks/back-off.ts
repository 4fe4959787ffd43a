/** When a receiver that failed is tried again, and when it is given up: after three days, as long as a long weekend. */
import { HOUR, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'

/** After the first failure, the second, and so on; the last stands for all that follow. */
const PAUSES: Millis[] = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]
export const MOST_FAILURES = 13

/** Undefined: it is given up. `chance`, from 0 to 1, keeps receivers apart that failed together. */
export function nextAttemptAt(failures: number, now: Instant, chance: number): Instant | undefined {
  if (failures >= MOST_FAILURES) return undefined
  const pause = PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0
  return now + pause * (0.9 + 0.2 * chance)
}
