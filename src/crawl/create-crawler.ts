/**
 * The crawl as something that lives: a loop that ticks when something is due, a quiet loop that keeps house, and the
 * doors through which the front rooms come in. It starts, it runs, it stops in a bounded time and loses nothing.
 */

import type { LanguageOf } from '../articles/index.ts'
import {
  DAY,
  type FeedId,
  HOUR,
  type Instant,
  MINUTE,
  type Millis,
  NEVER,
  SECOND,
  type SourceId,
  type ValidatorTrust,
  withoutCredentials,
} from '../model/index.ts'
import { createPace } from '../politeness/index.ts'
import { strategyNamed, whyDue } from '../polling/index.ts'
import { type Clock, type Queue, type Search, type Store, StoreError } from '../ports/index.ts'
import type { Policy } from './apply.ts'
import { afterWish, dropUnwanted } from './article-wishes.ts'
import { createBites } from './bites.ts'
import { type BudgetOptions, createBudget } from './budget.ts'
import { createController } from './controller.ts'
import type { Activity, CrawlEvent, Crawler } from './crawler.ts'
import { indexBite, type Retention, retentionBite, sweepBite } from './housekeeping.ts'
import { moveOf } from './moving.ts'
import type { Grouping } from './place-index.ts'
import { createPlacer } from './placing.ts'
import type { PushOptions } from './pushes.ts'
import type { ReadDocument } from './reading-room.ts'
import { hurry, hurryOne, underStrategy } from './reschedule.ts'
import { HAND_POLL_GAP_MS, soonestAt } from './soonest.ts'
import { createStorePatience, isPassing } from './store-patience.ts'
import { subscribe } from './subscribe.ts'
import { createWall, internalFailure, isOfStore } from './wall.ts'

export interface CrawlerParts extends Omit<Policy, 'terms' | 'languageOf'>, Retention, BudgetOptions, Grouping {
  /** Loads what tells languages apart, when the first text is there; absent: what feeds and pages state is believed. */
  loadLanguageOf?: () => Promise<LanguageOf>
  store: Store
  search: Search
  queue: Queue
  clock: Clock
  concurrency: number
  gapMs: Millis
  /** So much later than the first of them feeds are looked at that are due: those that come meanwhile cost less together. */
  gatherMs?: Millis
  /** Roots that need no gaps and no turns, such as one's own machines. */
  isExempt?: (root: string) => boolean
  /** Whether terminals ask robots.txt about feeds, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Where hubs reach us; absent if they cannot. */
  push?: PushOptions
  /** Where documents are read that hubs brought: here, if nothing else is said. */
  read?: ReadDocument
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
  /** Lets work under way finish, for so long; what is not done then is handed back. */
  stop(graceMs: Millis): Promise<void>
}

const WOKEN = 'woken' // without a reason, an error is made for each
const QUIET_MS = SECOND // what arrives within a second is indexed together
const RETENTION_EVERY_MS = HOUR
const AFTER_MISTAKE_MS = MINUTE // ours: what was due stays due, and the mistake may have been of the moment
const MISTAKES_SHOWN = 5
const NOT_WAITED_FOR_MS = MINUTE // how long `runOnce` waits for a turn at a root
/** A clock that is so far ahead would take four times as long to be right again. */
const FAR_BACK_MS: Millis = DAY
/** Longer than any rest, failure or page is waited for; polls may have a longer interval. */
const LEAST_FURTHEST_MS: Millis = 32 * DAY
/** After the clock was set far ahead nothing is thrown away for being old, until somebody may have noticed. */
const NOTHING_IS_OLD_MS: Millis = DAY

