/**
 * The crawl as something that lives: a loop that ticks when something is due, beside a quiet one that keeps house
 * (keeper.ts) and what people ask of it (commands.ts). It starts, it runs, it stops in a bounded time and loses nothing.
 */

import type { LanguageOf } from '../../articles/index.ts'
import { DAY, HOUR, type Millis } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import {
  type Agenda,
  type Clock,
  type Dispatch,
  NotOursNow,
  rolesOf,
  type Search,
  type Store,
  StoreError,
  UNASKED_MS,
} from '../../ports/index.ts'
import type { Activity, CrawlEvent, Crawler } from '../crawler.ts'
import { createWall, type Wall } from '../error-boundary.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import { createOwner, type Owner } from '../fleet/bucket-owner.ts'
import type { Crew } from '../fleet/fetcher-status.ts'
import { createInFleet, type FleetMembership } from '../fleet/fleet-membership.ts'
import type { Analysis } from '../grouping/analysis.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { dropUnwanted } from '../recorder/full-text-setting.ts'
import type { Policy } from '../recorder/policy.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { createStorePatience, isTransient, type StorePatience } from '../retry-transient.ts'
import { type BudgetOptions, createBudget } from '../scheduler/budget.ts'
import { createController } from '../scheduler/controller.ts'
import { createReadingActivity, type ReadingActivity } from '../scheduler/reading-activity.ts'
import { createFollowingBudget } from '../scheduler/shared-budget.ts'
import type { PushOptions } from '../websub/hub-subscriptions.ts'
import { createKeeper } from './background-loop.ts'
import { createCommands } from './commands.ts'
import { createMainLoop } from './main-loop.ts'
import type { RetentionLimits } from './retention-chunks.ts'
import { createSingleRuns, type SingleRuns } from './single-runs.ts'
import { stopCrawler } from './stop-crawler.ts'
import { createTotals } from './totals.ts'

export interface CrawlerParts extends Omit<Policy, 'terms' | 'languageOf'>, RetentionLimits, BudgetOptions, Grouping {
  /** Loads what tells languages apart, when the first text is there; absent: what feeds and pages state is believed. */
  loadLanguageOf?: () => Promise<LanguageOf>
  store: Store
  search: Search
  /** Compares texts and prepares index rows; in process, where nothing is said. */
  analysis?: Analysis
  queue: Dispatch
  clock: Clock
  /** Our name among those who share the store; absent where it is ours alone. */
  ownerName?: string
  concurrency: number
  /** How many tasks may be out at once where that changes, because terminals come and go; else it is `concurrency`. */
  hands?: () => number
  gapMs: Millis
  /** So much later than the first of them feeds are looked at that are due: those that come meanwhile cost less together. */
  gatherMs?: Millis
  /** For how long a task is a terminal's; ten minutes, where nothing is said. */
  leaseMs?: Millis
  /** Roots that need no gaps and no turns, such as one's own machines. */
  isExempt?: (root: string) => boolean
  /** Whether terminals ask robots.txt about feeds, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Where hubs reach us; absent if they cannot. */
  push?: PushOptions
  /** Where documents are read that hubs brought: here, if nothing else is said. */
  read?: ReadDocument
  /**
   * Where we are one of several: terminals, keepers and servers are other processes. Then the price is set by a keeper, who keeps
   * house as well.
   */
  among?: FleetMembership
}

export interface RunningCrawler extends Crawler, SingleRuns {
  /**
   * Crawls until the signal aborts; or until the machine's clock was set back so far that one should begin anew, with
   * another clock. Throws what is wrong with the store, unless it may pass.
   */
  run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'>
  /** What is known of terminals, where they are other processes. */
  readonly crew?: Crew
  /** Lets work under way finish, for so long; what is not done then is handed back. */
  stop(graceMs: Millis): Promise<void>
}

const READS_COUNTED_EVERY_MS: Millis = HOUR
/** A clock that is so far ahead would take four times as long to be right again. */
const FAR_BACK_MS: Millis = DAY
/** Longer than any rest, failure or page is waited for; polls may have a longer interval. */
const LEAST_FURTHEST_MS: Millis = 32 * DAY

