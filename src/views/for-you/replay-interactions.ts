/** Recorded interactions as what they were: examples for the model, in sessions. */
import { type Entry, type Instant, MINUTE, type UserId } from '../../model/index.ts'
import {
  EMPTY_MODEL,
  examplesOf,
  featuresOf,
  isLiked,
  learnExamples,
  type RankingModel,
  type ReplayedSession,
} from '../../ranking/index.ts'
import { entriesWithFacts } from './entry-facts.ts'
import type { ForYouStores } from './ranked-entries.ts'
import { type Interaction, interactionsOf } from './stored-ranking.ts'

type ReplayedEntry = ReplayedSession['entries'][number]

/** Interactions further apart belong to different sessions. */
const SESSION_GAP_MS = 30 * MINUTE
/** Entries that are read at once. */
const CHUNK = 200

/** Learns again from all recorded interactions, for a model that is lost or of another version. */
export async function relearn(userId: UserId, stores: ForYouStores): Promise<RankingModel> {
  const entries = await replayedEntries(await interactionsOf(userId, stores.userValues), stores)
  const examples = entries.flatMap(({ entry: { facts, examples } }) =>
    examples.map((example) => ({ ...example, features: featuresOf(facts, example.at) })),
  )
  return learnExamples(
    EMPTY_MODEL,
    examples.sort((a, b) => a.at - b.at),
  )
}

export async function sessionsOf(
  interactions: readonly Interaction[],
  stores: ForYouStores,
): Promise<ReplayedSession[]> {
  const sessions: { at: Instant; endsAt: Instant; entries: ReplayedEntry[] }[] = []
  for (const { at, entry } of await replayedEntries(interactions, stores)) {
    const last = sessions.at(-1)
    const session = last && at - last.endsAt < SESSION_GAP_MS ? last : { at, endsAt: at, entries: [] }
    if (session !== last) sessions.push(session)
    session.endsAt = at
    session.entries.push(entry)
  }
  return sessions
}

/**
 * By the first interaction with each entry. Entries that are gone or hidden are left out. Which reports of a story were read at the time is
 * not known any more.
 */
async function replayedEntries(
  interactions: readonly Interaction[],
  stores: ForYouStores,
): Promise<{ at: Instant; entry: ReplayedEntry }[]> {
  const replayed: { at: Instant; entry: ReplayedEntry }[] = []
  for (let from = 0; from < interactions.length; from += CHUNK) {
    const some = interactions.slice(from, from + CHUNK)
    const entries = await stores.catalogue.entriesById(some.map(({ entryId }) => entryId))
    const known = await entriesWithFacts(
      entries.filter((entry): entry is Entry => entry !== undefined),
      stores,
    )
    const factsById = new Map(known.map(({ id, facts }) => [id, facts]))
    for (const { entryId: id, signals } of some) {
      const [facts, examples] = [factsById.get(id), examplesOf(signals)]
      const [first] = examples
      if (facts && first) replayed.push({ at: first.at, entry: { id, facts, examples, isLiked: isLiked(signals) } })
    }
  }
  return replayed.sort((a, b) => a.at - b.at || a.entry.id - b.entry.id)
}
