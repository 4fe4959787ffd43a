/**
 * Leader tasks: tasks that one process runs for the whole fleet, with other processes on standby. The leader runs a task until it can no
 * longer renew its leadership; it stops before another process may start, and that one begins from the state in the store. If a task
 * fails, the leader resigns, because another process may succeed, and stands again after a backoff.
 */
import { type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Leadership } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** Runs until the signal aborts. It has to check `isLeader` before each step: false if another process may have started. */
export type LeaderTask = (signal: AbortSignal, isLeader: () => boolean) => Promise<void>

export interface LeaderTasksParts {
  leadership: Leadership
  clock: Clock
  /** Unique. */
  name: string
  tasks: Readonly<Record<string, LeaderTask>>
  emit: (event: CrawlEvent) => void
  /** Called with errors; the task is restarted, here or in another process. */
  reportError: (error: unknown, doing: string) => void
}

export interface LeaderTasks {
  /** Runs until the signal aborts, then resigns from all tasks. */
  run(signal: AbortSignal): Promise<void>
  /** The tasks that run in this process now. */
  active(): string[]
}

const LEADERSHIP_MS: Millis = 10 * SECOND
const RENEW_INTERVAL_MS: Millis = 3 * SECOND
/** How long before another process may start this one stops. */
const MARGIN_MS: Millis = 2 * SECOND

/** After the first failure of a task. */
const FIRST_BACKOFF_MS: Millis = 5 * SECOND
const MAX_BACKOFF_MS: Millis = 5 * MINUTE

export function createLeaderTasks({
  leadership,
  clock,
  name,
  tasks,
  emit,
  reportError,
}: LeaderTasksParts): LeaderTasks {
  const running = new Set<string>()

  async function runTask(role: string, task: LeaderTask, signal: AbortSignal): Promise<void> {
    let work: { done: Promise<void>; stop: AbortController; failed: boolean } | undefined
    let leadsUntil: Instant = 0
    let failures = 0
    let retryAt: Instant = 0

    async function end(): Promise<void> {
      work?.stop.abort()
      await work?.done
      work = undefined
    }

    function begin(): void {
      emit({ kind: 'leader-task', at: clock.now(), role, what: 'started' })
      running.add(role)
      const started = { done: Promise.resolve(), stop: new AbortController(), failed: false }
      started.done = task(started.stop.signal, () => clock.now() < leadsUntil - MARGIN_MS)
        .catch((error: unknown) => reportError(error, role))
        .finally(() => {
          started.failed = !started.stop.signal.aborted // a task only ends by itself if it fails
          running.delete(role)
        })
      work = started
    }

    while (!signal.aborted) {
      const now = clock.now()
      if (work?.failed) {
        await end()
        retryAt = now + Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++)
        emit({ kind: 'leader-task', at: now, role, what: 'ended' })
        await leadership.resign(role, name).catch(() => {}) // the leadership expires by itself
      }
      const epoch = now < retryAt ? undefined : await lead(role, now, leadsUntil)
      if (epoch) leadsUntil = now + LEADERSHIP_MS
      if (epoch === undefined && work) {
        await end()
        emit({ kind: 'leader-task', at: clock.now(), role, what: 'ended' })
      }
      if (epoch && !work) begin()
      else if (epoch && now - retryAt > MAX_BACKOFF_MS) failures = 0
      await clock.sleepUntil(now + RENEW_INTERVAL_MS, signal)
    }
    await end()
    await leadership.resign(role, name).catch(() => {}) // the leadership expires by itself
  }

  /** The epoch of this leadership; 0 if the store failed but the leadership has not expired. */
  function lead(role: string, now: Instant, leadsUntil: Instant): Promise<number | undefined> {
    return leadership.lead(role, name, now, now + LEADERSHIP_MS).catch((error: unknown) => {
      reportError(error, `renewing the leadership of ${role}`)
      return clock.now() < leadsUntil - MARGIN_MS ? 0 : undefined
    })
  }

  return {
    active: () => [...running].sort(),
    async run(signal) {
      await Promise.all(Object.entries(tasks).map(([role, task]) => runTask(role, task, signal)))
    },
  }
}
