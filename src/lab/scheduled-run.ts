/**
 * Feeds that share a budget, on one clock: the scheduler of production over their histories, with no I/O and no waiting. Polls are
 * made in the order of their dates, each on the terms of its moment, so all that bounds polls in the crawl bounds them here: the
 * price, the bounds of a named budget, rounds and goals. lab.test.ts holds that the crawl polls at the same instants.
 */
import {
  type DueReason,
  type Feed,
  type FeedId,
  HOUR,
  type Instant,
  type Memory,
  type Millis,
  type Schedule,
  type Wants,
  webAddress,
} from '../model/index.ts'
import {
  createHighest,
  createScheduler,
  dueAt,
  dueBecause,
  followsPrice,
  type Limits,
  nextRoundAt,
  pollBytesAfter,
  pollsBetween,
  type Scheduler,
  samplingInterval,
  strategyFor,
  strategyNamed,
} from '../scheduling/index.ts'
import { pollHistory, type ReplayedPoll } from './replay.ts'

/** A feed's history, when it was in the crawl, and what is wanted of it. */
export interface ScheduledHistory {
  published: ArrayLike<Instant>
  window: number
  strategy: string
  /** When it is first due. */
  firstAt: Instant
  /** When it is added; when the run starts, where nothing is said. */
  addedAt?: Instant
  removedAt?: Instant
  folder?: string
  wants?: Wants
  subscribers?: number
  /** What a poll weighs, which found something or not; no more than usual, where nothing is said. */
  pollBytes?(found: boolean): number
  onPoll(encounter: ReplayedPoll): void
}

export interface ScheduledRunOptions {
  startAt: Instant
  endAt: Instant
  limits: Limits
  pollsPerDay: number | 'auto'
  folders?: ReadonlyMap<string, Wants>
  /** Budgets that are named while it runs, by date. */
  named?: readonly { at: Instant; pollsPerDay: number | 'auto' }[]
  /** After each date on which the price was set. */
  onSettled?(at: Instant, scheduler: Scheduler): void
}

interface RunFeed {
  history: ScheduledHistory
  feed: Feed
  schedule: Schedule
  encounter: ReplayedPoll
  isGone: boolean
}

/** Polls all feeds until `endAt`. Returns how many polls waited for the budget, and the scheduler as it is then. */
export function runScheduled(
  histories: readonly ScheduledHistory[],
  { startAt, endAt, limits, pollsPerDay, folders, named = [], onSettled }: ScheduledRunOptions,
): { scheduler: Scheduler; putOff: number } {
  const scheduler = createScheduler({ limits }, startAt)
  scheduler.name(pollsPerDay)
  if (folders) scheduler.want(folders)
  const all = histories.map(runFeed)
  const due = createDueQueue(all)
  const changes = changesOf(histories, named, startAt)
  const there = new Set<number>()
  let learnt = 0
  let putOff = 0
  const rounds = createRounds(all, there, scheduler, due, startAt)

  function survey(at: Instant): void {
    const asked = scheduler.survey(at)
    const every = samplingInterval(there.size)
    let number = 0
    const some: RunFeed[] = []
    for (const id of [...there].sort((a, b) => a - b)) {
      const one = all[id]!
      const hasGoal = scheduler.terms(one.feed, at).goalMs !== undefined
      if (hasGoal) asked.ask(one, 1)
      else if (number++ % every === 0) some.push(one)
    }
    for (const one of some) asked.ask(one, number / some.length)
    asked.end({ feeds: there.size, learnt })
  }

  function settle(at: Instant): void {
    if (!scheduler.isToSettle(at)) return
    scheduler.countFeeds(there.size)
    if (scheduler.isOutdated(there.size, learnt, at)) survey(at)
    scheduler.settle(at)
    onSettled?.(at, scheduler)
  }

  function poll(one: RunFeed, at: Instant): void {
    const { history, feed, schedule, encounter } = one
    scheduler.pay(at)
    const { first } = encounter
    if (first) learnt++
    const look = pollHistory(history, encounter, at)
    if (!first && history.pollBytes) {
      const pollBytes = pollBytesAfter(feed.quirks?.pollBytes, history.pollBytes(look.fresh > 0))
      feed.quirks = pollBytes === undefined ? {} : { pollBytes }
    }
    const terms = scheduler.terms(feed, at)
    const strategy = strategyFor(history.strategy, schedule.memory, at, terms)
    const memory: Memory = strategy.learn(schedule.memory, look)
    const wish = strategy.next(memory, at, terms)
    const because: DueReason = { by: dueBecause(wish, at, terms.limits), price: terms.price }
    one.schedule = {
      ...schedule,
      memory,
      polledAt: at,
      succeededAt: at,
      dueAt: dueAt(wish, at, terms.limits),
      because,
    }
    encounter.dueAt = one.schedule.dueAt
    history.onPoll(encounter)
    encounter.first = false
    const following = !first && followsPrice(strategyNamed(history.strategy), memory, at, terms) ? 1 : 0
    scheduler.count({ following, others: 1 - following, ...(!first && waitingTimes(history, encounter)) })
    due.push(one)
  }

  function change(at: Instant): void {
    for (let next = changes[0]; next && next.at <= at; next = changes[0]) {
      changes.shift()
      if (next.kind === 'named') {
        scheduler.name(next.pollsPerDay, next.at)
        survey(next.at)
      } else if (next.kind === 'added') {
        there.add(next.id)
        due.push(all[next.id]!)
      } else {
        there.delete(next.id)
        const one = all[next.id]!
        one.isGone = true
        if (!one.encounter.first) learnt--
      }
    }
  }

  change(startAt)
  scheduler.countFeeds(there.size)
  survey(startAt)
  for (;;) {
    const one = due.first()
    const at = Math.min(one?.schedule.dueAt ?? endAt, changes[0]?.at ?? endAt, rounds.nextAt())
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
    const wait = scheduler.waits(next, at)
    if (!wait) poll(next, at)
    else {
      putOff++
      next.schedule = { ...next.schedule, dueAt: wait.until, ...(wait.because && { because: wait.because }) }
      due.push(next)
    }
  }
  return { scheduler, putOff }
}

