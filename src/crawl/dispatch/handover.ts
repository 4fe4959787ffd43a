/**
 * Buckets that come to us, and go. Who takes one over reads what the store knows of its hosts, and adopts the flights that the
 * one before has left: they hold their doors until they land or their leases end, for a terminal may still be on its way. Of some it
 * had only the lease when it died, and nobody was sent: the queue is asked to call those back. Who gives a bucket up forgets
 * all that he knew of its roots; the store has what matters.
 */
import {
  type Bucket,
  bucketOf,
  type Instant,
  type Owned,
  type ScheduledFeed,
  type Source,
  type StoredArticle,
  type Task,
} from '../../model/index.ts'
import { rootOfHost } from '../../politeness/index.ts'
import type { Clock, Dispatch, Leased, Roles } from '../../ports/index.ts'
import { bucketOfTask } from '../task.ts'
import type { Flights } from './flights.ts'
import type { HostMemory } from './host-memory.ts'
import type { PageTurns } from './page-turns.ts'
import type { RedirectPace } from './redirect-pace.ts'

export interface HandoverParts extends Pick<Roles, 'agenda' | 'catalogue' | 'articleCatalogue'> {
  clock: Clock
  queue: Pick<Dispatch, 'recall'>
  flights: Flights
  hosts: Pick<HostMemory, 'begin' | 'forget'>
  pages: Pick<PageTurns, 'forget'>
  redirectPace: Pick<RedirectPace, 'occupy'>
  ofFeed: (held: Leased<ScheduledFeed>) => Task
  ofSource: (source: Leased<Source>) => Task
  ofPage: (page: Leased<StoredArticle>) => Task
}

export interface Handover {
  /** These are ours from now on. */
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

  function adopt(task: Task, takenAt: Instant): Task {
    redirectPace.occupy(task, takenAt)
    return flights.adopt(task, takenAt)
  }

  return {
    async gain(buckets) {
      await hosts.begin(clock.now(), within(buckets))
      const leases = (await agenda.leases(buckets)).filter(({ kind, id }) => !flights.has(`${kind} ${id}`))
      const ofFeeds = leases.filter((lease) => lease.kind === 'feed')
      const ofSources = leases.filter((lease) => lease.kind === 'source')
      const feeds = await catalogue.feedsById(ofFeeds.map(({ id }) => id))
      const sources = await catalogue.sourcesById(ofSources.map(({ id }) => id))
      const adopted: Task[] = []
      for (const [i, { lease, takenAt }] of ofFeeds.entries())
        if (feeds[i]) adopted.push(adopt(ofFeed({ ...feeds[i], lease }), takenAt))
      for (const [i, { lease, takenAt }] of ofSources.entries())
        if (sources[i]) adopted.push(adopt(ofSource({ ...sources[i], lease }), takenAt))
      const ofPages = (await agenda.pageLeases(buckets)).filter(({ id }) => !flights.has(`article ${id}`))
      const articles = await articleCatalogue.articlesById(ofPages.map(({ id }) => id))
      for (const [i, { lease, takenAt }] of ofPages.entries())
        if (articles[i]) adopted.push(adopt(ofPage({ ...articles[i], lease }), takenAt))
      if (adopted.length > 0) await queue.recall?.(adopted)
    },
    lose(buckets) {
      hosts.forget(within(buckets))
      pages.forget(within(buckets))
    },
    bucketsUnderWay: () => new Set([...flights.all(), ...flights.landing()].map(({ task }) => bucketOfTask(task))),
  }
}
