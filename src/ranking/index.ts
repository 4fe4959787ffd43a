/**
 * Learns from what a user opens, reads to the end, stars and skips which entries they want to read. Everything is a function of its
 * arguments: no clock, no store. Scores are sums, so each can be explained by its parts. Terms, beside those of the model:
 *
 * - facts:        what is known about an entry: feed, author, tags, words of the title, when it was published, who else reports it
 * - feature:      one of these facts as a number from 0 to about 1, with a key such as `feed:3` or `word:harbour`
 * - weight:       how much a feature adds to the score, and how uncertain that is
 * - signal:       an interaction of a user with an entry: opened, finished, skipped ...
 * - example:      the features of an entry with a signal; the model learns from examples
 * - preference:   a user's own choice for a feature, which counts beside what was learned: more, less or never
 * - contribution: what one feature adds to a score
 */
export { type Arranged, arrange } from './arrange.ts'
export { type CompareResult, compareRankings, type ReplayedSession } from './compare-rankings.ts'
export { type Contribution, contributionsOf, mostInfluential, scoreOf } from './contributions.ts'
export {
  type EntryFacts,
  type FeatureKind,
  featuresOf,
  MAX_KEY_LENGTH,
  parseFeatureKey,
} from './features.ts'
export { EMPTY_MODEL, learnExamples, MAX_FEATURES, type RankingModel } from './model.ts'
export { packRanking, type StoredRanking, unpackRanking } from './pack.ts'
export {
  MAX_PREFERENCES,
  NEUTRAL_PREFERENCES,
  type Preference,
  type Preferences,
  withPreference,
} from './preferences.ts'
export {
  addSignal,
  type EntrySignals,
  examplesOf,
  isLiked,
  SIGNALS,
  type Signal,
  type SignalExample,
} from './signals.ts'
