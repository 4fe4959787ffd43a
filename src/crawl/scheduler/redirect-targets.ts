/**
 * Records redirect targets. A task that was redirected to a host it holds no slot of (fetcher/unplanned-redirect.ts) is sent again when all
 * hosts are free. So the first redirect costs a second request, and no host is visited before its slot is free.
 */
import type { FeedId, Outcome, SourceId, Task } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { redirectTargetsChange } from '../recorder/redirected-feed.ts'
import { isOfFeed, leasedItemsOf, taskName } from '../task.ts'

export interface RedirectTargets {
  /** The redirect targets of a source. Only in memory: forgetting them costs one request. */
  ofSource(id: SourceId): string[] | undefined
  /** Records the targets of redirected tasks and releases their leases, so they are due at once. */
  record(redirected: Outcome[]): Promise<void>
  /** The redirected tasks that have not been sent again. Each is returned once. */
  takeRedirected(what: { feeds: FeedId[]; sources: SourceId[] }): { feeds: FeedId[]; sources: SourceId[] }
  /** Notes that the task was sent again. */
  markSent(task: Task): void
}

const MAX_SOURCES = 10_000
const MAX_WAITING = 10_000 // removed feeds and sources never leave by themselves

export function createRedirectTargets({
  dueQueue,
  feedRegistry,
}: Pick<Roles, 'dueQueue' | 'feedRegistry'>): RedirectTargets {
  const sources = new Map<SourceId, string[]>()
  /** Names of tasks that were redirected and not sent again yet. */
  const waiting = new Set<string>()
  return {
    ofSource: (id) => sources.get(id),
    async record(redirected) {
      for (const { task, result } of redirected) {
        if (result.kind !== 'elsewhere') continue
        waiting.delete(taskName(task))
        waiting.add(taskName(task))
        const [first] = waiting
        if (waiting.size > MAX_WAITING && first !== undefined) waiting.delete(first)
        if (isOfFeed(task)) await feedRegistry.changeFeed(task.feedId, redirectTargetsChange(result.ends))
        if (task.kind !== 'discover') continue
        sources.delete(task.sourceId)
        sources.set(task.sourceId, result.ends)
        const [oldest] = sources.keys()
        if (sources.size > MAX_SOURCES && oldest !== undefined) sources.delete(oldest)
      }
      if (redirected.length > 0) await dueQueue.releaseLeases(redirected.flatMap(({ task }) => leasedItemsOf(task)))
    },
    takeRedirected: (what) => ({
      feeds: what.feeds.filter((id) => waiting.delete(`feed ${id}`)),
      sources: what.sources.filter((id) => waiting.delete(`source ${id}`)),
    }),
    markSent(task) {
      waiting.delete(taskName(task))
    },
  }
}
