/**
 * The crawl as something that lives: a loop that ticks when something is due, a quiet loop that keeps house, and the
 * doors through which the front rooms come in. It starts, it runs, it stops in a bounded time and loses nothing.
 */

import { setImmediate as letOthers } from 'node:timers/promises'
import type { LanguageOf } from '../articles/index.ts'
import {
  type FeedId,
  HOUR,
  type Instant,
  MINUTE,
  type Millis,
  NEVER,
  SECOND,
  type SourceId,
  type ValidatorTrust,
} from '../model/index.ts'
import { createPace } from '../politeness/index.ts'
import { strategyNamed, whyDue } from '../polling/index.ts'
import type { Clock, Queue, Search, Store } from '../ports/index.ts'
import type { Policy } from './apply.ts'
import { afterWish, dropUnwanted } from './article-wishes.ts'
import { type BudgetOptions, createBudget } from './budget.ts'
import { createController } from './controller.ts'
import type { Activity, CrawlEvent, Crawler } from './crawler.ts'
import { indexBite, type Retention, retentionBite } from './housekeeping.ts'
import { moveOf } from './moving.ts'
import type { Grouping } from './place-index.ts'
import { createPlacer } from './placing.ts'
import type { PushOptions } from './pushes.ts'
import { hurry, hurryOne, underStrategy } from './reschedule.ts'
import { HAND_POLL_GAP_MS, soonestAt } from './soonest.ts'
import { subscribe } from './subscribe.ts'

export interface CrawlerParts extends Omit<Policy, 'terms' | 'languageOf'>, Retention, BudgetOptions, Grouping {
  /** Loads what tells languages apart, when the first text is there; absent: what feeds and pages state is believed. */
  loadLanguageOf?: () => Promise<LanguageOf>
  store: Store
  search: Search
  queue: Queue
  clock: Clock
  concurrency: number
  gapMs: Millis
  /** Roots that need no gaps and no turns, such as one's own machines. */
  isExempt?: (root: string) => boolean
  /** Whether terminals ask robots.txt about feeds, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Where hubs reach us; absent if they cannot. */
  push?: PushOptions
}

export interface RunningCrawler extends Crawler {
  /** Crawls until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
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
const NOT_WAITED_FOR_MS = MINUTE // how long `runOnce` waits for a turn at a root

export function createCrawler(parts: CrawlerParts): RunningCrawler {
  const { store, queue, clock, gapMs, random, isExempt } = parts
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
  }
  const startedAt = clock.now()
  const pace = createPace({ gapMs, random, ...(isExempt && { isExempt }) })
  const budget = createBudget(store, parts, startedAt)
  const controller = createController({ ...parts, pace, emit, budget })
  const placer = createPlacer({ ...parts, emit })
  let wake = new AbortController()
  let news = new AbortController()

  queue.collect(async (outcomes) => {
    try {
      await controller.apply(outcomes)
    } catch (error) {
      emit({ kind: 'mistake', at: clock.now(), error, doing: `applying ${outcomes.length} outcomes` })
    }
    wake.abort(WOKEN)
    news.abort(WOKEN)
  })

  function emit(event: CrawlEvent): void {
    if (event.kind === 'polled') count(totals, event)
    if (event.kind === 'article') countArticle(totals, event)
    if (event.kind === 'pushed') {
      totals.fresh += event.fresh
      totals.changed += event.changed
      news.abort()
    }
    if (event.kind === 'push' || event.kind === 'pushed') wake.abort()
    for (const listener of listeners) listener(event)
  }

  /** Does the work, then sleeps until the date it gives, or until an outcome or a person's wish came meanwhile. */
  async function workThenRest(work: () => Promise<Instant>, signal: AbortSignal): Promise<void> {
    wake = new AbortController()
    const woken = AbortSignal.any([wake.signal, signal])
    await clock.sleepUntil(await work(), woken)
  }

