/**
 * Which tasks go now. A task needs a free slot, a poll that is worth its price, a host that is not in trouble, and its turn at every
 * root that it may visit: all of that is asked here, in this order, and nowhere else. A task that is let in is in flight (in-flight-tasks.ts);
 * one that has to wait is told until when.
 */
import type { DueReason, FeedId, Instant, ScheduledFeed, Task } from '../../model/index.ts'
import type { Turn } from '../../politeness/index.ts'
import type { SetAside } from '../error-boundary.ts'
import { isOfFeed, taskName, tenantsOf } from '../task.ts'
import type { Budget } from './budget.ts'
import type { HostMemory } from './host-memory.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RedirectPace } from './redirect-pacing.ts'

export interface AdmissionParts {
  flights: Flights
  hosts: Pick<HostMemory, 'mayGo'>
  redirectPace: RedirectPace
  budget: Pick<Budget, 'waits' | 'pay'>
  setAside: SetAside
  hands: () => number
  /** It is on its way. */
  gone: (task: Task) => void
}

export interface Waiting<Kind extends Task = Task> {
  task: Kind
  until?: Instant
  /** Where the budget has set the date. */
  because?: DueReason
}

export interface Admitted<Kind extends Task> {
  going: Kind[]
  /** For a turn, for the budget, or, without a date, for a free slot. */
  waiting: Waiting<Kind>[]
}

export interface Admission {
  /** `asked`: by a person, whom an incident does not hold back. `due`: feeds that are polled because they are due, and not for a person. */
  admit<Kind extends Task>(
    tasks: Kind[],
    now: Instant,
    how: { asked: boolean; due?: ReadonlyMap<FeedId, ScheduledFeed> },
  ): Promise<Admitted<Kind>>
  /** When the first of those comes on who were told to wait for their turn at a root. */
  nextTurnAt(): Instant | undefined
  /** Those whose turn has come and who did not: they were removed or paused. */
  forgetMissed(now: Instant): void
}

export function createAdmission(parts: AdmissionParts): Admission {
  const { flights, hosts, redirectPace, budget, setAside, hands, gone } = parts
  const turns = new Map<string, Instant>()

  /** While a host is in trouble, only few feeds go there and look. */
  function incidentIn(task: Task, now: Instant): Turn | undefined {
    if (!isOfFeed(task)) return undefined
    for (const tenant of tenantsOf(task)) {
      const underWay = () =>
        flights.all().filter((one) => isOfFeed(one.task) && tenantsOf(one.task).includes(tenant)).length
      const turn = hosts.mayGo(tenant, underWay, now)
      if (turn) return turn
    }
    return undefined
  }

  return {
    async admit(tasks, now, { asked, due }) {
      const heldOf = (task: Task) => (task.kind === 'poll' && !task.byHand ? due?.get(task.feedId) : undefined)
      const admitted: Admitted<(typeof tasks)[number]> = { going: [], waiting: [] }
      for (const task of tasks) {
        if (flights.size >= hands()) {
          admitted.waiting.push({ task })
          continue
        }
        const held = heldOf(task)
        let turn: Turn
        try {
          const wait = held && budget.waits(held, now)
          if (wait) {
            admitted.waiting.push({ task, ...wait })
            continue
          }
          turn = (asked ? undefined : incidentIn(task, now)) ?? redirectPace.enter(task, now)
        } catch (error) {
          await setAside(task, error, `finding a turn for ${task.url}`)
          continue
        }
        if (turn.kind === 'go') {
          turns.delete(taskName(task))
          if (held) budget.pay(now)
          gone(task)
          admitted.going.push(flights.depart(task, now))
        } else {
          turns.set(taskName(task), turn.until)
          admitted.waiting.push({ task, until: turn.until })
        }
      }
      return admitted
    },

    nextTurnAt() {
      let first: Instant | undefined
      for (const at of turns.values()) if (first === undefined || at < first) first = at
      return first
    },

    forgetMissed(now) {
      for (const [name, at] of turns) if (at <= now) turns.delete(name)
    },
  }
}
