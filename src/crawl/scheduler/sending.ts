/**
 * Sends admitted tasks to the queue. A task that is not sent must not keep a slot, a host slot or a lease, whatever failed.
 */
import type { Task } from '../../model/index.ts'
import type { Clock, ControllerQueue, PollResults } from '../../ports/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { taskName } from '../task.ts'
import type { HubSubscriptions } from '../websub/hub-subscriptions.ts'
import type { TaskAdmission } from './admission.ts'
import { attachRobotsRules } from './attach-robots-rules.ts'
import { type HostMemory, hostsOfTasks } from './host-memory.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RedirectPacing } from './redirect-pacing.ts'
import type { LeaseReleaser } from './release-leases.ts'

export interface SendingParts {
  pollResults: PollResults
  queue: Pick<ControllerQueue, 'send'>
  clock: Clock
  errorBoundary: ErrorBoundary
  inFlight: Pick<InFlightTasks, 'all' | 'cancel'>
  redirectPacing: Pick<RedirectPacing, 'release'>
  leaseReleaser: Pick<LeaseReleaser, 'addPending' | 'removeSent'>
  /** Whether this controller's claim on its buckets lasts until a task that is sent now has started. */
  isClaimValid: () => boolean
}

export interface Sending {
  /** Returns false if nothing was sent, because the claim is no longer valid: another controller may own these buckets by now. */
  send(tasks: Task[], obeyRobots: 'guesses' | 'all'): Promise<boolean>
  /** Cancels admitted tasks that are not sent; their leases are to be released. */
  cancel(tasks: Task[]): void
  /** Runs the work between leasing and sending. If it fails, the admitted ones of these tasks are cancelled. */
  releaseOnFailure(leased: Task[], work: () => Promise<void>): Promise<void>
}

export function createSending(parts: SendingParts): Sending {
  const { pollResults, queue, clock, errorBoundary, inFlight, redirectPacing, leaseReleaser, isClaimValid } = parts

  function cancel(tasks: Task[]): void {
    for (const task of tasks) {
      inFlight.cancel(task)
      redirectPacing.release(task, clock.now())
    }
    leaseReleaser.addPending(tasks.map((task) => ({ task })))
  }

  return {
    cancel,
    async send(tasks, obeyRobots) {
      if (tasks.length === 0) return true
      try {
        const complete = await attachRobotsRules(tasks, { pollResults, errorBoundary, obeyRobots }, clock.now())
        const maySend = isClaimValid()
        if (maySend) await queue.send(complete)
        else cancel(tasks)
        if (maySend) leaseReleaser.removeSent(tasks)
        return maySend
      } catch (error) {
        cancel(tasks)
        throw error
      }
    },
    async releaseOnFailure(leased, work) {
      try {
        await work()
      } catch (error) {
        const leases = new Set(leased.map(({ lease }) => lease))
        cancel(inFlight.all().flatMap(({ task }) => (leases.has(task.lease) ? [task] : [])))
        throw error
      }
    },
  }
}

export interface DueHubsParts {
  clock: Clock
  hubSubscriptions: Pick<HubSubscriptions, 'dueTasks' | 'postpone' | 'markSent' | 'markUnsent'>
  inFlight: Pick<InFlightTasks, 'size' | 'has'>
  slots: () => number
  hosts: Pick<HostMemory, 'load'>
  admission: Pick<TaskAdmission, 'admit'>
  sending: Sending
  obeyRobots: 'guesses' | 'all'
}

/** Sends subscription requests to the hubs that are due. A hub may verify before it answers, so the request is recorded before it is sent. */
export async function subscribeToDueHubs(parts: DueHubsParts): Promise<number> {
  const { clock, hubSubscriptions, inFlight, slots, hosts, admission, sending, obeyRobots } = parts
  const free = slots() - inFlight.size
  if (free <= 0) return 0
  const now = clock.now()
  const due = (await hubSubscriptions.dueTasks(now, free)).filter((task) => !inFlight.has(taskName(task)))
  await hosts.load(hostsOfTasks(due), now)
  const { ready, waiting } = await admission.admit(due, now, { byUser: false })
  let isSent = false
  try {
    await hubSubscriptions.postpone(waiting.flatMap(({ task, until }) => (until ? [{ task, until }] : [])))
    await hubSubscriptions.markSent(ready)
    isSent = await sending.send(ready, obeyRobots)
  } finally {
    if (!isSent) sending.cancel(ready.filter((task) => inFlight.has(taskName(task))))
    if (!isSent) await hubSubscriptions.markUnsent(ready)
  }
  return ready.length
}
