/**
 * Decides what is done and records what came of it. It alone writes to the store (as in advaRSS), and pacing is settled
 * here, before a task is sent: a terminal never has to ask another one whether it may go.
 *
 * What is due is taken from the store with a lease. What may go now is sent; what has to wait for its turn at its root is
 * handed back with the date of that turn. Should a terminal die, the lease runs out and the feed is due again; should an
 * outcome come twice, the second finds the feed polled at that instant already and is dropped.
 */

import {
  type FeedId,
  type Host,
  type Instant,
  MINUTE,
  type Millis,
  type Outcome,
  type SourceId,
  type Task,
} from '../model/index.ts'
import { budgetAfter, factorAt, hostAfter, type Pace, rootOf } from '../politeness/index.ts'
import { mostUrgentFirst, strategyNamed } from '../polling/index.ts'
import type { Clock, Queue, Store } from '../ports/index.ts'
import type { Policy } from './apply.ts'
import type { Budget } from './budget.ts'
import type { CrawlEvent } from './crawler.ts'
import { createIncidents } from './incidents.ts'
import { createRecorder } from './recorder.ts'
import { feedTask, itemOf, nameOf, sourceTask } from './tasks.ts'

const LEASE_MS: Millis = 10 * MINUTE // longer than any task may take; a task that is out longer is taken for lost

const LONGEST_TURN_MS: Millis = MINUTE // how long somebody who asks for one feed is kept waiting for its turn

export interface ControllerParts extends Omit<Policy, 'terms'> {
  budget: Budget
  store: Store
  queue: Queue
  clock: Clock
  pace: Pace
  /** How many tasks may be out at once. */
  concurrency: number
  /** Between two requests of one task to the same root. */
  gapMs: Millis
  emit: (event: CrawlEvent) => void
}

export interface Controller {
  /** Reads what the store knows of hosts; before the first tick. */
  begin(): Promise<void>
  /** Sends out what is due and may go. Returns how many tasks were sent. */
  tick(): Promise<number>
  apply(outcomes: Outcome[]): Promise<void>
  /** Tasks that are out. */
  underWay(): { task: Task; sinceAt: Instant }[]
  /** When the first of those comes on who were told to wait for their turn at a root. */
  nextTurnAt(): Instant | undefined
  /** Sends just these, due or not, each in its turn; resolves when all are sent or their root rests for long. */
  sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** Gives up the leases of all tasks that are out, so that they are due again at once. */
  handBackAll(): Promise<void>
}

