/** What can be told from a task alone: whose it is, and where it may go. */
import {
  type Bucket,
  bucketOf,
  type FeedId,
  type LeaseToken,
  type Outcome,
  type SourceId,
  type Task,
} from '../model/index.ts'
import { rootOf, rootOfHost, tenantOf } from '../politeness/index.ts'
import type { HandedBack } from '../ports/index.ts'

/** One for all tasks of a feed or a source: there is never more than one out. */
export function taskName(task: Task): string {
  if (task.kind === 'hub') return `push ${task.token}`
  if (task.kind === 'article') return `article ${task.articleId}`
  return task.kind === 'discover' ? `source ${task.sourceId}` : `feed ${task.feedId}`
}

/** Under which it went. */
export function leaseOf({ lease }: Task): { lease?: LeaseToken } {
  return lease === undefined ? {} : { lease }
}

/** None if it holds no lease: whoever asks a hub has moved the date already, and articles wait in lines of their own. */
export function itemsOf(task: Task): HandedBack[] {
  if (task.kind === 'hub' || task.kind === 'article') return []
  const lease = leaseOf(task)
  if (task.kind === 'discover') return [{ kind: 'source', id: task.sourceId, ...lease }]
  return [{ kind: 'feed', id: task.feedId, ...lease }]
}

/** Is it about a feed that we have? */
export function isOfFeed(task: Task): task is Extract<Task, { feedId: FeedId }> {
  return task.kind === 'poll' || task.kind === 'seek'
}

export function feedIdOf({ task }: Outcome): FeedId {
  if (!isOfFeed(task)) throw new Error(`a ${task.kind} task is of no feed`)
  return task.feedId
}

/** All that a task may visit. */
export function tenantsOf(task: Task): string[] {
  const ends = 'ends' in task ? (task.ends ?? []) : []
  return [...new Set([tenantOf(task.url), ...ends])]
}

/** Of the root that it ends at, as far as is known. */
export function bucketOfTask(task: Task): Bucket {
  const last = 'ends' in task ? task.ends?.at(-1) : undefined
  return bucketOf(last === undefined ? rootOf(task.url) : rootOfHost(last))
}

/** The feeds and sources that these are for. */
export function ofTasks(tasks: Task[]): { feeds: FeedId[]; sources: SourceId[] } {
  return {
    feeds: tasks.flatMap((task) => (isOfFeed(task) ? [task.feedId] : [])),
    sources: tasks.flatMap((task) => (task.kind === 'discover' ? [task.sourceId] : [])),
  }
}
