/** Does what rules ask for beyond the user's state of an entry, such as sending it or fetching its article. */
import { findDestination, loadDestinations, queueSend } from '../destinations/index.ts'
import { type EntryId, HOUR, type Instant, type RuleEffect, type UserId } from '../model/index.ts'
import type { UserValues } from '../ports/index.ts'

export interface EffectParts {
  userValues: UserValues
  /** Fetches the page of an entry before others. */
  requestArticle: (id: EntryId) => Promise<unknown>
  /** Called when an entry was queued for a destination. */
  onSendQueued?: () => void
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
export function createApplyEffects({ userValues, requestArticle, onSendQueued = () => {} }: EffectParts): ApplyEffects {
  const requested = new Map<UserId, { since: Instant; count: number }>()

  function mayRequestArticle(userId: UserId, now: Instant): boolean {
    const known = requested.get(userId)
    const hour = known && now - known.since < HOUR ? known : { since: now, count: 0 }
    requested.set(userId, { ...hour, count: hour.count + 1 })
    return hour.count < MAX_ARTICLES_PER_HOUR
  }

  /** If too many wait, or the destination was removed, the entry is not sent. */
  async function send(userId: UserId, entryId: EntryId, name: string, now: Instant): Promise<void> {
    const destination = findDestination(await loadDestinations(userValues, userId), name)
    if (!destination) return
    await queueSend(userValues, { userId, destinationId: destination.id, entryId, now, isOnce: true })
    onSendQueued()
  }

  return async (userId, entryId, effects, now) => {
    for (const effect of effects)
      if (effect.kind === 'send') await send(userId, entryId, effect.destination, now)
      else if (mayRequestArticle(userId, now)) await requestArticle(entryId)
  }
}
