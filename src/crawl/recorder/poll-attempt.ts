/** How and when somebody went to look, as the log of polls says it. */
import type { Feed, Outcome, Poll, Task, Validators } from '../../model/index.ts'

/** A poll, but for whose it was and what came of it. */
export type Attempt = Omit<Poll, 'feedId' | 'restUntil' | 'result'>

export function attemptOf({ task, at, tookMs, bytes }: Outcome, feed: Pick<Feed, 'validators'>): Attempt {
  return { at, tookMs, bytes, ...howAsked(task, feed), ...occasionOf(task) }
}

/** A poll that had validators to send, sent none, and was no test, has no excuse: the audit of our conduct will say so. */
function howAsked(task: Task, feed: Pick<Feed, 'validators'>): Pick<Poll, 'conditional' | 'unconditionalFor'> {
  if (task.kind === 'poll' && hasAny(task.validators)) return { conditional: true }
  if (task.kind === 'poll' && task.unconditionalFor)
    return { conditional: false, unconditionalFor: task.unconditionalFor }
  return { conditional: false, ...(!hasAny(feed.validators) && { unconditionalFor: 'no-validators' }) }
}

function occasionOf(task: Task): Pick<Poll, 'occasion'> {
  if (task.kind === 'seek') return { occasion: 'seek' }
  return task.kind === 'poll' && task.byHand ? { occasion: 'hand' } : {}
}

function hasAny({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined
}
