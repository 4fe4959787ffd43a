/**
 * The crawl as something that lives: a loop that ticks when something is due, beside a quiet one that keeps house
 * (keeper.ts) and what people ask of it (commands.ts). It starts, it runs, it stops in a bounded time and loses nothing.
 */

import type { LanguageOf } from '../../articles/index.ts'
import {
  DAY,
  type FeedId,
  HOUR,
  type Instant,
  MINUTE,
  type Millis,
  NEVER,
  type PushedDocument,
  type SourceId,
} from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import {
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
import { type BudgetOptions, createBudget } from '../dispatch/budget.ts'
import { createController } from '../dispatch/controller.ts'
import { createFollowingBudget } from '../dispatch/following-budget.ts'
import { createReadingActivity } from '../dispatch/reading-activity.ts'
import type { Analysis } from '../place/analysis.ts'
import type { Grouping } from '../place/place-index.ts'
import type { PushOptions } from '../push/pushes.ts'
import { dropUnwanted } from '../record/page-preference.ts'
import type { Policy } from '../record/policy.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import type { ReadDocument } from '../terminal/read-document.ts'
import { createWall, isOfStore } from '../wall.ts'
import { createCommands } from './commands.ts'
import type { Crew } from './crew.ts'
import { createInFleet, type FleetMembership, type InFleet } from './in-fleet.ts'
import { createKeeper } from './keeper.ts'
import { createOwner, type Owner } from './owner.ts'
import type { RetentionLimits } from './retention-chunks.ts'
import { createStorePatience, isTransient } from './store-patience.ts'
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

export interface RunningCrawler extends Crawler {
  /**
   * Crawls until the signal aborts; or until the machine's clock was set back so far that one should begin anew, with
   * another clock. Throws what is wrong with the store, unless it may pass.
   */
  run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'>
  /** Does everything that is due by now, once, and what that leads to; hosts that rest are not waited for. */
  runOnce(signal: AbortSignal): Promise<void>
  /** Does just these, each as soon as politeness allows; for an owner of the store that runs no loop. */
  perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** What is known of terminals, where they are other processes. */
  readonly crew?: Crew
  /** Lets work under way finish, for so long; what is not done then is handed back. */
  stop(graceMs: Millis): Promise<void>
}

const WOKEN = 'woken' // without a reason, an error is made for each
const AFTER_MISTAKE_MS = MINUTE // ours: what was due stays due, and the mistake may have been of the moment
const BUCKETS_WAITED_FOR_MS = MINUTE / 4
const READS_COUNTED_EVERY_MS: Millis = HOUR
const NOT_WAITED_FOR_MS = MINUTE // how long `runOnce` waits for a turn at a root
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
  let wake = new AbortController()
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

  queue.collect(async (outcomes) => {
    if (owner && !owner.isSure()) throw new NotOursNow()
    inFleet?.crew.note(outcomes)
    try {
      await controller.apply(outcomes)
    } catch (error) {
      trouble(error, `applying ${outcomes.length} outcomes`)
    }
    wake.abort(WOKEN)
    keeper.newsCame()
  }, takePushed)

  inFleet?.onWake(() => wake.abort(WOKEN))

  async function takePushed(pushed: PushedDocument): Promise<void> {
    if (owner && !owner.isSure()) throw new NotOursNow()
    await controller.takePushed?.(pushed)
  }

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
    if (event.kind === 'push' || event.kind === 'pushed') wake.abort()
    inFleet?.tell(event)
    for (const listener of listeners) listener(event)
  }

  /** Does the work, then sleeps until the date it gives, or until an outcome or a person's wish came meanwhile. */
  async function workThenRest(work: () => Promise<Instant>): Promise<void> {
    wake = new AbortController()
    await clock.sleepUntil((await work()) + gatherMs, wake.signal)
  }

  /** When somebody has something to do, if there are hands for it. */
  async function nextWorkAt(): Promise<Instant> {
    if (controller.owesReleases()) return clock.now()
    const full = controller.underWay().length >= hands()
    const renewAt = owner?.renewAt() ?? NEVER
    if (full) return Math.min(renewAt, controller.nextLossAt() ?? NEVER)
    const dueAt = (await agenda.nextDueAt(owned())) ?? NEVER
    const hubAt = (await controller.nextHubAt()) ?? NEVER
    const pageAt = (await controller.nextPageAt()) ?? NEVER
    return Math.min(dueAt, hubAt, pageAt, renewAt, controller.nextRoundAt() ?? NEVER)
  }

  async function begin(retry: RetryTransient = doOnce): Promise<void> {
    const dates = await retry('mend dates', () => {
      const now = clock.now() // of each try: what others did meanwhile is no date of the future
      return agenda.mendDates(now, now + Math.max(LEAST_FURTHEST_MS, parts.limits.maxMs))
    })
    if (dates > 0) emit({ kind: 'dates-mended', at: clock.now(), dates })
    if (!owner) return retry('begin the controller', controller.begin)
    await retry('begin the budget', budget.begin)
    await retry('take up buckets', owner.renew)
  }

  async function run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'> {
    isRunning = true
    ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    const end = () => wake.abort(WOKEN)
    ended.addEventListener('abort', end)
    let quiet = Promise.resolve()
    try {
      const retry: RetryTransient = (step, work) => patience.retryTransient(step, work, ended)
      await begin(retry)
      await retry('drop unwanted pages', () => dropUnwanted(parts, parts.articles))
      quiet = inFleet ? beOneOfSeveral(inFleet, ended) : keeper.keepHouse(ended)
      let workAt = clock.now()
      while (!ended.aborted)
        await workThenRest(async () => {
          workAt = await retry('work a round', () => round(workAt, ended))
          return workAt
        })
    } catch (error) {
      if (!(isTransient(error) && ended.aborted)) throw error
    } finally {
      ending.abort()
      ended.removeEventListener('abort', end)
      await quiet
    }
    if (fatal) throw fatal
    return isSetBack ? 'clock-set-back' : 'stopped'
  }

  /** House is kept by others; what each needs to know of readers it counts for itself. */
  async function beOneOfSeveral(fleet: InFleet, signal: AbortSignal): Promise<void> {
    const counting = async () => {
      while (!signal.aborted) {
        await wall.guarded('counting what is read', () =>
          patience.retryTransient('read counts of readers', () => readingActivity.countAnew(clock.now()), signal),
        )
        await clock.sleepUntil(clock.now() + READS_COUNTED_EVERY_MS, signal)
      }
    }
    await Promise.all([fleet.run(signal, controller, activity), counting()])
  }

  /**
   * Does what is due, and says when something will be. Woken before its time, by an outcome or a person, it mostly finds
   * nothing to do, and to ask is cheaper than to look. A round in which we make a mistake is not the last one, unless there
   * is no store any more.
   */
  async function round(workAt: Instant, signal: AbortSignal): Promise<Instant> {
    try {
      const at = workAt > clock.now() ? await nextWorkAt() : workAt
      if (at > clock.now()) return at
      await owner?.renew()
      await controller.tick(signal)
      await controller.askHubs()
      return Math.max(clock.now() + 1, await nextWorkAt())
    } catch (error) {
      if (isOfStore(error)) throw error
      wall.report('looking for what is due', error)
      return clock.now() + AFTER_MISTAKE_MS
    }
  }

  /** Those of somebody who died a moment ago are to be had in some seconds. */
  async function waitForBuckets(signal: AbortSignal): Promise<void> {
    const until = clock.now() + BUCKETS_WAITED_FOR_MS
    while (owner && owner.owned().size === 0 && clock.now() < until && !signal.aborted) {
      await clock.sleepUntil(owner.renewAt(), signal)
      await owner.renew()
    }
  }

  async function runOnce(signal: AbortSignal): Promise<void> {
    await begin()
    await waitForBuckets(signal)
    await dropUnwanted(parts, parts.articles)
    await controller.chooseNow()
    while (!signal.aborted && !fatal) {
      const sent = await controller.tick(signal)
      await controller.landed(signal) // who interrupts leaves the rest to stop()
      if (sent > 0) continue
      const turnAt = Math.min(controller.nextTurnAt() ?? NEVER, (await controller.nextPageAt()) ?? NEVER)
      if (turnAt > clock.now() + NOT_WAITED_FOR_MS) break
      await clock.sleepUntil(turnAt, signal)
    }
    if (fatal) throw fatal
    await keeper.dealWithNews(signal)
  }

  async function perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    await begin()
    await controller.sendNow(what, signal)
    await controller.landed()
    if (fatal) throw fatal
    await keeper.dealWithNews(signal)
  }

  function activity(): Activity {
    const underWay = controller.underWay().map(({ task, sinceAt }) => ({ kind: task.kind, url: task.url, sinceAt }))
    return { startedAt, ...(owner && { buckets: owner.buckets() }), ...refusalNow(), underWay, ...totals.told() }
  }

  function refusalNow(): Pick<Activity, 'refusal' | 'queueRefusal'> {
    const [refusal, queueRefusal] = [patience.refusal(), queue.refusal?.()]
    return { ...(refusal && { refusal }), ...(queueRefusal && { queueRefusal }) }
  }

  return {
    run,
    runOnce,
    perform,
    async stop(graceMs) {
      const late = new AbortController()
      const closed = (queue.outlivesUs ? controller.landed(late.signal) : Promise.resolve()).then(() =>
        queue.close(late.signal),
      )
      const enough = new AbortController()
      const grace = clock.sleepUntil(clock.now() + graceMs, enough.signal).then(() => {
        late.abort()
        stopping.abort()
      })
      await closed
      enough.abort()
      await grace
      await controller.settled()
      try {
        // What is still out stays out: whoever has our buckets next waits for it.
        if (!queue.outlivesUs) await controller.handBackAll()
        await owner?.retire()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        emit({ kind: 'store-refuses', at: clock.now(), error, isLast: true })
      }
    },

    ...createCommands({ ...parts, controller, budget, wake: () => wake.abort(WOKEN), newsCame: keeper.newsCame }),
    ...(controller.pushReceiver && { pushReceiver: controller.pushReceiver }),
    activity,
    ...(inFleet && { crew: inFleet.crew }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
