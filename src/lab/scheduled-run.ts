/**
 * Runs feeds that share a budget on a common clock: the production scheduler on their histories, with no I/O and no
 * waiting. Polls are made in order of their dates, each on its current terms, so everything that bounds polls in the
 * crawl applies: the price, the bounds of an explicit budget, rounds and goals. lab.test.ts verifies that the crawl
 * polls at the same instants.
 */
import {
  type DueReason,
  type Feed,
  type FeedId,
  HOUR,
  type Instant,
  type Memory,
  type Millis,
  type PollingGoals,
  type Schedule,
  webAddress,
} from '../model/index.ts'
import {
  createScheduler,
  createTopRanked,
  dueAt,
  dueCause,
  earnedPolls,
  followsPrice,
  type Limits,
  nextRoundAt,
  pollBytesAfter,
  type Scheduler,
  samplingInterval,
  strategyFor,
  strategyNamed,
} from '../scheduling/index.ts'
import { pollHistory, type ReplayedPoll } from './replay.ts'

/** A feed's history, with its time in the crawl and its preferences. */
export interface ScheduledHistory {
  published: ArrayLike<Instant>
  window: number
  strategy: string
  /** First due date. */
  firstAt: Instant
  /** When the feed is added; the start of the run by default. */
  addedAt?: Instant
  removedAt?: Instant
  folder?: string
  wants?: PollingGoals
  subscribers?: number
  /** Response size of a poll with or without news; a normal size by default. */
  pollBytes?(found: boolean): number
  onPoll(encounter: ReplayedPoll): void
}

export interface ScheduledRunOptions {
  startAt: Instant
  endAt: Instant
  limits: Limits
  pollsPerDay: number | 'auto'
  folders?: ReadonlyMap<string, PollingGoals>
  /** Changes of the budget during the run, by date. */
  budgetChanges?: readonly { at: Instant; pollsPerDay: number | 'auto' }[]
  /** Called after each time the price is set. */
  onSettled?(at: Instant, scheduler: Scheduler): void
}

interface RunFeed {
  history: ScheduledHistory
  feed: Feed
  schedule: Schedule
  encounter: ReplayedPoll
  isGone: boolean
}

/** Polls all feeds until `endAt`. Returns the number of polls deferred by the budget, and the final scheduler. */
export function runScheduled(
  histories: readonly ScheduledHistory[],
  { startAt, endAt, limits, pollsPerDay, folders, budgetChanges = [], onSettled }: ScheduledRunOptions,
): { scheduler: Scheduler; putOff: number } {
  const scheduler = createScheduler({ limits }, startAt)
  scheduler.setBudget(pollsPerDay)
  if (folders) scheduler.setFolderPreferences(folders)
  const runFeeds = histories.map(runFeed)
  const due = createDueQueue(runFeeds)
  const changes = changesOf(histories, budgetChanges, startAt)
  const active = new Set<number>()
  let learnedFeeds = 0
  let putOff = 0
  const rounds = createRounds(runFeeds, active, scheduler, due, startAt)

  function survey(at: Instant): void {
    const feedSurvey = scheduler.survey(at)
    const every = samplingInterval(active.size)
    let number = 0
    const sample: RunFeed[] = []
    for (const id of [...active].sort((a, b) => a - b)) {
      const candidate = runFeeds[id]!
      const hasGoal = scheduler.terms(candidate.feed, at).goalMs !== undefined
      if (hasGoal) feedSurvey.addFeed(candidate, 1)
      else if (number++ % every === 0) sample.push(candidate)
    }
    for (const sampled of sample) feedSurvey.addFeed(sampled, number / sample.length)
    feedSurvey.end({ feeds: active.size, learnt: learnedFeeds })
  }

  function settle(at: Instant): void {
    if (!scheduler.isSettlementDue(at)) return
    scheduler.countFeeds(active.size)
    if (scheduler.isSurveyOutdated(active.size, learnedFeeds, at)) survey(at)
    scheduler.settle(at)
    onSettled?.(at, scheduler)
  }

  function poll(polledFeed: RunFeed, at: Instant): void {
    const { history, feed, schedule, encounter } = polledFeed
    scheduler.countPoll(at)
    const { first } = encounter
    if (first) learnedFeeds++
    const observation = pollHistory(history, encounter, at)
    if (!first && history.pollBytes) {
      const pollBytes = pollBytesAfter(feed.quirks?.pollBytes, history.pollBytes(observation.fresh > 0))
      feed.quirks = pollBytes === undefined ? {} : { pollBytes }
    }
    const terms = scheduler.terms(feed, at)
    const strategy = strategyFor(history.strategy, schedule.memory, at, terms)
    const memory: Memory = strategy.learn(schedule.memory, observation)
    const proposedAt = strategy.next(memory, at, terms)
    const because: DueReason = { by: dueCause(proposedAt, at, terms.limits), price: terms.price }
    polledFeed.schedule = {
      ...schedule,
      memory,
      polledAt: at,
      succeededAt: at,
      dueAt: dueAt(proposedAt, at, terms.limits),
      because,
    }
    encounter.dueAt = polledFeed.schedule.dueAt
    history.onPoll(encounter)
    encounter.first = false
    const following = !first && followsPrice(strategyNamed(history.strategy), memory, at, terms) ? 1 : 0
    scheduler.countSpending({ following, others: 1 - following, ...(!first && waitingTimes(history, encounter)) })
    due.push(polledFeed)
  }

  function change(at: Instant): void {
    for (let next = changes[0]; next && next.at <= at; next = changes[0]) {
      changes.shift()
      if (next.kind === 'named') {
        scheduler.setBudget(next.pollsPerDay, next.at)
        survey(next.at)
      } else if (next.kind === 'added') {
        active.add(next.id)
        due.push(runFeeds[next.id]!)
      } else {
        active.delete(next.id)
        const removed = runFeeds[next.id]!
        removed.isGone = true
        if (!removed.encounter.first) learnedFeeds--
      }
    }
  }

  change(startAt)
  scheduler.countFeeds(active.size)
  survey(startAt)
  for (;;) {
    const firstDue = due.first()
    const at = Math.min(firstDue?.schedule.dueAt ?? endAt, changes[0]?.at ?? endAt, rounds.nextAt())
    if (at >= endAt) break
    change(at)
    if (rounds.nextAt() <= at) {
      settle(at)
      rounds.choose(at)
    }
    const next = due.first()
    if (!next || next.schedule.dueAt > at) continue
    due.pop()
    if (next.isGone) continue
    settle(at)
    const wait = scheduler.checkWait(next, at)
    if (!wait) poll(next, at)
    else {
      putOff++
      next.schedule = { ...next.schedule, dueAt: wait.until, ...(wait.because && { because: wait.because }) }
      due.push(next)
    }
  }
  return { scheduler, putOff }
}

