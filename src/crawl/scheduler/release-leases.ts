/**
 * Releases the leases of tasks that were not sent: no host slot, no slot, or no time. Their feeds, sources and articles are due as before,
 * or when their host slot is free. A lease is pending from the moment it is taken until its task is sent, so a failure in between leaves
 * nothing waiting for the end of a lease: what is pending is released as soon as the store works.
 */
import type { LeaseToken, Task } from '../../model/index.ts'
import type { LeaseRelease, Roles } from '../../ports/index.ts'
import { type ErrorBoundary, isStoreError } from '../error-boundary.ts'
import { leasedItemsOf } from '../task.ts'
import type { WaitingTask } from './admission.ts'

export interface LeaseReleaser {
  /** Releases these leases together, or one by one if one of them fails. */
  release(waiting: WaitingTask[]): Promise<void>
  /** Notes leases to release with `releasePending`, each with its date if it has one, unless `removeSent` is called first. */
  addPending(waiting: WaitingTask[]): void
  removeSent(tasks: Task[]): void
  hasPending(): boolean
  releasePending(): Promise<void>
}

export function createLeaseReleaser({
  dueQueue,
  errorBoundary,
}: Pick<Roles, 'dueQueue'> & { errorBoundary: ErrorBoundary }): LeaseReleaser {
  const pending = new Map<LeaseToken | undefined, WaitingTask>()

  async function release(waiting: WaitingTask[]): Promise<void> {
    const items = waiting.flatMap(({ task, until: dueAt, because }) =>
      leasedItemsOf(task).map(
        (item): LeaseRelease => ({ ...item, ...(dueAt && { dueAt }), ...(because && { because }) }),
      ),
    )
    if (items.length === 0) return
    try {
      await dueQueue.releaseLeases(items)
    } catch (error) {
      if (isStoreError(error)) throw error
      for (const item of items)
        await errorBoundary.guard(`releasing the lease of ${item.kind} ${item.id}`, () =>
          dueQueue.releaseLeases([item]),
        )
    }
  }

  return {
    release,
    addPending(waiting) {
      for (const entry of waiting) if (entry.task.lease !== undefined) pending.set(entry.task.lease, entry)
    },
    removeSent(tasks) {
      for (const { lease } of tasks) pending.delete(lease)
    },
    hasPending: () => pending.size > 0,
    async releasePending() {
      if (pending.size === 0) return
      const released = [...pending]
      await release(released.map(([, entry]) => entry))
      for (const [lease, entry] of released) if (pending.get(lease) === entry) pending.delete(lease)
    },
  }
}
