/**
 * Where redirects lead, and whose turn that needs. A terminal follows redirects within the hosts that its task goes to; to
 * any other it comes back with the hosts to which the way leads, as far as is known now. They are noted, and the task goes
 * again when all of them are free. So a first redirect is a question asked twice, and no host is ever visited out of turn.
 *
 * That comes to an end: each time one host more is known, and there are never more than a few.
 */
import type { Feed, FeedId, Outcome, OutcomeResult, SourceId, Task, WebAddress } from '../model/index.ts'
import { tenantOf } from '../politeness/index.ts'
import type { PollRecord, Store } from '../ports/index.ts'
import { tenantsOf } from './doors.ts'
import { failed } from './reading.ts'
import { isOfFeed, itemsOf, nameOf } from './tasks.ts'

/** As many as there may be redirects. */
export const MOST_ENDS = 5

/** Whether a task may go there, now that it is on its way. */
export function within(task: Task): (url: WebAddress) => boolean {
  const tenants = tenantsOf(task)
  return (url) => tenants.includes(tenantOf(url))
}

/** The way leads to these addresses, too. */
export function elsewhere({ ends = [] }: { ends?: string[] }, addresses: WebAddress[]): OutcomeResult {
  const all = [...new Set([...ends, ...addresses.map(tenantOf)])]
  if (ends.length < MOST_ENDS) return { kind: 'elsewhere', ends: all.slice(0, MOST_ENDS) }
  return failed({ kind: 'redirects', detail: `they lead to more than ${MOST_ENDS} other hosts` })
}

/** Where tasks lead to, noted. */
export interface Ends {
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

export function createEnds(store: Store): Ends {
  const sources = new Map<SourceId, string[]>()
  /** By the names of their tasks. */
  const waiting = new Set<string>()
  return {
    ofSource: (id) => sources.get(id),
    async note(led) {
      for (const { task, result } of led) {
        if (result.kind !== 'elsewhere') continue
        waiting.delete(nameOf(task))
        waiting.add(nameOf(task))
        const [first] = waiting
        if (waiting.size > MOST_WAITING && first !== undefined) waiting.delete(first)
        if (isOfFeed(task)) await store.changeFeed(task.feedId, { ends: result.ends })
        if (task.kind !== 'discover') continue
        sources.delete(task.sourceId)
        sources.set(task.sourceId, result.ends)
        const [oldest] = sources.keys()
        if (sources.size > MOST_SOURCES && oldest !== undefined) sources.delete(oldest)
      }
      if (led.length > 0) await store.handBack(led.flatMap(({ task }) => itemsOf(task)))
    },
    again: (what) => ({
      feeds: what.feeds.filter((id) => waiting.delete(`feed ${id}`)),
      sources: what.sources.filter((id) => waiting.delete(`source ${id}`)),
    }),
    gone(task) {
      waiting.delete(nameOf(task))
    },
  }
}

/** The record, with the hosts that the poll has led to. Trouble on the way says nothing of them, but for one kind. */
export function withEnds(record: PollRecord, feed: Feed, { result }: Outcome): PollRecord {
  const ends = endsAfter(record.feed?.url ?? feed.url, feed.ends, result)
  if (JSON.stringify(ends) === JSON.stringify(feed.ends)) return record
  return { ...record, feed: { ...record.feed, ends: ends ?? null } }
}

function endsAfter(url: WebAddress, before: string[] | undefined, result: OutcomeResult): string[] | undefined {
  if (result.kind === 'failed') return result.failure.kind === 'redirects' ? undefined : before
  if (result.kind !== 'window' && result.kind !== 'not-modified') return before
  const own = tenantOf(url)
  const passed = (result.arrival?.redirects ?? []).map(({ to }) => tenantOf(to)).filter((tenant) => tenant !== own)
  return passed.length > 0 ? [...new Set(passed)] : undefined
}
