/**
 * What becomes of thousands of new entries at once. They are told to the store in portions, between which others get their
 * turn; what makes the next poll conditional comes with the last one, so that a crash in between costs a second look and
 * no entry. And there is a limit to what one feed may fill the store with in a day: the rest waits, and is looked for
 * again, as if it had not been seen.
 */
import { setImmediate as letOthers } from 'node:timers/promises'
import { DAY } from '../model/index.ts'
import type { PollRecord, Store } from '../ports/index.ts'

/** Written in some ten milliseconds. */
const PORTION = 500
/** Of one feed: two of the largest documents that are read, and more than any publisher says. */
export const MOST_A_DAY = 20_000

/** So many in every minute of a day are what a feed may have. */
const FEW = Math.floor(MOST_A_DAY / (24 * 60))

export function mayBeTooMany({ fresh }: PollRecord): boolean {
  return fresh.length > FEW
}

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

/** What of it may be kept, and how many entries may not. */
export async function withinDay(store: Store, record: PollRecord): Promise<{ record: PollRecord; left: number }> {
  const { poll, fresh, feed = {} } = record
  const sinceAt = poll.at - DAY
  const lately = await store.polls({ feedId: poll.feedId, since: sinceAt, limit: Number.MAX_SAFE_INTEGER })
  const before = lately.reduce((sum, { result }) => sum + (result.kind === 'read' ? result.fresh : 0), 0)
  const kept = Math.max(0, MOST_A_DAY - before)
  if (fresh.length <= kept || poll.result.kind !== 'read') return { record, left: 0 }
  const unseen = { validators: {}, bodyHash: null, windowHash: null }
  return {
    record: {
      ...record,
      poll: { ...poll, result: { ...poll.result, fresh: kept } },
      fresh: fresh.slice(0, kept),
      feed: { ...feed, ...unseen },
    },
    left: fresh.length - kept,
  }
}
