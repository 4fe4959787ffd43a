/**
 * Assembles a crawler: the main loop that ticks when something is due (main-loop.ts), the background loop (background-loop.ts), the
 * commands of users (commands.ts), and its shutdown, which takes a bounded time and loses nothing.
 */

import type { LanguageDetector } from '../../articles/index.ts'
import { DAY, HOUR, type Millis } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import {
  type Clock,
  CONFIRM_AFTER_MS,
  type ControllerQueue,
  type DueQueue,
  rolesOf,
  type Search,
  type Store,
} from '../../ports/index.ts'
import type { Activity, CrawlEvent, Crawler } from '../crawler.ts'
import { createErrorBoundary, type ErrorBoundary } from '../error-boundary.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import { type BucketOwner, createBucketOwner } from '../fleet/bucket-owner.ts'
import type { FetcherStatus } from '../fleet/fetcher-status.ts'
import { createFleetMembership, type FleetConnection } from '../fleet/fleet-membership.ts'
import type { Analysis } from '../grouping/analysis.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { dropUnwantedArticles } from '../recorder/full-text-setting.ts'
import type { Policy } from '../recorder/policy.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { createStoreRetry, isTransient, type StoreRetry } from '../retry-transient.ts'
import { type BudgetOptions, createBudget } from '../scheduler/budget.ts'
import { createController } from '../scheduler/controller.ts'
import { createReadingActivity, type ReadingActivity } from '../scheduler/reading-activity.ts'
import { createSharedBudget } from '../scheduler/shared-budget.ts'
import type { PushOptions } from '../websub/hub-subscriptions.ts'
import { createBackgroundLoop } from './background-loop.ts'
import { collectOutcomes } from './collect-outcomes.ts'
import { createCommands } from './commands.ts'
import { createEnding } from './ending.ts'
import { createMainLoop } from './main-loop.ts'
import type { RetentionLimits } from './retention.ts'
import { createSingleRuns, type SingleRuns } from './single-runs.ts'
import { stopCrawler } from './stop-crawler.ts'
import { createTotals } from './totals.ts'

export interface CrawlerParts extends Omit<Policy, 'terms' | 'languageOf'>, RetentionLimits, BudgetOptions, Grouping {
  /** Loads language detection when the first text arrives. Absent: the languages that feeds and pages state are used. */
  loadLanguageOf?: () => Promise<LanguageDetector>
  store: Store
  search: Search
  /** Compares texts and prepares index rows. Default: in this thread. */
  analysis?: Analysis
  queue: ControllerQueue
  clock: Clock
  /** This controller's unique name if several share the store. */
  ownerName?: string
  concurrency: number
  /** How many tasks may be in flight at once, if that changes. Default: `concurrency`. */
  slots?: () => number
  gapMs: Millis
  /** How long to wait after a feed is due, so that feeds due meanwhile are handled together, which costs less. */
  gatherMs?: Millis
  /** How long a lease lasts. Default: ten minutes. */
  leaseMs?: Millis
  /** Roots without gaps and host slots, such as your own machines. */
  isExempt?: (root: string) => boolean
  /** 'all': polls of feeds obey robots.txt, too. */
  obeyRobots?: 'guesses' | 'all'
  /** The URL at which hubs reach this server; absent if they cannot. */
  push?: PushOptions
  /** Parses pushed documents. Default: in this thread. */
  read?: ReadDocument
  /** For a controller of a fleet: fetchers, indexers and servers are other processes, and an indexer sets the price and runs the background loop. */
  fleetConnection?: FleetConnection
}

export interface RunningCrawler extends Crawler, SingleRuns {
  /**
   * Crawls until the signal aborts, or until the machine's clock was set back so far that the caller has to restart with another clock.
   * Throws store errors that are not transient.
   */
  run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'>
  /** The status of fetchers, in a fleet. */
  readonly fetcherStatus?: FetcherStatus
  /** Lets work in flight finish for up to `graceMs`, then releases the rest. */
  stop(graceMs: Millis): Promise<void>
}

const RECOUNT_INTERVAL_MS: Millis = HOUR
/** Gradual correction of a clock this far ahead would take four times as long. */
const LARGE_JUMP_MS: Millis = DAY
/** Longer than any backoff; only polls may have a longer interval. */
const MIN_HORIZON_MS: Millis = 32 * DAY

