/**
 * Buckets that come to us, and go. Who takes one over adopts the flights that the one before has left, by their leases: they hold
 * their host slots until they land or their leases end, for a terminal may still be on its way. Of some the one before had only the
 * lease when it died, and nobody was sent: the queue is asked to call those back. Who gives a bucket up forgets its flights and all
 * that was known of its roots; the store has what matters. Whatever fails in a takeover is done again: nothing counts as done before.
 */
import {
  type Bucket,
  bucketOf,
  type Instant,
  type LeaseToken,
  type Owned,
  type ScheduledFeed,
  type Source,
  type StoredArticle,
  type Task,
} from '../../model/index.ts'
import { rootOfHost } from '../../politeness/index.ts'
import type { Clock, Dispatch, Leased, Roles } from '../../ports/index.ts'
import { bucketOfTask } from '../task.ts'
import type { PageTurns } from './article-scheduling.ts'
import type { HostMemory } from './host-memory.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RedirectPace } from './redirect-pacing.ts'

export interface HandoverParts extends Pick<Roles, 'agenda' | 'catalogue' | 'articleCatalogue'> {
  clock: Clock
  queue: Pick<Dispatch, 'recall'>
  flights: Flights
  hosts: Pick<HostMemory, 'forget'>
  pages: Pick<PageTurns, 'forget'>
  redirectPace: Pick<RedirectPace, 'occupy' | 'turnBack'>
  ofFeed: (held: Leased<ScheduledFeed>) => Task
  ofSource: (source: Leased<Source>) => Task
  ofPage: (page: Leased<StoredArticle>) => Task
}

export interface Handover {
  /** These are ours from now on. Repeatable: what was adopted is adopted once. */
  gain(buckets: Owned): Promise<void>
  /** They are not, any more. */
  lose(buckets: ReadonlySet<Bucket>): void
  /** In which of them something of ours is under way, or is being recorded: its lease is in the store until then. */
  bucketsUnderWay(): ReadonlySet<Bucket>
}

export function createHandover(parts: HandoverParts): Handover {
  const { agenda, catalogue, articleCatalogue, clock, queue, flights, hosts, pages, redirectPace } = parts
  const { ofFeed, ofSource, ofPage } = parts
  const within = (buckets: { has(bucket: Bucket): boolean }) => (root: string) =>
    buckets.has(bucketOf(rootOfHost(root)))

  /** Adopted, and the queue has not said yet whether it ever got them. */
  const unsure = new Map<LeaseToken | undefined, Task>()

  /** What is known of the task under another lease is of the past: it was lost, and somebody else has sent it since. */
  function adopt(task: Task, takenAt: Instant): void {
    redirectPace.turnBack(task, clock.now())
    redirectPace.occupy(task, takenAt)
    unsure.set(task.lease, flights.adopt(task, takenAt))
  }

  return {
    async gain(buckets) {
      const leases = await agenda.leases(buckets)
      const ofFeeds = leases.filter((lease) => lease.kind === 'feed')
      const ofSources = leases.filter((lease) => lease.kind === 'source')
      const feeds = await catalogue.feedsById(ofFeeds.map(({ id }) => id))
      const sources = await catalogue.sourcesById(ofSources.map(({ id }) => id))
      const ofPages = await agenda.pageLeases(buckets)
      const articles = await articleCatalogue.articlesById(ofPages.map(({ id }) => id))
      const held = flights.leases()
      for (const [i, { lease, takenAt }] of ofFeeds.entries())
        if (feeds[i] && !held.has(lease)) adopt(ofFeed({ ...feeds[i], lease }), takenAt)
      for (const [i, { lease, takenAt }] of ofSources.entries())
        if (sources[i] && !held.has(lease)) adopt(ofSource({ ...sources[i], lease }), takenAt)
      for (const [i, { lease, takenAt }] of ofPages.entries())
        if (articles[i] && !held.has(lease)) adopt(ofPage({ ...articles[i], lease }), takenAt)
      const stillOut = flights.leases()
      const asked = [...unsure.values()].filter(({ lease }) => stillOut.has(lease))
      if (asked.length > 0) await queue.recall?.(asked)
      unsure.clear()
    },
    lose(buckets) {
      const now = clock.now()
      for (const { task } of flights.all())
        if (buckets.has(bucketOfTask(task))) {
          flights.cancel(task)
          redirectPace.turnBack(task, now)
        }
      hosts.forget(within(buckets))
      pages.forget(within(buckets))
    },
    bucketsUnderWay: () => new Set([...flights.all(), ...flights.landing()].map(({ task }) => bucketOfTask(task))),
  }
}
