/** The stored part of a user's ranking: what was learned, the user's preferences, and what they did with entries. */
import type { EntryId, Instant, UserId } from '../../model/index.ts'
import { USER_VALUE_KINDS, type UserValues } from '../../ports/index.ts'
import { type EntrySignals, packRanking, SIGNALS, type StoredRanking, unpackRanking } from '../../ranking/index.ts'

const KEY = 'ranking'

export async function loadRanking(userId: UserId, userValues: UserValues): Promise<StoredRanking> {
  const [stored] = await userValues.userValues(userId, 'ranking', { keys: [KEY], limit: 1 })
  return unpackRanking(stored?.value)
}

export async function storeRanking(
  userId: UserId,
  ranking: StoredRanking,
  { userValues, at }: { userValues: UserValues; at: Instant },
): Promise<void> {
  await userValues.putUserValues(userId, 'ranking', [{ key: KEY, value: packRanking(ranking) }], at)
}

export interface Interaction {
  entryId: EntryId
  signals: EntrySignals
}

/** What the user did with these entries, or with all, most recent first. */
export async function interactionsOf(
  userId: UserId,
  userValues: UserValues,
  { among, limit = USER_VALUE_KINDS.interaction }: { among?: readonly EntryId[]; limit?: number } = {},
): Promise<Interaction[]> {
  const query = { limit, ...(among && { keys: among.map(String), limit: among.length }) }
  const stored = await userValues.userValues(userId, 'interaction', query)
  return stored.map(({ key, value }) => ({ entryId: Number(key) as EntryId, signals: signalsIn(value) }))
}

export async function storeInteractions(
  userId: UserId,
  interactions: readonly Interaction[],
  { userValues, at }: { userValues: UserValues; at: Instant },
): Promise<void> {
  const changes = interactions.map(({ entryId, signals }) => ({ key: String(entryId), value: signals }))
  await userValues.putUserValues(userId, 'interaction', changes, at)
}

/** Removes everything that was recorded and learned, and all preferences. Learning stays on or off. */
export async function forgetRanking(
  userId: UserId,
  { userValues, at }: { userValues: UserValues; at: Instant },
): Promise<void> {
  const { isOff } = await loadRanking(userId, userValues)
  const all = await interactionsOf(userId, userValues)
  const removals = all.map(({ entryId }) => ({ key: String(entryId), value: undefined }))
  await userValues.putUserValues(userId, 'interaction', removals, at)
  await storeRanking(userId, { ...unpackRanking(undefined), isOff }, { userValues, at })
}

function signalsIn(value: unknown): EntrySignals {
  const stored = Object(value) as Record<string, unknown>
  return Object.fromEntries(SIGNALS.flatMap((name) => (typeof stored[name] === 'number' ? [[name, stored[name]]] : [])))
}
