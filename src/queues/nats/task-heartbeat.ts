/**
 * Tells the server that tasks are still in progress. A fetcher that could not do so for two thirds of the ack wait has to stop: in the last
 * third the server may redeliver its tasks to another fetcher, and a host must not get two requests at once.
 */
import type { Instant, Millis } from '../../model/index.ts'
import type { NatsLink } from './connection.ts'
import type { Delivery } from './delivery.ts'

/** A task being performed. */
export interface TaskInFlight {
  delivery: Delivery
  /** Aborted when the task must stop. */
  abort: AbortController
  /** When the task expires, by the monotonic clock. */
  until: Instant
}

/** Unaffected by changes of the machine's clock. */
export const monotonicNow = () => performance.now()

export interface TaskHeartbeat {
  /** Whether the task has expired, or may have been redelivered to another fetcher. */
  isLate(task: TaskInFlight): boolean
  close(): void
}

export function createTaskHeartbeat({
  link,
  inFlight,
  ackWaitMs,
  maxSilenceMs,
}: {
  link: NatsLink
  inFlight: ReadonlySet<TaskInFlight>
  ackWaitMs: Millis
  maxSilenceMs: Millis
}): TaskHeartbeat {
  let confirmedAt = monotonicNow()

  async function beat(): Promise<void> {
    const at = monotonicNow()
    for (const { abort, until } of inFlight) if (at > confirmedAt + maxSilenceMs || at > until) abort.abort()
    if (!link.isUp()) return
    for (const { delivery } of inFlight) delivery.working()
    await link.nc.flush()
    confirmedAt = at
  }

  const timer = setInterval(() => void beat().catch(() => {}), ackWaitMs / 6)
  return {
    isLate: ({ abort, until }) => abort.signal.aborted || monotonicNow() > Math.min(until, confirmedAt + maxSilenceMs),
    close: () => clearInterval(timer),
  }
}
