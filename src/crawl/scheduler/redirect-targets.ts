/**
 * Where redirects lead, noted. A task that was led to other hosts (terminal/led-elsewhere.ts) goes again when all of them
 * are free. So a first redirect is a question asked twice, and no host is ever visited out of turn.
 */
import type { FeedId, Outcome, SourceId, Task } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { endsOf } from '../recorder/redirected-feed.ts'
import { isOfFeed, itemsOf, taskName } from '../task.ts'

export interface RedirectEnds {
  /** Known while the crawler runs: to forget it costs a source one request. */
  ofSource(id: SourceId): string[] | undefined
  /** Tasks that were led elsewhere: they are due as before, and that is at once. */
  note(led: Outcome[]): Promise<void>
  /** Of these, those that were led elsewhere and are not on their way again; they are told once. */
  again(what: { feeds: FeedId[]; sources: SourceId[] }): { feeds: FeedId[]; sources: SourceId[] }
  /** It is on its way again. */
  gone(task: Task): void
}

const MOST_SOURCES = 10_000
const MOST_WAITING = 10_000 // those that were removed meanwhile never go again

export function createRedirectEnds({ agenda, subscriptions }: Pick<Roles, 'agenda' | 'subscriptions'>): RedirectEnds {
  const sources = new Map<SourceId, string[]>()
  /** By the names of their tasks. */
  const waiting = new Set<string>()
  return {
    ofSource: (id) => sources.get(id),
    async note(led) {
      for (const { task, result } of led) {
        if (result.kind !== 'elsewhere') continue
        waiting.delete(taskName(task))
        waiting.add(taskName(task))
        const [first] = waiting
        if (waiting.size > MOST_WAITING && first !== undefined) waiting.delete(first)
        if (isOfFeed(task)) await subscriptions.changeFeed(task.feedId, endsOf(result.ends))
        if (task.kind !== 'discover') continue
        sources.delete(task.sourceId)
        sources.set(task.sourceId, result.ends)
        const [oldest] = sources.keys()
        if (sources.size > MOST_SOURCES && oldest !== undefined) sources.delete(oldest)
      }
      if (led.length > 0) await agenda.handBack(led.flatMap(({ task }) => itemsOf(task)))
    },
    again: (what) => ({
      feeds: what.feeds.filter((id) => waiting.delete(`feed ${id}`)),
      sources: what.sources.filter((id) => waiting.delete(`source ${id}`)),
    }),
    gone(task) {
      waiting.delete(taskName(task))
    },
  }
}
