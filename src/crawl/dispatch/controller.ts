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
} from '../../model/index.ts'
import type { Pace } from '../../politeness/index.ts'
import { mostUrgentFirst, strategyNamed } from '../../polling/index.ts'
import { type Clock, type Dispatch, type Leased, letOthers, type Roles } from '../../ports/index.ts'
import type { CrawlEvent, PushReceiver } from '../crawler.ts'
import { createPushes, type Pushes, type PushOptions } from '../push/pushes.ts'
import type { Policy } from '../record/policy.ts'
import { createRecorder } from '../record/record-outcomes.ts'
import { createSetAside } from '../record/set-aside.ts'
import { bucketOfTask, isOfFeed, itemsOf, leaseOf, ofTasks } from '../task.ts'
import type { ReadDocument } from '../terminal/read-document.ts'
import { createWall, type SetAside } from '../wall.ts'
import { giveUp, LOST_MS } from './abandoned.ts'
import { createAdmission } from './admission.ts'
import { attachKnown } from './attach-known.ts'
import type { Budget } from './budget.ts'
import { earliestPollAt } from './earliest-poll.ts'
import { createFlights, LEASE_MS } from './flights.ts'
import { createHandBack } from './hand-back.ts'
import { createHandover, type Handover } from './handover.ts'
import { createHostMemory } from './host-memory.ts'
import { createPageTurns } from './page-turns.ts'
import { createRankRounds } from './rank-rounds.ts'
import { createRedirectEnds } from './redirect-ends.ts'
import { createRedirectPace, type RedirectPace } from './redirect-pace.ts'
import { articleTask, feedTask, plainPoll, sourceTask } from './tasks.ts'

const IDLE_ROUNDS = 16 // in which nobody may go; then whatever else there is to do gets its turn
const LONGEST_TURN_MS: Millis = MINUTE // how long somebody who asks for one feed is kept waiting for its turn

export interface ControllerParts
  extends Omit<Policy, 'terms' | 'languageOf'>,
    Pick<Roles, 'agenda' | 'ledger' | 'subscriptions' | 'catalogue' | 'articleCatalogue' | 'people'> {
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
  /** Does work on the store until it is done, however long the store is in trouble that passes; once, where nothing is said. */
  persist?: <T>(work: () => Promise<T>) => Promise<T>
}

export interface Controller {
  /** Reads what the store knows of hosts; before the first tick. For who is alone: what others had counts as asked for. */
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
  freeAt: RedirectPace['freeAt']
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
    ledger,
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
  const persist = parts.persist ?? ((work) => work())
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
    push && createPushes({ ...parts, wall, record: (...brought) => recorder.recordPush(...brought), pollSoon }, push)
  const settled = { ...parts, terms: budget.terms, wall, ...(pushes && { pushes }) }
  const setAside: SetAside = createSetAside(settled)
  const sendPages = (tasks: Task[]) => send(tasks, 'guesses')
  const ofPages = { leaseMs, hosts, redirectPace, flights, setAside, owned, send: sendPages }
  const articles = createPageTurns({ ...parts, ...ofPages })
  const recorder = createRecorder({ ...settled, setAside, lineDueAt: articles.lineDueAt })
  const admission = createAdmission({ ...parts, flights, hosts, redirectPace, setAside, gone: onItsWay })

  const rounds = createRankRounds({ ...parts, flights, owned, startedAt: clock.now() })

  async function begin(): Promise<void> {
    await budget.begin()
    await hosts.begin(clock.now())
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
    return (await tickFeeds(signal)) + (await articles.tick())
  }