export function createCrawler(parts: CrawlerParts): RunningCrawler {
  const { store, queue, clock, gapMs, random, isExempt, gatherMs = 0 } = parts
  const listeners = new Set<(event: CrawlEvent) => void>()
  const totals: Activity['totals'] = {
    polls: 0,
    notModified: 0,
    failures: 0,
    fresh: 0,
    changed: 0,
    bytes: 0,
    gaps: 0,
    articles: 0,
    articleFailures: 0,
    mistakes: 0,
  }
  let mistakes: Activity['mistakes'] = []
  const startedAt = clock.now()
  const pace = createPace({ gapMs, random, ...(isExempt && { isExempt }) })
  const budget = createBudget(store, { ...parts, binds: true }, startedAt)
  const wall = createWall({ clock, emit })
  const stopping = new AbortController()
  const patience = createStorePatience(clock, emit)
  /** Only who runs on can wait for the store: who does one thing says at once that it cannot be done. */
  let isRunning = false
  const persist = <T>(work: () => Promise<T>) => (isRunning ? patience.persist(work, stopping.signal) : work())
  const controller = createController({ ...parts, pace, emit, budget, persist })
  const placer = createPlacer({ ...parts, emit })
  const bites = (first: number) => createBites({ clock, isBusy: () => controller.underWay().length > 0, first })
  const [sweeping, indexing, placing, forgetting] = [bites(50), bites(50), bites(40), bites(50)]
  let wake = new AbortController()
  let news = new AbortController()
  let ending = new AbortController()
  let fatal: StoreError | undefined
  let isSetBack = false
  let nothingIsOldUntil: Instant = 0

  clock.onJump?.((byMs) => {
    const at = clock.now()
    emit({ kind: 'clock-set', at, byMs })
    if (byMs > FAR_BACK_MS) nothingIsOldUntil = at + NOTHING_IS_OLD_MS
    if (byMs > -FAR_BACK_MS) return
    isSetBack = true
    ending.abort()
  })

  queue.collect(async (outcomes) => {
    try {
      await controller.apply(outcomes)
    } catch (error) {
      trouble(error, `applying ${outcomes.length} outcomes`)
    }
    wake.abort(WOKEN)
    news.abort(WOKEN)
  })

  /** A mistake of ours is told; without a store nobody can go on. */
  function trouble(error: unknown, doing: string): void {
    if (error instanceof StoreError && !(isRunning && error.isPassing)) {
      fatal ??= error
      ending.abort()
    } else wall.report(doing, error)
  }

  function emit(event: CrawlEvent): void {
    if (event.kind === 'polled') count(totals, event)
    if (event.kind === 'found' && event.added) countFirst(totals, event)
    if (event.kind === 'article') countArticle(totals, event)
    if (event.kind === 'mistake') {
      totals.mistakes++
      mistakes = [mistakeInWords(event), ...mistakes].slice(0, MISTAKES_SHOWN)
    }
    if (event.kind === 'pushed') {
      totals.fresh += event.fresh
      totals.changed += event.changed
      news.abort()
    }
    if (event.kind === 'push' || event.kind === 'pushed') wake.abort()
    for (const listener of listeners) listener(event)
  }

  /** Does the work, then sleeps until the date it gives, or until an outcome or a person's wish came meanwhile. */
  async function workThenRest(work: () => Promise<Instant>): Promise<void> {
    wake = new AbortController()
    await clock.sleepUntil((await work()) + gatherMs, wake.signal)
  }

  /** When somebody has something to do, if there are hands for it. */
  async function nextWorkAt(): Promise<Instant> {
    const full = controller.underWay().length >= parts.concurrency
    if (full) return NEVER
    const dueAt = (await store.nextDueAt()) ?? NEVER
    const hubAt = (await controller.nextHubAt()) ?? NEVER
    const pageAt = (await controller.nextPageAt()) ?? NEVER
    return Math.min(dueAt, hubAt, pageAt)
  }

  async function begin(): Promise<void> {
    const now = clock.now()
    const dates = await store.mendDates(now, now + Math.max(LEAST_FURTHEST_MS, parts.limits.maxMs))
    if (dates > 0) emit({ kind: 'dates-mended', at: now, dates })
    await controller.begin()
  }

  async function run(signal: AbortSignal): Promise<'stopped' | 'clock-set-back'> {
    isRunning = true
    ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    const end = () => wake.abort(WOKEN)
    ended.addEventListener('abort', end)
    let quiet = Promise.resolve()
    try {
      await patience.persist(begin, ended)
      await patience.persist(() => dropUnwanted(store, parts.articles), ended)
      quiet = keepHouse(ended)
      let workAt = clock.now()
      while (!ended.aborted)
        await workThenRest(async () => {
          workAt = await patience.persist(() => round(workAt, ended), ended)
          return workAt
        })
    } catch (error) {
      if (!(isPassing(error) && ended.aborted)) throw error
    } finally {
      ending.abort()
      ended.removeEventListener('abort', end)
      await quiet
    }
    if (fatal) throw fatal
    return isSetBack ? 'clock-set-back' : 'stopped'
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
      await controller.tick(signal)
      await controller.askHubs()
      return Math.max(clock.now() + 1, await nextWorkAt())
    } catch (error) {
      if (isOfStore(error)) throw error
      wall.report('looking for what is due', error)
      return clock.now() + AFTER_MISTAKE_MS
    }
  }

  async function runOnce(signal: AbortSignal): Promise<void> {
    await begin()
    await dropUnwanted(store, parts.articles)
    const interrupted = aborted(signal)
    while (!signal.aborted && !fatal) {
      const sent = await controller.tick(signal)
      await Promise.race([queue.idle(), interrupted]) // who interrupts leaves the rest to stop()
      if (sent > 0) continue
      const turnAt = Math.min(controller.nextTurnAt() ?? NEVER, (await controller.nextPageAt()) ?? NEVER)
      if (turnAt > clock.now() + NOT_WAITED_FOR_MS) break
      await clock.sleepUntil(turnAt, signal)
    }
    if (fatal) throw fatal
    await dealWithNews(signal)
  }

  async function perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    await begin()
    await controller.sendNow(what, signal)
    await queue.idle()
    if (fatal) throw fatal
    await dealWithNews(signal)
  }

  async function hurryById(id: FeedId): Promise<void> {
    const [held] = await store.feedsById([id])
    if (held?.feed.state === 'active') await hurryOne(store, held, budget.terms(held.feed))
  }

  /** Puts what has come where people look for it. */
  async function dealWithNews(signal?: AbortSignal): Promise<void> {
    const sweep = () => sweeping((size) => sweepBite(parts, size), signal)
    const index = () => indexing((size) => indexBite({ ...parts, wall }, size), signal)
    await wall.guarded('sweeping out what removed feeds have left', sweep)
    await wall.guarded('putting entries into the index', index)
    await wall.guarded('placing entries among copies and stories', () => placing((size) => placer.bite(size), signal))
  }

  /** Indexes and places what the last outcomes brought, a moment after them; now and then forgets what is too old. */
  async function keepHouse(signal: AbortSignal): Promise<void> {
    let retentionAt = clock.now() + RETENTION_EVERY_MS // by then a clock that was wrong at the start has been set
    while (!signal.aborted) {
      news = new AbortController()
      try {
        await patience.persist(() => dealWithNews(signal), signal)
        if (clock.now() >= retentionAt && clock.now() >= nothingIsOldUntil) {
          retentionAt = clock.now() + RETENTION_EVERY_MS
          await patience.persist(() => forgetting((size) => retentionBite(parts, parts, size), signal), signal)
        }
      } catch (error) {
        trouble(error, 'keeping house')
      }
      await clock.sleepUntil(retentionAt, AbortSignal.any([news.signal, signal]))
      await clock.sleepUntil(clock.now() + QUIET_MS, signal)
    }
  }

  function refusalNow(): Pick<Activity, 'refusal'> {
    const refusal = patience.refusal()
    return refusal ? { refusal } : {}
  }

  return {
    run,
    runOnce,
    perform,
    async stop(graceMs) {
      const late = new AbortController()
      const closed = queue.close(late.signal)
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
        await controller.handBackAll()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        emit({ kind: 'store-refuses', at: clock.now(), error }) // leases run out by themselves
      }
    },

    async subscribe(addresses) {
      const subscriptions = await subscribe(addresses, parts)
      wake.abort()
      return subscriptions
    },
    async pollNow(id) {
      const [held] = await store.feedsById([id])
      if (!held) return undefined
      const { feed, schedule } = held
      if (feed.state !== 'active') return { dueAt: schedule.dueAt, why: `the feed is ${feed.state}; resume it first` }
      const now = clock.now()
      const gapOverAt = (schedule.polledAt ?? Number.NEGATIVE_INFINITY) + HAND_POLL_GAP_MS
      const earliest = Math.max(soonestAt(schedule, HAND_POLL_GAP_MS, now), controller.freeAt(feed.url, now))
      await store.changeFeed(id, {}, { dueAt: earliest })
      controller.askedFor(id)
      wake.abort()
      if (earliest === now) return { dueAt: now }
      return {
        dueAt: earliest,
        why: earliest === gapOverAt ? 'it was polled a moment ago' : 'its server is left alone for a while',
      }
    },
    async edit(id, { title, folder, titlePrefix, strategy, url, credentials, wants, subscribers, articles }) {
      const takenBy = url === undefined ? undefined : await store.feedAt(url)
      const [other] = takenBy === undefined || takenBy === id ? [] : await store.feedsById([takenBy])
      if (other) return { by: other.feed }
      const isElsewhere = url !== undefined || credentials !== undefined // to its server, who asks is somebody else
      if (isElsewhere) controller.askedFor(id)
      await budget.begin()
      const [held] = await store.feedsById([id])
      const under =
        held && strategy !== undefined && (await underStrategy(store, held, strategy, budget.terms(held.feed)))
      const found = await store.changeFeed(
        id,
        {
          ...(title !== undefined && { title }),
          ...(subscribers !== undefined && { subscribers }),
          ...(folder !== undefined && { folder: folder || null }),
          ...(titlePrefix !== undefined && { titlePrefix: titlePrefix || null }),
          ...(articles !== undefined && { articles: articles || null }),
          ...(wants && { wants: Object.keys(wants).length > 0 ? wants : null }),
          ...(held && url !== undefined && { ...moveOf(held.feed, url), ends: null, successorUrl: null }),
          ...(credentials !== undefined && { credentials }),
          ...(isElsewhere && { validators: {}, bodyHash: null, windowHash: null }),
        },
        {
          ...under,
          ...(isElsewhere && { dueAt: clock.now(), trust: unproven(clock.now()) }),
        },
      )
      if (wants) await hurryById(id)
      if (articles !== undefined) await afterWish(store, id, parts.articles, clock.now())
      wake.abort()
      return found
    },
    async want(folder, wants) {
      await budget.begin()
      await budget.want(folder, wants)
      await hurry(store, budget, folder)
      wake.abort()
    },
    why(scheduled) {
      const { feed, schedule } = scheduled
      return whyDue(scheduled, strategyNamed(schedule.strategy), budget.terms(feed, schedule.because?.price))
    },
    async placeAgain() {
      const waiting = await store.placeAgain(clock.now() - parts.groupWindowMs)
      news.abort()
      return waiting
    },
    pause: (id) => store.changeFeed(id, { state: 'paused' }),
    async resume(id) {
      const found = await store.changeFeed(id, { state: 'active' })
      wake.abort()
      return found
    },
    async remove(id) {
      const found = await store.removeFeed(id)
      news.abort()
      wake.abort()
      return found
    },
    removeSource: (id) => store.removeSource(id),

    ...(controller.pushDoor && { pushDoor: controller.pushDoor }),
    activity: () => ({
      startedAt,
      ...refusalNow(),
      underWay: controller.underWay().map(({ task, sinceAt }) => ({ kind: task.kind, url: task.url, sinceAt })),
      totals: { ...totals },
      mistakes,
    }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whatever the server at the old address did, the new one begins with our trust. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function unproven(at: Instant): ValidatorTrust {
  return { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
}

function mistakeInWords({ at, doing, error }: Extract<CrawlEvent, { kind: 'mistake' }>): Activity['mistakes'][number] {
  return { at, words: `${withoutCredentials(doing.slice(0, LONGEST_DOING))}: ${internalFailure(error).detail}` }
}

const LONGEST_DOING = 200

function countArticle(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'article' }>): void {
  totals.bytes += bytes
  if (result.kind === 'failed') totals.articleFailures++
  else totals.articles++
}

/** The first poll of a feed is that with which it was found. */
function countFirst(totals: Activity['totals'], { entries, bytes }: Extract<CrawlEvent, { kind: 'found' }>): void {
  totals.polls++
  totals.bytes += bytes
  totals.fresh += entries
}

function count(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'polled' }>): void {
  totals.polls++
  totals.bytes += bytes
  switch (result.kind) {
    case 'read':
      totals.fresh += result.fresh
      totals.changed += result.changed
      totals.gaps += result.gap ? 1 : 0
      return
    case 'not-modified':
      totals.notModified++
      return
    case 'failed':
      totals.failures++
  }
}
