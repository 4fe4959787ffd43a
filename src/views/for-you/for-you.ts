/** The JSON of "For you": ranked entries with their reasons, what was learned, and recorded interactions. */
import type { ForYouShape, InteractionShape, LearnedShape, RankingComparisonShape } from '../../api/index.ts'
import type { UserId } from '../../model/index.ts'
import { compareRankings, mostInfluential } from '../../ranking/index.ts'
import { entriesWithTitles, feedTitles } from '../find-entries.ts'
import { isoDate } from '../shapes/values.ts'
import { type ForYouQuery, type ForYouStores, rankedEntries } from './ranked-entries.ts'
import { feedsIn, reasonShapes } from './reasons.ts'
import { sessionsOf } from './replay-interactions.ts'
import { interactionsOf, loadRanking } from './stored-ranking.ts'

const MAX_REASONS = 5
const MAX_WEIGHTS = 60

/** `stores`: as the user sees them. */
export async function forYou(
  userId: UserId,
  { withExcerpts, ...query }: ForYouQuery & { withExcerpts: boolean },
  stores: ForYouStores,
): Promise<ForYouShape> {
  const { ranking, considered, entries: ranked } = await rankedEntries(userId, query, stores)
  const entries = ranked.map(({ entry }) => entry)
  const shapes = await entriesWithTitles(entries, stores, { reader: userId, withExcerpts })
  const titles = new Map(entries.map(({ feedId }, i) => [feedId, shapes[i]!.feedTitle ?? '']))
  return {
    isLearning: !ranking.isOff,
    examples: ranking.model.examples,
    considered,
    entries: ranked.map(({ score, outlets, contributions }, i) => ({
      ...shapes[i]!,
      score: Math.round(score * 100) / 100,
      reasons: reasonShapes(contributions, { feedTitles: titles, outlets }, MAX_REASONS),
    })),
  }
}

/** The strongest weights and all preferences, in words. Feeds that the user no longer follows are left out. */
export async function learnedBy(userId: UserId, stores: ForYouStores): Promise<LearnedShape> {
  const [{ model, preferences, isOff }, interactions] = await Promise.all([
    loadRanking(userId, stores.userValues),
    interactionsOf(userId, stores.userValues),
  ])
  const at = stores.clock.now()
  const strongest = mostInfluential({ model, preferences, at }, 2 * MAX_WEIGHTS)
  const subscriptions = await stores.readerState.subscriptionsTo(userId, feedsIn(strongest))
  const followed = subscriptions.flatMap((one) => one?.feedId ?? [])
  return {
    isLearning: !isOff,
    examples: model.examples,
    interactions: interactions.length,
    weights: reasonShapes(strongest, { feedTitles: await feedTitles(followed, stores, userId) }, MAX_WEIGHTS),
  }
}

/** What is recorded about the user, most recent first. Entries that are gone or hidden have no title. */
export async function recordedInteractions(
  userId: UserId,
  limit: number,
  { catalogue, userValues }: ForYouStores,
): Promise<InteractionShape[]> {
  const interactions = await interactionsOf(userId, userValues, { limit })
  const entries = await catalogue.entriesById(interactions.map(({ entryId }) => entryId))
  return interactions.map(({ entryId, signals }, i) => ({
    entryId,
    ...(entries[i] && { title: entries[i].title }),
    signals: Object.fromEntries(Object.entries(signals).map(([name, at]) => [name, isoDate(at)])),
  }))
}

/** Replays the user's own sessions: what the ranking would have put on top, beside newest first and their most opened feeds. */
export async function compareOwnRankings(userId: UserId, stores: ForYouStores): Promise<RankingComparisonShape> {
  const interactions = await interactionsOf(userId, stores.userValues)
  const sessions = await sessionsOf(interactions, stores)
  const { sessions: judged, quality } = compareRankings(sessions)
  return { interactions: interactions.length, sessions: judged, ...quality }
}
