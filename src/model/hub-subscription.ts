/**
 * A feed's WebSub subscription: the hub pushes updates, and polling continues as a safety net.
 *
 *     waiting --(requested and verified)--> active --(renewed before its lease ends)--> active
 *        ^-----------(lease expired, or the hub denied it)--'
 *     ending: the feed is gone or names another hub; deleted once the hub confirmed the unsubscription
 */
import type { WebAddress } from './address.ts'
import type { Bucket } from './bucket.ts'
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import { type Instant, type Millis, SECOND } from './time.ts'

/**
 * requested: not verified by the hub yet. active: verified, nothing pushed so far. trusted: it has delivered new entries.
 * broken: a poll found entries that were not pushed. refused: the hub denied it. ending: being unsubscribed.
 */
export type HubSubscriptionStatus = 'requested' | 'active' | 'trusted' | 'broken' | 'refused' | 'ending'

export interface HubSubscription {
  /** The last, unguessable part of the callback URL. */
  readonly token: string
  /** Counts changes; set by the store, absent before the first save. */
  readonly revision?: number
  readonly feedId: FeedId
  hub: WebAddress
  /** The bucket of the hub's root; absent in old records. */
  bucket?: Bucket
  topic: WebAddress
  /** The feed's address when it named this hub; absent in old records. */
  named?: WebAddress
  /** The HMAC key with which the hub signs its notifications. */
  secret: string
  state: 'waiting' | 'active' | 'ending'
  /** When to send the next request to the hub. */
  dueAt: Instant
  /** When a request was sent that the hub has not verified yet. */
  askedAt?: Instant
  leaseUntil?: Instant
  /** Consecutive failed requests, and the last failure. */
  failures: number
  trouble?: Failure
  /** Signed notifications received, and the time of the last one. */
  pushes: number
  pushedAt?: Instant
  /** When a push last delivered a new entry, and when a poll last found an entry that should have been pushed. */
  provenAt?: Instant
  missedAt?: Instant
  /** Absent in old records. */
  quality?: PushQuality
}

/** Statistics of a subscription since its first request. */
export interface PushQuality {
  /** Entries that were pushed before a poll found them. */
  fresh: number
  /** Delay from publication to push, as a histogram: one count per bound in `PUSH_DELAYS_MS`, and one for all longer delays. */
  delays: number[]
  /** Notifications without a feed, and notifications without a valid signature. */
  empty: number
  unsigned: number
  /** Polls that found entries that should have been pushed, and the number of those entries. */
  missedPolls: number
  missed: number
  /** Renewals confirmed by the hub, and failed requests. */
  renewals: number
  failures: number
}

export const PUSH_DELAYS_MS: readonly Millis[] = [10, 30, 60, 120, 300, 900, 3600, 6 * 3600].map((s) => s * SECOND)

export const NO_PUSH_QUALITY: PushQuality = {
  fresh: 0,
  delays: PUSH_DELAYS_MS.map(() => 0).concat(0),
  empty: 0,
  unsigned: 0,
  missedPolls: 0,
  missed: 0,
  renewals: 0,
  failures: 0,
}

export function hubSubscriptionStatus(push: HubSubscription, now: Instant): HubSubscriptionStatus {
  const { state, leaseUntil = 0, provenAt, missedAt, trouble } = push
  if (state === 'ending') return 'ending'
  if (state === 'waiting' || now >= leaseUntil) return trouble?.kind === 'hub-refused' ? 'refused' : 'requested'
  if (missedAt !== undefined && missedAt >= (provenAt ?? 0)) return 'broken'
  return provenAt === undefined ? 'active' : 'trusted'
}

/** A signed notification that our server received from a hub and has not processed yet. */
export interface PushedDocument {
  /** Identifies the subscription. */
  token: string
  bucket: Bucket
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
}
