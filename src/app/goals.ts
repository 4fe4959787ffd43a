/** The limits of all feeds, as the settings have them. */
import type { Limits } from '../scheduling/index.ts'
import type { Config } from './config.ts'

export function limitsOf({ minInterval, maxInterval }: Pick<Config, 'minInterval' | 'maxInterval'>): Limits {
  return { minMs: minInterval, maxMs: maxInterval }
}