/** Number and total waiting time of the entries that a poll found. */
function waitingTimes(
  { published }: ScheduledHistory,
  { at, seen, upTo }: ReplayedPoll,
): { entries: number; waitedMs: Millis } {
  let waitedMs = 0
  for (let i = seen; i < upTo; i++) waitedMs += at - published[i]!
  return { entries: upTo - seen, waitedMs }
}

function runFeed(history: ScheduledHistory, number: number): RunFeed {
  const { strategy, firstAt, folder, wants, subscribers = 1 } = history
  return {
    history,
    feed: {
      ...NOWHERE,
      id: (number + 1) as FeedId,
      subscribers,
      ...(folder !== undefined && { folder }),
      ...(wants && { wants }),
    },
    schedule: { strategy, memory: strategyNamed(strategy).begin(), dueAt: firstAt, failures: 0 },
    encounter: { at: 0, first: true, seen: 0, windowStart: 0, upTo: 0, dueAt: firstAt },
    isGone: false,
  }
}

const NOWHERE: Feed = {
  id: 0 as FeedId,
  url: webAddress('http://history.example/')!,
  root: 'history.example',
  title: '',
  validators: {},
  subscribers: 1,
  state: 'active',
  addedAt: 0,
}

type Change = { at: Instant } & (
  | { kind: 'added' | 'removed'; id: number }
  | { kind: 'named'; pollsPerDay: number | 'auto' }
)

function changesOf(
  histories: readonly ScheduledHistory[],
  named: NonNullable<ScheduledRunOptions['budgetChanges']>,
  startAt: Instant,
): Change[] {
  const changes: Change[] = named.map((budgetChange) => ({ kind: 'named', ...budgetChange }))
  for (const [id, { addedAt = startAt, removedAt }] of histories.entries()) {
    changes.push({ kind: 'added', id, at: addedAt })
    if (removedAt !== undefined) changes.push({ kind: 'removed', id, at: removedAt })
  }
  return changes.sort((a, b) => a.at - b.at)
}

/**
 * Like crawl/scheduler/ranked-selection.ts: makes the feeds of highest rank due, as many as were earned since the last
 * round.
 */
