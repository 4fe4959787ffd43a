/** What others have to say to the next date that a poll has set: a host that is in trouble, or a hub that brings the news. */
import type { Push, Schedule, ScheduledFeed } from '../../model/index.ts'
import { backoffUntil, isRelied, notBeforeByHints, polledAfter, SAFETY_POLL_MS } from '../../politeness/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { Policy } from './policy.ts'

/** A failure of the host is told, but does not make the feed wait longer than a first one would. */
export function withoutBlame(record: PollRecord, { feed, schedule }: ScheduledFeed, { terms }: Policy): PollRecord {
  const { at, result } = record.poll
  if (result.kind !== 'failed') return record
  const dueAt = Math.max(at + terms(feed).limits.minMs, backoffUntil(result.failure, 0, at, 0))
  return rescheduled(record, { failures: schedule.failures, dueAt })
}

/** While a hub tells us what is new, polls are for safety only. */
export function relaxed(
  record: PollRecord,
  held: ScheduledFeed,
  push: Push | undefined,
  { terms }: Policy,
): PollRecord {
  const { poll, schedule, fresh, feed: change } = record
  const { at, result } = poll
  if (!push || result.kind === 'failed' || change?.errand || held.feed.errand) return record
  const after = polledAfter(push, fresh, { at, lastAt: held.schedule.polledAt ?? at })
  if (!isRelied(after, at)) return record
  const { limits, price } = terms(held.feed)
  const safeAt = at + Math.min(SAFETY_POLL_MS, limits.maxMs)
  if (safeAt <= schedule.dueAt) return record
  const hints = change?.hints === undefined ? held.feed.hints : change.hints
  return rescheduled(record, { dueAt: notBeforeByHints(hints ?? {}, at, safeAt), because: { by: 'push', price } })
}

function rescheduled(record: PollRecord, change: Partial<Schedule>): PollRecord {
  return { ...record, schedule: { ...record.schedule, ...change } }
}
