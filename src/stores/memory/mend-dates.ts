/** What a clock that was ahead has left behind, in the memory store. */
import type { Instant } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { type HeldFeed, logLines, type State } from './state.ts'

export function mendingOf(state: State): Pick<Store, 'mendDates'> {
  return {
    async mendDates(now, furthest) {
      let mended = 0
      const mend = (isWrong: boolean, repair: () => void) => {
        if (!isWrong) return
        mended++
        repair()
      }
      for (const held of state.feeds.values()) {
        mend((held.schedule.polledAt ?? 0) > now, () => begunAnew(held, now))
        mend(held.schedule.dueAt > furthest, () => Object.assign(held.schedule, { dueAt: now }))
      }
      for (const held of [...state.feeds.values(), ...state.sources.values()])
        mend((held.lease?.until ?? 0) > furthest, () => delete held.lease)
      for (const { source } of state.sources.values())
        mend(source.dueAt > furthest, () => Object.assign(source, { dueAt: now }))
      for (const entry of state.entries.values()) mend(entry.seenAt > now, () => Object.assign(entry, { seenAt: now }))
      for (const poll of logLines(state).flat()) mend(poll.at > now, () => Object.assign(poll, { at: now - 1 }))
      for (const signature of state.signatures.values())
        mend(signature.placedAt > now, () => Object.assign(signature, { placedAt: now }))
      for (const line of state.articles.lines.values()) {
        mend(line.notBeforeAt > furthest, () => Object.assign(line, { notBeforeAt: now }))
        mend((line.lease?.until ?? 0) > furthest, () => delete line.lease)
      }
      for (const { article } of state.articles.held.values())
        mend((article.dueAt ?? 0) > furthest, () => Object.assign(article, { dueAt: now }))
      for (const push of state.pushes.values())
        mend(push.dueAt > furthest || (push.leaseUntil ?? 0) > furthest, () => {
          Object.assign(push, { dueAt: now, revision: (push.revision ?? 0) + 1 })
          for (const name of ['leaseUntil', 'askedAt', 'provenAt', 'missedAt'] as const) delete push[name]
        })
      for (const [origin, { record }] of state.robots) mend(record.fetchedAt > now, () => state.robots.delete(origin))
      for (const host of state.hosts.values()) {
        mend((host.crawlDelay?.until ?? 0) > furthest, () => delete host.crawlDelay)
        if (mended > 0) mend(host.incident !== undefined, () => delete host.incident)
      }
      return mended
    },
  }
}

function begunAnew({ schedule }: HeldFeed, now: Instant): void {
  const { succeededAt, dueAt } = schedule
  Object.assign(schedule, { memory: new Uint8Array(0), polledAt: now - 1, dueAt: Math.min(dueAt, now) })
  if (succeededAt !== undefined) schedule.succeededAt = Math.min(succeededAt, now - 1)
  delete schedule.trust
}
