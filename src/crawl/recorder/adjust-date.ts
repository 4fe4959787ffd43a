/** Adjusts the due date that a poll set: for host failures, and for feeds with a hub that pushes. */
import type { HubSubscription, Schedule, ScheduledFeed } from '../../model/index.ts'
import { afterPoll, backoffUntil, isReliable, notBeforeByHints, SAFETY_POLL_MS } from '../../politeness/index.ts'
import type { PollRecord } from '../../ports/index.ts'
import type { Policy } from './policy.ts'

/** A host failure is recorded, but the feed waits no longer than after a first failure. */
export function withoutHostFailure(
  record: PollRecord,
  { feed, schedule }: ScheduledFeed,
  { terms }: Policy,
): PollRecord {
  const { at, result } = record.poll
  if (result.kind !== 'failed') return record
  const dueAt = Math.max(at + terms(feed).limits.minMs, backoffUntil(result.failure, 0, at, 0))
  return rescheduled(record, { failures: schedule.failures, dueAt })
}

/** While a hub pushes reliably, polls are only a safety net. */
export function withSafetyInterval(
  record: PollRecord,
  scheduled: ScheduledFeed,
  push: HubSubscription | undefined,
  { terms }: Policy,
): PollRecord {
  const { poll, schedule, fresh, feed: change } = record
  const { at, result } = poll
  if (!push || result.kind === 'failed' || change?.followUp || scheduled.feed.followUp) return record
  const after = afterPoll(push, fresh, { at, lastAt: scheduled.schedule.polledAt ?? at })
  if (!isReliable(after, at)) return record
  const { limits, price } = terms(scheduled.feed)
  const safeAt = at + Math.min(SAFETY_POLL_MS, limits.maxMs)
  if (safeAt <= schedule.dueAt) return record
  const hints = change?.hints === undefined ? scheduled.feed.hints : change.hints
  return rescheduled(record, { dueAt: notBeforeByHints(hints ?? {}, at, safeAt), because: { by: 'push', price } })
}

function rescheduled(record: PollRecord, change: Partial<Schedule>): PollRecord {
  return { ...record, schedule: { ...record.schedule, ...change } }
}
