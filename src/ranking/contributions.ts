/** The score of an entry, and the features that it is made of. */
import type { Instant } from '../model/index.ts'
import type { Feature } from './features.ts'
import { BIAS_KEY, meanOf, type RankingModel } from './model.ts'
import type { Preference, Preferences } from './preferences.ts'

/** `amount`: what the feature adds to the score; negative if it lowers it. */
export interface Contribution {
  key: string
  amount: number
  /** What was learned, without preference, for a feature with the value 1. */
  learned: number
  preference?: Preference
}

/** What a preference adds for a feature with the value 1. Learned weights are rarely larger. */
const PREFERENCE_WEIGHT = 2

/** The strongest first; of equals, in the order of the features. */
export function contributionsOf(
  features: readonly Feature[],
  { model, preferences, at }: { model: RankingModel; preferences: Preferences; at: Instant },
): Contribution[] {
  return features
    .map(({ key, value }): Contribution => {
      const preference = preferences.get(key)
      const learned = meanOf(model, key, at)
      return { key, amount: value * preferredMean(learned, preference), learned, ...(preference && { preference }) }
    })
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
}

/** Undefined if a preference excludes the entry. */
export function scoreOf(contributions: readonly Contribution[], model: RankingModel, at: Instant): number | undefined {
  if (contributions.some(({ preference }) => preference === 'never')) return undefined
  return contributions.reduce((sum, { amount }) => sum + amount, meanOf(model, BIAS_KEY, at))
}

/** The learned weights that matter most, the strongest first, as contributions of features with the value 1. */
export function mostInfluential(
  { model, preferences, at }: { model: RankingModel; preferences: Preferences; at: Instant },
  most: number,
): Contribution[] {
  const keys = new Set([...model.weights.keys(), ...preferences.keys()])
  keys.delete(BIAS_KEY)
  const features = [...keys].sort().map((key) => ({ key, value: 1 }))
  return contributionsOf(features, { model, preferences, at }).slice(0, most)
}

/** A preference also overrules what was learned in the other direction. */
function preferredMean(mean: number, preference: Preference | undefined): number {
  if (preference === 'more') return Math.max(0, mean) + PREFERENCE_WEIGHT
  if (preference === undefined) return mean
  return Math.min(0, mean) - PREFERENCE_WEIGHT
}
