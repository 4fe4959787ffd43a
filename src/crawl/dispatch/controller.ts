/**
 * Decides what is done and records what came of it. It has the store, and terminals have none (as in advaRSS); pacing is settled
 * here, before a task is sent: a terminal never has to ask another one whether it may go.
 *
 * What is due is taken from the store with a lease. What may go now is sent; what has to wait for its turn at its root is
 * handed back with the date of that turn. Should a terminal die, its flight is lost with its lease, and the feed is due
 * again; should an outcome come twice, nobody waits for the second (flights.ts).
 */

import type { LanguageOf } from '../../articles/index.ts'
import {
  type Feed,
  type FeedId,
  type Instant,
  MINUTE,
  type Millis,
  NEVER,
  type Outcome,
  type Owned,
  type PushedDocument,
  type ScheduledFeed,
  type Source,
  type SourceId,
  type StoredArticle,
  type Task,
  type WebAddress,
} from '../../model/index.ts'
import { doorsOf, type Pace, tenantOf } from '../../politeness/index.ts'
import { mostUrgentFirst, strategyNamed } from '../../polling/index.ts'
import type { Clock, Dispatch, Leased, Taken } from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import type { CrawlEvent, PushReceiver } from '../crawler.ts'
import { createPushes, type Pushes, type PushOptions } from '../push/pushes.ts'
import type { Policy } from '../record/policy.ts'
import { createRecorder, type RecorderRoles } from '../record/record-outcomes.ts'
import { createSetAside } from '../record/set-aside.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { bucketOfTask, isOfFeed, itemsOf, leaseOf, ofTasks } from '../task.ts'
import type { ReadDocument } from '../terminal/read-document.ts'
import { createWall, type SetAside } from '../wall.ts'
import { giveUp, LOST_MS } from './abandoned.ts'
import { type Admitted, createAdmission } from './admission.ts'
import { createApplying } from './apply-outcomes.ts'
import type { Budget } from './budget.ts'
import { earliestPollAt } from './earliest-poll.ts'
import { createFlights, LEASE_MS } from './flights.ts'
import { createHandBack } from './hand-back.ts'
import { createHandover, type Handover } from './handover.ts'
import { createHostMemory, hostsVisited } from './host-memory.ts'
import { createPageTurns } from './page-turns.ts'
import { createRankRounds } from './rank-rounds.ts'
import { createRedirectEnds } from './redirect-ends.ts'
import { createRedirectPace } from './redirect-pace.ts'
import { askDueHubs, createSending } from './sending.ts'
import { articleTask, feedTask, plainPoll, sourceTask } from './tasks.ts'
import { createUnsureTakes } from './unsure-takes.ts'

const IDLE_ROUNDS = 16 // in which nobody may go; then whatever else there is to do gets its turn
const LONGEST_TURN_MS: Millis = MINUTE // how long somebody who asks for one feed is kept waiting for its turn

export interface ControllerParts extends Omit<Policy, 'terms' | 'languageOf'>, RecorderRoles {
  loadLanguageOf?: () => Promise<LanguageOf>
  budget: Budget
  queue: Dispatch
  clock: Clock
  pace: Pace
  /** The buckets whose feeds, pages and hubs are ours; all, where nothing is said. */
  owned?: () => Owned | undefined
  /** How many tasks may be out at once, as things are. */
  hands: () => number
  /** For how long what is sent is ours; ten minutes, where nothing is said. */
  leaseMs?: Millis
  /** Our name among several controllers; absent where there is one. */
  crewName?: string
  /** Whether what we own stays ours long enough for a task to be on its way; always, where nothing is said. */
  isSure?: () => boolean
  /** Whether terminals ask robots.txt about feeds, too. */
  obeyRobots?: 'guesses' | 'all'
  /** Absent where hubs cannot reach us. */
  push?: PushOptions
  /** Where documents are read that hubs brought: here, if nothing else is said. */
  read?: ReadDocument
  emit: (event: CrawlEvent) => void
  /** Repeats steps while the store fails transiently; once, where nothing is said. */
  retryTransient?: RetryTransient
}

