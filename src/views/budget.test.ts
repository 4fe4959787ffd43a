/** Forecasts of budgets and goals, made by the scheduler of the crawl. */
import { expect, it } from 'vitest'
import { inventedHistories, MONDAY } from '../../test/posting-histories.ts'
import { memoryStore } from '../../test/yielding-store.ts'
import { createBudget, feedToAdd } from '../crawl/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { rolesOf } from '../ports/index.ts'
import { LIMITS, strategyNamed } from '../scheduling/index.ts'
import { budgetReport } from './budget.ts'
import { goalReport } from './goals.ts'

/** A dozen feeds that publish in office hours, each polled once, every third in a folder of its own. */
async function polledStore(pollsPerDay: number | 'auto') {
  const store = memoryStore()
  const world = inventedHistories([{ habit: { kind: 'office', zone: 0, least: 4, most: 12 }, feeds: 12 }], 7, 3)
  const tide = strategyNamed('tide')
  const at = MONDAY + 4 * DAY
  for (const [i, { published }] of world.entries()) {
    const folder = i % 3 === 0 ? 'Soon' : 'Rest'
    const [{ id } = { id: 0 as never }] = await store.addFeeds([
      feedToAdd({ url: address(`https://a${i}.example/`), title: '', folder }, 'tide', MONDAY),
    ])
    const window = [...published].filter((one) => one <= at)
    const memory = tide.learn(tide.begin(), { at, window, fresh: window.length })
    await store.changeFeed(id, {}, { memory, polledAt: at, succeededAt: at, dueAt: at + HOUR })
  }
  const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay }, at)
  await budget.begin()
  await budget.publish()
  return { store, at, budget }
}

it('forecasts shorter delays for larger budgets, and reports the polls of the last day', async () => {
  const { store, at, budget } = await polledStore(240)
  await budget.countPolls({ following: 7, others: 1 }, at + MINUTE)
  await budget.updatePrice(at + HOUR)
  const report = await budgetReport(rolesOf(store), { now: at + HOUR, pollsPerDay: 240 })
  const { points, hours, now, auto } = report
  expect(points.length).toBeGreaterThan(8)
  for (const [i, { pollsPerDay, delayMs }] of points.entries()) {
    if (i === 0) continue
    expect(pollsPerDay).toBeGreaterThan(points[i - 1]!.pollsPerDay)
    expect(delayMs).toBeLessThan(points[i - 1]!.delayMs)
  }
  expect(now!.pollsPerDay / 240).toBeCloseTo(1, 1)
  expect(auto!.pollsPerDay).toBeLessThanOrEqual(288)
  expect(hours).toHaveLength(24)
  expect(hours!.reduce((sum, { polls }) => sum + polls, 0)).toBe(8)
  expect(report.waiting).toBe(0)
  expect(report.recentDelays).toBeUndefined() // no entry was found yet
})

it('says before a goal is set whether the budget is enough, and how many polls it needs', async () => {
  const { store, at } = await polledStore(240)
  const settings = { limits: LIMITS, budget: 240, now: at }
  const before = await goalReport(rolesOf(store), settings)
  expect(before).toMatchObject({ pollsForGoals: 0 })
  const modest = await goalReport(rolesOf(store), settings, { folder: 'Soon', goalMs: 40 * MINUTE })
  expect(modest.goalStretch).toBeUndefined()
  expect(modest.lines[0]).toMatchObject({ of: { folder: 'Soon' }, feeds: 4 })
  expect(modest.lines[0]!.delayMs).toBeLessThan(21 * MINUTE)
  const greedy = await goalReport(rolesOf(store), settings, { folder: 'Soon', goalMs: 2 * MINUTE })
  expect(greedy.goalStretch).toBeGreaterThan(1.5)
  expect(greedy.needed).toBeGreaterThan(2 * 240)
  expect(greedy.delayMs).toBeGreaterThan(before.delayMs!)
  const enough = await goalReport(
    rolesOf(store),
    { ...settings, budget: 1.1 * greedy.needed! },
    { folder: 'Soon', goalMs: 2 * MINUTE },
  )
  expect(enough.goalStretch).toBeUndefined()
  expect(
    (await goalReport(rolesOf(store), { ...settings, budget: 'auto' }, { folder: 'Soon', goalMs: 2 * MINUTE }))
      .goalStretch,
  ).toBeUndefined()
  expect((await store.pollSettings()).folderGoals.size).toBe(0) // nothing was set
})
