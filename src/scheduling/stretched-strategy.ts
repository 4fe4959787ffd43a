/**
 * Keeps strategies that ignore the price within a budget by multiplying their intervals, after clamping them to the limits.
 * A strategy that learns from polls without new entries would learn something else at another pace, and the factor would act
 * twice: such a strategy has a setting `stretch` and applies it itself.
 */
import type { Strategy } from './strategy.ts'

export function stretchIntervals(strategy: Strategy, by: number): Strategy {
  return {
    ...strategy,
    next(memory, lastAt, terms) {
      const { minMs, maxMs } = terms.limits
      return lastAt + by * Math.min(maxMs, Math.max(minMs, strategy.next(memory, lastAt, terms) - lastAt))
    },
  }
}
