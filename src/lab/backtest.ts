/**
 * Backtest: how other strategies and budgets would have performed on a store's own feeds, compared with the actual
 * polls. The history comes from the store, on its own clock. A replay has no failures and no host queues, so the
 * strategy that was in use may look slightly better in it than it was.
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
  /** Default: the actual number of polls, and half of it. */
  budgets: BudgetArgument[] | undefined
  /** Length of the history to use. */
  lastMs: Millis
  /** Default: a third of the history, at most two weeks. */
  warmupMs?: Millis
  now: Instant
}

const MIN_HISTORY_MS: Millis = DAY
const MAX_WARMUP_MS: Millis = 14 * DAY

export async function backtest(
  catalogue: Catalogue,
  options: BacktestOptions,
  workersOptions: WorkersOptions,
): Promise<Findings> {
  const histories: StoredHistory[] = []
  const { feeds } = await catalogue.counts()
  const of = feeds.active + feeds.paused + feeds.gone
  for await (const history of historiesIn(catalogue, options.now - options.lastMs)) {
    histories.push(history)
    workersOptions.onProgress?.(histories.length, Math.max(of, histories.length))
    workersOptions.signal?.throwIfAborted()
  }
  const plan = planOf(histories, options)
  const alignedTraces = toSharedMemory(
    histories.map(({ trace, polls }) => laidOut(trace, plan, Math.max(plan.startAt, polls[0]?.at ?? 0), 0)),
  )
  const today = todayOf(histories, plan)
  const perDay = today.score.polls / ((plan.endAt - plan.scoreAt) / DAY)
  const budgets =
    options.budgets ?? [perDay, perDay / 2].map((polls): BudgetArgument => ({ kind: 'polls', perDay: polls }))
  const workers = createTrialWorkers({ alignedTraces, plan, limits: options.limits }, workersOptions)
  try {
    const found = await compare(workers, alignedTraces, plan, { ...options, budgets })
    const read = { traces: histories.map(({ trace }) => trace), files: [], messages: [] }
    return { ...found, traces: describeTraces(read, alignedTraces), today }
  } finally {
    await workers.close()
  }
}

/** The plan from the first poll to the last. */
function planOf(histories: StoredHistory[], { warmupMs }: BacktestOptions): ReplayPlan {
  const startAt = histories.reduce(
    (first, { polls }) => Math.min(first, polls[0]?.at ?? first),
    Number.POSITIVE_INFINITY,
  )
  const endAt = histories.reduce((last, { polls }) => Math.max(last, polls.at(-1)?.at ?? last), 0)
  const total = endAt - startAt
  if (!(total >= MIN_HISTORY_MS))
    throw new HintedError(
      'the store has polled for less than a day: there is nothing to judge by yet',
      'let freshet run for some days; freshet lab village makes histories to play with',
    )
  const scoreAt = startAt + (warmupMs ?? Math.min(MAX_WARMUP_MS, total / 3))
  if (scoreAt < endAt) return { startAt, scoreAt, endAt }
  throw new HintedError(
    `the store has polled for ${Math.floor(total / DAY)} days, which is all warm-up`,
    'give a shorter --warmup',
  )
}

/** The actual results, from the log. Missed entries are unknown. */
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
