/**
 * What can be paid for, where a person has named a budget: polls earn themselves as time goes by, and who finds the purse empty
 * waits. Of a day's worth of feeds that are added the first look is free.
 */
import {
  DAY,
  type FeedId,
  HOUR,
  type Instant,
  type Market,
  type Millis,
  type ScheduledFeed,
} from '../../model/index.ts'
import { affordableAt, canPay, openPurse, purseAfter } from '../../polling/index.ts'

type Purse = NonNullable<Market['purse']>

export interface Spending {
  purse(): Purse
  /** As it was before. */
  keep(purse: Purse): void
  isPaid(held: ScheduledFeed, now: Instant): boolean
  brokeUntil(now: Instant): Instant | undefined
  pay(now: Instant): void
}

/** So long those who find the purse empty wait at most, before they look again. */
const LONGEST_BROKE_MS: Millis = 6 * HOUR
/** However small a budget is, so many feeds that are added are looked at at once. */
const LEAST_FREE_LOOKS = 100

export function createSpending(perDay: () => number, startedAt: Instant): Spending {
  let purse = openPurse(startedAt)
  /** Who found the purse empty since it last was not: each is given another date. */
  let waiting = 0
  const looks = { left: Number.POSITIVE_INFINITY, at: startedAt, granted: new Set<FeedId>() }

  /** Of a day's polls worth of feeds that are added the first look is free; those of a long list are spread over days. */
  function grantsLook(id: FeedId, now: Instant): boolean {
    if (looks.granted.has(id)) return true
    const most = Math.max(LEAST_FREE_LOOKS, perDay())
    looks.left = Math.min(most, looks.left + (Math.max(0, now - looks.at) / DAY) * most)
    looks.at = now
    if (looks.left < 1) return false
    looks.left--
    if (looks.granted.size >= most) looks.granted.clear()
    looks.granted.add(id)
    return true
  }

  return {
    purse: () => purse,
    keep(kept) {
      purse = kept
    },
    isPaid: ({ feed, schedule }, now) => schedule.polledAt !== undefined || !grantsLook(feed.id, now),
    brokeUntil(now) {
      purse = purseAfter(purse, 0, perDay(), now)
      if (canPay(purse)) {
        waiting = 0
        return undefined
      }
      const at = affordableAt(purse, perDay(), waiting++)
      if (at <= now + LONGEST_BROKE_MS) return at
      waiting = 1
      return Math.min(now + LONGEST_BROKE_MS, affordableAt(purse, perDay(), 0))
    },
    pay(now) {
      purse = purseAfter(purse, 1, perDay(), now)
    },
  }
}
