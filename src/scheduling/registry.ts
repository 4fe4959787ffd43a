/** All strategies by name, with their settings, and with longer intervals where the budget is too small for them. */
import { HintedError, type Instant, type Memory } from '../model/index.ts'
import { advaRss } from './strategies/adva-rss.ts'
import { fixLearned } from './strategies/fix-learned.ts'
import { fixed } from './strategies/fixed.ts'
import { minDelay } from './strategies/min-delay.ts'
import { movingAverage } from './strategies/moving-average.ts'
import { postRate } from './strategies/post-rate.ts'
import { postingHistory } from './strategies/posting-history.ts'
import { roundRobin } from './strategies/round-robin.ts'
import { sqrtRate } from './strategies/sqrt-rate.ts'
import { tide } from './strategies/tide.ts'
import { followsPrice, type Strategy, type Terms } from './strategy.ts'
import { parseSettings, type StrategyDefinition } from './strategy-settings.ts'
import { stretchIntervals } from './stretched-strategy.ts'

export const strategies: Readonly<Record<string, StrategyDefinition>> = {
  tide,
  'moving-average': movingAverage,
  'post-rate': postRate,
  'adva-rss': advaRss,
  'posting-history': postingHistory,
  'sqrt-rate': sqrtRate,
  'min-delay': minDelay,
  'round-robin': roundRobin,
  'fix-learned': fixLearned,
  fixed,
}

export const DEFAULT_STRATEGY = 'tide'

const cache = new Map<string, Strategy>()

/** Builds a strategy from its name and optional settings: "fixed", "fixed:15m", "moving-average:virtual=one". */
export function strategyNamed(spec: string): Strategy {
  const cached = cache.get(spec)
  if (cached) return cached
  const [name = '', settings = ''] = spec.split(/:(.*)/s)
  const definition = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (!definition)
    throw new HintedError(`unknown strategy "${name}"`, `available: ${Object.keys(strategies).join(', ')}`)
  const strategy = definition.make(parseSettings(name, definition, settings))
  if (cache.size < MAX_CACHED) cache.set(spec, strategy)
  return strategy
}

const MAX_CACHED = 1000

/** The strategy on these terms: if it does not follow the price and the budget is too small, its intervals are longer. */
export function strategyFor(
  spec: string,
  memory: Memory,
  at: Instant,
  { stretch = 1 }: Pick<Terms, 'stretch'>,
): Strategy {
  const strategy = strategyNamed(spec)
  if (stretch === 1 || followsPrice(strategy, memory, at)) return strategy
  const key = `${spec} ${stretch}`
  const cached = cache.get(key)
  if (cached) return cached
  const stretched = stretchedStrategy(spec, stretch)
  if (cache.size < MAX_CACHED) cache.set(key, stretched)
  return stretched
}

/** The strategy with all intervals multiplied by `by`. */
export function stretchedStrategy(spec: string, by: number): Strategy {
  if (by === 1) return strategyNamed(spec)
  const [name = '', settings = ''] = spec.split(/:(.*)/s)
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (!found || !('stretch' in found.settings)) return stretchIntervals(strategyNamed(spec), by)
  const values = parseSettings(name, found, settings)
  return found.make({ ...values, stretch: Number(values.stretch) * by })
}

/** The error in a strategy's name or settings; undefined if valid. */
export function strategyError(spec: string): HintedError | undefined {
  try {
    strategyNamed(spec)
    return undefined
  } catch (error) {
    if (error instanceof HintedError) return error
    throw error
  }
}