  async function nextWakeAt(): Promise<Instant> {
    const now = clock.now()
    const full = controller.underWay().length >= parts.concurrency
    if (full) return NEVER
    const dueAt = (await store.nextDueAt()) ?? NEVER
    const hubAt = (await controller.nextHubAt()) ?? NEVER
    const pageAt = (await controller.nextPageAt()) ?? NEVER
    return Math.max(now + 1, Math.min(dueAt, hubAt, pageAt))
  }

  async function run(signal: AbortSignal): Promise<void> {
    await controller.begin()
    await dropUnwanted(store, parts.articles)
    const quiet = keepHouse(signal)
    while (!signal.aborted)
      await workThenRest(async () => {
        await controller.tick()
        await controller.askHubs()
        return nextWakeAt()
      }, signal)
    await quiet
  }

  async function runOnce(signal: AbortSignal): Promise<void> {
    await controller.begin()
    await dropUnwanted(store, parts.articles)
    while (!signal.aborted) {
      const sent = await controller.tick()
      await queue.idle()
      if (sent > 0) continue
      const turnAt = Math.min(controller.nextTurnAt() ?? NEVER, (await controller.nextPageAt()) ?? NEVER)
      if (turnAt > clock.now() + NOT_WAITED_FOR_MS) break
      await clock.sleepUntil(turnAt, signal)
    }
    await dealWithNews()
  }

  async function perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    await controller.begin()
    await controller.sendNow(what, signal)
    await queue.idle()
    await dealWithNews(signal)
  }

  async function hurryById(id: FeedId): Promise<void> {
    const [held] = await store.feedsById([id])
    if (held?.feed.state === 'active') await hurryOne(store, held, budget.terms(held.feed))
  }

  /** Puts what has come where people look for it. */
  async function dealWithNews(signal?: AbortSignal): Promise<void> {
    await inBites(() => indexBite(parts), signal)
    await inBites(() => placer.bite(), signal)
  }

  /** Polls go on between two bites; while any are under way, this work takes a third of the time at most. */
  async function inBites(bite: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
    for (let more = true; more && !signal?.aborted; ) {
      const beganAt = clock.now()
      more = await bite()
      await letOthers()
      if (controller.underWay().length > 0) await clock.sleepUntil(3 * clock.now() - 2 * beganAt, signal)
    }
  }

  /** Indexes and places what the last outcomes brought, a moment after them; now and then forgets what is too old. */
  async function keepHouse(signal: AbortSignal): Promise<void> {
    let retentionAt = clock.now()
    while (!signal.aborted) {
      news = new AbortController()
      try {
        await dealWithNews(signal)
        if (clock.now() >= retentionAt) {
          await inBites(() => retentionBite(parts, parts), signal)
          retentionAt = clock.now() + RETENTION_EVERY_MS
        }
      } catch (error) {
        emit({ kind: 'mistake', at: clock.now(), error, doing: 'keeping house' })
      }
      await clock.sleepUntil(retentionAt, AbortSignal.any([news.signal, signal]))
      await clock.sleepUntil(clock.now() + QUIET_MS, signal)
    }
  }

  return {
    run,
    runOnce,
    perform,
    async stop(graceMs) {
      const late = new AbortController()
      const closed = queue.close(late.signal)
      const enough = new AbortController()
      const grace = clock.sleepUntil(clock.now() + graceMs, enough.signal).then(() => late.abort())
      await closed
      enough.abort()
      await grace
      await controller.settled()
      await controller.handBackAll()
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
      const earliest = Math.max(soonestAt(schedule, HAND_POLL_GAP_MS, now), pace.freeAt(feed.root, now))
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
          ...(held && url !== undefined && { ...moveOf(held.feed, url), successorUrl: null }),
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
      underWay: controller.underWay().map(({ task, sinceAt }) => ({ kind: task.kind, url: task.url, sinceAt })),
      totals: { ...totals },
    }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whatever the server at the old address did, the new one begins with our trust. */
function unproven(at: Instant): ValidatorTrust {
  return { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
}

function countArticle(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'article' }>): void {
  totals.bytes += bytes
  if (result.kind === 'failed') totals.articleFailures++
  else totals.articles++
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
