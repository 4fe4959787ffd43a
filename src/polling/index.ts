/**
 * When to look. Strategies are pure: all that one knows of a feed is the memory it returned the last time, so the lab can
 * run years of a feed in a second with the very code that runs in production.
 *
 * A new strategy is one file in strategies/ and one line in the registry below; the crawler, the lab, `--help` and the
 * tests find it there.
 */
import { DAY, HOUR, type Json } from '../model/index.ts'
import { fixed } from './strategies/fixed.ts'
import { movingAverage } from './strategies/moving-average.ts'
import type { Strategy } from './strategy.ts'

export const strategies: Readonly<Record<string, Strategy>> = {
  'moving-average': forget(movingAverage),
  'fixed-1h': forget(fixed(HOUR, 'an hour')),
  'fixed-1d': forget(fixed(DAY, 'a day')),
}

export const DEFAULT_STRATEGY = 'moving-average'

export function strategyNamed(name: string): Strategy {
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (!found) throw new Error(`no strategy is called "${name}"; there are: ${Object.keys(strategies).join(', ')}`)
  return found
}

export { mostUrgentFirst } from './choose.ts'
export { dueAt, LIMITS, type Limits } from './due.ts'
export type { Look, Strategy } from './strategy.ts'

/** Which memory belongs to which strategy is known by its name alone, so the registry cannot say it in types. */
function forget<Memory extends Json>(strategy: Strategy<Memory>): Strategy {
  return strategy as unknown as Strategy
}
