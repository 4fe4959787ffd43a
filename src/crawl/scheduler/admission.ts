/**
 * Admission: decides which due tasks are sent now. A task needs a free slot, a poll that is worth its price, hosts without an incident,
 * and a host slot at every root it may visit; only this module checks these, in this order. An admitted task is in flight
 * (in-flight-tasks.ts); a task that has to wait gets the time until which it waits.
 */
import type { DueReason, FeedId, Instant, ScheduledFeed, Task } from '../../model/index.ts'
import type { Admission } from '../../politeness/index.ts'
import type { Quarantine } from '../error-boundary.ts'
import { isOfFeed, taskName, tenantsOf } from '../task.ts'
import type { Budget } from './budget.ts'
import type { HostMemory } from './host-memory.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RedirectPacing } from './redirect-pacing.ts'

export interface TaskAdmissionParts {
  inFlight: InFlightTasks
  hosts: Pick<HostMemory, 'incidentWait'>
  redirectPacing: RedirectPacing
  budget: Pick<Budget, 'waitOf' | 'countSent'>
  quarantine: Quarantine
  slots: () => number
  /** Called for each admitted task. */
  markSent: (task: Task) => void
}

export interface WaitingTask<Kind extends Task = Task> {
  task: Kind
  until?: Instant
  /** Set if the budget postponed the task. */
  because?: DueReason
}

export interface AdmissionResult<Kind extends Task> {
  ready: Kind[]
  /** Tasks that wait for a host slot or the budget; without a date, for a free slot. */
  waiting: WaitingTask<Kind>[]
}

export interface TaskAdmission {
  /** `byUser`: a user requested these tasks, so incidents do not delay them. `due`: feeds that are polled because they are due. */
  admit<Kind extends Task>(
    tasks: Kind[],
    now: Instant,
    options: { byUser: boolean; due?: ReadonlyMap<FeedId, ScheduledFeed> },
  ): Promise<AdmissionResult<Kind>>
  /** The earliest time at which a waiting task gets its host slot. */
  nextHostSlotAt(): Instant | undefined
  /** Drops tasks that did not come when their host slot was free: their feeds were removed or paused. */
  forgetPassedSlots(now: Instant): void
}

export function createTaskAdmission(parts: TaskAdmissionParts): TaskAdmission {
  const { inFlight, hosts, redirectPacing, budget, quarantine, slots, markSent } = parts
  /** When the host slot of each waiting task is free, by task name. */
  const hostSlotTimes = new Map<string, Instant>()

  /** During an incident of a host only a few feeds (canaries) are polled there. */
  function incidentWaitOf(task: Task, now: Instant): Admission | undefined {
    if (!isOfFeed(task)) return undefined
    for (const tenant of tenantsOf(task)) {
      const inFlightThere = () =>
        inFlight.all().filter((other) => isOfFeed(other.task) && tenantsOf(other.task).includes(tenant)).length
      const wait = hosts.incidentWait(tenant, inFlightThere, now)
      if (wait) return wait
    }
    return undefined
  }

  return {
    async admit(tasks, now, { byUser, due }) {
      const dueFeedOf = (task: Task) => (task.kind === 'poll' && !task.isManual ? due?.get(task.feedId) : undefined)
      const result: AdmissionResult<(typeof tasks)[number]> = { ready: [], waiting: [] }
      for (const task of tasks) {
        if (inFlight.size >= slots()) {
          result.waiting.push({ task })
          continue
        }
        const dueFeed = dueFeedOf(task)
        let admission: Admission
        try {
          const wait = dueFeed && budget.waitOf(dueFeed, now)
          if (wait) {
            result.waiting.push({ task, ...wait })
            continue
          }
          admission = (byUser ? undefined : incidentWaitOf(task, now)) ?? redirectPacing.acquire(task, now)
        } catch (error) {
          await quarantine(task, error, `admitting ${task.url}`)
          continue
        }
        if (admission.kind === 'go') {
          hostSlotTimes.delete(taskName(task))
          if (dueFeed) budget.countSent(now)
          markSent(task)
          result.ready.push(inFlight.start(task, now))
        } else {
          hostSlotTimes.set(taskName(task), admission.until)
          result.waiting.push({ task, until: admission.until })
        }
      }
      return result
    },

    nextHostSlotAt() {
      let first: Instant | undefined
      for (const at of hostSlotTimes.values()) if (first === undefined || at < first) first = at
      return first
    },

    forgetPassedSlots(now) {
      for (const [name, at] of hostSlotTimes) if (at <= now) hostSlotTimes.delete(name)
    },
  }
}
