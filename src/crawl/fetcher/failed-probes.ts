/**
 * Probed addresses that had no feed. They are not probed again for a day. Fetchers keep them in memory; new ones return with outcomes
 * and are stored, and stored ones arrive with tasks, so sites get no extra requests after a restart.
 */
import { DAY, type FailedProbe, type Failure, type Instant, type WebAddress } from '../../model/index.ts'
import { tenantOf } from '../../politeness/index.ts'

export interface FailedProbes {
  has(url: WebAddress, now: Instant): boolean
  /** Records only failures that prove that no feed is there; temporary ones are ignored. */
  record(url: WebAddress, failure: Failure, now: Instant): void
  /** Adds failures that other fetchers recorded. */
  add(misses: FailedProbe[]): void
  /** The failures recorded since the last call. */
  takeNew(): FailedProbe[]
}

export const FAILED_PROBE_TTL_MS = DAY
const MAX_PROBES = 10_000

export function createFailedProbes(): FailedProbes {
  const failedAt = new Map<WebAddress, Instant>()
  let newProbes: FailedProbe[] = []

  function remember(url: WebAddress, at: Instant): void {
    failedAt.delete(url)
    failedAt.set(url, at)
    const [oldest] = failedAt.keys()
    if (failedAt.size > MAX_PROBES && oldest !== undefined) failedAt.delete(oldest)
  }

  return {
    has(url, now) {
      const at = failedAt.get(url)
      return at !== undefined && now - at < FAILED_PROBE_TTL_MS
    },
    record(url, failure, now) {
      const isMissing =
        failure.kind === 'not-a-feed' || (failure.kind === 'http' && [404, 410].includes(failure.status))
      if (!isMissing) return
      remember(url, now)
      newProbes.push({ host: tenantOf(url), url, at: now })
    },
    add(misses) {
      for (const { url, at } of misses) if ((failedAt.get(url) ?? 0) < at) remember(url, at)
    },
    takeNew() {
      const taken = newProbes
      newProbes = []
      return taken
    },
  }
}
