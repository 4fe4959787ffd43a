/** The rules of a user, and how far they were applied, as values of the user. */
import { DAY, type EntryId, type Instant, MAX_RULES, type Rule, type RuleMatches, type UserId } from '../model/index.ts'
import type { Catalogue, Clock, UserValues } from '../ports/index.ts'

export interface RuleProgress {
  /** All entries up to this one were checked, except the waiting ones. */
  cursor: EntryId
  /** Entries whose articles are still to be fetched. */
  waiting: EntryId[]
  /** By rule. */
  matches: Record<string, RuleMatches>
}

export interface StoredRulesParts {
  userValues: UserValues
  catalogue: Pick<Catalogue, 'newestEntryId'>
  clock: Pick<Clock, 'now'>
}

const PROGRESS_KEY = 'progress'
const COUNTED_MS = 7 * DAY

/** In the order in which they are applied. */
export async function loadRules({ userValues }: Pick<StoredRulesParts, 'userValues'>, userId: UserId): Promise<Rule[]> {
  const values = await userValues.userValues(userId, 'rule', { limit: MAX_RULES })
  const stored = values.map(({ value }) => value as { position: number; rule: Rule })
  return stored.sort((a, b) => a.position - b.position).map(({ rule }) => rule)
}

/** Replaces all rules. Where no rule was enabled before, they apply from the next entry on. */
export async function saveRules(parts: StoredRulesParts, userId: UserId, rules: readonly Rule[]): Promise<void> {
  const { userValues, catalogue, clock } = parts
  const before = await loadRules(parts, userId)
  const kept = new Set(rules.map(({ id }) => id))
  const isStarted = !before.some(({ enabled }) => enabled) && rules.some(({ enabled }) => enabled)
  const progress = await loadProgress(parts, userId)
  if (isStarted || !progress) {
    const start = { cursor: await catalogue.newestEntryId(), waiting: [], matches: progress?.matches ?? {} }
    await saveProgress(parts, userId, start)
  }
  const removed = before.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ key: id, value: undefined }))
  const changes = rules.map((rule, position) => ({ key: rule.id, value: { position, rule } }))
  await userValues.putUserValues(userId, 'rule', [...removed, ...changes], clock.now())
}

export async function loadProgress(
  { userValues }: Pick<StoredRulesParts, 'userValues'>,
  userId: UserId,
): Promise<RuleProgress | undefined> {
  const [value] = await userValues.userValues(userId, 'ruleProgress', { limit: 1 })
  return value?.value as RuleProgress | undefined
}

export async function saveProgress(
  { userValues, clock }: Pick<StoredRulesParts, 'userValues' | 'clock'>,
  userId: UserId,
  progress: RuleProgress,
): Promise<void> {
  await userValues.putUserValues(userId, 'ruleProgress', [{ key: PROGRESS_KEY, value: progress }], clock.now())
}

/** Counts one match. Forgets days before the last week. */
export function countMatch(matches: RuleMatches | undefined, entryId: EntryId, now: Instant): RuleMatches {
  const today = dayOf(now)
  const oldest = dayOf(now - COUNTED_MS)
  const recent = Object.entries(matches?.days ?? {}).filter(([day]) => day > oldest)
  const days = Object.fromEntries(recent)
  days[today] = (days[today] ?? 0) + 1
  return { days, lastAt: now, lastEntryId: entryId }
}

export function matchesThisWeek({ days }: RuleMatches, now: Instant): number {
  const oldest = dayOf(now - COUNTED_MS)
  return Object.entries(days).reduce((sum, [day, count]) => (day > oldest ? sum + count : sum), 0)
}

function dayOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10)
}
