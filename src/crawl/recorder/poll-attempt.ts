/** When and how a poll was made, as the poll log records it. */
import type { Feed, Outcome, Poll, Task, Validators } from '../../model/index.ts'

/** A poll without its feed and result. */
export type PollAttempt = Omit<Poll, 'feedId' | 'waitUntil' | 'result'>

export function pollAttemptOf({ task, at, tookMs, bytes }: Outcome, feed: Pick<Feed, 'validators'>): PollAttempt {
  return { at, tookMs, bytes, ...conditionOf(task, feed), ...occasionOf(task) }
}

/** An unconditional poll states its reason, unless it is a bug; `freshet audit` reports polls without one. */
function conditionOf(task: Task, feed: Pick<Feed, 'validators'>): Pick<Poll, 'conditional' | 'unconditionalFor'> {
  if (task.kind === 'poll' && hasAny(task.validators)) return { conditional: true }
  if (task.kind === 'poll' && task.unconditionalFor)
    return { conditional: false, unconditionalFor: task.unconditionalFor }
  return { conditional: false, ...(!hasAny(feed.validators) && { unconditionalFor: 'no-validators' }) }
}

function occasionOf(task: Task): Pick<Poll, 'occasion'> {
  if (task.kind === 'moved-feed') return { occasion: 'moved-feed' }
  return task.kind === 'poll' && task.isManual ? { occasion: 'manual' } : {}
}

function hasAny({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined
}