function createRounds(
  runFeeds: RunFeed[],
  active: ReadonlySet<number>,
  scheduler: Scheduler,
  queue: DueQueue,
  startAt: Instant,
): { nextAt(): Instant; choose(at: Instant): void } {
  const everyMs = new Map<string, Millis>()
  for (const { history } of runFeeds) {
    const { rounds } = strategyNamed(history.strategy)
    if (rounds) everyMs.set(history.strategy, rounds.everyMs)
  }
  const lastAt = new Map([...everyMs.keys()].map((spec) => [spec, startAt]))
  const nextOf = (spec: string) => nextRoundAt(lastAt.get(spec)!, everyMs.get(spec)!)

  function choose(at: Instant): void {
    const { pollsPerDay, minPrice } = scheduler.remainingBudget()
    const due = new Set([...everyMs.keys()].filter((spec) => nextOf(spec) <= at))
    const bySpec = new Map([...due].map((spec) => [spec, newRound(earnedPolls(pollsPerDay, at - MAX_EARNED_MS, at))]))
    let following = 0
    for (const id of active) {
      const candidate = runFeeds[id]!
      if (!isFollowing(candidate, at)) continue
      following++
      const round = bySpec.get(candidate.history.strategy)
      if (!round) continue
      round.feeds++
      if (candidate.schedule.dueAt <= at) round.waiting++
      else {
        const rank = rankOf(candidate, at, scheduler)
        if (rank !== undefined && rank >= minPrice / HOUR) round.highest.offer(candidate, rank)
      }
    }
    for (const [spec, { feeds, waiting, highest }] of bySpec) {
      const polls = earnedPolls((pollsPerDay * feeds) / Math.max(1, following), lastAt.get(spec)!, at)
      lastAt.set(spec, at)
      for (const selected of highest.first(polls - waiting)) {
        selected.schedule = { ...selected.schedule, dueAt: at }
        queue.push(selected)
      }
    }
  }

  return {
    nextAt: () => Math.min(Number.POSITIVE_INFINITY, ...[...everyMs.keys()].map(nextOf)),
    choose,
  }
}

/** Limits the polls of a round after a long pause. */
const MAX_EARNED_MS: Millis = 6 * HOUR

function newRound(most: number) {
  return { feeds: 0, waiting: 0, highest: createTopRanked<RunFeed>(most) }
}

function isFollowing({ history, schedule }: RunFeed, at: Instant): boolean {
  return schedule.polledAt !== undefined && followsPrice(strategyNamed(history.strategy), schedule.memory, at)
}

function rankOf({ history, feed, schedule }: RunFeed, at: Instant, scheduler: Scheduler): number | undefined {
  const strategy = strategyNamed(history.strategy)
  const sinceMs = at - (schedule.polledAt ?? at)
  if (sinceMs < (strategy.rounds?.gapMs ?? 0)) return undefined
  const terms = scheduler.terms(feed, at)
  return sinceMs < terms.limits.minMs ? undefined : (strategy.urgency?.(schedule.memory, at, terms) ?? 0)
}

/** Feeds by due date, then by number. A feed whose date changes is pushed again; its old entry becomes invalid. */
interface DueQueue {
  push(one: RunFeed): void
  first(): RunFeed | undefined
  pop(): void
}

function createDueQueue(runFeeds: RunFeed[]): DueQueue {
  const heap: { at: Instant; id: number }[] = []
  const isBefore = (a: { at: Instant; id: number }, b: { at: Instant; id: number }) =>
    a.at < b.at || (a.at === b.at && a.id < b.id)

  function push({ schedule, feed }: RunFeed): void {
    heap.push({ at: schedule.dueAt, id: feed.id - 1 })
    let i = heap.length - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(heap[i]!, heap[parent]!)) break
      ;[heap[i], heap[parent]] = [heap[parent]!, heap[i]!]
      i = parent
    }
  }

  function pop(): void {
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    for (let i = 0; ; ) {
      const left = 2 * i + 1
      const right = left + 1
      let smallest = i
      if (left < heap.length && isBefore(heap[left]!, heap[smallest]!)) smallest = left
      if (right < heap.length && isBefore(heap[right]!, heap[smallest]!)) smallest = right
      if (smallest === i) return
      ;[heap[i], heap[smallest]] = [heap[smallest]!, heap[i]!]
      i = smallest
    }
  }

  return {
    push,
    pop,
    first() {
      for (let top = heap[0]; top; top = heap[0]) {
        if (runFeeds[top.id]!.schedule.dueAt === top.at && !runFeeds[top.id]!.isGone) return runFeeds[top.id]!
        pop()
      }
      return undefined
    },
  }
}
