/**
 * What becomes of thousands of new entries at once. They are told to the store in portions, between which others get their
 * turn; what makes the next poll conditional comes with the last one, so that a crash in between costs a second look and
 * no entry. And there is a limit to what one feed may fill the store with in a day, whoever brings it, in however small
 * helpings: the rest waits, and is looked for again, as if it had not been seen.
 */
import { setImmediate as letOthers } from 'node:timers/promises'
import { DAY, type FeedId } from '../model/index.ts'
import type { FeedChange, PollRecord, Store } from '../ports/index.ts'

/** Written in some ten milliseconds. */
const PORTION = 500
/** Of one feed: two of the largest documents that are read, and more than any publisher says. */
export const MOST_A_DAY = 20_000
/** Makes the next poll look at everything again. */
export const UNSEEN: FeedChange = { validators: {}, bodyHash: null, windowHash: null }

export function isMany({ fresh }: PollRecord): boolean {
  return fresh.length > PORTION
}

/** False, as for any poll, if the store did not want it. */
export async function recordInPortions(store: Store, record: PollRecord): Promise<boolean> {
  const { fresh } = record
  let left = fresh.length
  for (; left > PORTION; left -= PORTION) {
    await letOthers()
    const portion = fresh.slice(left - PORTION, left) // from the bottom of the document, where the oldest are
    await store.recordPolls([{ ...record, fresh: portion, changed: [], pages: [], entriesOnly: true }])
  }
  await letOthers()
  const [isTaken = false] = await store.recordPolls([{ ...record, fresh: fresh.slice(0, left) }])
  return isTaken
}

export interface DayBound {
  /** What of it may be kept, and how many entries may not. Until it is `written`, its entries count as if they were. */
  within(record: PollRecord): Promise<{ record: PollRecord; left: number }>
  /** It was written, or never will be. */
  written(record: PollRecord): void
}

/** Polls and hubs bring entries of one feed at the same time: what is on its way to the store is counted here. */
export function createDayBound(store: Store): DayBound {
  const onTheirWay = new Map<FeedId, number>()
  const waiting = (id: FeedId) => onTheirWay.get(id) ?? 0

  function expect(id: FeedId, more: number): void {
    const count = waiting(id) + more
    if (count > 0) onTheirWay.set(id, count)
    else onTheirWay.delete(id)
  }

  return {
    async within(record) {
      const { poll, fresh, feed = {} } = record
      if (fresh.length === 0 || poll.result.kind !== 'read') return { record, left: 0 }
      const { feedId } = poll
      const before = waiting(feedId) // may be written while the store answers
      const [counted = 0] = await store.newEntries([feedId], poll.at - DAY)
      const room = Math.max(0, MOST_A_DAY - counted - Math.max(before, waiting(feedId)))
      const kept = Math.min(room, fresh.length)
      expect(feedId, kept)
      if (kept === fresh.length) return { record, left: 0 }
      const result = { ...poll.result, fresh: kept }
      const within = { ...record, poll: { ...poll, result }, fresh: fresh.slice(0, kept), feed: { ...feed, ...UNSEEN } }
      return { record: within, left: fresh.length - kept }
    },
    written({ poll, fresh }) {
      if (poll.result.kind === 'read') expect(poll.feedId, -fresh.length)
    },
  }
}
