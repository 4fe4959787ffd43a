/**
 * Uncertain leases: a lease request failed, but the store may have granted leases that this controller does not know. They are found by
 * the time of the request and released, instead of waiting for their end.
 */
import type { Instant, Owned } from '../../model/index.ts'
import type { DueQueue } from '../../ports/index.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'

export interface UncertainLeases {
  /** Runs a lease request made at `now`. If it fails, its leases are released later. */
  track<Items>(now: Instant, lease: () => Promise<Items>): Promise<Items>
  hasPending(): boolean
  release(): Promise<void>
}

export interface UncertainLeasesParts {
  dueQueue: Pick<DueQueue, 'leases' | 'releaseLeases'>
  inFlight: Pick<InFlightTasks, 'leases'>
  owned: () => Owned | undefined
}

export function createUncertainLeases({ dueQueue, inFlight, owned }: UncertainLeasesParts): UncertainLeases {
  const failedAt = new Set<Instant>()
  return {
    async track(now, lease) {
      try {
        return await lease()
      } catch (error) {
        failedAt.add(now)
        throw error
      }
    },
    hasPending: () => failedAt.size > 0,
    async release() {
      if (failedAt.size === 0) return
      const leases = await dueQueue.leases(owned())
      const known = inFlight.leases()
      const orphans = leases.filter(({ lease, leasedAt }) => failedAt.has(leasedAt) && !known.has(lease))
      if (orphans.length > 0) await dueQueue.releaseLeases(orphans)
      failedAt.clear()
    },
  }
}
