/**
 * Marks entries as indexed by the write that records their groups, which follows in the same round: one transaction less. Until then they
 * stay in the queue; after a crash in between they are indexed again, which changes nothing.
 */
import type { PendingWork, QueuePosition } from '../../ports/index.ts'

export interface DeferredIndexMarks extends PendingWork {
  /** Call it at the end of a round: marks what no write of groups has marked. */
  flush(): Promise<void>
}

export function deferIndexMarks(pendingWork: PendingWork): DeferredIndexMarks {
  let deferred: QueuePosition[] = []

  async function flush(): Promise<void> {
    if (deferred.length > 0) await pendingWork.markIndexed(deferred)
    deferred = []
  }

  return {
    ...pendingWork,
    flush,
    async unindexed(limit) {
      await flush() // they would be returned again
      return pendingWork.unindexed(limit)
    },
    async markIndexed(positions) {
      deferred.push(...positions)
    },
    async recordGroups(entries, positions, at, boilerplate) {
      const moves = await pendingWork.recordGroups(entries, positions, at, boilerplate, deferred)
      deferred = []
      return moves
    },
  }
}
