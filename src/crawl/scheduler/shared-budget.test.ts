/** The market as one of several controllers has it. */
import { expect, it } from 'vitest'
import { memoryStore } from '../../../test/yielding-store.ts'
import { type FeedId, MINUTE, SECOND } from '../../model/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { createFollowingBudget } from './shared-budget.ts'

it('has its share of what a person names, which another process may have been told', async () => {
  const store = memoryStore()
  const options = { limits: LIMITS, share: () => 0.25 }
  const budget = createFollowingBudget(rolesOf(store), { ...options, pollsPerDay: 'auto' }, START)
  await budget.begin()
  expect(budget.toShareOut()).toMatchObject({ pollsPerDay: 6, leastPrice: 10 * MINUTE })
  await store.nameBudget(400)
  await budget.turn(START + 11 * SECOND)
  expect(budget.toShareOut()).toMatchObject({ pollsPerDay: 100, leastPrice: 0 })
  await budget.name(undefined, START + 11 * SECOND)
  await budget.turn(START + 22 * SECOND)
  expect(budget.toShareOut()).toMatchObject({ pollsPerDay: 6, leastPrice: 10 * MINUTE })
  const configured = createFollowingBudget(rolesOf(store), { ...options, pollsPerDay: 80 }, START)
  await configured.name(400, START)
  await configured.turn(START + MINUTE)
  expect(configured.toShareOut()?.pollsPerDay).toBe(20)
})

it('says of each feed how much its readers read, as the market of one crawl alone does', async () => {
  const store = memoryStore()
  const added = await store.addFeeds(['much', 'usual'].map((name) => newFeed(name)))
  const [much, usual] = (await store.feedsById(added.map(({ id }) => id))).map((one) => one!.feed)
  const activityOf = (id: FeedId | undefined) => (id === much!.id ? 1.5 : undefined)
  const options = { limits: LIMITS, pollsPerDay: 'auto', share: () => 1 } as const
  const budget = createFollowingBudget(rolesOf(store), { ...options, activityOf }, START)
  await budget.begin()
  expect([much!, usual!].map((feed) => budget.terms(feed).activity)).toEqual([1.5, undefined])
  const uncounted = createFollowingBudget(rolesOf(store), options, START)
  expect(uncounted.terms(much!).activity).toBeUndefined()
})
