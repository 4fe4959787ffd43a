/**
 * The controller decides which tasks are sent and records their outcomes. Only the controller has the store; fetchers have none (as in
 * advaRSS). Pacing is decided before a task is sent, so fetchers need not coordinate.
 *
 * The controller leases what is due. It sends the tasks it admits; a task that has to wait for its host slot is released with the
 * time of that slot. If a fetcher dies, its task expires with the lease and the feed is due again; if an outcome arrives twice, the
 * second is ignored (in-flight-tasks.ts).
 */

import type { LanguageDetector } from '../../articles/index.ts'
import type {
  Feed,
  FeedId,
  Instant,
  Millis,
  Owned,
  PushedDocument,
  ScheduledFeed,
  Task,
  WebAddress,
} from '../../model/index.ts'
import { type HostQueue, hostSlotsOf, tenantOf } from '../../politeness/index.ts'
import type { Clock, ControllerQueue } from '../../ports/index.ts'
import type { CrawlEvent, PushReceiver } from '../crawler.ts'
import { createErrorBoundary, type Quarantine } from '../error-boundary.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import type { Policy } from '../recorder/policy.ts'
import { createQuarantine } from '../recorder/quarantine.ts'
import { createRecorder, type RecorderRoles } from '../recorder/record-outcomes.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { bucketOfTask } from '../task.ts'
import { createHubSubscriptions, type HubSubscriptions, type PushOptions } from '../websub/hub-subscriptions.ts'
import { createTaskAdmission } from './admission.ts'
import { createOutcomeApplier } from './apply-outcomes.ts'
import { createArticleScheduling } from './article-scheduling.ts'
import { type BucketHandoff, createBucketHandoff } from './bucket-handoff.ts'
import type { Budget } from './budget.ts'
import { createTaskBuilder } from './build-tasks.ts'
import { createTaskCompletion, type TaskCompletion } from './complete-tasks.ts'
import { earliestPollAt } from './earliest-poll.ts'
import { createHostMemory } from './host-memory.ts'
import { createInFlightTasks, LEASE_MS } from './in-flight-tasks.ts'
import { releaseInFlightLeases, releaseOrphanedLeases } from './orphaned-leases.ts'
import { createRankedSelection } from './ranked-selection.ts'
import { createRedirectPacing } from './redirect-pacing.ts'
import { createRedirectTargets } from './redirect-targets.ts'
import { createLeaseReleaser } from './release-leases.ts'
import { createSending, subscribeToDueHubs } from './sending.ts'
import { createTicks, type Ticks } from './ticks.ts'
import { createUncertainLeases } from './uncertain-leases.ts'

export interface ControllerParts extends Omit<Policy, 'terms' | 'languageOf'>, RecorderRoles {
  loadLanguageOf?: () => Promise<LanguageDetector>
  budget: Budget
  queue: ControllerQueue
  clock: Clock
  hostQueue: HostQueue
  /** The buckets whose feeds, articles and hubs this controller owns. Default: all. */
  owned?: () => Owned | undefined
  /** How many tasks may be in flight at once now. */
  slots: () => number
  /** How long a lease lasts. Default: ten minutes. */
  leaseMs?: Millis
  /** This controller's unique name; absent if there is only one. */
  controllerName?: string
  /** Whether this controller's claim on its buckets lasts until a task that is sent now has started. Default: always. */
  isClaimValid?: () => boolean
  /** 'all': polls of feeds obey robots.txt, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Absent if hubs cannot reach this server. */
  push?: PushOptions
  /** Parses pushed documents. Default: in this thread. */
  read?: ReadDocument
  emit: (event: CrawlEvent) => void
  /** Retries steps while the store fails transiently. Default: no retries. */
  retryTransient?: RetryTransient
}

export interface Controller extends Ticks, Pick<TaskCompletion, 'apply' | 'waitUntilIdle'> {
  /** Loads the state from the store, before the first tick. For a single controller only: releases orphaned leases. Can be repeated. */
  begin(): Promise<void>
  /** For one of several controllers. */
  readonly bucketHandoff: BucketHandoff
  /** Sends the subscription requests to hubs that are due. Returns how many. Does nothing if hubs cannot reach this server. */
  subscribeToHubs(): Promise<number>
  readonly pushReceiver?: PushReceiver
  /** Applies a push that another process received. */
  applyForwardedPush?(pushed: PushedDocument): Promise<void>
  /** Notes that a user requested a poll of this feed, for the poll log. */
  noteUserRequest(id: FeedId): void
  /** When feeds are next selected by rank; undefined if none are ranked. */
  nextSelectionAt(): Instant | undefined
  /** Selects feeds by rank at once, for a run that ends before the next selection. */
  selectNow(): Promise<void>
  /** Whether leases of tasks that were not sent are still to be released. Until then the store counts those tasks as in flight. */
  hasPendingReleases(): boolean
  /** When the first in-flight task expires. */
  nextExpiryAt(): Instant | undefined
  /** Tasks in flight. */
  inFlightTasks(): { task: Task; sinceAt: Instant }[]
  /** The earliest time at which a waiting task gets its host slot. */
  nextHostSlotAt(): Instant | undefined
  /** The earliest moment at which this address may be visited. */
  freeAt(url: WebAddress, now: Instant): Promise<Instant>
  /** Resolves when every push received so far is processed. */
  waitForPushes(): Promise<void>
  /** Releases the leases of all in-flight tasks. Requests that were not answered are not repeated at once. */
  releaseAll(): Promise<void>
}

