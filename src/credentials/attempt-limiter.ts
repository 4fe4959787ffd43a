/**
 * Throttles password guessing: after some failures under a key, each further failure doubles the wait before the next attempt, up to a
 * quarter of an hour. The caller chooses the keys such that users cannot lock out each other. The number of keys is limited: the oldest
 * are dropped, which only helps attackers with that many addresses. Also limits how many passwords are checked at once.
 */
import { HOUR, type Instant, MINUTE, SECOND, setBounded } from '../model/index.ts'

const MAX_WAIT_MS = 15 * MINUTE
const RESET_AFTER_MS = HOUR
const MAX_KEYS = 10_000
const MAX_CONCURRENT = 4
const MAX_CONCURRENT_PER_CLIENT = 2

/** A key under which failures are counted. */
export interface AttemptKey {
  key: string
  /** Number of failures without a wait. */
  freeFailures: number
  /** Whether a success resets the count. */
  resetsOnSuccess: boolean
}

export interface AttemptLimiter {
  /** When the next attempt is allowed; undefined: now. */
  nextAllowedAt(keys: readonly AttemptKey[], now: Instant): Instant | undefined
  /** Starts an attempt of this client; undefined if too many are running. Call the result with how it ended. */
  start(keys: readonly AttemptKey[], client: string): ((succeeded: boolean, now: Instant) => void) | undefined
}

export function createAttemptLimiter(): AttemptLimiter {
  const failures = new Map<string, { count: number; lastAt: Instant }>()
  const inProgress = new Map<string, number>()

  function fail(key: string, now: Instant): void {
    const previous = failures.get(key)
    const isExpired = !previous || now - previous.lastAt > RESET_AFTER_MS
    setBounded(failures, key, { count: isExpired ? 1 : previous.count + 1, lastAt: now }, MAX_KEYS)
  }

  return {
    nextAllowedAt(keys, now) {
      const allowedAt = keys.map(({ key, freeFailures }) => {
        const { count = 0, lastAt = 0 } = failures.get(key) ?? {}
        if (count < freeFailures || now - lastAt > RESET_AFTER_MS) return 0
        return lastAt + Math.min(MAX_WAIT_MS, SECOND * 2 ** (count - freeFailures))
      })
      const until = Math.max(...allowedAt)
      return until > now ? until : undefined
    },

    start(keys, client) {
      const ofClient = inProgress.get(client) ?? 0
      const total = [...inProgress.values()].reduce((sum, count) => sum + count, 0)
      if (total >= MAX_CONCURRENT || ofClient >= MAX_CONCURRENT_PER_CLIENT) return undefined
      inProgress.set(client, ofClient + 1)
      return (succeeded, now) => {
        const remaining = (inProgress.get(client) ?? 1) - 1
        if (remaining > 0) inProgress.set(client, remaining)
        else inProgress.delete(client)
        for (const { key, resetsOnSuccess } of keys) {
          if (!succeeded) fail(key, now)
          else if (resetsOnSuccess) failures.delete(key)
        }
      }
    },
  }
}