/** Of what a poll found. */
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
    encounter: { at: 0, first: true, seen: 0, shown: 0, upTo: 0, dueAt: firstAt },
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
  named: NonNullable<ScheduledRunOptions['named']>,
  startAt: Instant,
): Change[] {
  const changes: Change[] = named.map((one) => ({ kind: 'named', ...one }))
  for (const [id, { addedAt = startAt, removedAt }] of histories.entries()) {
    changes.push({ kind: 'added', id, at: addedAt })
    if (removedAt !== undefined) changes.push({ kind: 'removed', id, at: removedAt })
  }
  return changes.sort((a, b) => a.at - b.at)
}

/** As in crawl/scheduler/ranked-selection.ts: those of highest rank become due, as many as the time since the last round has earned. */
function createRounds(
  all: RunFeed[],
  there: ReadonlySet<number>,
  scheduler: Scheduler,
  queue: DueQueue,
  startAt: Instant,
): { nextAt(): Instant; choose(at: Instant): void } {
  const everyMs = new Map<string, Millis>()
  for (const { history } of all) {
    const { rounds } = strategyNamed(history.strategy)
    if (rounds) everyMs.set(history.strategy, rounds.everyMs)
  }
  const lastAt = new Map([...everyMs.keys()].map((spec) => [spec, startAt]))
  const nextOf = (spec: string) => nextRoundAt(lastAt.get(spec)!, everyMs.get(spec)!)

  function choose(at: Instant): void {
    const { pollsPerDay, leastPrice } = scheduler.toShareOut()
    const due = new Set([...everyMs.keys()].filter((spec) => nextOf(spec) <= at))
    const bySpec = new Map([...due].map((spec) => [spec, newRound(pollsBetween(pollsPerDay, at - MAX_EARNED_MS, at))]))
    let following = 0
    for (const id of there) {
      const one = all[id]!
      if (!isFollowing(one, at)) continue
      following++
      const round = bySpec.get(one.history.strategy)
      if (!round) continue
      round.feeds++
      if (one.schedule.dueAt <= at) round.waiting++
      else {
        const rank = rankOf(one, at, scheduler)
        if (rank !== undefined && rank >= leastPrice / HOUR) round.highest.offer(one, rank)
      }
    }
    for (const [spec, { feeds, waiting, highest }] of bySpec) {
      const polls = pollsBetween((pollsPerDay * feeds) / Math.max(1, following), lastAt.get(spec)!, at)
      lastAt.set(spec, at)
      for (const one of highest.first(polls - waiting)) {
        one.schedule = { ...one.schedule, dueAt: at }
        queue.push(one)
      }
    }
  }

  return {
    nextAt: () => Math.min(Number.POSITIVE_INFINITY, ...[...everyMs.keys()].map(nextOf)),
    choose,
  }
}

/** However long nobody ran, no round has more polls than so much time earns. */
const MAX_EARNED_MS: Millis = 6 * HOUR

function newRound(most: number) {
  return { feeds: 0, waiting: 0, highest: createHighest<RunFeed>(most) }
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

/** Feeds by their dates, then by their numbers; one whose date has moved is pushed again, and its old place is void. */
interface DueQueue {
  push(one: RunFeed): void
  first(): RunFeed | undefined
  pop(): void
}

function createDueQueue(all: RunFeed[]): DueQueue {
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
      let least = i
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right
      if (least === i) return
      ;[heap[i], heap[least]] = [heap[least]!, heap[i]!]
      i = least
    }
  }

  return {
    push,
    pop,
    first() {
      for (let top = heap[0]; top; top = heap[0]) {
        if (all[top.id]!.schedule.dueAt === top.at && !all[top.id]!.isGone) return all[top.id]!
        pop()
      }
      return undefined
    },
  }
}
