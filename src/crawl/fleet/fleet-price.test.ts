import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import { rolesOf, StoreError } from '../../ports/index.ts'
import { LIMITS, pollsToday } from '../../scheduling/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createStoreRetry } from '../retry-transient.ts'
import { createFleetPriceTask } from './fleet-price.ts'

const START = Date.UTC(2026, 0, 5, 8)

it('counts the polls of all controllers once, although the store fails after it returned them', async () => {
  const store = createMemoryStore()
  const clock = createSteppedClock(START)
  const failures = { takeSpent: 0, recordMarket: 0 }
  const failing = { ...store }
  failing.takeSpent = async () => {
    if (failures.takeSpent-- > 0) throw new StoreError('no-access', 'connection lost', '', { isTransient: true })
    return store.takeSpent()
  }
  failing.recordMarket = async (market) => {
    if (failures.recordMarket-- > 0) throw new StoreError('no-access', 'connection lost', '', { isTransient: true })
    await store.recordMarket(market)
  }
  const storeRetry = createStoreRetry(clock, () => {})
  const task = createFleetPriceTask({ ...rolesOf(failing), clock, storeRetry, limits: LIMITS, pollsPerDay: 1000 })
  const end = new AbortController()
  const finished = task(end.signal, () => true)
  for (let minute = 0; minute < 10; minute++) {
    await store.recordSpent({ following: 3, others: 4 })
    Object.assign(failures, { takeSpent: 1, recordMarket: 3 })
    await clock.advance(MINUTE)
  }
  await clock.advance(2 * MINUTE)
  await store.recordSpent({ following: 0, others: 1 })
  await clock.advance(2 * MINUTE + SECOND)
  expect(pollsToday((await store.market())!, clock.now())).toBe(71)
  end.abort()
  await finished
})