export interface Controller {
  /** Reads what the store knows; before the first tick. For who is alone: what others had counts as asked for. Repeatable. */
  begin(): Promise<void>
  /** For who is not alone. */
  readonly handover: Handover
  /** Sends out what is due and may go, unless it is told to stop. Returns how many tasks were sent. */
  tick(signal?: AbortSignal): Promise<number>
  /** The same for hubs; only for those who can be reached by them. */
  askHubs(): Promise<number>
  /** When the next hub is to be asked. */
  nextHubAt(): Promise<Instant | undefined>
  readonly pushReceiver?: PushReceiver
  /** What a hub brought to some other process. */
  takePushed?(pushed: PushedDocument): Promise<void>
  /** A person wants this feed polled, which is to be said in the log. */
  askedFor(id: FeedId): void
  apply(outcomes: Outcome[]): Promise<void>
  /** When feeds are next chosen by their rank, where some are. */
  nextRoundAt(): Instant | undefined
  /** Chooses at once, for who does not stay until the next round. */
  chooseNow(): Promise<void>
  /** Whether leases of tasks that were not sent are still to be released: until they are, the store takes them for being out. */
  owesReleases(): boolean
  /** When the next page is due, if there are hands for it. */
  nextPageAt(): Promise<Instant | undefined>
  /** When the first of those will be given up as lost. */
  nextLossAt(): Instant | undefined
  /** Resolves when nothing is: everything has come back and is recorded, or is lost; or when the signal aborts. */
  landed(signal?: AbortSignal): Promise<void>
  /** Tasks that are out. */
  underWay(): { task: Task; sinceAt: Instant }[]
  /** When the first of those comes on who were told to wait for their turn at a root. */
  nextTurnAt(): Instant | undefined
  /** The earliest moment at which this address may be visited. */
  freeAt(url: WebAddress, now: Instant): Promise<Instant>
  /** Sends just these, due or not, each in its turn; resolves when all are sent or their root rests for long. */
  sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** Resolves when everything that hubs brought has been looked at. */
  settled(): Promise<void>
  /** Gives up the leases of all tasks that are out. What was asked for and not answered is not asked for again at once. */
  handBackAll(): Promise<void>
}