export function createCrawler({ store, ...others }: CrawlerParts): RunningCrawler {
  const parts = { ...others, ...rolesOf(store) }
  const { agenda, queue, clock, gapMs, random, isExempt, gatherMs = 0, among } = parts
  const listeners = new Set<(event: CrawlEvent) => void>()
  const totals = createTotals()
  const startedAt = clock.now()
  const pace = createPace({ gapMs, random, ...(isExempt && { isExempt }) })
  const readingActivity = createReadingActivity(parts.readership)
  const wall = createWall({ clock, emit })
  const stopping = new AbortController()
  const patience = createStorePatience(clock, emit)
  /** Only who runs on can wait for the store: who does one thing says at once that it cannot be done. */
  let isRunning = false
  const retryTransient: RetryTransient = (step, work) =>
    isRunning ? patience.retryTransient(step, work, stopping.signal) : work()
  const owned = () => owner?.owned()
  const inFleet = among && createInFleet({ ...among, clock, emit, owned: () => owned() ?? new Map() })
  const budget = inFleet
    ? createFollowingBudget(parts, { ...parts, share: inFleet.share, activityOf: readingActivity.of }, startedAt)
    : createBudget(parts, { ...parts, activityOf: readingActivity.of }, startedAt)
  const isCut = () => queue.isUp?.() === false
  const hands = inFleet ? () => (isCut() ? 0 : inFleet.crew.hands()) : (parts.hands ?? (() => parts.concurrency))
  const crew = parts.ownerName !== undefined && queue.outlivesUs ? { crewName: `${parts.ownerName} ${startedAt}` } : {}
  const isSure = () => owner === undefined || !queue.outlivesUs || owner.isSure(UNASKED_MS)
  const controller = createController({ ...parts, ...crew, hands, pace, emit, budget, retryTransient, owned, isSure })
  const owner: Owner | undefined =
    parts.ownerName === undefined
      ? undefined
      : createOwner({
          ...parts,
          name: parts.ownerName,
          handover: controller.handover,
          collectFrom: queue.own,
          trouble: (error, doing) => wall.report(doing, error),
        })
  const isBusy = () => controller.underWay().length > 0
  const keeper = createKeeper({ ...parts, activity: readingActivity, wall, patience, isBusy, trouble, emit })
  const loop = createMainLoop({ controller, owner, clock, wall, hands, gatherMs })
  const dropPages = () => dropUnwanted(parts, parts.articles)
  const runs = createSingleRuns({ controller, owner, keeper, clock, begin, dropPages, fatal: () => fatal })
  let ending = new AbortController()
  let fatal: StoreError | undefined
  let isSetBack = false

  clock.onJump?.((byMs) => {
    const at = clock.now()
    emit({ kind: 'clock-set', at, byMs })
    if (byMs > FAR_BACK_MS) keeper.forgetNothingYet()
    if (byMs > -FAR_BACK_MS) return
    isSetBack = true
    ending.abort()
  })

  queue.collect(
    async (outcomes) => {
      if (owner && !owner.isSure()) throw new NotOursNow()
      inFleet?.crew.note(outcomes)
      try {
        await controller.apply(outcomes)
      } catch (error) {
        trouble(error, `applying ${outcomes.length} outcomes`)
      }
      loop.wake()
      keeper.newsCame()
    },
    async (pushed) => {
      if (owner && !owner.isSure()) throw new NotOursNow()
      await controller.takePushed?.(pushed)
    },
  )

  inFleet?.onWake(loop.wake)

  /** A mistake of ours is told; without a store nobody can go on. One that is away when we stop was told already. */
  function trouble(error: unknown, doing: string): void {
    if (error instanceof StoreError && !(isRunning && error.isPassing)) {
      fatal ??= error
      ending.abort()
    } else if (!(stopping.signal.aborted && isTransient(error))) wall.report(doing, error)
  }

  function emit(event: CrawlEvent): void {
    totals.note(event)
    if (event.kind === 'pushed') keeper.newsCame()
    if (event.kind === 'push' || event.kind === 'pushed') loop.wake()
    inFleet?.tell(event)
    for (const listener of listeners) listener(event)
  }

  async function begin(retry: RetryTransient = doOnce): Promise<void> {
    const dates = await retry('mend dates', () => mendDates(agenda, clock, parts.limits.maxMs))
    if (dates > 0) emit({ kind: 'dates-mended', at: clock.now(), dates })
    if (!owner) return retry('begin the controller', controller.begin)
    await retry('begin the budget', budget.begin)
    await retry('take up buckets', owner.renew)
  }

  async function run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'> {
    isRunning = true
    ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    let quiet = Promise.resolve()
    try {
      const retry: RetryTransient = (step, work) => patience.retryTransient(step, work, ended)
      await begin(retry)
      await retry('drop unwanted pages', dropPages)
      quiet = inFleet
        ? beOneOfSeveral(
            () => inFleet.run(ended, controller, activity),
            { clock, wall, patience, readingActivity },
            ended,
          )
        : keeper.keepHouse(ended)
      await loop.run(ended, retry)
    } catch (error) {
      if (!(isTransient(error) && ended.aborted)) throw error
    } finally {
      ending.abort()
      await quiet
    }
    if (fatal) throw fatal
    return isSetBack ? 'clock-set-back' : 'stopped'
  }

  function activity(): Activity {
    const underWay = controller.underWay().map(({ task, sinceAt }) => ({ kind: task.kind, url: task.url, sinceAt }))
    const [refusal, queueRefusal] = [patience.refusal(), queue.refusal?.()]
    const refusals = { ...(refusal && { refusal }), ...(queueRefusal && { queueRefusal }) }
    return { startedAt, ...(owner && { buckets: owner.buckets() }), ...refusals, underWay, ...totals.told() }
  }

  return {
    run,
    ...runs,
    stop: (graceMs) => stopCrawler({ controller, owner, queue, clock, stopping, emit }, graceMs),

    ...createCommands({ ...parts, controller, budget, wake: loop.wake, newsCame: keeper.newsCame }),
    ...(controller.pushReceiver && { pushReceiver: controller.pushReceiver }),
    activity,
    ...(inFleet && { crew: inFleet.crew }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** House is kept by others; what each needs to know of readers it counts for itself. */
async function beOneOfSeveral(
  run: () => Promise<void>,
  {
    clock,
    wall,
    patience,
    readingActivity,
  }: { clock: Clock; wall: Wall; patience: StorePatience; readingActivity: ReadingActivity },
  signal: AbortSignal,
): Promise<void> {
  const counting = async () => {
    while (!signal.aborted) {
      await wall.guarded('counting what is read', () =>
        patience.retryTransient('read counts of readers', () => readingActivity.countAnew(clock.now()), signal),
      )
      await clock.sleepUntil(clock.now() + READS_COUNTED_EVERY_MS, signal)
    }
  }
  await Promise.all([run(), counting()])
}

/** Each try by its own moment: what others did meanwhile is no date of the future. */
function mendDates(agenda: Agenda, clock: Clock, longestMs: Millis): Promise<number> {
  const now = clock.now()
  return agenda.mendDates(now, now + Math.max(LEAST_FURTHEST_MS, longestMs))
}
