/** Polls every so often and learns nothing: the yardstick for the others (Urbansky et al. 2011, 3.1). */
import type { Millis } from '../../model/index.ts'
import type { Strategy } from '../strategy.ts'

export function fixed(intervalMs: Millis, inWords: string): Strategy<null> {
  return {
    summary: `Polls every feed once ${inWords} and learns nothing.`,
    begin: () => null,
    learn: () => null,
    next: (_memory, lastAt) => lastAt + intervalMs,
  }
}
