/** Ticks of the controller: leases what is due, admits it, and sends or releases it. */
import {
  type FeedId,
  type Instant,
  MINUTE,
  type Millis,
  NEVER,
  type Owned,
  type ScheduledFeed,
  type SourceId,
  type Task,
} from '../../model/index.ts'
import type { Clock, DueQueue, LeasedItems, NextDue } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import { sortByUrgency, strategyNamed } from '../../scheduling/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { idsOfTasks } from '../task.ts'
import type { AdmissionResult, TaskAdmission } from './admission.ts'
import type { ArticleScheduling } from './article-scheduling.ts'
import type { Budget } from './budget.ts'
import type { TaskBuilder } from './build-tasks.ts'
import type { TaskCompletion } from './complete-tasks.ts'
import type { HostMemory } from './host-memory.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RankedSelection } from './ranked-selection.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { LeaseReleaser } from './release-leases.ts'
import type { Sending } from './sending.ts'
import { plainPoll, sourceTask } from './task-of.ts'
import type { UncertainLeases } from './uncertain-leases.ts'

export interface Ticks {
  /** When something is due that free slots allow. */
  nextDue(): Promise<NextDue>
  /** Sends due tasks that are admitted, until the signal aborts. `due`: a fresh answer of `nextDue`. Returns how many tasks were sent. */
  tick(signal?: AbortSignal, due?: NextDue): Promise<number>
  /** Sends only these, due or not, when their host slots are free. Resolves when all are sent or have to wait longer than a minute. */
  sendNow(selection: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** Sends the first article in line if it is due and admitted. Returns whether it was sent. */
  sendArticle(): Promise<boolean>
}

export interface TicksParts {
  dueQueue: DueQueue
  clock: Clock
  errorBoundary: ErrorBoundary
  inFlight: InFlightTasks
  budget: Pick<Budget, 'updatePrice'>
  hosts: Pick<HostMemory, 'load'>
  admission: TaskAdmission
  sending: Sending
  leaseReleaser: LeaseReleaser
  uncertainLeases: UncertainLeases
  rankedSelection: RankedSelection
  articles: Pick<ArticleScheduling, 'tick' | 'freeSlots'>
  redirectTargets: Pick<RedirectTargets, 'takeRedirected'>
  taskBuilder: Pick<TaskBuilder, 'buildTasks' | 'hostsOf'>
  taskCompletion: Pick<TaskCompletion, 'expireTasks' | 'waitUntilIdle'>
  owned: () => Owned | undefined
  slots: () => number
  leaseMs: Millis
  obeyRobots: 'guesses' | 'all'
  /** Whether hub subscriptions are used. */
  hasHubs: boolean
}

const IDLE_ROUNDS = 16 // rounds without an admitted task, after which the event loop runs other work
const MAX_WAIT_MS: Millis = MINUTE // how long `sendNow` waits for a host slot

export function createTicks(parts: TicksParts): Ticks {
  const {
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
  } = parts
  const { articles, redirectTargets, taskBuilder, taskCompletion, owned, slots, leaseMs, obeyRobots, hasHubs } = parts

  async function nextDue(): Promise<NextDue> {
    const { articleAt, hubAt, ...due } = await dueQueue.nextDue(owned())
    const mayFetch = articleAt !== undefined && articles.freeSlots() > 0
    return { ...due, ...(mayFetch && { articleAt }), ...(hasHubs && hubAt !== undefined && { hubAt }) }
  }

  /** Polls go first; articles use the slots they leave. */
  async function tick(signal?: AbortSignal, due?: NextDue): Promise<number> {
    await leaseReleaser.releasePending()
    await uncertainLeases.release()
    taskCompletion.expireTasks(clock.now())
    const isRound = (rankedSelection.nextAt() ?? NEVER) <= clock.now()
    if (isRound) await errorBoundary.guard('selecting feeds by rank', () => rankedSelection.select(clock.now()))
    const { pollAt = NEVER, articleAt = NEVER } = due && !isRound ? due : await nextDue()
    const sent = pollAt <= clock.now() ? await tickFeeds(signal) : 0
    return sent + (articleAt <= clock.now() ? await articles.tick() : 0)
  }

  async function tickFeeds(signal?: AbortSignal): Promise<number> {
    let sent = 0
    for (let idle = 0; ; idle++) {
      if (idle > 0 && idle % IDLE_ROUNDS === 0) await yieldToEventLoop()
      const now = clock.now()
      taskCompletion.expireTasks(now)
      const free = slots() - inFlight.size
      if (free <= 0 || signal?.aborted) return sent
      await errorBoundary.guard('updating the price of polls', () => budget.updatePrice(now)) // before leasing, because the store may fail
      const leased = await uncertainLeases.track(now, () => dueQueue.leaseDue(now, free, now + leaseMs, owned()))
      const { feeds, sources } = leased
      const due = new Map(feeds.map((feed) => [feed.feed.id, feed]))
      const { ready } = await admitAndSend({ feeds: await sortFeedsByUrgency(feeds, now), sources }, now, {
        byUser: false,
        due,
      })
      sent += ready.length
      if (ready.length > 0) idle = 0
      if (feeds.length === free || sources.length === free) continue // there may be more
      admission.forgetPassedSlots(now)
      return sent
    }
  }

  /** Sends the admitted ones of the leased items and releases the others. */
  async function admitAndSend(leased: LeasedItems, now: Instant, options: Parameters<typeof admission.admit>[2]) {
    const tasks = [...leased.feeds.map(plainPoll), ...leased.sources.map((source) => sourceTask(source, 0, undefined))]
    let result: AdmissionResult<Task> = { ready: [], waiting: [] }
    leaseReleaser.addPending(tasks.map((task) => ({ task })))
    await sending.releaseOnFailure(tasks, async () => {
      await errorBoundary.guard('loading hosts', () => hosts.load(taskBuilder.hostsOf(leased), now))
      result = await admission.admit(await taskBuilder.buildTasks(leased), now, options)
      leaseReleaser.addPending(options.byUser ? result.waiting.map(({ task }) => ({ task })) : result.waiting)
      await sending.send(result.ready, obeyRobots)
    })
    await leaseReleaser.releasePending()
    return result
  }

  async function sortFeedsByUrgency<Item extends ScheduledFeed>(feeds: Item[], now: Instant): Promise<Item[]> {
    let ordered = feeds
    await errorBoundary.guard('sorting feeds by urgency', () => {
      ordered = sortByUrgency(feeds, now, strategyNamed)
    })
    return ordered
  }

  async function sendNow(selection: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    for (let remaining = selection; remaining.feeds.length + remaining.sources.length > 0 && !signal.aborted; ) {
      const now = clock.now()
      const leased = await dueQueue.leaseThese(remaining, now, now + leaseMs)
      const { ready, waiting } = await admitAndSend(leased, now, { byUser: true })
      remaining = idsOfTasks(waiting.filter(({ until }) => (until ?? 0) <= now + MAX_WAIT_MS).map(({ task }) => task))
      if (ready.length > 0 || inFlight.size >= slots()) await taskCompletion.waitUntilIdle(signal)
      else if (waiting.length > 0) await clock.sleepUntil(admission.nextHostSlotAt() ?? now + 1, signal)
      const redirected = redirectTargets.takeRedirected(selection)
      remaining = {
        feeds: [...remaining.feeds, ...redirected.feeds],
        sources: [...remaining.sources, ...redirected.sources],
      }
    }
  }

  return { nextDue, tick, sendNow, sendArticle: async () => (await articles.tick(1)) > 0 }
}
