/**
 * An in-process queue shared by several controllers. Outcomes go to the owner of their task's bucket, wait until there is one, and are
 * redelivered when refused. Tasks that were never accepted can be recalled, as in the network queue.
 */
import type { Bucket, Outcome, Task } from '../../src/model/index.ts'
import { SECOND } from '../../src/model/index.ts'
import type { Clock, ControllerQueue, PerformTask } from '../../src/ports/index.ts'

export interface SharedQueue {
  /** Adds a controller. */
  join(): ControllerQueue
}

interface Member {
  owned: ReadonlySet<Bucket>
  apply?: (outcomes: Outcome[]) => Promise<void>
  /** The last delivery: outcomes are applied one at a time. */
  applied: Promise<void>
  isClosed: boolean
}

export function createSharedQueue(clock: Clock, perform: PerformTask): SharedQueue {
  const members = new Set<Member>()
  const accepted = new Set<string | undefined>()
  const undelivered = new Set<Outcome>()
  const never = new AbortController().signal

  async function deliver(outcome: Outcome): Promise<void> {
    undelivered.add(outcome)
    while (undelivered.has(outcome)) {
      const owner = [...members].find(({ owned, isClosed }) => !isClosed && owned.has(outcome.task.bucket!))
      if (owner?.apply) await apply(owner, outcome)
      if (undelivered.has(outcome)) await clock.sleepUntil(clock.now() + SECOND, never)
    }
  }

  function apply(owner: Member, outcome: Outcome): Promise<void> {
    owner.applied = owner.applied
      .then(() => owner.apply!([outcome]))
      .then(() => void undelivered.delete(outcome))
      .catch(() => {})
    return owner.applied
  }

  async function performAndDeliver(task: Task): Promise<void> {
    await deliver(await perform(task, never))
  }

  return {
    join() {
      const member: Member = { owned: new Set(), applied: Promise.resolve(), isClosed: false }
      members.add(member)
      return {
        isDurable: true,
        async send(tasks) {
          for (const task of tasks) {
            if (accepted.has(task.lease)) continue
            accepted.add(task.lease)
            void performAndDeliver(task)
          }
        },
        async recall(tasks) {
          for (const task of tasks) {
            if (accepted.has(task.lease)) continue
            accepted.add(task.lease)
            void deliver({ task, at: 0, tookMs: 0, bytes: 0, result: { kind: 'unsent' } })
          }
        },
        async assignBuckets(buckets) {
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
