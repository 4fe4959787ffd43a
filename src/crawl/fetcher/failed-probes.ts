/**
 * Likely places that had no feed: not asked again for a day. A terminal keeps them; what it found goes back with its
 * outcome, and what the store has kept comes with tasks: so a restart costs sites nothing.
 */
import { DAY, type Failure, type Instant, type Miss, type WebAddress } from '../../model/index.ts'
import { tenantOf } from '../../politeness/index.ts'

export interface FailedProbes {
  has(url: WebAddress, now: Instant): boolean
  /** Only what says that there is nothing counts; trouble of today does not. */
  note(url: WebAddress, failure: Failure, now: Instant): void
  /** What somebody else has found out. */
  know(misses: Miss[]): void
  /** What was noted since this was last asked. */
  news(): Miss[]
}

export const MISSES_KEPT_MS = DAY
const MOST = 10_000

export function createFailedProbes(): FailedProbes {
  const missedAt = new Map<WebAddress, Instant>()
  let noted: Miss[] = []

  function keep(url: WebAddress, at: Instant): void {
    missedAt.delete(url)
    missedAt.set(url, at)
    const [oldest] = missedAt.keys()
    if (missedAt.size > MOST && oldest !== undefined) missedAt.delete(oldest)
  }

  return {
    has(url, now) {
      const at = missedAt.get(url)
      return at !== undefined && now - at < MISSES_KEPT_MS
    },
    note(url, failure, now) {
      const isNothing =
        failure.kind === 'not-a-feed' || (failure.kind === 'http' && [404, 410].includes(failure.status))
      if (!isNothing) return
      keep(url, now)
      noted.push({ host: tenantOf(url), url, at: now })
    },
    know(misses) {
      for (const { url, at } of misses) if ((missedAt.get(url) ?? 0) < at) keep(url, at)
    },
    news() {
      const news = noted
      noted = []
      return news
    },
  }
}
