/**
 * When to look. Strategies are pure: all that one knows of a feed is the memory it returned the last time, so the lab can
 * run years of a feed in a second with the very code that runs in production.
 *
 * A new strategy is one file in strategies/ and one line in the registry below; the crawler, the lab, `--help` and the
 * tests find it there. Its own words, beside those of the model:
 *
 * - look:       a poll as a strategy sees it: when, what the window showed, how much of it was fresh
 * - wish:       the date for which a strategy asks; `dueAt` makes a due date of it, within the limits
 * - terms:      on which a poll of a feed is had: price, limits, readers, goal
 * - price:      for how long one entry may wait before a poll is the lesser evil; one for all feeds
 * - budget:     polls a day, of all feeds together; the *purse* is its last resort, where strategies do not follow the price
 * - wants:      what a person wants of the polls of a feed or folder: limits, and a *goal* (how soon entries should be here)
 * - recipe:     a strategy with its settings still to be chosen
 * - act, tide time: see strategies/tide.ts; its *levels* are those of a rate, and not of groups
 */
import { HintedError } from '../model/index.ts'
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
import type { Strategy } from './strategy.ts'
import { type Recipe, settingsIn } from './strategy-settings.ts'
import { stretched } from './stretch.ts'

export { activityOf } from './activity.ts'
export const strategies: Readonly<Record<string, Recipe>> = {
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

const made = new Map<string, Strategy>()

/** By its name, with or without settings: "fixed", "fixed:15m", "moving-average:virtual=one". */
export function strategyNamed(spec: string): Strategy {
  const there = made.get(spec)
  if (there) return there
  const [name = '', settings = ''] = spec.split(/:(.*)/s)
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (!found)
    throw new HintedError(`no strategy is called "${name}"`, `there are: ${Object.keys(strategies).join(', ')}`)
  const strategy = found.make(settingsIn(name, found, settings))
  if (made.size < MOST_REMEMBERED) made.set(spec, strategy)
  return strategy
}

const MOST_REMEMBERED = 1000

/** The same with all its intervals longer or shorter. */
export function strategyStretched(spec: string, by: number): Strategy {
  if (by === 1) return strategyNamed(spec)
  const [name = '', settings = ''] = spec.split(/:(.*)/s)
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (!found || !('stretch' in found.settings)) return stretched(strategyNamed(spec), by)
  const values = settingsIn(name, found, settings)
  return found.make({ ...values, stretch: Number(values.stretch) * by })
}

/** What is wrong with a strategy's name or settings, in words; undefined if nothing is. */
export function troubleWithStrategy(spec: string): HintedError | undefined {
  try {
    strategyNamed(spec)
    return undefined
  } catch (error) {
    if (error instanceof HintedError) return error
    throw error
  }
}

export { createHighest, type Highest, mostUrgentFirst, nextRoundAt, pollsBetween } from './choose.ts'
export { dueAt, dueBecause, LIMITS, type Limits } from './due.ts'
export { type Aim, marketAfter, openMarket, pollsLeft, repriced, type Spent } from './market.ts'
export { affordableAt, canPay, openPurse, purseAfter } from './purse.ts'
export {
  askedEvery,
  isOutdated,
  nextReckoning,
  pollsExpected,
  priceReckoned,
  typicalMemory,
} from './reckoning.ts'
export { type Expectation, followsPrice, type Look, type Reason, type Strategy, type Terms } from './strategy.ts'
export type { Recipe, Setting } from './strategy-settings.ts'
export { foldersRound, ofNearestFolder, termsOf } from './terms.ts'
export { type Why, whyDue } from './why.ts'
