/**
 * Replays reading sessions: each is ranked with what was learned from the sessions before it, and then learned. So every ranking is judged
 * by what it could not know. Beside it, the same entries newest first, and by how often the user opens their feeds.
 */
import type { EntryId, FeedId, Instant } from '../model/index.ts'
import { arrange } from './arrange.ts'
import { contributionsOf, scoreOf } from './contributions.ts'
import { type EntryFacts, featuresOf } from './features.ts'
import { EMPTY_MODEL, type Example, learnExamples, type RankingModel } from './model.ts'
import { NEUTRAL_PREFERENCES } from './preferences.ts'
import type { SignalExample } from './signals.ts'

/** An entry of a session: whether the user wanted it, and what the model learns from it. */
export interface ReplayedEntry {
  id: EntryId
  facts: EntryFacts
  isLiked: boolean
  examples: readonly SignalExample[]
}

export interface ReplayedSession {
  /** When it began. */
  at: Instant
  entries: readonly ReplayedEntry[]
}

export type RankingMethod = 'personal' | 'newest' | 'feeds'

/** Means over sessions, from 0 to 1. */
export interface RankingQuality {
  /** The share of the first ten that was liked; of what was possible, if fewer than ten were liked. */
  precisionAt10: number
  /** Discounted cumulative gain of the first twenty, relative to the best order (Järvelin and Kekäläinen 2002). */
  ndcgAt20: number
}

export interface CompareResult {
  /** Sessions that were judged: some entries were liked, and some not. */
  sessions: number
  quality: Record<RankingMethod, RankingQuality>
}

/** `untilSession`: sessions before it are only learned from. */
export function compareRankings(sessions: readonly ReplayedSession[], { untilSession = 0 } = {}): CompareResult {
  const sums = { personal: noQuality(), newest: noQuality(), feeds: noQuality() }
  const habits = new Map<FeedId, { liked: number; shown: number }>()
  let model = EMPTY_MODEL
  let judged = 0
  for (const [i, { at, entries }] of sessions.entries()) {
    const liked = entries.filter((entry) => entry.isLiked).length
    if (i >= untilSession && liked > 0 && liked < entries.length) {
      judged++
      const newest = entries.toSorted((a, b) => b.facts.publishedAt - a.facts.publishedAt || b.id - a.id)
      addQuality(sums.newest, newest)
      addQuality(sums.personal, personalOrder(newest, model, at))
      addQuality(
        sums.feeds,
        newest.toSorted((a, b) => habitOf(b.facts.feedId) - habitOf(a.facts.feedId)),
      )
    }
    model = learnExamples(model, examplesIn(entries))
    for (const entry of entries) countHabit(entry)
  }
  const mean = ({ precisionAt10, ndcgAt20 }: RankingQuality): RankingQuality => ({
    precisionAt10: judged > 0 ? precisionAt10 / judged : 0,
    ndcgAt20: judged > 0 ? ndcgAt20 / judged : 0,
  })
  return {
    sessions: judged,
    quality: { personal: mean(sums.personal), newest: mean(sums.newest), feeds: mean(sums.feeds) },
  }

  /** The share of a feed's entries that was liked; one of four is assumed before. */
  function habitOf(feedId: FeedId): number {
    const { liked, shown } = habits.get(feedId) ?? { liked: 0, shown: 0 }
    return (liked + 1) / (shown + 4)
  }

  function countHabit({ facts, examples, isLiked }: ReplayedEntry): void {
    if (examples.length === 0) return
    const { liked, shown } = habits.get(facts.feedId) ?? { liked: 0, shown: 0 }
    habits.set(facts.feedId, { liked: liked + (isLiked ? 1 : 0), shown: shown + 1 })
  }
}

function personalOrder(newestFirst: readonly ReplayedEntry[], model: RankingModel, at: Instant): ReplayedEntry[] {
  const scored = newestFirst.map((entry) => {
    const known = { model, preferences: NEUTRAL_PREFERENCES, at }
    const score = scoreOf(contributionsOf(featuresOf(entry.facts, at), known), model, at) ?? 0
    return { id: entry.id, feedId: entry.facts.feedId, score, entry }
  })
  return arrange(scored, scored.length).map(({ entry }) => entry)
}

function examplesIn(entries: readonly ReplayedEntry[]): Example[] {
  return entries
    .flatMap(({ facts, examples }) => examples.map((one) => ({ ...one, features: featuresOf(facts, one.at) })))
    .sort((a, b) => a.at - b.at)
}

function noQuality(): RankingQuality {
  return { precisionAt10: 0, ndcgAt20: 0 }
}

function addQuality(sum: RankingQuality, ranked: readonly ReplayedEntry[]): void {
  const liked = ranked.filter(({ isLiked }) => isLiked).length
  const hits = ranked.slice(0, 10).filter(({ isLiked }) => isLiked).length
  sum.precisionAt10 += hits / Math.min(10, liked)
  const gain = (entries: readonly { isLiked: boolean }[]) =>
    entries.slice(0, 20).reduce((total, { isLiked }, i) => total + (isLiked ? 1 / Math.log2(i + 2) : 0), 0)
  sum.ndcgAt20 += gain(ranked) / gain(ranked.toSorted((a, b) => Number(b.isLiked) - Number(a.isLiked)))
}