export function createController(parts: ControllerParts): Controller {
  const { store, queue, clock, pace, concurrency, gapMs, random, emit, budget } = parts
  const out = new Map<string, { task: Task; sinceAt: Instant }>()
  const turns = new Map<string, Instant>()
  const hosts = new Map<string, Host>()
  const incidents = createIncidents(random, emit)
  const recorder = createRecorder({ ...parts, terms: budget.terms })

  async function begin(): Promise<void> {
    await budget.begin()
    for (const host of await store.hosts()) {
      hosts.set(host.root, host)
      pace.rest(host)
      if (host.budget) pace.learn(host.root, { budget: host.budget })
    }
  }

  async function tick(): Promise<number> {
    let sent = 0
    for (;;) {
      const room = concurrency - out.size
      if (room <= 0) return sent
      const now = clock.now()
      const { feeds, sources } = await store.takeDue(now, room, now + LEASE_MS)
      if (feeds.length + sources.length === 0) {
        for (const [name, at] of turns) if (at <= now) turns.delete(name) // removed or paused before their turn came
        return sent
      }

      const { going, waiting } = admit(
        [
          ...sources.map((s) => sourceTask(s, gapMs)),
          ...mostUrgentFirst(feeds, now, strategyNamed).map((feed) => feedTask(feed, gapMs, now, random())),
        ],
        now,
        { asked: false },
      )
      await store.handBack(waiting.map(({ task, until }) => ({ ...itemOf(task), ...(until && { dueAt: until }) })))
      await queue.send(going)
      sent += going.length
    }
  }

  /** Who may go now, and who has to wait: for a turn, or, without a date, for a free hand. */
  function admit(
    tasks: Task[],
    now: Instant,
    { asked }: { asked: boolean },
  ): { going: Task[]; waiting: { task: Task; until?: Instant }[] } {
    const going: Task[] = []
    const waiting: { task: Task; until?: Instant }[] = []
    for (const task of tasks) {
      const name = nameOf(task)
      if (out.size >= concurrency) {
        waiting.push({ task })
        continue
      }
      const root = rootOf(task.url)
      const turn = asked ? pace.enter(root, name, now) : turnOf(task, root, name, now)
      if (turn.kind === 'go') {
        turns.delete(name)
        out.set(name, { task, sinceAt: now })
        going.push(task)
      } else {
        turns.set(name, turn.until)
        waiting.push({ task, until: turn.until })
      }
    }
    return { going, waiting }
  }

  /** While a host is in trouble, only few of its feeds go and look; what a person asks for is not held back by that. */
  function turnOf(task: Task, root: string, name: string, now: Instant): ReturnType<Pace['enter']> {
    const underWay = () =>
      [...out.values()].filter((one) => one.task.kind !== 'discover' && rootOf(one.task.url) === root)
    const turn = task.kind === 'discover' ? undefined : incidents.mayGo(root, () => underWay().length, now)
    return turn ?? pace.enter(root, name, now)
  }

  function nextTurnAt(): Instant | undefined {
    let first: Instant | undefined
    for (const at of turns.values()) if (first === undefined || at < first) first = at
    return first
  }

  async function sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    let left: Task[] = [
      ...(await store.sourcesById(what.sources)).flatMap((s) => (s?.state === 'looking' ? [sourceTask(s, gapMs)] : [])),
      ...(await store.feedsById(what.feeds)).flatMap((held) =>
        held ? [feedTask(held, gapMs, clock.now(), random())] : [],
      ),
    ]
    while (left.length > 0 && !signal.aborted) {
      const now = clock.now()
      const { going, waiting } = admit(left, now, { asked: true })
      await queue.send(going)
      left = waiting.filter(({ until }) => (until ?? 0) <= now + LONGEST_TURN_MS).map(({ task }) => task)
      if (left.length === 0) return
      if (going.length > 0 || out.size >= concurrency) await queue.idle()
      else await clock.sleepUntil(nextTurnAt() ?? now + 1, signal)
    }
  }

  async function apply(outcomes: Outcome[]): Promise<void> {
    const now = clock.now()
    for (const { task } of outcomes) {
      out.delete(nameOf(task))
      pace.leave(rootOf(task.url), now)
    }
    await recordPatience(outcomes, now)
    await budget.count(outcomes.filter(({ task }) => task.kind === 'poll').length, now)
    await recorder.record(outcomes, incidents.after(outcomes))
  }

  /** What each root asks of us, and what it teaches us about its gap. */
  async function recordPatience(outcomes: Outcome[], now: Instant): Promise<void> {
    const changed = new Map<string, Host>()
    for (const { task, result } of outcomes) {
      const root = rootOf(task.url)
      const failure = result.kind === 'failed' ? result.failure : undefined
      const before = hosts.get(root)
      const rested = hostAfter(before, root, failure, now, random())
      const taught = budgetAfter(before?.budget, failure, now)
      if (!rested && !taught) continue
      const learnt = taught ?? before?.budget
      const host: Host = {
        ...(rested ?? before ?? { root, notBeforeAt: 0, strikes: 0 }),
        ...(learnt && isWorthKeeping(learnt, now) && { budget: learnt }),
      }
      hosts.set(root, host)
      changed.set(root, host)
      if (rested) pace.rest(host)
      if (learnt) pace.learn(root, { budget: learnt })
      if (rested && failure) emit({ kind: 'host-rests', at: now, root, until: host.notBeforeAt, failure })
      if (host.strikes === 0 && !host.budget) hosts.delete(root)
    }
    if (changed.size > 0) await store.recordHosts([...changed.values()])
  }

  return {
    begin,
    tick,
    apply,
    underWay: () => [...out.values()],
    nextTurnAt,
    sendNow,
    async handBackAll() {
      await store.handBack([...out.values()].map(({ task }) => itemOf(task)))
      out.clear()
    },
  }
}

function isWorthKeeping(budget: NonNullable<Host['budget']>, now: Instant): boolean {
  return budget.refusals > 0 || factorAt(budget, now) > 1
}
