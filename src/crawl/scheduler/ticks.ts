/** Rounds of the controller: what is due is taken with a lease, admitted, and sent or released. */
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
import type { Agenda, Clock, NextDue, Taken } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import { mostUrgentFirst, strategyNamed } from '../../scheduling/index.ts'
import type { Wall } from '../error-boundary.ts'
import { ofTasks } from '../task.ts'
import type { Admission, Admitted } from './admission.ts'
import type { PageTurns } from './article-scheduling.ts'
import type { Budget } from './budget.ts'
import type { TaskMaker } from './build-tasks.ts'
import type { Landing } from './complete-tasks.ts'
import type { HostMemory } from './host-memory.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RankRounds } from './ranked-selection.ts'
import type { RedirectEnds } from './redirect-targets.ts'
import type { HandBack } from './release-leases.ts'
import type { Sending } from './sending.ts'
import { plainPoll, sourceTask } from './task-of.ts'
import type { UnsureTakes } from './uncertain-leases.ts'

export interface Ticks {
  /** When something is due for which there are slots. */
  nextDue(): Promise<NextDue>
  /** Sends out what is due and may go, unless it is told to stop; `due`: what the store said of that. Returns how many tasks were sent. */
  tick(signal?: AbortSignal, due?: NextDue): Promise<number>
  /** Sends just these, due or not, each in its turn; resolves when all are sent or their root rests for long. */
  sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
}

export interface TicksParts {
  agenda: Agenda
  clock: Clock
  wall: Wall
  flights: Flights
  budget: Pick<Budget, 'turn'>
  hosts: Pick<HostMemory, 'recall'>
  admission: Admission
  sending: Sending
  handBack: HandBack
  unsureTakes: UnsureTakes
  rounds: RankRounds
  articles: Pick<PageTurns, 'tick' | 'freeHands'>
  ends: Pick<RedirectEnds, 'again'>
  taskMaker: Pick<TaskMaker, 'ofTaken' | 'hostsOf'>
  landing: Pick<Landing, 'giveUpLost' | 'landed'>
  owned: () => Owned | undefined
  hands: () => number
  leaseMs: Millis
  obeyRobots: 'guesses' | 'all'
  /** Whether hubs are asked. */
  hasPushes: boolean
}

const IDLE_ROUNDS = 16 // in which nobody may go; then whatever else there is to do gets its turn
const LONGEST_TURN_MS: Millis = MINUTE // how long somebody who asks for one feed is kept waiting for its turn

export function createTicks(parts: TicksParts): Ticks {
  const { agenda, clock, wall, flights, budget, hosts, admission, sending, handBack, unsureTakes, rounds } = parts
  const { articles, ends, taskMaker, landing, owned, hands, leaseMs, obeyRobots, hasPushes } = parts

  async function nextDue(): Promise<NextDue> {
    const { pageAt, hubAt, ...due } = await agenda.nextDue(owned())
    const mayFetch = pageAt !== undefined && articles.freeHands() > 0
    return { ...due, ...(mayFetch && { pageAt }), ...(hasPushes && hubAt !== undefined && { hubAt }) }
  }

  /** Polls first: a page goes where and when they leave room. */
  async function tick(signal?: AbortSignal, due?: NextDue): Promise<number> {
    await handBack.settle()
    await unsureTakes.release()
    landing.giveUpLost(clock.now())
    const isRound = (rounds.nextAt() ?? NEVER) <= clock.now()
    if (isRound) await wall.guarded('choosing feeds by their rank', () => rounds.choose(clock.now()))
    const { pollAt = NEVER, pageAt = NEVER } = due && !isRound ? due : await nextDue()
    const sent = pollAt <= clock.now() ? await tickFeeds(signal) : 0
    return sent + (pageAt <= clock.now() ? await articles.tick() : 0)
  }

  async function tickFeeds(signal?: AbortSignal): Promise<number> {
    let sent = 0
    for (let idle = 0; ; idle++) {
      if (idle > 0 && idle % IDLE_ROUNDS === 0) await yieldToEventLoop()
      const now = clock.now()
      landing.giveUpLost(now)
      const room = hands() - flights.size
      if (room <= 0 || signal?.aborted) return sent
      await wall.guarded('setting the price of a poll', () => budget.turn(now)) // before anything is taken: the store may fail
      const taken = await unsureTakes.noting(now, () => agenda.takeDue(now, room, now + leaseMs, owned()))
      const { feeds, sources } = taken
      const due = new Map(feeds.map((held) => [held.feed.id, held]))
      const { going } = await handOut({ feeds: await inOrder(feeds, now), sources }, now, { asked: false, due })
      sent += going.length
      if (going.length > 0) idle = 0
      if (feeds.length === room || sources.length === room) continue // there may be more
      admission.forgetMissed(now)
      return sent
    }
  }

  /** Sends of what was taken those that may go, and releases the others. */
  async function handOut(taken: Taken, now: Instant, how: Parameters<typeof admission.admit>[2]) {
    const plain = [...taken.feeds.map(plainPoll), ...taken.sources.map((one) => sourceTask(one, 0, undefined))]
    let admitted: Admitted<Task> = { going: [], waiting: [] }
    handBack.owe(plain.map((task) => ({ task })))
    await sending.orRelease(plain, async () => {
      await wall.guarded('reading what is known of hosts', () => hosts.recall(taskMaker.hostsOf(taken), now))
      admitted = await admission.admit(await taskMaker.ofTaken(taken), now, how)
      handBack.owe(how.asked ? admitted.waiting.map(({ task }) => ({ task })) : admitted.waiting)
      await sending.send(admitted.going, obeyRobots)
    })
    await handBack.settle()
    return admitted
  }

  async function inOrder<Held extends ScheduledFeed>(feeds: Held[], now: Instant): Promise<Held[]> {
    let ordered = feeds
    await wall.guarded('finding out which feed is most urgent', () => {
      ordered = mostUrgentFirst(feeds, now, strategyNamed)
    })
    return ordered
  }

  async function sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    for (let left = what; left.feeds.length + left.sources.length > 0 && !signal.aborted; ) {
      const now = clock.now()
      const taken = await agenda.takeThese(left, now, now + leaseMs)
      const { going, waiting } = await handOut(taken, now, { asked: true })
      left = ofTasks(waiting.filter(({ until }) => (until ?? 0) <= now + LONGEST_TURN_MS).map(({ task }) => task))
      if (going.length > 0 || flights.size >= hands()) await landing.landed(signal)
      else if (waiting.length > 0) await clock.sleepUntil(admission.nextTurnAt() ?? now + 1, signal)
      const again = ends.again(what)
      left = { feeds: [...left.feeds, ...again.feeds], sources: [...left.sources, ...again.sources] }
    }
  }

  return { nextDue, tick, sendNow }
}
