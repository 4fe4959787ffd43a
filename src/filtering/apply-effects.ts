/** Does what rules ask for beyond the user's state of an entry, such as fetching its article. */
import { type EntryId, HOUR, type Instant, type RuleEffect, type UserId } from '../model/index.ts'

export interface EffectParts {
  /** Fetches the page of an entry before others. */
  requestArticle: (id: EntryId) => Promise<unknown>
}

export type ApplyEffects = (
  userId: UserId,
  entryId: EntryId,
  effects: readonly RuleEffect[],
  now: Instant,
) => Promise<void>

/** Articles that the rules of a user may request per hour. */
const MAX_ARTICLES_PER_HOUR = 200

/** Repeating it changes nothing. */
export function createApplyEffects({ requestArticle }: EffectParts): ApplyEffects {
  const requested = new Map<UserId, { since: Instant; count: number }>()

  function mayRequestArticle(userId: UserId, now: Instant): boolean {
    const known = requested.get(userId)
    const hour = known && now - known.since < HOUR ? known : { since: now, count: 0 }
    requested.set(userId, { ...hour, count: hour.count + 1 })
    return hour.count < MAX_ARTICLES_PER_HOUR
  }

  return async (userId, entryId, effects, now) => {
    for (const effect of effects)
      if (effect.kind === 'fetch-article' && mayRequestArticle(userId, now)) await requestArticle(entryId)
  }
}
