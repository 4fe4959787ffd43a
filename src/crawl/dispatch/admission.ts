/**
 * Who may go. A task needs a free hand, a poll that the budget can pay for, a host that is not in trouble, and its turn at every
 * root that it may visit: all of that is asked here, in this order, and nowhere else. Whoever is let in is under way (flights.ts);
 * who has to wait is told until when.
 */
import type { FeedId, Instant, Task } from '../../model/index.ts'
import type { Turn } from '../../politeness/index.ts'
import { isOfFeed, taskName, tenantsOf } from '../task.ts'
import type { SetAside } from '../wall.ts'
import type { Budget } from './budget.ts'
import type { Flights } from './flights.ts'
import type { HostMemory } from './host-memory.ts'
import type { RedirectPace } from './redirect-pace.ts'

export interface AdmissionParts {
  flights: Flights
  hosts: Pick<HostMemory, 'mayGo'>
  redirectPace: RedirectPace
  budget: Pick<Budget, 'brokeUntil' | 'pay'>
  setAside: SetAside
  hands: () => number
  /** It is on its way. */
  gone: (task: Task) => void
}

export interface Admitted<Kind extends Task> {
  going: Kind[]
  /** For a turn, for what the budget allows, or, without a date, for a free hand. */
  waiting: { task: Kind; until?: Instant }[]
}

export interface Admission {
  /** `asked`: by a person, whom an incident does not hold back. `paid`: feeds whose polls the budget pays for. */
  admit<Kind extends Task>(
    tasks: Kind[],
    now: Instant,
    how: { asked: boolean; paid?: ReadonlySet<FeedId> },
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
    async admit(tasks, now, { asked, paid }) {
      const isPaid = (task: Task) => task.kind === 'poll' && !task.byHand && paid?.has(task.feedId) === true
      const admitted: Admitted<(typeof tasks)[number]> = { going: [], waiting: [] }
      for (const task of tasks) {
        if (flights.size >= hands()) {
          admitted.waiting.push({ task })
          continue
        }
        const brokeUntil = isPaid(task) ? budget.brokeUntil(now) : undefined
        if (brokeUntil !== undefined) {
          admitted.waiting.push({ task, until: brokeUntil })
          continue
        }
        let turn: Turn
        try {
          turn = (asked ? undefined : incidentIn(task, now)) ?? redirectPace.enter(task, now)
        } catch (error) {
          await setAside(task, error, `finding a turn for ${task.url}`)
          continue
        }
        if (turn.kind === 'go') {
          turns.delete(taskName(task))
          if (isPaid(task)) budget.pay(now)
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
