import { expect, it } from 'vitest'
import { memoryStore } from '../../../test/yielding-store.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import { LIMITS } from '../../polling/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createFollowingBudget } from './following-budget.ts'

const START = Date.UTC(2026, 0, 5)

it('has its share of what a person names, which another process may have been told', async () => {
  const store = memoryStore()
  const options = { limits: LIMITS, share: () => 0.25 }
  const budget = createFollowingBudget(rolesOf(store), { ...options, pollsPerDay: 'auto' }, START)
  await budget.begin()
  expect(budget.toShareOut()).toEqual({ pollsPerDay: 6, leastPrice: 10 * MINUTE })
  await store.nameBudget(400)
  await budget.turn(START + 11 * SECOND)
  expect(budget.toShareOut()).toEqual({ pollsPerDay: 100, leastPrice: 0 })
  await budget.name(undefined, START + 11 * SECOND)
  await budget.turn(START + 22 * SECOND)
  expect(budget.toShareOut()).toEqual({ pollsPerDay: 6, leastPrice: 10 * MINUTE })
  const configured = createFollowingBudget(rolesOf(store), { ...options, pollsPerDay: 80 }, START)
  await configured.name(400, START)
  await configured.turn(START + MINUTE)
  expect(configured.toShareOut()?.pollsPerDay).toBe(20)
})
