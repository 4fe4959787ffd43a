/** The polling limits of all feeds, from the settings. */
import type { Limits } from '../scheduling/index.ts'
import type { Config } from './config.ts'

export function limitsOf({ minInterval, maxInterval }: Pick<Config, 'minInterval' | 'maxInterval'>): Limits {
  return { minMs: minInterval, maxMs: maxInterval }
}
