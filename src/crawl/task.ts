/** What follows from a task alone: its name, leases, feeds and hosts. */
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
import type { LeaseRelease } from '../ports/index.ts'

/** The same for all tasks of a feed or a source: never more than one of them is in flight. */
export function taskName(task: Task): string {
  if (task.kind === 'hub') return `push ${task.token}`
  if (task.kind === 'article') return `article ${task.articleId}`
  return task.kind === 'discover' ? `source ${task.sourceId}` : `feed ${task.feedId}`
}

export function leaseOf({ lease }: Task): { lease?: LeaseToken } {
  return lease === undefined ? {} : { lease }
}

/** What was leased for the task. Empty for hub tasks, which have no lease. */
export function leasedItemsOf(task: Task): LeaseRelease[] {
  if (task.kind === 'hub') return []
  const lease = leaseOf(task)
  if (task.kind === 'article') return [{ kind: 'article', id: task.articleId, ...lease }]
  if (task.kind === 'discover') return [{ kind: 'source', id: task.sourceId, ...lease }]
  return [{ kind: 'feed', id: task.feedId, ...lease }]
}

/** Whether the task belongs to an existing feed. */
export function isOfFeed(task: Task): task is Extract<Task, { feedId: FeedId }> {
  return task.kind === 'poll' || task.kind === 'moved-feed'
}

export function feedIdOf({ task }: Outcome): FeedId {
  if (!isOfFeed(task)) throw new Error(`a ${task.kind} task has no feed`)
  return task.feedId
}

/** All tenants that the task may visit, including redirect targets. */
export function tenantsOf(task: Task): string[] {
  const ends = 'ends' in task ? (task.ends ?? []) : []
  return [...new Set([tenantOf(task.url), ...ends])]
}

/** The bucket of the root where its redirects end, as far as known. */
export function bucketOfTask(task: Task): Bucket {
  const last = 'ends' in task ? task.ends?.at(-1) : undefined
  return bucketOf(last === undefined ? rootOf(task.url) : rootOfHost(last))
}

/** The feeds and sources of these tasks. */
export function idsOfTasks(tasks: Task[]): { feeds: FeedId[]; sources: SourceId[] } {
  return {
    feeds: tasks.flatMap((task) => (isOfFeed(task) ? [task.feedId] : [])),
    sources: tasks.flatMap((task) => (task.kind === 'discover' ? [task.sourceId] : [])),
  }
}
