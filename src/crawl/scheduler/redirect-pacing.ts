/**
 * Through which doors a task goes: those of its own address, and those of every other host to which redirects may take it.
 * Hundreds of feeds on domains of their own may all be served by one host: it has one visitor at a time all the same.
 *
 * A task is told which hosts those are (`ends`); a redirect to any other is not followed (`terminal`). So nobody comes to a
 * host before its turn, not even the first time.
 */
import type { Instant, Millis, Outcome, Task, WebAddress } from '../../model/index.ts'
import { doorsOf, type Pace, type Turn, tenantOf } from '../../politeness/index.ts'
import { taskName, tenantsOf } from '../task.ts'

export interface RedirectPace {
  /** In at all of them, or at none. */
  enter(task: Task, now: Instant): Turn
  /** The same for those who let all others go first. */
  enterLast(task: Task, now: Instant): Turn
  /** It is inside already, whoever let it in. */
  occupy(task: Task, sinceAt: Instant): void
  leave(outcome: Outcome, now: Instant): void
  /** It was let in, and could not be sent. */
  turnBack(task: Task, now: Instant): void
  /** The pause that this address is owed. */
  gapMs(url: WebAddress, now: Instant): Millis
  /** The earliest moment at which this address may be visited, if nobody waits there. */
  freeAt(url: WebAddress, now: Instant): Instant
}

export function createRedirectPace(pace: Pace): RedirectPace {
  /** Those who are inside, by the name of their task. */
  const inside = new Map<string, string[]>()

  function turnBack(task: Task, now: Instant): void {
    for (const door of inside.get(taskName(task)) ?? []) pace.leave(door, now)
    inside.delete(taskName(task))
  }

  function noted(task: Task, doors: string[], turn: Turn): Turn {
    if (turn.kind === 'go') inside.set(taskName(task), doors)
    return turn
  }

  return {
    enter(task, now) {
      const doors = doorsTo(tenantsOf(task))
      return noted(task, doors, pace.enter(doors, taskName(task), now))
    },
    enterLast(task, now) {
      const doors = doorsTo(tenantsOf(task))
      return noted(task, doors, pace.enterLast(doors, now))
    },
    occupy(task, sinceAt) {
      const doors = doorsTo(tenantsOf(task))
      pace.occupy(doors, sinceAt)
      inside.set(taskName(task), doors)
    },
    leave: ({ task }, now) => turnBack(task, now),
    turnBack,
    gapMs: (url, now) => Math.max(...doorsOf(tenantOf(url)).map((door) => pace.gapMs(door, now))),
    freeAt: (url, now) => Math.max(...doorsOf(tenantOf(url)).map((door) => pace.freeAt(door, now))),
  }
}

function doorsTo(tenants: string[]): string[] {
  return [...new Set(tenants.flatMap(doorsOf))]
}
