/**
 * Tracks in-flight tasks. A task starts with a lease and a time limit. Its outcome is matched by the lease: an outcome that arrives twice
 * or too late has no effect. A task that exceeds its time expires and frees its slot and host slots; its lease in the store ends with it.
 *
 * Outcomes are dated by when the task was sent, because the clocks of fetchers may be wrong.
 */
import {
  type Bucket,
  type Instant,
  type LeaseToken,
  MINUTE,
  type Millis,
  type Outcome,
  type Task,
} from '../../model/index.ts'
import { taskName } from '../task.ts'

/** Longer than any task may take. */
export const LEASE_MS: Millis = 10 * MINUTE

export interface InFlightTask {
  task: Task
  sinceAt: Instant
}

export interface InFlightTasks {
  readonly size: number
  /** Whether a task of this name is in flight. */
  has(name: string): boolean
  /** Leases of all tasks that are in flight or being recorded. */
  leases(): ReadonlySet<LeaseToken | undefined>
  all(): InFlightTask[]
  /** Adds a task. Returns it as it has to be sent. */
  start<Kind extends Task>(task: Kind, now: Instant): Kind
  /** Matches an outcome to its task. Returns it dated by when the task was sent; undefined if no such task is in flight. */
  complete(outcome: Outcome): Outcome | undefined
  /** Completed tasks whose outcomes are not recorded yet. Their buckets must not be released before. */
  recording(): InFlightTask[]
  finishRecording(outcomes: Outcome[]): void
  /** Adds a task that another controller has sent: it completes or expires here. Returns the task as it was sent, if it was. */
  adopt(task: Task, sinceAt: Instant): Task
  /** Removes a task that was not sent after all. */
  cancel(task: Task): void
  /** Removes and returns the tasks whose lease has ended. */
  expire(now: Instant): InFlightTask[]
  /** When the first task expires if it does not complete. */
  nextExpiryAt(): Instant | undefined
}

/**
 * The share of its lease in which a fetcher may start a task. The rest lets requests finish and covers clock differences between the
 * queue and the controller.
 */
const LEASE_SHARE_FOR_FETCHER = 0.9

export interface InFlightOptions {
  leaseMs?: Millis
  /** For one of several controllers: makes its leases unique and routes its outcomes. */
  identity?: { name: string; bucketOf: (task: Task) => Bucket } | undefined
}

export function createInFlightTasks({ leaseMs = LEASE_MS, identity }: InFlightOptions = {}): InFlightTasks {
  const tasks = new Map<string, InFlightTask>()
  const completed = new Map<LeaseToken | undefined, InFlightTask>()
  let lastNumber = 0 // of leases made here, for hub tasks: the store gives them none

  function withLease<Kind extends Task>(task: Kind, startedAt: Instant): Kind {
    const lease = task.lease ?? (`hub ${identity ? `${identity.name} ` : ''}${++lastNumber}` as LeaseToken)
    if (!identity) return { ...task, lease }
    return {
      ...task,
      lease,
      bucket: identity.bucketOf(task),
      departedAt: startedAt,
      goodForMs: Math.floor(LEASE_SHARE_FOR_FETCHER * leaseMs),
    }
  }

  return {
    get size() {
      return tasks.size
    },
    has: (name) => tasks.has(name),
    leases: () => new Set([...[...tasks.values()].map(({ task }) => task.lease), ...completed.keys()]),
    all: () => [...tasks.values()],
    start(task, now) {
      const sent = task.lease === undefined || identity ? withLease(task, now) : task
      tasks.set(taskName(task), { task: sent, sinceAt: now })
      return sent
    },
    complete(outcome) {
      const name = taskName(outcome.task)
      const started = tasks.get(name)
      if (!started || started.task.lease !== outcome.task.lease || started.task.kind !== outcome.task.kind)
        return undefined
      tasks.delete(name)
      completed.set(outcome.task.lease, started)
      return { ...outcome, at: started.sinceAt }
    },
    recording: () => [...completed.values()],
    finishRecording(outcomes) {
      for (const { task } of outcomes) completed.delete(task.lease)
    },
    adopt(task, sinceAt) {
      const sent = withLease(task, sinceAt)
      tasks.set(taskName(task), { task: sent, sinceAt })
      return sent
    },
    cancel(task) {
      tasks.delete(taskName(task))
    },
    expire(now) {
      const expired: InFlightTask[] = []
      for (const [name, started] of tasks) {
        if (started.sinceAt + leaseMs > now) continue
        tasks.delete(name)
        expired.push(started)
      }
      return expired
    },
    nextExpiryAt() {
      let first: Instant | undefined
      for (const { sinceAt } of tasks.values()) if (first === undefined || sinceAt < first) first = sinceAt
      return first === undefined ? undefined : first + leaseMs
    },
  }
}
