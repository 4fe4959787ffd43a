/** Repairs dates in the memory store that were written while the clock was ahead. */
import type { Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { logLines, type MemoryFeed, type State } from './state.ts'

export function dateRepairOf(state: State): Pick<Store, 'repairDates'> {
  return {
    async repairDates(now, furthest) {
      let repaired = 0
      const repairIf = (isWrong: boolean, repair: () => void) => {
        if (!isWrong) return
        repaired++
        repair()
      }
      for (const stored of state.feeds.values()) {
        repairIf((stored.schedule.polledAt ?? 0) > now, () => resetSchedule(stored, now))
        repairIf(stored.schedule.dueAt > furthest, () => Object.assign(stored.schedule, { dueAt: now }))
      }
      for (const stored of [...state.feeds.values(), ...state.sources.values()])
        repairIf((stored.lease?.until ?? 0) > furthest, () => delete stored.lease)
      for (const { source } of state.sources.values())
        repairIf(source.dueAt > furthest, () => Object.assign(source, { dueAt: now }))
      for (const entry of state.entries.values())
        repairIf(entry.seenAt > now, () => Object.assign(entry, { seenAt: now }))
      for (const poll of logLines(state).flat()) repairIf(poll.at > now, () => Object.assign(poll, { at: now - 1 }))
      for (const signature of state.signatures.values())
        repairIf(signature.placedAt > now, () => Object.assign(signature, { placedAt: now }))
      for (const queue of state.articles.queues.values()) {
        repairIf(queue.notBeforeAt > furthest, () => Object.assign(queue, { notBeforeAt: now }))
        repairIf((queue.lease?.until ?? 0) > furthest, () => delete queue.lease)
      }
      for (const { article } of state.articles.byId.values())
        repairIf((article.dueAt ?? 0) > furthest, () => Object.assign(article, { dueAt: now }))
      for (const subscription of state.hubSubscriptions.values())
        repairIf(subscription.dueAt > furthest || (subscription.leaseUntil ?? 0) > furthest, () => {
          Object.assign(subscription, { dueAt: now, revision: (subscription.revision ?? 0) + 1 })
          for (const name of ['leaseUntil', 'askedAt', 'provenAt', 'missedAt'] as const) delete subscription[name]
        })
      for (const [origin, { record }] of state.robots)
        repairIf(record.fetchedAt > now, () => state.robots.delete(origin))
      for (const host of state.hosts.values()) {
        repairIf((host.crawlDelay?.until ?? 0) > furthest, () => delete host.crawlDelay)
        if (repaired > 0) repairIf(host.incident !== undefined, () => delete host.incident)
      }
      return repaired
    },
  }
}

function resetSchedule({ schedule }: MemoryFeed, now: Instant): void {
  const { succeededAt, dueAt } = schedule
  Object.assign(schedule, { memory: new Uint8Array(0), polledAt: now - 1, dueAt: Math.min(dueAt, now) })
  if (succeededAt !== undefined) schedule.succeededAt = Math.min(succeededAt, now - 1)
  delete schedule.trust
}
