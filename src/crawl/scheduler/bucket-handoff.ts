/**
 * Bucket handoff between controllers. A controller that takes over a bucket adopts the previous owner's in-flight tasks by their
 * leases: they hold their host slots until they complete or expire, because a fetcher may still work on them. Some tasks were leased but
 * never sent before the previous owner died; the queue is asked to recall those. A controller that releases a bucket forgets its
 * in-flight tasks and what it knows of its roots; everything that matters is in the store. A takeover that fails is repeated as a whole.
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
import type { Clock, ControllerQueue, Leased, Roles } from '../../ports/index.ts'
import { bucketOfTask } from '../task.ts'
import type { ArticleScheduling } from './article-scheduling.ts'
import type { HostMemory } from './host-memory.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RedirectPacing } from './redirect-pacing.ts'

export interface BucketHandoffParts extends Pick<Roles, 'dueQueue' | 'catalogue' | 'articleCatalogue'> {
  clock: Clock
  queue: Pick<ControllerQueue, 'recall'>
  inFlight: InFlightTasks
  hosts: Pick<HostMemory, 'forget'>
  articles: Pick<ArticleScheduling, 'forget'>
  redirectPacing: Pick<RedirectPacing, 'occupy' | 'release'>
  buildFeedTask: (leased: Leased<ScheduledFeed>) => Task
  buildSourceTask: (source: Leased<Source>) => Task
  buildArticleTask: (article: Leased<StoredArticle>) => Task
}

export interface BucketHandoff {
  /** Takes over these buckets. Can be repeated: each lease is adopted once. */
  takeOver(buckets: Owned): Promise<void>
  /** Forgets buckets that this controller no longer owns. */
  forget(buckets: ReadonlySet<Bucket>): void
  /** Buckets with tasks in flight or being recorded; their leases are in the store until then. */
  busyBuckets(): ReadonlySet<Bucket>
}

export function createBucketHandoff(parts: BucketHandoffParts): BucketHandoff {
  const { dueQueue, catalogue, articleCatalogue, clock, queue, inFlight, hosts, articles, redirectPacing } = parts
  const { buildFeedTask, buildSourceTask, buildArticleTask } = parts
  const within = (buckets: { has(bucket: Bucket): boolean }) => (root: string) =>
    buckets.has(bucketOf(rootOfHost(root)))

  /** Adopted tasks for which the queue has not been asked yet whether it ever received them. */
  const unconfirmed = new Map<LeaseToken | undefined, Task>()

  /** Replaces an in-flight task with the same name and another lease: that one expired, and another controller has sent it since. */
  function adopt(task: Task, leasedAt: Instant): void {
    redirectPacing.release(task, clock.now())
    redirectPacing.occupy(task, leasedAt)
    unconfirmed.set(task.lease, inFlight.adopt(task, leasedAt))
  }

  return {
    async takeOver(buckets) {
      const leases = await dueQueue.leases(buckets)
      const ofFeeds = leases.filter((lease) => lease.kind === 'feed')
      const ofSources = leases.filter((lease) => lease.kind === 'source')
      const ofArticles = leases.filter((lease) => lease.kind === 'article')
      const feeds = await catalogue.feedsById(ofFeeds.map(({ id }) => id))
      const sources = await catalogue.sourcesById(ofSources.map(({ id }) => id))
      const stored = await articleCatalogue.articlesById(ofArticles.map(({ id }) => id))
      const known = inFlight.leases()
      for (const [i, { lease, leasedAt }] of ofFeeds.entries())
        if (feeds[i] && !known.has(lease)) adopt(buildFeedTask({ ...feeds[i], lease }), leasedAt)
      for (const [i, { lease, leasedAt }] of ofSources.entries())
        if (sources[i] && !known.has(lease)) adopt(buildSourceTask({ ...sources[i], lease }), leasedAt)
      for (const [i, { lease, leasedAt }] of ofArticles.entries())
        if (stored[i] && !known.has(lease)) adopt(buildArticleTask({ ...stored[i], lease }), leasedAt)
      const stillInFlight = inFlight.leases()
      const toRecall = [...unconfirmed.values()].filter(({ lease }) => stillInFlight.has(lease))
      if (toRecall.length > 0) await queue.recall?.(toRecall)
      unconfirmed.clear()
    },
    forget(buckets) {
      const now = clock.now()
      for (const { task } of inFlight.all())
        if (buckets.has(bucketOfTask(task))) {
          inFlight.cancel(task)
          redirectPacing.release(task, now)
        }
      hosts.forget(within(buckets))
      articles.forget(within(buckets))
    },
    busyBuckets: () => new Set([...inFlight.all(), ...inFlight.recording()].map(({ task }) => bucketOfTask(task))),
  }
}