  async function tickFeeds(signal?: AbortSignal): Promise<number> {
    let sent = 0
    await wall.guarded('choosing feeds by their rank', () => rounds.choose(clock.now()))
    for (let idle = 0; ; idle++) {
      if (idle > 0 && idle % IDLE_ROUNDS === 0) await letOthers()
      const now = clock.now()
      giveUpLost(now)
      const room = hands() - flights.size
      if (room <= 0 || signal?.aborted) return sent
      await wall.guarded('setting the price of a poll', () => budget.turn(now)) // before anything is taken: the store may fail
      const { feeds, sources } = await agenda.takeDue(now, room, now + leaseMs, owned())
      const due = new Map(feeds.map((held) => [held.feed.id, held]))
      const tasks = [...sources.map(ofSource), ...(await tasksFor(await inOrder(feeds, now)))]
      const { going, waiting } = await admission.admit(tasks, now, { asked: false, due })
      await send(going)
      await handBack.until(waiting)
      sent += going.length
      if (going.length > 0) idle = 0
      if (feeds.length === room || sources.length === room) continue // there may be more
      admission.forgetMissed(now)
      return sent
    }
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
      await letOthers()
    }
  }

  /**
   * Who was let in goes, or leaves again: a task that is not sent must not keep a hand, a door or a lease. Whoever slept since he took
   * it sends nothing: what he takes for his own may be another's.
   */
  async function send(going: Task[], heeded = obeyRobots): Promise<void> {
    if (going.length === 0) return
    try {
      const ready = await attachKnown(going, { ledger, wall, obeyRobots: heeded }, clock.now())
      if (isSure()) await queue.send(ready)
      else turnBack(going)
    } catch (error) {
      turnBack(going)
      throw error
    }
  }

  function turnBack(going: Task[]): void {
    for (const task of going) {
      flights.cancel(task)
      redirectPace.turnBack(task, clock.now())
    }
    handBack.owe(going)
  }

  async function askHubs(): Promise<number> {
    const room = hands() - flights.size
    if (!pushes || room <= 0) return 0
    const now = clock.now()
    const { going, waiting } = await admission.admit(await pushes.due(now, room), now, { asked: false })
    await pushes.wait(waiting.flatMap(({ task, until }) => (until ? [{ task, until }] : [])))
    await send(going)
    await pushes.sent(going)
    return going.length
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
      const { feeds, sources } = await agenda.takeThese(left, now, now + leaseMs)
      const tasks = [...sources.map(ofSource), ...(await tasksFor(feeds))]
      const { going, waiting } = await admission.admit(tasks, now, { asked: true })
      await send(going)
      await handBack.asBefore(waiting.map(({ task }) => task))
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
    const now = clock.now()
    const outcomes = brought.flatMap((outcome) => flights.land(outcome) ?? [])
    for (const outcome of outcomes)
      await wall.guarded(`coming back from ${outcome.task.url}`, () => redirectPace.leave(outcome, now))
    const led = outcomes.filter(({ result }) => result.kind === 'elsewhere')
    const done = outcomes.filter(({ result }) => result.kind !== 'elsewhere' && result.kind !== 'unsent')
    const excused = hosts.learn([...led, ...done], now)
    await persist(async () => {
      await handBack.asBefore(outcomes.flatMap(({ task, result }) => (result.kind === 'unsent' ? [task] : [])))
      await hosts.save(now)
      await wall.guarded('noting where redirects lead', () => goAgain(led))
      const counted = await recorder.record(done, excused)
      const others = done.filter(({ task }) => task.kind === 'poll').length - counted.following
      await wall.guarded('counting polls', () => budget.count({ ...counted, others }, now))
      await pushes?.after([...led, ...done])
    })
  }

  /** It is no poll yet, and no failure: they go again, when it is the turn of those to whom they were led. */
  async function goAgain(led: Outcome[]): Promise<void> {
    for (const { task } of led) if (task.kind === 'poll' && task.byHand) byHand.add(task.feedId)
    await ends.note(led)
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
    nextRoundAt: rounds.nextAt,
    chooseNow: () => rounds.choose(clock.now(), 'last-poll'),
    nextPageAt: async () => (articles.freeHands() > 0 ? agenda.nextArticleDueAt(owned()) : undefined),
    underWay: flights.all,
    nextLossAt: flights.nextLossAt,
    nextTurnAt: admission.nextTurnAt,
    freeAt: redirectPace.freeAt,
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
