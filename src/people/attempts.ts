/**
 * Who guesses is slowed: after five failures for a name, or from an address, each further one makes the next attempt wait twice as
 * long, up to a quarter of an hour. So many are remembered and no more: the oldest are forgotten, which helps only those who
 * have as many addresses; and never are more passwords tried at once than a few.
 */
import { HOUR, type Instant, MINUTE, SECOND } from '../model/index.ts'

const FREE = 5
const LONGEST_MS = 15 * MINUTE
const FORGIVEN_AFTER_MS = HOUR
const MOST = 10_000
const AT_ONCE = 4

export interface Attempts {
  /** When somebody may try; undefined: now. `by`: the name that is tried, the address that it comes from. */
  mayAt(by: readonly string[], now: Instant): Instant | undefined
  /** One more is being tried; undefined if too many are. Tells how it ended. */
  begin(by: readonly string[]): ((succeeded: boolean, now: Instant) => void) | undefined
}

export function createAttempts(): Attempts {
  const failures = new Map<string, { count: number; lastAt: Instant }>()
  let underWay = 0

  function fail(key: string, now: Instant): void {
    const before = failures.get(key)
    const isForgiven = !before || now - before.lastAt > FORGIVEN_AFTER_MS
    failures.delete(key) // so that it is the youngest
    failures.set(key, { count: isForgiven ? 1 : before.count + 1, lastAt: now })
    const oldest = failures.keys().next().value
    if (failures.size > MOST && oldest !== undefined) failures.delete(oldest)
  }

  return {
    mayAt(by, now) {
      const waits = by.map((key) => {
        const { count = 0, lastAt = 0 } = failures.get(key) ?? {}
        if (count < FREE || now - lastAt > FORGIVEN_AFTER_MS) return 0
        return lastAt + Math.min(LONGEST_MS, SECOND * 2 ** (count - FREE))
      })
      const until = Math.max(...waits)
      return until > now ? until : undefined
    },

    begin(by) {
      if (underWay >= AT_ONCE) return undefined
      underWay++
      return (succeeded, now) => {
        underWay--
        for (const key of by) {
          if (succeeded) failures.delete(key)
          else fail(key, now)
        }
      }
    },
  }
}
