/**
 * Decides what is done and records what came of it. It alone writes to the store (as in advaRSS), and pacing is settled
 * here, before a task is sent: a terminal never has to ask another one whether it may go.
 *
 * What is due is taken from the store with a lease. What may go now is sent; what has to wait for its turn at its root is
 * handed back with the date of that turn. Should a terminal die, the lease runs out and the feed is due again; should an
 * outcome come twice, the second finds the feed polled at that instant already and is dropped.
 */

import type { LanguageOf } from '../articles/index.ts'
import {
  type FeedId,
  type Instant,
  MINUTE,
  type Millis,
  type Outcome,
  type ScheduledFeed,
  type Source,
  type SourceId,
  type Task,
} from '../model/index.ts'
import { type Pace, rootOf } from '../politeness/index.ts'
import { mostUrgentFirst, strategyNamed } from '../polling/index.ts'
import type { Clock, Queue, Store } from '../ports/index.ts'
import type { Policy } from './apply.ts'
import { createArticleCrawl, LEASE_MS } from './article-crawl.ts'
import type { Budget } from './budget.ts'
import type { CrawlEvent, PushDoor } from './crawler.ts'
import { createDoors } from './doors.ts'
import { createHosts } from './hosts.ts'
import { createPushes, type Pushes, type PushOptions } from './pushes.ts'
import { createRecorder } from './recorder.ts'
import { withRobots } from './robots-along.ts'
import { soonestAt } from './soonest.ts'
import { feedTask, isOfFeed, itemsOf, nameOf, sourceTask } from './tasks.ts'

const LONGEST_TURN_MS: Millis = MINUTE // how long somebody who asks for one feed is kept waiting for its turn

export interface ControllerParts extends Omit<Policy, 'terms' | 'languageOf'> {
  loadLanguageOf?: () => Promise<LanguageOf>
  budget: Budget
  store: Store
  queue: Queue
  clock: Clock
  pace: Pace
  /** How many tasks may be out at once. */
  concurrency: number
  /** Whether terminals ask robots.txt about feeds, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Absent where hubs cannot reach us. */
  push?: PushOptions
  emit: (event: CrawlEvent) => void
}

export interface Controller {
  /** Reads what the store knows of hosts; before the first tick. */
  begin(): Promise<void>
  /** Sends out what is due and may go. Returns how many tasks were sent. */
  tick(): Promise<number>
  /** The same for hubs; only for those who can be reached by them. */
  askHubs(): Promise<number>
  /** When the next hub is to be asked. */
  nextHubAt(): Promise<Instant | undefined>
  readonly pushDoor?: PushDoor
  /** A person wants this feed polled, which is to be said in the log. */
  askedFor(id: FeedId): void
  apply(outcomes: Outcome[]): Promise<void>
  /** When the next page is due, if there are hands for it. */
  nextPageAt(): Promise<Instant | undefined>
  /** Tasks that are out. */
  underWay(): { task: Task; sinceAt: Instant }[]
  /** When the first of those comes on who were told to wait for their turn at a root. */
  nextTurnAt(): Instant | undefined
  /** Sends just these, due or not, each in its turn; resolves when all are sent or their root rests for long. */
  sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** Resolves when everything that hubs brought has been looked at. */
  settled(): Promise<void>
  /** Gives up the leases of all tasks that are out, so that they are due again at once. */
  handBackAll(): Promise<void>
}

