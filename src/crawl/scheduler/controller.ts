/**
 * Decides what is done and records what came of it. It has the store, and terminals have none (as in advaRSS); pacing is settled
 * here, before a task is sent: a terminal never has to ask another one whether it may go.
 *
 * What is due is taken from the store with a lease. What may go now is sent; what has to wait for its turn at its root is
 * handed back with the date of that turn. Should a terminal die, its flight is lost with its lease, and the feed is due
 * again; should an outcome come twice, nobody waits for the second (in-flight-tasks.ts).
 */

import type { LanguageOf } from '../../articles/index.ts'
import type {
  Feed,
  FeedId,
  Instant,
  Millis,
  Owned,
  PushedDocument,
  ScheduledFeed,
  Task,
  WebAddress,
} from '../../model/index.ts'
import { doorsOf, type Pace, tenantOf } from '../../politeness/index.ts'
import type { Clock, Dispatch } from '../../ports/index.ts'
import type { CrawlEvent, PushReceiver } from '../crawler.ts'
import { createWall, type SetAside } from '../error-boundary.ts'
import type { ReadDocument } from '../fetcher/read-document.ts'
import type { Policy } from '../recorder/policy.ts'
import { createSetAside } from '../recorder/quarantine.ts'
import { createRecorder, type RecorderRoles } from '../recorder/record-outcomes.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { bucketOfTask, itemsOf, leaseOf } from '../task.ts'
import { createPushes, type Pushes, type PushOptions } from '../websub/hub-subscriptions.ts'
import { createAdmission } from './admission.ts'
import { createApplying } from './apply-outcomes.ts'
import { createPageTurns } from './article-scheduling.ts'
import { createHandover, type Handover } from './bucket-handoff.ts'
import type { Budget } from './budget.ts'
import { createTaskMaker } from './build-tasks.ts'
import { createLanding, type Landing } from './complete-tasks.ts'
import { earliestPollAt } from './earliest-poll.ts'
import { createHostMemory } from './host-memory.ts'
import { createFlights, LEASE_MS } from './in-flight-tasks.ts'
import { giveUp, LOST_MS } from './orphaned-leases.ts'
import { createRankRounds } from './ranked-selection.ts'
import { createRedirectPace } from './redirect-pacing.ts'
import { createRedirectEnds } from './redirect-targets.ts'
import { createHandBack } from './release-leases.ts'
import { askDueHubs, createSending } from './sending.ts'
import { createTicks, type Ticks } from './ticks.ts'
import { createUnsureTakes } from './uncertain-leases.ts'

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

export interface Controller extends Ticks, Pick<Landing, 'apply' | 'landed'> {
  /** Reads what the store knows; before the first tick. For who is alone: what others had counts as asked for. Repeatable. */
  begin(): Promise<void>
  /** For who is not alone. */
  readonly handover: Handover
  /** The same for hubs; only for those who can be reached by them. */
  askHubs(): Promise<number>
  readonly pushReceiver?: PushReceiver
  /** What a hub brought to some other process. */
  takePushed?(pushed: PushedDocument): Promise<void>
  /** A person wants this feed polled, which is to be said in the log. */
  askedFor(id: FeedId): void
  /** When feeds are next chosen by their rank, where some are. */
  nextRoundAt(): Instant | undefined
  /** Chooses at once, for who does not stay until the next round. */
  chooseNow(): Promise<void>
  /** Whether leases of tasks that were not sent are still to be released: until they are, the store takes them for being out. */
  owesReleases(): boolean
  /** When the first of those will be given up as lost. */
  nextLossAt(): Instant | undefined
  /** Tasks that are out. */
  underWay(): { task: Task; sinceAt: Instant }[]
  /** When the first of those comes on who were told to wait for their turn at a root. */
  nextTurnAt(): Instant | undefined
  /** The earliest moment at which this address may be visited. */
  freeAt(url: WebAddress, now: Instant): Promise<Instant>
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
  const taskMaker = createTaskMaker({ ...parts, redirectPace, ends, setAside })
  const articles = createPageTurns({
    ...parts,
    hosts,
    redirectPace,
    flights,
    handBack,
    setAside,
    take: (now, limit) => unsureTakes.noting(now, () => agenda.takeDueArticles(now, limit, now + leaseMs, owned())),
    send: async (tasks) => void (await sending.send(tasks, 'guesses')),
    orRelease: sending.orRelease,
  })
  const recorder = createRecorder({ ...settled, setAside, lineDueAt: articles.lineDueAt })
  const admission = createAdmission({ ...parts, flights, hosts, redirectPace, setAside, gone: taskMaker.gone })

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
  const landing = createLanding({ queue, clock, flights, redirectPace, taskMaker, applyLanded })
  const ticks = createTicks({
    agenda,
    clock,
    wall,
    flights,
    budget,
    hosts,
    admission,
    sending,
    handBack,
    unsureTakes,
    rounds,
    articles,
    ends,
    taskMaker,
    landing,
    owned,
    hands,
    leaseMs,
    obeyRobots,
    hasPushes: pushes !== undefined,
  })

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

  async function askHubs(): Promise<number> {
    return pushes ? askDueHubs({ clock, pushes, flights, hands, hosts, admission, sending, obeyRobots }) : 0
  }

  return {
    begin,
    handover: createHandover({ ...parts, flights, hosts, pages: articles, redirectPace, ...taskMaker }),
    ...ticks,
    askHubs,
    ...(pushes && { pushReceiver: pushes, takePushed: pushes.takeOver }),
    askedFor: taskMaker.askedFor,
    apply: landing.apply,
    landed: landing.landed,
    owesReleases: () => handBack.isOwing() || unsureTakes.isOwing(),
    nextRoundAt: rounds.nextAt,
    chooseNow: () => rounds.choose(clock.now(), 'last-poll'),
    underWay: flights.all,
    nextLossAt: flights.nextLossAt,
    nextTurnAt: admission.nextTurnAt,
    async freeAt(url, now) {
      await hosts.recall(doorsOf(tenantOf(url)), now)
      return redirectPace.freeAt(url, now)
    },
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
