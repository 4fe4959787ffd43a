/**
 * The leader task that sets the poll price of a fleet: adds up what all controllers spent and moves the price as a single crawler does
 * (scheduler/budget.ts). One process does this at a time (leader-tasks.ts); the others follow the price it saves.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { RetriedStep } from '../retried-steps.ts'
import type { StoreRetry } from '../retry-transient.ts'
import { type BudgetOptions, createBudget } from '../scheduler/budget.ts'
import type { LeaderTask } from './leader-tasks.ts'

export interface FleetPriceParts extends Pick<Roles, 'pollMarket' | 'catalogue'>, BudgetOptions {
  clock: Clock
  storeRetry: Pick<StoreRetry, 'retryTransient'>
}

const COUNT_INTERVAL_MS: Millis = 5 * SECOND

export function createFleetPriceTask(parts: FleetPriceParts): LeaderTask {
  const { pollMarket, clock, storeRetry } = parts
  return async (signal, isLeader) => {
    // From the store: the previous leader may have moved the price.
    const budget = createBudget(parts, parts, clock.now())
    const retry = <T>(step: RetriedStep, work: () => Promise<T>) => storeRetry.retryTransient(step, work, signal)
    const settle = async (now: Instant) => {
      await retry('save the market', () => budget.updatePrice(now))
      const spent = await retry('take spent polls', pollMarket.takeSpent)
      if (spent.following + spent.others > 0) await budget.countPolls(spent, now, retry)
    }
    await retry('load the budget', budget.begin)
    await retry('save the market', budget.publish)
    while (!signal.aborted) {
      if (isLeader()) await settle(clock.now())
      await clock.sleepUntil(clock.now() + COUNT_INTERVAL_MS, signal)
    }
  }
}