export function createController(parts: ControllerParts): Controller {
  const { store, queue, clock, pace, concurrency, random, budget, push, obeyRobots = 'guesses' } = parts
  const out = new Map<string, { task: Task; sinceAt: Instant }>()
  const turns = new Map<string, Instant>()
  const byHand = new Set<FeedId>()
  const hosts = createHosts(parts)
  const doors = createDoors(pace)
  const articles = createArticleCrawl({ ...parts, hosts, out })
  const pushes: Pushes | undefined =
    push && createPushes({ ...parts, record: (...brought) => recorder.recordPush(...brought), pollSoon }, push)
  const recorder = createRecorder({
    ...parts,
    terms: budget.terms,
    lineDueAt: articles.lineDueAt,
    ...(pushes && { pushes }),
  })

  async function begin(): Promise<void> {
    await budget.begin()
    await hosts.begin()
  }

  async function pollSoon({ feed, schedule }: ScheduledFeed): Promise<void> {
    const soonest = soonestAt(schedule, budget.terms(feed).limits.minMs, clock.now())
    if (soonest < schedule.dueAt) await store.changeFeed(feed.id, {}, { dueAt: soonest })
  }

  /** Polls first: a page goes where and when they leave room. */
  async function tick(): Promise<number> {
    return (await tickFeeds()) + (await articles.tick())
  }

  async function tickFeeds(): Promise<number> {
    let sent = 0
    for (;;) {
      const room = concurrency - out.size
      if (room <= 0) return sent
      const now = clock.now()
      const { feeds, sources } = await store.takeDue(now, room, now + LEASE_MS)
      const tasks = [...sources.map(ofSource), ...mostUrgentFirst(feeds, now, strategyNamed).map(ofFeed)]
      const { going, waiting } = admit(tasks, now, { asked: false })
      const back = waiting.flatMap(({ task, until }) =>
        itemsOf(task).map((item) => ({ ...item, ...(until && { dueAt: until }) })),
      )
      if (back.length > 0) await store.handBack(back)
      if (going.length > 0) await queue.send(await withRobots(going, store, obeyRobots))
      sent += going.length
      if (feeds.length === room || sources.length === room) continue // there may be more
      for (const [name, at] of turns) if (at <= now) turns.delete(name) // removed or paused before their turn came
      return sent
    }
  }

  async function askHubs(): Promise<number> {
    const room = concurrency - out.size
    if (!pushes || room <= 0) return 0
    const now = clock.now()
    const { going, waiting } = admit(await pushes.due(now, room), now, { asked: false })
    await pushes.wait(waiting.flatMap(({ task, until }) => (until ? [{ task, until }] : [])))
    await pushes.sent(going)
    await queue.send(going)
    return going.length
  }

  function ofSource(source: Source): Task {
    return sourceTask(source, pace.gapMs(source.root, clock.now()))
  }

  function ofFeed(held: ScheduledFeed): Task {
    const now = clock.now()
    const task = feedTask(held, pace.gapMs(held.feed.root, now), now, random())
    return task.kind === 'poll' && !task.page && byHand.has(task.feedId) ? { ...task, byHand: true } : task
  }

  /** Who may go now, and who has to wait: for a turn, or, without a date, for a free hand. */
  function admit<Kind extends Task>(
    tasks: Kind[],
    now: Instant,
    { asked }: { asked: boolean },
  ): { going: Kind[]; waiting: { task: Kind; until?: Instant }[] } {
    const going: Kind[] = []
    const waiting: { task: Kind; until?: Instant }[] = []
    for (const task of tasks) {
      const name = nameOf(task)
      if (out.size >= concurrency) {
        waiting.push({ task })
        continue
      }
      const root = rootOf(task.url)
      const turn = doors.enter(task, name, now, () =>
        asked ? pace.enter(root, name, now) : turnOf(task, root, name, now),
      )
      if (turn.kind === 'go') {
        turns.delete(name)
        if (isOfFeed(task)) byHand.delete(task.feedId)
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
    const underWay = () => [...out.values()].filter((one) => isOfFeed(one.task) && rootOf(one.task.url) === root)
    const turn = isOfFeed(task) ? hosts.mayGo(root, () => underWay().length, now) : undefined
    return turn ?? pace.enter(root, name, now)
  }

  function nextTurnAt(): Instant | undefined {
    let first: Instant | undefined
    for (const at of turns.values()) if (first === undefined || at < first) first = at
    return first
  }

  async function sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    let left: Task[] = [
      ...(await store.sourcesById(what.sources)).flatMap((s) => (s?.state === 'looking' ? [ofSource(s)] : [])),
      ...(await store.feedsById(what.feeds)).flatMap((held) => (held ? [ofFeed(held)] : [])),
    ]
    while (left.length > 0 && !signal.aborted) {
      const now = clock.now()
      const { going, waiting } = admit(left, now, { asked: true })
      await queue.send(await withRobots(going, store, obeyRobots))
      left = waiting.filter(({ until }) => (until ?? 0) <= now + LONGEST_TURN_MS).map(({ task }) => task)
      if (left.length === 0) return
      if (going.length > 0 || out.size >= concurrency) await queue.idle()
      else await clock.sleepUntil(nextTurnAt() ?? now + 1, signal)
    }
  }

  async function apply(outcomes: Outcome[]): Promise<void> {
    const now = clock.now()
    for (const outcome of outcomes) {
      out.delete(nameOf(outcome.task))
      doors.leave(outcome, now)
    }
    const excused = await hosts.after(outcomes, now)
    await budget.turn(now)
    const following = await recorder.record(outcomes, excused)
    const polls = outcomes.filter(({ task }) => task.kind === 'poll').length
    await budget.count({ following, others: polls - following }, now)
    await pushes?.after(outcomes)
  }

  return {
    begin,
    tick,
    askHubs,
    nextHubAt: async () => pushes?.nextAt(),
    ...(pushes && { pushDoor: pushes }),
    askedFor: (id) => byHand.add(id),
    apply,
    nextPageAt: async () => (articles.freeHands() > 0 ? store.nextArticleDueAt() : undefined),
    underWay: () => [...out.values()],
    nextTurnAt,
    sendNow,
    settled: async () => pushes?.settled(),
    async handBackAll() {
      const tasks = [...out.values()].map(({ task }) => task)
      await store.handBack(tasks.flatMap(itemsOf))
      await store.handBackArticles(tasks.flatMap((task) => (task.kind === 'article' ? [{ id: task.articleId }] : [])))
      out.clear()
    },
  }
}
