/**
 * Records what users do with entries, and lets their ranking learn from it. Reports come in batches: a batch reads and writes the model
 * once. The reports of one user are processed one after the other, so that none overwrites another. In a fleet, reports of one user that
 * reach two servers at the same moment may lose what one of them has learned; the interactions themselves are kept.
 */
import type { Entry, EntryId, UserId } from '../model/index.ts'
import type { Clock, UserValues } from '../ports/index.ts'
import {
  addSignal,
  examplesOf,
  featuresOf,
  learnExamples,
  type Preference,
  type Signal,
  withPreference,
} from '../ranking/index.ts'
import {
  entriesWithFacts,
  forgetRanking,
  type Interaction,
  interactionsOf,
  loadRanking,
  relearn,
  storeInteractions,
  storeRanking,
  type VisibilityParts,
  type VisibleParts,
  visibleToUser,
} from '../views/index.ts'
import { createPerUserQueue } from './per-user-queue.ts'

export type Reported = { [Name in Signal]?: readonly EntryId[] | undefined }

export interface InteractionRecorder {
  /** Returns the number of new signals. Ignores entries that the user cannot see, and everything while their learning is off. */
  record(userId: UserId, reported: Reported): Promise<number>
  /** Undefined removes the preference. */
  prefer(userId: UserId, featureKey: string, preference: Preference | undefined): Promise<void>
  setLearning(userId: UserId, isLearning: boolean): Promise<void>
  forget(userId: UserId): Promise<void>
}

type RecorderParts = VisibleParts & VisibilityParts & { userValues: UserValues; clock: Clock }

/** Entries of a batch; further ones are ignored. */
const MAX_ENTRIES = 500

export function createInteractionRecorder(parts: RecorderParts): InteractionRecorder {
  const { userValues, clock } = parts
  const inTurn = createPerUserQueue()

  async function record(userId: UserId, reported: [EntryId, Signal][]): Promise<number> {
    const at = clock.now()
    const ranking = await loadRanking(userId, userValues)
    if (ranking.isOff) return 0
    const visible = await visibleToUser(userId, parts)
    // Usually nothing is recorded either.
    const model = ranking.model.examples > 0 ? ranking.model : await relearn(userId, visible)
    const ids = [...new Set(reported.map(([id]) => id))].slice(0, MAX_ENTRIES)
    const [found, before] = await Promise.all([
      visible.catalogue.entriesById(ids),
      interactionsOf(userId, userValues, { among: ids }),
    ])
    const entries = await entriesWithFacts(
      found.filter((entry): entry is Entry => entry !== undefined),
      visible,
      userId,
    )
    const factsById = new Map(entries.map(({ id, facts }) => [id, facts]))
    const known = new Map(before.map(({ entryId, signals }) => [entryId, signals]))
    const changed = new Map<EntryId, Interaction>()
    const examples = reported.flatMap(([entryId, signal]) => {
      const facts = factsById.get(entryId)
      const signals = facts && addSignal(known.get(entryId) ?? {}, signal, at)
      if (!signals) return []
      known.set(entryId, signals)
      changed.set(entryId, { entryId, signals })
      return examplesOf({ [signal]: at }).map((example) => ({ ...example, features: featuresOf(facts, at) }))
    })
    if (examples.length === 0) return 0
    await storeInteractions(userId, [...changed.values()], { userValues, at })
    await storeRanking(userId, { ...ranking, model: learnExamples(model, examples) }, { userValues, at })
    return examples.length
  }

  return {
    async record(userId, reported) {
      const all = Object.entries(reported).flatMap(([signal, ids = []]) =>
        ids.slice(0, MAX_ENTRIES).map((id): [EntryId, Signal] => [id, signal as Signal]),
      )
      return all.length === 0 ? 0 : inTurn(userId, () => record(userId, all))
    },
    prefer: (userId, featureKey, preference) =>
      inTurn(userId, async () => {
        const ranking = await loadRanking(userId, userValues)
        const preferences = withPreference(ranking.preferences, featureKey, preference)
        await storeRanking(userId, { ...ranking, preferences }, { userValues, at: clock.now() })
      }),
    setLearning: (userId, isLearning) =>
      inTurn(userId, async () => {
        const ranking = await loadRanking(userId, userValues)
        await storeRanking(userId, { ...ranking, isOff: !isLearning }, { userValues, at: clock.now() })
      }),
    forget: (userId) => inTurn(userId, () => forgetRanking(userId, { userValues, at: clock.now() })),
  }
}
