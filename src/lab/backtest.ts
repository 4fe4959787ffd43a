/**
 * Before you switch: how other strategies and budgets would have done on your own feeds, beside how it was. The history is
 * that of the store, on its own clock. A replay knows no failures and no waiting for a turn, so the strategy that was in
 * use may look a little better replayed than it was.
 */
import { DAY, HintedError, type Instant, type Millis } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { laidOut, type ReplayPlan, toSharedMemory } from './aligned-trace.ts'
import { type BudgetArgument, type ComparisonOptions, compare } from './comparison.ts'
import type { Findings, Today } from './findings.ts'
import { historiesIn, type StoredHistory } from './histories.ts'
import { describeTraces } from './replay-traces.ts'
import { freshnessScore } from './score.ts'
import type { FeedTally } from './tally.ts'
import { createTrialWorkers, type WorkersOptions } from './trial-workers.ts'

export interface BacktestOptions extends Omit<ComparisonOptions, 'budgets'> {
  /** Without any: as many polls as there were, and half of them. */
  budgets: BudgetArgument[] | undefined
  /** How much of the past is looked at. */
  lastMs: Millis
  /** A third of it, at most two weeks, unless it is given. */
  warmupMs?: Millis
  now: Instant
}

const LEAST_MS: Millis = DAY
const MOST_WARMUP_MS: Millis = 14 * DAY

export async function backtest(
  catalogue: Catalogue,
  options: BacktestOptions,
  crewOptions: WorkersOptions,
): Promise<Findings> {
  const histories: StoredHistory[] = []
  const { feeds } = await catalogue.counts()
  const of = feeds.active + feeds.paused + feeds.gone
  for await (const history of historiesIn(catalogue, options.now - options.lastMs)) {
    histories.push(history)
    crewOptions.tell?.(histories.length, Math.max(of, histories.length))
    crewOptions.signal?.throwIfAborted()
  }
  const plan = planOf(histories, options)
  const alignedTraces = toSharedMemory(
    histories.map(({ trace, polls }) => laidOut(trace, plan, Math.max(plan.startAt, polls[0]?.at ?? 0), 0)),
  )
  const today = todayOf(histories, plan)
  const perDay = today.score.polls / ((plan.endAt - plan.scoreAt) / DAY)
  const budgets =
    options.budgets ?? [perDay, perDay / 2].map((polls): BudgetArgument => ({ kind: 'polls', perDay: polls }))
  const workers = createTrialWorkers({ alignedTraces, plan, limits: options.limits }, crewOptions)
  try {
    const found = await compare(workers, alignedTraces, plan, { ...options, budgets })
    const read = { traces: histories.map(({ trace }) => trace), files: [], words: [] }
    return { ...found, traces: describeTraces(read, alignedTraces), today }
  } finally {
    await workers.close()
  }
}

/** From the first poll to the last. */
function planOf(histories: StoredHistory[], { warmupMs }: BacktestOptions): ReplayPlan {
  const startAt = histories.reduce(
    (first, { polls }) => Math.min(first, polls[0]?.at ?? first),
    Number.POSITIVE_INFINITY,
  )
  const endAt = histories.reduce((last, { polls }) => Math.max(last, polls.at(-1)?.at ?? last), 0)
  const total = endAt - startAt
  if (!(total >= LEAST_MS))
    throw new HintedError(
      'the store has polled for less than a day: there is nothing to judge by yet',
      'let freshet run for some days; freshet lab village makes histories to play with',
    )
  const scoreAt = startAt + (warmupMs ?? Math.min(MOST_WARMUP_MS, total / 3))
  if (scoreAt < endAt) return { startAt, scoreAt, endAt }
  throw new HintedError(
    `the store has polled for ${Math.floor(total / DAY)} days, which is all warm-up`,
    'give a shorter --warmup',
  )
}

/** How it was, from the log. Of what was missed nobody knows. */
function todayOf(histories: StoredHistory[], { scoreAt, endAt }: ReplayPlan): Today {
  let failed = 0
  const tallies = histories.map(({ polls, seen }): FeedTally => {
    const tally: FeedTally = { polls: 0, finds: 0, items: 0, delayMs: 0, missed: 0, unseen: 0, waitMs: 0, bytes: 0 }
    for (const { at, bytes, result } of polls) {
      if (at < scoreAt || at >= endAt) continue
      tally.polls++
      tally.bytes += bytes
      if (result.kind === 'failed') failed++
      if (result.kind === 'read' && result.fresh > 0) tally.finds++
    }
    for (const { at, seenAt } of seen) {
      if (at < scoreAt || seenAt >= endAt) continue
      tally.items++
      tally.delayMs += seenAt - at
    }
    return tally
  })
  return {
    strategies: [...new Set(histories.map(({ scheduled }) => scheduled.schedule.strategy))],
    score: freshnessScore(tallies),
    failed,
    undated: histories.filter(({ undated }) => undated).length,
  }
}
