/**
 * A feed's subscription at a hub (WebSub): the hub tells us what is new, and we poll only to be safe.
 *
 *     waiting --(asked, and confirmed by us)--> active --(asked again before its lease ends)--> active
 *        ^-----------(its lease ended, or the hub refused)--'
 *     ending: its feed is gone, or names another hub; when the hub knows that, it is forgotten
 */
import type { WebAddress } from './address.ts'
import type { Bucket } from './bucket.ts'
import type { Failure } from './failure.ts'
import type { FeedId } from './feed.ts'
import { type Instant, type Millis, SECOND } from './time.ts'

/**
 * asked: the hub has not confirmed it yet. active: it has, and nothing came so far. relied: it has brought news. broken: a
 * poll found what it should have brought. refused: the hub will not. ending: nobody wants it any more.
 */
export type PushStanding = 'asked' | 'active' | 'relied' | 'broken' | 'refused' | 'ending'

export interface Push {
  /** The end of the address at which the hub finds us; nobody can guess it. */
  readonly token: string
  /** How often it was changed since it was added, as the store counts; absent until it is there. */
  readonly revision?: number
  readonly feedId: FeedId
  hub: WebAddress
  /** Of the hub's root; old ones do not know. */
  bucket?: Bucket
  topic: WebAddress
  /** The feed's address when it named this hub; old ones do not know. */
  named?: WebAddress
  /** With which the hub signs what it sends. */
  secret: string
  state: 'waiting' | 'active' | 'ending'
  /** When the hub is to be asked next. */
  dueAt: Instant
  /** We asked then, and the hub has not come back to see whether we meant it. */
  askedAt?: Instant
  leaseUntil?: Instant
  /** Askings in a row that led to nothing, and why the last one did. */
  failures: number
  trouble?: Failure
  /** How many pushes came that were signed, and when the last of them did. */
  pushes: number
  pushedAt?: Instant
  /** When a push last brought something new, and when a poll last found something that should have been pushed. */
  provenAt?: Instant
  missedAt?: Instant
  /** How well it has served us; old ones do not know. */
  quality?: PushQuality
}

/** What a subscription has done since it was first asked for. */
export interface PushQuality {
  /** Entries that were pushed before a poll found them. */
  fresh: number
  /** How long after their publication those came that have a date: one count for each of `PUSH_DELAYS_MS`, and one for all later. */
  delays: number[]
  /** Pushes that were no feed, and messages that were not signed. */
  empty: number
  unsigned: number
  /** Polls that found what should have been pushed, and how many entries those were. */
  missedPolls: number
  missed: number
  /** How often the hub has confirmed it anew, and how often asking for it led to nothing. */
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

export function pushStanding(push: Push, now: Instant): PushStanding {
  const { state, leaseUntil = 0, provenAt, missedAt, trouble } = push
  if (state === 'ending') return 'ending'
  if (state === 'waiting' || now >= leaseUntil) return trouble?.kind === 'hub-refused' ? 'refused' : 'asked'
  if (missedAt !== undefined && missedAt >= (provenAt ?? 0)) return 'broken'
  return provenAt === undefined ? 'active' : 'relied'
}

/** What a hub brought to one of our servers, signed, and not looked at yet. */
export interface PushedDocument {
  /** Of the subscription. */
  token: string
  bucket: Bucket
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
}