export function createCrawler({ store, ...rest }: CrawlerParts): RunningCrawler {
  const parts = { ...rest, ...rolesOf(store) }
  const { dueQueue, queue, clock, gapMs, random, isExempt, gatherMs = 0, fleetConnection } = parts
  const listeners = new Set<(event: CrawlEvent) => void>()
  const totals = createTotals()
  const startedAt = clock.now()
  const hostQueue = createHostQueue({ gapMs, random, ...(isExempt && { isExempt }) })
  const readingActivity = createReadingActivity(parts.readerState)
  const errorBoundary = createErrorBoundary({ clock, emit })
  const stopping = new AbortController()
  const ending = createEnding(stopping.signal, errorBoundary)
  const { reportError } = ending
  const storeRetry = createStoreRetry(clock, emit)
  const retryTransient: RetryTransient = (step, work) =>
    ending.isRunning() ? storeRetry.retryTransient(step, work, stopping.signal) : work()
  const owned = () => owner?.owned()
  const membership =
    fleetConnection && createFleetMembership({ ...fleetConnection, clock, emit, owned: () => owned() ?? new Map() })
  const budget = membership
    ? createSharedBudget(parts, { ...parts, share: membership.share, activityOf: readingActivity.of }, startedAt)
    : createBudget(parts, { ...parts, activityOf: readingActivity.of }, startedAt)
  const isDisconnected = () => queue.isConnected?.() === false
  const slots = membership
    ? () => (isDisconnected() ? 0 : membership.fetcherStatus.slots())
    : (parts.slots ?? (() => parts.concurrency))
  const identity =
    parts.ownerName !== undefined && queue.isDurable ? { controllerName: `${parts.ownerName} ${startedAt}` } : {}
  const isClaimValid = () => owner === undefined || !queue.isDurable || owner.isClaimValid(CONFIRM_AFTER_MS)
  const controller = createController({
    ...parts,
    ...identity,
    slots,
    hostQueue,
    emit,
    budget,
    retryTransient,
    owned,
    isClaimValid,
  })
  const owner: BucketOwner | undefined =
    parts.ownerName === undefined
      ? undefined
      : createBucketOwner({
          ...parts,
          name: parts.ownerName,
          bucketHandoff: controller.bucketHandoff,
          collectFrom: queue.assignBuckets,
          reportError: (error, doing) => errorBoundary.report(doing, error),
        })
  const isBusy = () => controller.inFlightTasks().length > 0
  const backgroundLoop = createBackgroundLoop({
    ...parts,
    activity: readingActivity,
    errorBoundary,
    storeRetry,
    isBusy,
    reportError,
    emit,
  })
  const loop = createMainLoop({ controller, owner, clock, errorBoundary, slots, gatherMs })
  const dropArticles = () => dropUnwantedArticles(parts, parts.articles)
  const runs = createSingleRuns({
    controller,
    owner,
    backgroundLoop,
    clock,
    begin,
    dropUnwantedArticles: dropArticles,
    fatal: ending.fatal,
  })

  clock.onJump?.((byMs) => {
    const at = clock.now()
    emit({ kind: 'clock-set', at, byMs })
    if (byMs > LARGE_JUMP_MS) backgroundLoop.suspendRetention()
    if (byMs <= -LARGE_JUMP_MS) ending.endForClock()
  })

  collectOutcomes({ queue, owner, membership, controller, loop, backgroundLoop, reportError })
  membership?.onWake(loop.wake)

  function emit(event: CrawlEvent): void {
    totals.note(event)
    if (event.kind === 'pushed') backgroundLoop.notifyEntries()
    if (event.kind === 'push' || event.kind === 'pushed') loop.wake()
    membership?.publish(event)
    for (const listener of listeners) listener(event)
  }

  async function begin(retry: RetryTransient = doOnce): Promise<void> {
    const dates = await retry('repair dates', () => repairDates(dueQueue, clock, parts.limits.maxMs))
    if (dates > 0) emit({ kind: 'dates-repaired', at: clock.now(), dates })
    if (!owner) return retry('start the controller', controller.begin)
    await retry('load the budget', budget.begin)
    await retry('take over buckets', owner.renew)
  }

  async function run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'> {
    const ended = ending.start(signal)
    let background = Promise.resolve()
    try {
      const retry: RetryTransient = (step, work) => storeRetry.retryTransient(step, work, ended)
      await begin(retry)
      await retry('drop unwanted articles', dropArticles)
      background = membership
        ? runFleetMember(
            () => membership.run(ended, controller, activity),
            { clock, errorBoundary, storeRetry, readingActivity },
            ended,
          )
        : backgroundLoop.run(ended)
      await loop.run(ended, retry)
    } catch (error) {
      if (!(isTransient(error) && ended.aborted)) throw error
    } finally {
      ending.end()
      await background
    }
    return ending.reason()
  }

  function activity(): Activity {
    const inFlight = controller
      .inFlightTasks()
      .map(({ task, sinceAt }) => ({ kind: task.kind, url: task.url, sinceAt }))
    const [refusal, queueRefusal] = [storeRetry.refusal(), queue.refusal?.()]
    const refusals = { ...(refusal && { refusal }), ...(queueRefusal && { queueRefusal }) }
    return { startedAt, ...(owner && { buckets: owner.status() }), ...refusals, inFlight, ...totals.current() }
  }

  return {
    run,
    ...runs,
    stop: (graceMs) => stopCrawler({ controller, owner, queue, clock, stopping, emit }, graceMs),

    ...createCommands({ ...parts, controller, budget, wake: loop.wake, notifyBackgroundLoop: backgroundLoop.notify }),
    ...(controller.pushReceiver && { pushReceiver: controller.pushReceiver }),
    activity,
    ...(membership && { fetcherStatus: membership.fetcherStatus }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Runs a controller of a fleet. An indexer runs the background loop; each controller counts reading activity itself. */
async function runFleetMember(
  run: () => Promise<void>,
  {
    clock,
    errorBoundary,
    storeRetry,
    readingActivity,
  }: { clock: Clock; errorBoundary: ErrorBoundary; storeRetry: StoreRetry; readingActivity: ReadingActivity },
  signal: AbortSignal,
): Promise<void> {
  const recount = async () => {
    while (!signal.aborted) {
      await errorBoundary.guard('counting reading activity', () =>
        storeRetry.retryTransient('count reads', () => readingActivity.recount(clock.now()), signal),
      )
      await clock.sleepUntil(clock.now() + RECOUNT_INTERVAL_MS, signal)
    }
  }
  await Promise.all([run(), recount()])
}

/** Takes the time of each attempt, because other processes may have set later dates since the last one. */
function repairDates(dueQueue: DueQueue, clock: Clock, maxIntervalMs: Millis): Promise<number> {
  const now = clock.now()
  return dueQueue.repairDates(now, now + Math.max(MIN_HORIZON_MS, maxIntervalMs))
}
