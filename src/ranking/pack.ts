/** What is stored of a user's ranking, as small JSON. Numbers are rounded: a packed model is its own unpacked one. */

import { parseFeatureKey } from './features.ts'
import { EMPTY_MODEL, type FeatureWeight, type RankingModel } from './model.ts'
import { NEUTRAL_PREFERENCES, PREFERENCES, type Preferences } from './preferences.ts'

export interface StoredRanking {
  model: RankingModel
  preferences: Preferences
  /** The user turned learning off. */
  isOff: boolean
}

const VERSION = 1
const DIGITS = 4

/** Plain JSON. */
export function packRanking({ model, preferences, isOff }: StoredRanking): object {
  return {
    version: VERSION,
    examples: model.examples,
    weights: [...model.weights].map(([key, { mean, variance, day }]) => [key, rounded(mean), rounded(variance), day]),
    preferences: [...preferences],
    ...(isOff && { isOff }),
  }
}

/** An empty model if nothing is stored, or nothing that this version can read. */
export function unpackRanking(stored: unknown): StoredRanking {
  const { version, examples, weights, preferences, isOff } = Object(stored) as Record<string, unknown>
  const known = version === VERSION
  return {
    model:
      known && Array.isArray(weights) ? { weights: weightsOf(weights), examples: Number(examples) || 0 } : EMPTY_MODEL,
    preferences: known && Array.isArray(preferences) ? preferencesOf(preferences) : NEUTRAL_PREFERENCES,
    isOff: isOff === true,
  }
}

function weightsOf(rows: readonly unknown[]): Map<string, FeatureWeight> {
  return new Map(
    rows.flatMap((row) => {
      const [key, mean, variance, day] = Array.isArray(row) ? row : []
      const isKnown = typeof key === 'string' && (key === '' || parseFeatureKey(key) !== undefined)
      const isValid = [mean, variance, day].every(Number.isFinite)
      return isKnown && isValid ? [[key, { mean, variance, day }] as const] : []
    }),
  )
}

function preferencesOf(rows: readonly unknown[]): Preferences {
  return new Map(
    rows.flatMap((row) => {
      const [key, value] = Array.isArray(row) ? row : []
      const preference = PREFERENCES.find((one) => one === value)
      return typeof key === 'string' && preference && parseFeatureKey(key) ? [[key, preference] as const] : []
    }),
  )
}

function rounded(number: number): number {
  return Number(number.toFixed(DIGITS))
}
