/**
 * An in-process queue shared by several controllers. Outcomes go to the owner of their task's bucket, wait until there is one, and are
 * redelivered when refused. Tasks that were never accepted can be recalled, as in the network queue.
 */
import type { Bucket, Outcome, Task } from '../../src/model/index.ts'
import { SECOND } from '../../src/model/index.ts'
import type { Clock, Dispatch, Perform } from '../../src/ports/index.ts'

export interface SharedQueue {
  /** One more controller's end. */
  join(): Dispatch
}

interface Member {
  owned: ReadonlySet<Bucket>
  apply?: (outcomes: Outcome[]) => Promise<void>
  /** One batch at a time. */
  applied: Promise<void>
  isClosed: boolean
}

export function createSharedQueue(clock: Clock, perform: Perform): SharedQueue {
  const members = new Set<Member>()
  const carried = new Set<string | undefined>()
  const kept = new Set<Outcome>()
  const never = new AbortController().signal

  async function deliver(outcome: Outcome): Promise<void> {
    kept.add(outcome)
    while (kept.has(outcome)) {
      const owner = [...members].find(({ owned, isClosed }) => !isClosed && owned.has(outcome.task.bucket!))
      if (owner?.apply) await bring(owner, outcome)
      if (kept.has(outcome)) await clock.sleepUntil(clock.now() + SECOND, never)
    }
  }

  function bring(owner: Member, outcome: Outcome): Promise<void> {
    owner.applied = owner.applied
      .then(() => owner.apply!([outcome]))
      .then(() => void kept.delete(outcome))
      .catch(() => {})
    return owner.applied
  }

  async function performed(task: Task): Promise<void> {
    await deliver(await perform(task, never))
  }

  return {
    join() {
      const member: Member = { owned: new Set(), applied: Promise.resolve(), isClosed: false }
      members.add(member)
      return {
        outlivesUs: true,
        async send(tasks) {
          for (const task of tasks) {
            if (carried.has(task.lease)) continue
            carried.add(task.lease)
            void performed(task)
          }
        },
        async recall(tasks) {
          for (const task of tasks) {
            if (carried.has(task.lease)) continue
            carried.add(task.lease)
            void deliver({ task, at: 0, tookMs: 0, bytes: 0, result: { kind: 'unsent' } })
          }
        },
        async own(buckets) {
          member.owned = buckets
        },
        collect(apply) {
          member.apply = apply
        },
        async close() {
          member.isClosed = true
          await member.applied
        },
      }
    },
  }
}