export function createController(parts: ControllerParts): Controller {
  const {
    dueQueue,
    feedRegistry,
    queue,
    clock,
    hostQueue,
    slots,
    budget,
    push,
    owned = () => undefined,
    isClaimValid = () => true,
    obeyRobots = 'guesses',
    leaseMs = LEASE_MS,
  } = parts
  const retryTransient = parts.retryTransient ?? doOnce
  const identity =
    parts.controllerName === undefined ? undefined : { name: parts.controllerName, bucketOf: bucketOfTask }
  const inFlight = createInFlightTasks({ leaseMs, identity })
  const errorBoundary = createErrorBoundary(parts)
  const leaseReleaser = createLeaseReleaser({ dueQueue, errorBoundary })
  const hosts = createHostMemory({ ...parts, errorBoundary })
  const redirectPacing = createRedirectPacing(hostQueue)
  const redirectTargets = createRedirectTargets(parts)
  const hubSubscriptions: HubSubscriptions | undefined =
    push &&
    createHubSubscriptions(
      { ...parts, errorBoundary, retryTransient, record: (...push) => recorder.recordPush(...push), pollSoon },
      push,
    )
  const recorderParts = {
    ...parts,
    terms: budget.terms,
    retryTransient,
    errorBoundary,
    ...(hubSubscriptions && { hubSubscriptions }),
  }
  const quarantine: Quarantine = createQuarantine(recorderParts)
  const sending = createSending({ ...parts, errorBoundary, inFlight, redirectPacing, leaseReleaser, isClaimValid })
  const uncertainLeases = createUncertainLeases({ dueQueue, inFlight, owned })
  const taskBuilder = createTaskBuilder({ ...parts, redirectPacing, redirectTargets, quarantine })
  const articles = createArticleScheduling({
    ...parts,
    hosts,
    redirectPacing,
    inFlight,
    leaseReleaser,
    quarantine,
    leaseDue: (now, limit) =>
      uncertainLeases.track(now, () => dueQueue.leaseDueArticles(now, limit, now + leaseMs, owned())),
    send: async (tasks) => void (await sending.send(tasks, 'guesses')),
    releaseOnFailure: sending.releaseOnFailure,
  })
  const recorder = createRecorder({ ...recorderParts, quarantine, queueDueAt: articles.articleQueueDueAt })
  const admission = createTaskAdmission({
    ...parts,
    inFlight,
    hosts,
    redirectPacing,
    quarantine,
    markSent: taskBuilder.markSent,
  })

  const applyCompleted = createOutcomeApplier({
    retryTransient,
    errorBoundary,
    redirectPacing,
    hosts,
    articles,
    leaseReleaser,
    redirectTargets,
    recorder,
    budget,
    hubSubscriptions,
  })
  const rankedSelection = createRankedSelection({ ...parts, inFlight, owned, startedAt: clock.now() })
  const taskCompletion = createTaskCompletion({ queue, clock, inFlight, redirectPacing, taskBuilder, applyCompleted })
  const ticks = createTicks({
    dueQueue,
    clock,
    errorBoundary,
    inFlight,
    budget,
    hosts,
    admission,
    sending,
    leaseReleaser,
    uncertainLeases,
    rankedSelection,
    articles,
    redirectTargets,
    taskBuilder,
    taskCompletion,
    owned,
    slots,
    leaseMs,
    obeyRobots,
    hasHubs: hubSubscriptions !== undefined,
  })

  async function begin(): Promise<void> {
    await budget.begin()
    const orphaned = (await dueQueue.leases()).filter(({ kind, id }) => !inFlight.has(`${kind} ${id}`))
    await releaseOrphanedLeases(orphaned, parts, minIntervalMs, clock.now())
  }

  function minIntervalMs(feed: Feed): Millis {
    return budget.terms(feed).limits.minMs
  }

  async function pollSoon({ feed, schedule }: ScheduledFeed): Promise<void> {
    const earliest = earliestPollAt(schedule, minIntervalMs(feed), clock.now())
    if (earliest < schedule.dueAt) await feedRegistry.changeFeed(feed.id, {}, { dueAt: earliest })
  }

  async function subscribeToHubs(): Promise<number> {
    return hubSubscriptions
      ? subscribeToDueHubs({ clock, hubSubscriptions, inFlight, slots, hosts, admission, sending, obeyRobots })
      : 0
  }

  return {
    begin,
    bucketHandoff: createBucketHandoff({ ...parts, inFlight, hosts, articles, redirectPacing, ...taskBuilder }),
    ...ticks,
    subscribeToHubs,
    ...(hubSubscriptions && { pushReceiver: hubSubscriptions, applyForwardedPush: hubSubscriptions.recordForwarded }),
    noteUserRequest: taskBuilder.noteUserRequest,
    apply: taskCompletion.apply,
    waitUntilIdle: taskCompletion.waitUntilIdle,
    hasPendingReleases: () => leaseReleaser.hasPending() || uncertainLeases.hasPending(),
    nextSelectionAt: rankedSelection.nextAt,
    selectNow: () => rankedSelection.select(clock.now(), 'last-poll'),
    inFlightTasks: inFlight.all,
    nextExpiryAt: inFlight.nextExpiryAt,
    nextHostSlotAt: admission.nextHostSlotAt,
    async freeAt(url, now) {
      await hosts.load(hostSlotsOf(tenantOf(url)), now)
      return redirectPacing.freeAt(url, now)
    },
    waitForPushes: async () => hubSubscriptions?.whenIdle(),
    releaseAll: () => releaseInFlightLeases(inFlight, parts, minIntervalMs, clock.now()),
  }
}
