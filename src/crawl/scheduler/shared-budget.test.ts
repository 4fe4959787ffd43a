/** The budget of one of several controllers. */
import { expect, it } from 'vitest'
import { memoryStore } from '../../../test/yielding-store.ts'
import { type FeedId, MINUTE, SECOND } from '../../model/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createSharedBudget } from './shared-budget.ts'

it('takes its share of a budget that a user set in another process', async () => {
  const store = memoryStore()
  const options = { limits: LIMITS, share: () => 0.25 }
  const budget = createSharedBudget(rolesOf(store), { ...options, pollsPerDay: 'auto' }, START)
  await budget.begin()
  expect(budget.remainingBudget()).toMatchObject({ pollsPerDay: 6, minPrice: 10 * MINUTE })
  await store.changePollSettings({ pollsPerDay: 400 })
  await budget.updatePrice(START + 11 * SECOND)
  expect(budget.remainingBudget()).toMatchObject({ pollsPerDay: 100, minPrice: 0 })
  await budget.setPollsPerDay(undefined, START + 11 * SECOND)
  await budget.updatePrice(START + 22 * SECOND)
  expect(budget.remainingBudget()).toMatchObject({ pollsPerDay: 6, minPrice: 10 * MINUTE })
  const configured = createSharedBudget(rolesOf(store), { ...options, pollsPerDay: 80 }, START)
  await configured.setPollsPerDay(400, START)
  await configured.updatePrice(START + MINUTE)
  expect(configured.remainingBudget()?.pollsPerDay).toBe(20)
})

it('includes reading activity in the terms of a feed, like the budget of a single crawler', async () => {
  const store = memoryStore()
  const added = await store.addFeeds(['much', 'usual'].map((name) => newFeed(name)))
  const [much, usual] = (await store.feedsById(added.map(({ id }) => id))).map((one) => one!.feed)
  const activityOf = (id: FeedId | undefined) => (id === much!.id ? 1.5 : undefined)
  const options = { limits: LIMITS, pollsPerDay: 'auto', share: () => 1 } as const
  const budget = createSharedBudget(rolesOf(store), { ...options, activityOf }, START)
  await budget.begin()
  expect([much!, usual!].map((feed) => budget.terms(feed).activity)).toEqual([1.5, undefined])
  const uncounted = createSharedBudget(rolesOf(store), options, START)
  expect(uncounted.terms(much!).activity).toBeUndefined()
})
