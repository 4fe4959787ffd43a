/**
 * Acquires the host slots of a task: those of its own address and of every host that redirects may lead to. Hundreds of feeds on domains
 * of their own may be served by one host; it still gets one request at a time.
 *
 * A task lists those hosts (`ends`), and the fetcher follows no redirect to any other host. So no host is visited before its slot
 * is free, not even the first time.
 */
import type { Instant, Millis, Outcome, Task, WebAddress } from '../../model/index.ts'
import { type Admission, type HostQueue, hostSlotsOf, tenantOf } from '../../politeness/index.ts'
import { taskName, tenantsOf } from '../task.ts'

export interface RedirectPacing {
  /** Acquires all host slots of the task, or none. */
  acquire(task: Task, now: Instant): Admission
  /** The same, only if no other task waits for any of them. */
  acquireIfIdle(task: Task, now: Instant): Admission
  /** Marks the host slots as taken by a task that another controller has sent. */
  occupy(task: Task, sinceAt: Instant): void
  /** Releases the host slots of a completed task. */
  releaseAfter(outcome: Outcome, now: Instant): void
  /** Releases the host slots of a task that was not sent or has expired. */
  release(task: Task, now: Instant): void
  /** The minimum gap between requests to this address. */
  gapMs(url: WebAddress, now: Instant): Millis
  /** The earliest time at which this address may be visited if no other task waits there. */
  freeAt(url: WebAddress, now: Instant): Instant
}

export function createRedirectPacing(hostQueue: HostQueue): RedirectPacing {
  /** The host slots each task holds, by task name. */
  const hostSlots = new Map<string, string[]>()

  function release(task: Task, now: Instant): void {
    for (const slot of hostSlots.get(taskName(task)) ?? []) hostQueue.release(slot, now)
    hostSlots.delete(taskName(task))
  }

  function holdIfAdmitted(task: Task, slots: string[], admission: Admission): Admission {
    if (admission.kind === 'go') hostSlots.set(taskName(task), slots)
    return admission
  }

  return {
    acquire(task, now) {
      const slots = hostSlotsOfAll(tenantsOf(task))
      return holdIfAdmitted(task, slots, hostQueue.acquire(slots, taskName(task), now))
    },
    acquireIfIdle(task, now) {
      const slots = hostSlotsOfAll(tenantsOf(task))
      return holdIfAdmitted(task, slots, hostQueue.acquireIfIdle(slots, now))
    },
    occupy(task, sinceAt) {
      const slots = hostSlotsOfAll(tenantsOf(task))
      hostQueue.markTaken(slots, sinceAt)
      hostSlots.set(taskName(task), slots)
    },
    releaseAfter: ({ task }, now) => release(task, now),
    release,
    gapMs: (url, now) => Math.max(...hostSlotsOf(tenantOf(url)).map((slot) => hostQueue.gapMs(slot, now))),
    freeAt: (url, now) => Math.max(...hostSlotsOf(tenantOf(url)).map((slot) => hostQueue.freeAt(slot, now))),
  }
}

function hostSlotsOfAll(tenants: string[]): string[] {
  return [...new Set(tenants.flatMap(hostSlotsOf))]
}
