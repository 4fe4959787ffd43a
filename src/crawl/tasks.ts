/** From what is due to the task that is sent out for it, and back. */
import type { FeedId, Instant, Millis, Outcome, ScheduledFeed, Source, Task } from '../model/index.ts'
import { auditDue } from '../politeness/index.ts'
import type { HandedBack } from '../ports/index.ts'

/**
 * An errand goes before a poll. A poll is conditional, unless the server's validators lie or are to be tested. `chance` in
 * [0, 1) keeps those tests apart.
 */
export function feedTask({ feed, schedule }: ScheduledFeed, gapMs: Millis, now: Instant, chance: number): Task {
  const { id, url, validators, bodyHash, windowHash, subscribers, errand } = feed
  if (errand?.kind === 'backfill')
    return { kind: 'poll', feedId: id, url: errand.url, validators: {}, subscribers, gapMs, page: true }
  if (errand?.kind === 'seek') return { kind: 'seek', feedId: id, url: errand.url, gapMs }
  const lies = schedule.trust?.trust === 'lies'
  const unconditionalFor = lies ? 'lies' : auditDue(schedule.trust, now, chance) ? 'audit' : undefined
  const hashes = { ...(bodyHash && { bodyHash }), ...(windowHash && { windowHash }) }
  const task: Task = { kind: 'poll', feedId: id, url, validators, subscribers, gapMs, ...hashes }
  return unconditionalFor ? { ...task, validators: {}, unconditionalFor } : task
}

export function sourceTask({ id, url, folder, failures }: Source, gapMs: Millis): Task {
  return { kind: 'discover', sourceId: id, url, failures, gapMs, ...(folder && { folder }) }
}

/** One for all tasks of a feed or a source: there is never more than one out. */
export function nameOf(task: Task): string {
  return task.kind === 'discover' ? `source ${task.sourceId}` : `feed ${task.feedId}`
}

export function itemOf(task: Task): HandedBack {
  return task.kind === 'discover' ? { kind: 'source', id: task.sourceId } : { kind: 'feed', id: task.feedId }
}

export function feedIdOf({ task }: Outcome): FeedId {
  if (task.kind === 'discover') throw new Error('a discovery has no feed yet')
  return task.feedId
}
