/**
 * Throttles password guessing: after some failures under a key, each further failure doubles the wait before the next attempt, up to a
 * quarter of an hour. The caller chooses the keys such that nobody can lock out somebody else. The number of keys is limited: the oldest
 * are dropped, which only helps attackers with that many addresses. Also limits how many passwords are checked at once.
 */
import { HOUR, type Instant, MINUTE, SECOND, setBounded } from '../model/index.ts'

const LONGEST_MS = 15 * MINUTE
const FORGIVEN_AFTER_MS = HOUR
const MOST = 10_000
const AT_ONCE = 4
const AT_ONCE_OF_ONE = 2

/** A key under which failures are counted. */
export interface AttemptKey {
  key: string
  /** Number of failures without a wait. */
  free: number
  /** Whether a success resets the count. */
  forgives: boolean
}

export interface AttemptLimiter {
  /** When the next attempt is allowed; undefined: now. */
  mayAt(by: readonly AttemptKey[], now: Instant): Instant | undefined
  /** Starts an attempt of this client; undefined if too many are running. Call the result with how it ended. */
  begin(by: readonly AttemptKey[], client: string): ((succeeded: boolean, now: Instant) => void) | undefined
}

export function createAttempts(): AttemptLimiter {
  const failures = new Map<string, { count: number; lastAt: Instant }>()
  const inProgress = new Map<string, number>()

  function fail(key: string, now: Instant): void {
    const before = failures.get(key)
    const isForgiven = !before || now - before.lastAt > FORGIVEN_AFTER_MS
    setBounded(failures, key, { count: isForgiven ? 1 : before.count + 1, lastAt: now }, MOST)
  }

  return {
    mayAt(by, now) {
      const waits = by.map(({ key, free }) => {
        const { count = 0, lastAt = 0 } = failures.get(key) ?? {}
        if (count < free || now - lastAt > FORGIVEN_AFTER_MS) return 0
        return lastAt + Math.min(LONGEST_MS, SECOND * 2 ** (count - free))
      })
      const until = Math.max(...waits)
      return until > now ? until : undefined
    },

    begin(by, client) {
      const own = inProgress.get(client) ?? 0
      const all = [...inProgress.values()].reduce((sum, count) => sum + count, 0)
      if (all >= AT_ONCE || own >= AT_ONCE_OF_ONE) return undefined
      inProgress.set(client, own + 1)
      return (succeeded, now) => {
        const left = (inProgress.get(client) ?? 1) - 1
        if (left > 0) inProgress.set(client, left)
        else inProgress.delete(client)
        for (const { key, forgives } of by) {
          if (!succeeded) fail(key, now)
          else if (forgives) failures.delete(key)
        }
      }
    },
  }
}
