/**
 * Runs operations that read and then write data of a user one after the other, so that none overwrites another. Those of different users
 * run in parallel. Only covers this process: other servers of a fleet have their own queues.
 */
import type { UserId } from '../model/index.ts'

export type PerUserQueue = <Result>(userId: UserId, act: () => Promise<Result>) => Promise<Result>

export function createPerUserQueue(): PerUserQueue {
  /** The last operation of each user that is not finished. */
  const last = new Map<UserId, Promise<unknown>>()

  return async (userId, act) => {
    const operation = (last.get(userId) ?? Promise.resolve()).catch(() => {}).then(act)
    last.set(userId, operation)
    try {
      return await operation
    } finally {
      if (last.get(userId) === operation) last.delete(userId)
    }
  }
}
