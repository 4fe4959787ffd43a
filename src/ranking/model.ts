/**
 * The model: logistic regression whose weights each have a mean and a variance, updated example by example with an extended Kalman filter
 * with a diagonal covariance (as in Chapelle and Li 2011, with the update of Kalman in place of a batch). The variance is the learning
 * rate: a feature that was seen often changes little, a new one quickly. Without evidence, means and variances return to their starting
 * values with a half-life, so that the model follows changes of taste. The number of weights is bounded.
 */
import { DAY, type Instant } from '../model/index.ts'
import type { Feature, FeatureKind } from './features.ts'

/** Means and variances at the start of the day `day` (days since 1970). */
export interface FeatureWeight {
  mean: number
  variance: number
  day: number
}

export interface RankingModel {
  weights: ReadonlyMap<string, FeatureWeight>
  /** Examples that it has learned from. */
  examples: number
}

/** `weight`: how strong the evidence is; 1 is normal. */
export interface Example {
  features: readonly Feature[]
  isLiked: boolean
  weight: number
  at: Instant
}

export const EMPTY_MODEL: RankingModel = { weights: new Map(), examples: 0 }

/** Beyond it, the smallest weights are forgotten, some at a time. */
export const MAX_FEATURES = 2000
const EVICTED_AT_ONCE = 200

/** Half of what was learned is forgotten after this many days without evidence. */
const HALF_LIFE_DAYS = 60

interface Prior {
  mean: number
  variance: number
}

/** The general tendency to open what is shown. It has no reason of its own. */
export const BIAS_KEY = ''
const BIAS_PRIOR: Prior = { mean: -1, variance: 0.5 }

/** Before anything is learned, new entries come first, and stories that many report; what the user has read about comes last. */
const PRIORS: Record<FeatureKind, Prior> = {
  feed: { mean: 0, variance: 0.5 },
  author: { mean: 0, variance: 0.5 },
  tag: { mean: 0, variance: 0.5 },
  word: { mean: 0, variance: 0.5 },
  category: { mean: 0, variance: 0.25 },
  language: { mean: 0, variance: 0.25 },
  outlets: { mean: 0.5, variance: 0.25 },
  known: { mean: -1.5, variance: 0.25 },
  age: { mean: 1, variance: 0.1 },
  length: { mean: 0, variance: 0.1 },
  media: { mean: 0, variance: 0.25 },
}

/** The model with further examples, which are learned in their order. */
export function learnExamples(model: RankingModel, examples: readonly Example[]): RankingModel {
  const weights = new Map(model.weights)
  for (const example of examples) learnOne(weights, example)
  if (weights.size > MAX_FEATURES) evict(weights, examples.at(-1)?.at ?? 0)
  return { weights, examples: model.examples + examples.length }
}

/** The mean of a weight at a time. */
export function meanOf(model: RankingModel, key: string, at: Instant): number {
  return currentWeight(model.weights, key, dayOf(at)).mean
}

function learnOne(weights: Map<string, FeatureWeight>, { features, isLiked, weight, at }: Example): void {
  const day = dayOf(at)
  const all = [{ key: BIAS_KEY, value: 1 }, ...features].map(({ key, value }) => ({
    key,
    value,
    current: currentWeight(weights, key, day),
  }))
  const score = all.reduce((sum, { value, current }) => sum + value * current.mean, 0)
  const uncertainty = all.reduce((sum, { value, current }) => sum + value ** 2 * current.variance, 0)
  const expected = sigmoid(score)
  const information = weight * expected * (1 - expected)
  const divisor = 1 + information * uncertainty
  const error = (weight * ((isLiked ? 1 : 0) - expected)) / divisor
  for (const { key, value, current } of all) {
    const gain = current.variance * value
    weights.set(key, {
      mean: current.mean + gain * error,
      variance: current.variance - (gain ** 2 * information) / divisor,
      day: Math.max(day, current.day),
    })
  }
}

/** A weight on a day: what was learned, forgotten in part since then. */
function currentWeight(weights: ReadonlyMap<string, FeatureWeight>, key: string, day: number): FeatureWeight {
  const prior = priorOf(key)
  const stored = weights.get(key)
  if (!stored) return { ...prior, day }
  const remaining = 2 ** (-Math.max(0, day - stored.day) / HALF_LIFE_DAYS)
  return {
    mean: prior.mean + (stored.mean - prior.mean) * remaining,
    variance: prior.variance + (stored.variance - prior.variance) * remaining,
    day: Math.max(day, stored.day),
  }
}

function priorOf(key: string): Prior {
  return key === BIAS_KEY ? BIAS_PRIOR : PRIORS[key.slice(0, key.indexOf(':')) as FeatureKind]
}

/** Of equal weights, those later in the alphabet are forgotten first. */
function evict(weights: Map<string, FeatureWeight>, at: Instant): void {
  const day = dayOf(at)
  const learned = (key: string) => Math.abs(currentWeight(weights, key, day).mean - priorOf(key).mean)
  const smallestFirst = [...weights.keys()]
    .filter((key) => key !== BIAS_KEY)
    .map((key) => ({ key, size: learned(key) }))
    .sort((a, b) => a.size - b.size || (a.key < b.key ? 1 : -1))
  const surplus = weights.size - MAX_FEATURES + EVICTED_AT_ONCE
  for (const { key } of smallestFirst.slice(0, surplus)) weights.delete(key)
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY)
}

export function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score))
}
