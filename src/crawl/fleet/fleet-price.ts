/**
 * Sets the price for a whole fleet: takes together what all controllers have spent, and moves the price as one crawl does alone
 * (dispatch/budget.ts). One process does so at a time (leader-tasks.ts); the others go by what it has written.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { RetriedStep } from '../retried-steps.ts'
import type { StorePatience } from '../retry-transient.ts'
import { type BudgetOptions, createBudget } from '../scheduler/budget.ts'
import type { Duty } from './leader-tasks.ts'

export interface MarketMakerParts extends Pick<Roles, 'marketBook' | 'catalogue'>, BudgetOptions {
  clock: Clock
  patience: Pick<StorePatience, 'retryTransient'>
}

const COUNTED_EVERY_MS: Millis = 5 * SECOND

export function createMarketMaker(parts: MarketMakerParts): Duty {
  const { marketBook, clock, patience } = parts
  return async (signal, isSure) => {
    // From what the store knows: whoever led before may have moved it.
    const budget = createBudget(parts, parts, clock.now())
    const retry = <T>(step: RetriedStep, work: () => Promise<T>) => patience.retryTransient(step, work, signal)
    const settle = async (now: Instant) => {
      await retry('save the market', () => budget.turn(now))
      const spent = await retry('take spent polls', marketBook.takeSpent)
      if (spent.following + spent.others > 0) await budget.count(spent, now, retry)
    }
    await retry('begin the budget', budget.begin)
    await retry('save the market', budget.publish)
    while (!signal.aborted) {
      if (isSure()) await settle(clock.now())
      await clock.sleepUntil(clock.now() + COUNTED_EVERY_MS, signal)
    }
  }
}
