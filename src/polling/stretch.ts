/**
 * A strategy that knows no price is given a budget by stretching its intervals. What it would have waited, within the
 * limits, it waits so many times. Where polls in vain teach, they would teach something else at another pace, and the stretch would act
 * twice: such a strategy has a setting `stretch` and sees to it itself.
 */
import type { Strategy } from './strategy.ts'

export function stretched(strategy: Strategy, by: number): Strategy {
  return {
    ...strategy,
    next(memory, lastAt, terms) {
      const { minMs, maxMs } = terms.limits
      return lastAt + by * Math.min(maxMs, Math.max(minMs, strategy.next(memory, lastAt, terms) - lastAt))
    },
  }
}