export function createController(parts: ControllerParts): Controller {
  const {
    agenda,
    subscriptions,
    queue,
    clock,
    pace,
    hands,
    random,
    budget,
    push,
    owned = () => undefined,
    isSure = () => true,
    obeyRobots = 'guesses',
    leaseMs = LEASE_MS,
  } = parts
  const retryTransient = parts.retryTransient ?? doOnce
  const crew = parts.crewName === undefined ? undefined : { name: parts.crewName, bucketOf: bucketOfTask }
  const flights = createFlights({ leaseMs, crew })
  const byHand = new Set<FeedId>()
  let applying = 0
  let landing = new AbortController()
  const wall = createWall(parts)
  const handBack = createHandBack({ agenda, wall })
  const hosts = createHostMemory({ ...parts, wall })
  const redirectPace = createRedirectPace(pace)
  const ends = createRedirectEnds(parts)
  const pushes: Pushes | undefined =
    push &&
    createPushes(
      { ...parts, wall, retryTransient, record: (...brought) => recorder.recordPush(...brought), pollSoon },
      push,
    )
  const settled = { ...parts, terms: budget.terms, retryTransient, wall, ...(pushes && { pushes }) }
  const setAside: SetAside = createSetAside(settled)
  const sending = createSending({ ...parts, wall, flights, redirectPace, handBack, isSure })
  const unsureTakes = createUnsureTakes({ agenda, flights, owned })
  const articles = createPageTurns({
    ...parts,
    hosts,
    redirectPace,
    flights,
    handBack,
    setAside,
    owned,
    take: (now, limit) => unsureTakes.noting(now, () => agenda.takeDueArticles(now, limit, now + leaseMs, owned())),
    send: async (tasks) => void (await sending.send(tasks, 'guesses')),
    orRelease: sending.orRelease,
  })
  const recorder = createRecorder({ ...settled, setAside, lineDueAt: articles.lineDueAt })
  const admission = createAdmission({ ...parts, flights, hosts, redirectPace, setAside, gone: onItsWay })

  const applyLanded = createApplying({
    retryTransient,
    wall,
    redirectPace,
    hosts,
    pages: articles,
    handBack,
    ends,
    recorder,
    budget,
    pushes,
  })
  const rounds = createRankRounds({ ...parts, flights, owned, startedAt: clock.now() })

  async function begin(): Promise<void> {
    await budget.begin()
    const abandoned = (await agenda.leases()).filter(({ kind, id }) => !flights.has(`${kind} ${id}`))
    await giveUp(abandoned, parts, shortestMs, clock.now())
  }

  function shortestMs(feed: Feed): Millis {
    return budget.terms(feed).limits.minMs
  }

  async function pollSoon({ feed, schedule }: ScheduledFeed): Promise<void> {
    const soonest = earliestPollAt(schedule, shortestMs(feed), clock.now())
    if (soonest < schedule.dueAt) await subscriptions.changeFeed(feed.id, {}, { dueAt: soonest })
  }

  /** Polls first: a page goes where and when they leave room. */
  async function tick(signal?: AbortSignal): Promise<number> {
    await handBack.settle()
    await unsureTakes.release()
    return (await tickFeeds(signal)) + (await articles.tick())
  }

  async function tickFeeds(signal?: AbortSignal): Promise<number> {
    let sent = 0
    await wall.guarded('choosing feeds by their rank', () => rounds.choose(clock.now()))
    for (let idle = 0; ; idle++) {
      if (idle > 0 && idle % IDLE_ROUNDS === 0) await yieldToEventLoop()
      const now = clock.now()
      giveUpLost(now)
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
      await wall.guarded('reading what is known of hosts', () => hosts.recall(hostsOf(taken), now))
      const tasks = [...taken.sources.map(ofSource), ...(await tasksFor(taken.feeds))]
      admitted = await admission.admit(tasks, now, how)
      handBack.owe(how.asked ? admitted.waiting.map(({ task }) => ({ task })) : admitted.waiting)
      await sending.send(admitted.going, obeyRobots)
    })
    await handBack.settle()
    return admitted
  }

  /** Those that a visit may lead to: an errand goes elsewhere than a poll. */
  function hostsOf({ feeds, sources }: Taken): string[] {
    const ofFeeds = feeds.map((held) => {
      const { url, ends, errand } = held.feed
      return { ...plainPoll(held), url: errand?.url ?? url, ...(ends && { ends }) }
    })
    return hostsVisited([...ofFeeds, ...sources.map((source) => sourceTask(source, 0, ends.ofSource(source.id)))])
  }

  async function inOrder<Held extends ScheduledFeed>(feeds: Held[], now: Instant): Promise<Held[]> {
    let ordered = feeds
    await wall.guarded('finding out which feed is most urgent', () => {
      ordered = mostUrgentFirst(feeds, now, strategyNamed)
    })
    return ordered
  }

  async function tasksFor(feeds: Leased<ScheduledFeed>[]): Promise<Task[]> {
    const tasks: Task[] = []
    for (const held of feeds)
      try {
        tasks.push(ofFeed(held))
      } catch (error) {
        await setAside(plainPoll(held), error, `making a task of feed ${held.feed.id}`)
      }
    return tasks
  }

  /** What never came back holds no hand and no door any longer than it has its lease. */
  function giveUpLost(now: Instant): void {
    const lost = flights.expire(now)
    for (const { task } of lost) redirectPace.turnBack(task, now)
    if (lost.length > 0) landing.abort()
  }

  async function landed(signal?: AbortSignal): Promise<void> {
    while ((flights.size > 0 || applying > 0) && !signal?.aborted) {
      queue.hurry?.()
      const awaited = signal ? AbortSignal.any([landing.signal, signal]) : landing.signal
      await clock.sleepUntil(flights.nextLossAt() ?? NEVER, awaited)
      if (landing.signal.aborted) landing = new AbortController()
      giveUpLost(clock.now())
      await yieldToEventLoop()
    }
  }

  async function askHubs(): Promise<number> {
    return pushes ? askDueHubs({ clock, pushes, flights, hands, hosts, admission, sending, obeyRobots }) : 0
  }

  function onItsWay(task: Task): void {
    if (isOfFeed(task)) byHand.delete(task.feedId)
    ends.gone(task)
  }

  function ofSource(source: Leased<Source>): Task {
    return sourceTask(source, redirectPace.gapMs(source.url, clock.now()), ends.ofSource(source.id))
  }

  function ofPage(page: Leased<StoredArticle>): Task {
    return articleTask(page, redirectPace.gapMs(page.ledTo?.url ?? page.url, clock.now()), undefined)
  }

  function ofFeed(held: Leased<ScheduledFeed>): Task {
    const now = clock.now()
    const task = feedTask(held, redirectPace.gapMs(held.feed.url, now), now, random())
    return task.kind === 'poll' && !task.older && byHand.has(task.feedId) ? { ...task, byHand: true } : task
  }

  async function sendNow(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    for (let left = what; left.feeds.length + left.sources.length > 0 && !signal.aborted; ) {
      const now = clock.now()
      const taken = await agenda.takeThese(left, now, now + leaseMs)
      const { going, waiting } = await handOut(taken, now, { asked: true })
      left = ofTasks(waiting.filter(({ until }) => (until ?? 0) <= now + LONGEST_TURN_MS).map(({ task }) => task))
      if (going.length > 0 || flights.size >= hands()) await landed(signal)
      else if (waiting.length > 0) await clock.sleepUntil(admission.nextTurnAt() ?? now + 1, signal)
      const again = ends.again(what)
      left = { feeds: [...left.feeds, ...again.feeds], sources: [...left.sources, ...again.sources] }
    }
  }

  /** An outcome that nobody waits for, because it comes twice or too late, is nobody's. */
  async function apply(brought: Outcome[]): Promise<void> {
    applying++
    try {
      await applyAll(brought)
    } finally {
      flights.recorded(brought)
      applying--
      landing.abort()
    }
  }

  async function applyAll(brought: Outcome[]): Promise<void> {
    const outcomes = brought.flatMap((outcome) => flights.land(outcome) ?? [])
    for (const { task, result } of outcomes)
      if (result.kind === 'elsewhere' && task.kind === 'poll' && task.byHand) byHand.add(task.feedId)
    await applyLanded(outcomes, clock.now())
  }

  return {
    begin,
    handover: createHandover({ ...parts, flights, hosts, pages: articles, redirectPace, ofFeed, ofSource, ofPage }),
    tick,
    askHubs,
    nextHubAt: async () => pushes?.nextAt(),
    ...(pushes && { pushReceiver: pushes, takePushed: pushes.takeOver }),
    askedFor: (id) => byHand.add(id),
    apply,
    landed,
    owesReleases: () => handBack.isOwing() || unsureTakes.isOwing(),
    nextRoundAt: rounds.nextAt,
    chooseNow: () => rounds.choose(clock.now(), 'last-poll'),
    nextPageAt: async () => (articles.freeHands() > 0 ? agenda.nextArticleDueAt(owned()) : undefined),
    underWay: flights.all,
    nextLossAt: flights.nextLossAt,
    nextTurnAt: admission.nextTurnAt,
    async freeAt(url, now) {
      await hosts.recall(doorsOf(tenantOf(url)), now)
      return redirectPace.freeAt(url, now)
    },
    sendNow,
    settled: async () => pushes?.settled(),
    async handBackAll() {
      const tasks = flights.all()
      await giveUp(
        tasks.flatMap(({ task, sinceAt }) => itemsOf(task).map((item) => ({ ...item, takenAt: sinceAt }))),
        parts,
        shortestMs,
        clock.now(),
      )
      await agenda.handBackArticles(
        tasks.flatMap(({ task, sinceAt }) =>
          task.kind === 'article' ? [{ id: task.articleId, ...leaseOf(task), dueAt: sinceAt + LOST_MS }] : [],
        ),
      )
      for (const { task } of tasks) flights.cancel(task)
    },
  }
}
