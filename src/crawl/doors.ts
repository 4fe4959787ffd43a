/**
 * Through which doors a task goes: that of its own root, and, for a feed whose last answer came from elsewhere after a
 * redirect, that of the root it ends at. Hundreds of feeds on domains of their own may all be served by one host.
 *
 * Where feeds end is known as long as the crawler runs; after a restart, from their first answers on.
 */
import type { FeedId, Instant, Outcome, Task } from '../model/index.ts'
import { type Pace, rootOf } from '../politeness/index.ts'

type Turn = ReturnType<Pace['enter']>

export interface Doors {
  /** Goes in where the task ends, then, if `enterOwn` lets it, through its own; in at both, or at neither. */
  enter(task: Task, name: string, now: Instant, enterOwn: () => Turn): Turn
  leave(outcome: Outcome, now: Instant): void
  /** It was let in, and could not be sent. */
  turnBack(task: Task, now: Instant): void
}

export function createDoors(pace: Pace): Doors {
  const ends = new Map<FeedId, string>()
  /** Those that are inside there. */
  const inside = new Map<FeedId, string>()

  function enter(task: Task, name: string, now: Instant, enterOwn: () => Turn): Turn {
    if (task.kind !== 'poll') return enterOwn()
    const end = ends.get(task.feedId)
    if (end === undefined) return enterOwn()
    const turn = pace.enter(end, name, now)
    if (turn.kind === 'wait') return turn
    const own = enterOwn()
    if (own.kind === 'go') inside.set(task.feedId, end)
    else pace.leave(end, now)
    return own
  }

  function turnBack(task: Task, now: Instant): void {
    pace.leave(rootOf(task.url), now)
    if (task.kind !== 'poll') return
    const left = inside.get(task.feedId)
    if (left !== undefined) pace.leave(left, now)
    inside.delete(task.feedId)
  }

  function leave({ task, result }: Outcome, now: Instant): void {
    turnBack(task, now)
    if (task.kind !== 'poll') return
    const root = rootOf(task.url)
    if (result.kind !== 'window' && result.kind !== 'not-modified') return
    const end = result.arrival ? rootOf(result.arrival.finalUrl) : root
    if (end === root) ends.delete(task.feedId)
    else ends.set(task.feedId, end)
  }

  return { enter, leave, turnBack }
}
