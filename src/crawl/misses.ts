/** Likely places that had no feed: not asked again for a day. What a terminal forgets of it costs a few requests, no more. */
import { DAY, type Failure, type Instant } from '../model/index.ts'

export interface Misses {
  has(url: string, now: Instant): boolean
  /** Only what says that there is nothing counts; trouble of today does not. */
  note(url: string, failure: Failure, now: Instant): void
}

const KEPT_MS = DAY
const MOST = 10_000

export function createMisses(): Misses {
  const missedAt = new Map<string, Instant>()
  return {
    has(url, now) {
      const at = missedAt.get(url)
      return at !== undefined && now - at < KEPT_MS
    },
    note(url, failure, now) {
      const isNothing =
        failure.kind === 'not-a-feed' || (failure.kind === 'http' && [404, 410].includes(failure.status))
      if (!isNothing) return
      missedAt.delete(url)
      missedAt.set(url, now)
      const [oldest] = missedAt.keys()
      if (missedAt.size > MOST && oldest !== undefined) missedAt.delete(oldest)
    },
  }
}
