/**
 * Orphaned leases: leases of tasks whose outcome never arrives, because the crawler stopped or died while they were in flight. The request
 * was probably made, so it counts like a poll and is not repeated at once. Otherwise a crawler that crashes and restarts repeatedly
 * would send the same requests each time.
 */
import { type Feed, type FeedId, type Instant, MINUTE, type Millis } from '../../model/index.ts'
import type { LeaseRelease, Roles } from '../../ports/index.ts'
import { leasedItemsOf } from '../task.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'

/** How long a task waits after its orphaned lease began: long enough for servers, short enough for a user who restarts the crawler. */
const ORPHAN_DELAY_MS: Millis = 5 * MINUTE

/** A lease under which nothing will be recorded, and when it began. */
export type OrphanedLease = LeaseRelease & { leasedAt: Instant }

/** Releases these leases. A feed is due again after its minimum interval at the earliest; the article queue of a site, a while after the visit began. */
export async function releaseOrphanedLeases(
  leases: OrphanedLease[],
  { catalogue, dueQueue }: Pick<Roles, 'catalogue' | 'dueQueue'>,
  minIntervalMs: (feed: Feed) => Millis,
  now: Instant,
): Promise<void> {
  const ids = leases.flatMap((lease) => (lease.kind === 'feed' ? [lease.id] : []))
  const dueAtOf = new Map<FeedId, (requestedAt: Instant) => Instant>()
  for (const found of await catalogue.feedsById(ids)) {
    if (!found) continue
    const { feed, schedule } = found
    const delayMs = Math.max(ORPHAN_DELAY_MS, minIntervalMs(feed))
    dueAtOf.set(feed.id, (requestedAt) => Math.max(schedule.dueAt, requestedAt + delayMs))
  }
  await dueQueue.releaseLeases(
    leases.flatMap((lease): LeaseRelease[] => {
      const requestedAt = Math.min(lease.leasedAt, now) // the clock may have been set back
      const dueAt = lease.kind === 'feed' ? dueAtOf.get(lease.id)?.(requestedAt) : requestedAt + ORPHAN_DELAY_MS
      return dueAt === undefined ? [] : [{ ...lease, dueAt }]
    }),
  )
}

/** Releases the leases of all in-flight tasks. */
export async function releaseInFlightLeases(
  inFlight: InFlightTasks,
  roles: Pick<Roles, 'catalogue' | 'dueQueue'>,
  minIntervalMs: (feed: Feed) => Millis,
  now: Instant,
): Promise<void> {
  const tasks = inFlight.all()
  const leases = tasks.flatMap(({ task, sinceAt }) =>
    leasedItemsOf(task).map((item) => ({ ...item, leasedAt: sinceAt })),
  )
  await releaseOrphanedLeases(leases, roles, minIntervalMs, now)
  for (const { task } of tasks) inFlight.cancel(task)
}
