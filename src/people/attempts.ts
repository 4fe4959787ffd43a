/**
 * Slows those who guess: after some failures under a key, each further one makes the next attempt wait twice as long, up to a quarter of
 * an hour. Who asks chooses the keys, such that nobody can make somebody else wait. The number of keys is bounded: the oldest are
 * forgotten, which helps only those who have as many addresses; and so is the number of passwords that are checked at once.
 */
import { HOUR, type Instant, MINUTE, SECOND, setBounded } from '../model/index.ts'

const LONGEST_MS = 15 * MINUTE
const FORGIVEN_AFTER_MS = HOUR
const MOST = 10_000
const AT_ONCE = 4
const AT_ONCE_OF_ONE = 2

/** What failures are counted under. */
export interface AttemptKey {
  key: string
  /** So many failures cost no wait. */
  free: number
  /** Success forgives what failed before. */
  forgives: boolean
}

export interface Attempts {
  /** When the next attempt may be made; undefined: now. */
  mayAt(by: readonly AttemptKey[], now: Instant): Instant | undefined
  /** One more is being tried, by this client; undefined if too many are. Tells how it ended. */
  begin(by: readonly AttemptKey[], client: string): ((succeeded: boolean, now: Instant) => void) | undefined
}

export function createAttempts(): Attempts {
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
