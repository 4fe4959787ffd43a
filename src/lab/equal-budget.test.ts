import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../model/index.ts'
import { LIMITS } from '../scheduling/index.ts'
import { alignTrace, planOf } from './aligned-trace.ts'
import { createRuns } from './equal-budget.ts'
import { replayMarket } from './market-replay.ts'
import { createTrialWorkers } from './trial-workers.ts'
import { generateTraces } from './village/generated-traces.ts'

const plan = planOf(7 * DAY, 14 * DAY)
const alignedTraces = [...generateTraces({ feeds: 70, days: 60, seed: 3, now: Date.UTC(2026, 0, 1) })].flatMap(
  (trace) => alignTrace(trace, plan, 1) ?? [],
)
const workersOf = (workerCount: number) => createTrialWorkers({ alignedTraces, plan, limits: LIMITS }, { workerCount })

describe('an equal budget', () => {
  const workers = workersOf(0)

  it.each([
    'moving-average',
    'adva-rss',
    'fixed',
    'fix-learned',
    'sqrt-rate',
    'posting-history:training=0',
    'posting-history:training=0,by=threshold',
    'round-robin',
  ])('%s meets it to within 1%, and polls more the larger it is', async (name) => {
    const runs = createRuns(workers, name, plan)
    for (const targetPolls of [3500, 7000]) {
      const { polls, met } = await runs.withPolls(targetPolls)
      expect(met).toBe(true)
      expect(Math.abs(polls / targetPolls - 1)).toBeLessThanOrEqual(0.01)
    }
    const allPolls = runs.all().map(({ polls }) => polls)
    expect(allPolls).toEqual(allPolls.toSorted((a, b) => a - b))
    expect(new Set(runs.all().map(({ trial }) => `${trial.price} ${trial.scale} ${trial.pollsPerDay}`)).size).toBe(
      allPolls.length,
    )
  })

  it('reports if limits prevent it', async () => {
    const solved = await createRuns(workers, 'fixed', plan).withPolls(alignedTraces.length * 14 * 24 * 60)
    expect(solved.met).toBe(false)
    expect(solved.polls).toBeCloseTo(alignedTraces.length * 14 * 24 * 30, -2)
  })

  it('varies the price, or the intervals of a strategy without a price', async () => {
    const fixed = await createRuns(workers, 'fixed', plan).withPolls(alignedTraces.length * 14)
    expect(fixed.trial.scale).toBeCloseTo(24, 0)
    const ownRun = await createRuns(workers, 'sqrt-rate', plan).atOwnPace()
    expect(ownRun.trial).toEqual({ strategy: 'sqrt-rate', price: HOUR, scale: 1 })
  })
})

describe('trial workers', () => {
  it('give the same results in this thread and in any number of others', async () => {
    const [local, threaded] = [workersOf(0), workersOf(3)]
    try {
      const trial = { strategy: 'adva-rss', price: HOUR, scale: 0.7 }
      expect(await threaded.try(trial)).toEqual(await local.try(trial))
      expect(await threaded.market('sqrt-rate', 800)).toEqual(await local.market('sqrt-rate', 800))
    } finally {
      await threaded.close()
    }
  })

  it('report progress, and stop when aborted', async () => {
    const progress: [number, number][] = []
    const stop = new AbortController()
    const workers = createTrialWorkers(
      { alignedTraces, plan, limits: LIMITS },
      { workerCount: 0, onProgress: (done, of) => progress.push([done, of]), signal: stop.signal },
    )
    await workers.try({ strategy: 'fixed', price: HOUR, scale: 1 })
    expect(progress.at(-1)).toEqual([2, 2])
    stop.abort()
    await expect(workers.try({ strategy: 'fixed', price: HOUR, scale: 1 })).rejects.toThrow(/abort/)
  })

  it('abort running work in threads', async () => {
    const stop = new AbortController()
    const workers = createTrialWorkers({ alignedTraces, plan, limits: LIMITS }, { workerCount: 2, signal: stop.signal })
    const running = workers.try({ strategy: 'fixed:5m', price: HOUR, scale: 1 })
    stop.abort()
    await expect(running).rejects.toThrow(/closed|abort/)
    await workers.close()
  })

  it('pass on errors of a thread', async () => {
    const workers = workersOf(2)
    try {
      await expect(workers.try({ strategy: 'astrology', price: HOUR, scale: 1 })).rejects.toThrow(/unknown strategy/)
      expect((await workers.try({ strategy: 'fixed', price: HOUR, scale: 1 })).tallies).toHaveLength(
        alignedTraces.length,
      )
    } finally {
      await workers.close()
    }
  })
})

describe('the market', () => {
  it.each([
    ['sqrt-rate', 150, 0.15],
    ['sqrt-rate', 2000, 0.15],
    ['min-delay', 150, 0.15],
    ['min-delay', 2000, 0.15],
    ['tide', 150, 0.5], // the windows of these feeds call for more than that, at any price
    ['tide', 400, 0.15],
    ['tide', 2000, 0.15],
    ['posting-history:training=0', 150, 0.01],
    ['posting-history:training=0', 2000, 0.01],
  ])('%s keeps a budget of %d from the first week on', (name, pollsPerDay, most) => {
    const young = planOf(0, 7 * DAY)
    const feeds = [...generateTraces({ feeds: 120, days: 90, seed: 5, now: Date.UTC(2026, 0, 1) })].flatMap(
      (trace) => alignTrace(trace, young, 1) ?? [],
    )
    const { weeks } = replayMarket({ alignedTraces: feeds, plan: young, limits: LIMITS }, name, pollsPerDay)
    const firstLooks = feeds.length / (7 * pollsPerDay)
    expect(weeks[0]!.off - firstLooks).toBeGreaterThan(-0.2)
    expect(weeks[0]!.off - firstLooks).toBeLessThan(most)
  })

  it('meets a budget week by week', () => {
    const long = planOf(14 * DAY, 21 * DAY)
    const feeds = [...generateTraces({ feeds: 120, days: 90, seed: 5, now: Date.UTC(2026, 0, 1) })].flatMap(
      (trace) => alignTrace(trace, long, 1) ?? [],
    )
    const assignment = { alignedTraces: feeds, plan: long, limits: LIMITS }
    const { weeks, tallies } = replayMarket(assignment, 'sqrt-rate', 2000)
    expect(weeks).toHaveLength(3)
    for (const week of weeks) expect(Math.abs(week.off)).toBeLessThan(0.03)
    expect(weeks.reduce((sum, week) => sum + week.polls, 0)).toBe(tallies.reduce((sum, tally) => sum + tally.polls, 0))
  })
})
