/**
 * The subscriber's side of WebSub (W3C, 2018) as pure functions from a subscription to its next state: when to send requests to the hub,
 * how to answer its verification, which notifications are authentic, and whether it is reliable.
 *
 * A subscription that was never verified, or whose lease ends, is requested again with exponential backoff. It is reliable once it has
 * delivered new entries, until a poll finds entries that it should have delivered.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  DAY,
  type Failure,
  HOUR,
  type HubSubscription,
  hubSubscriptionStatus,
  type Instant,
  MINUTE,
  type Millis,
  SECOND,
} from '../model/index.ts'
import { addDelays, addPushCounts } from './push-statistics.ts'

/** Ours: polling interval while pushes are reliable, and so the maximum delay after a lost push. */
export const SAFETY_POLL_MS: Millis = 6 * HOUR
/** Ours; most hubs grant it. */
export const REQUESTED_LEASE_MS: Millis = 10 * DAY

const REQUEST_TIMEOUT_MS: Millis = 10 * MINUTE // longer than a request can take
const FIRST_RETRY_MS: Millis = 10 * MINUTE // ours
const MAX_RETRY_MS: Millis = 7 * DAY // ours
const FIRST_DENIED_MS: Millis = DAY // ours: a refusal is deliberate
const MAX_DENIED_MS: Millis = 30 * DAY
const MIN_RENEWAL_MS: Millis = 10 * MINUTE // ours: leases of seconds must not cause a flood of requests
const MAX_LEASE_MS: Millis = 366 * DAY
const MAX_UNSUBSCRIBE_ATTEMPTS = 3 // a hub that does not receive them gets 410 on its next notification
const PUSH_GRACE_MS: Millis = 30 * MINUTE // ours: younger entries may still be pushed
const MAX_CHALLENGE_LENGTH = 4096
const MAX_REASON_LENGTH = 200

export function newHubSubscription(
  subscription: Pick<HubSubscription, 'feedId' | 'hub' | 'bucket' | 'topic' | 'named' | 'token' | 'secret'>,
  at: Instant,
): HubSubscription {
  return { ...subscription, state: 'waiting', dueAt: at, failures: 0, pushes: 0 }
}

/** Starts unsubscribing: the feed is gone, or names another hub. */
export function startUnsubscribing(push: HubSubscription, at: Instant): HubSubscription {
  const { askedAt: _, ...rest } = push
  return { ...rest, state: 'ending', dueAt: at, failures: 0 }
}

/** Call before the request to the hub: it may send its verification before it responds. */
export function beforeHubRequest(push: HubSubscription, now: Instant): HubSubscription {
  const isUnanswered = push.askedAt !== undefined
  const failures = push.failures + (isUnanswered ? 1 : 0)
  return {
    ...(isUnanswered ? addPushCounts(push, { failures: 1 }) : push),
    askedAt: now,
    dueAt: now + REQUEST_TIMEOUT_MS,
    failures,
    ...(isUnanswered && { trouble: { kind: 'hub-silent' } }),
  }
}

/** The request was not sent after all. */
export function hubRequestNotSent(push: HubSubscription, now: Instant): HubSubscription {
  const { askedAt: _, ...rest } = push
  return { ...rest, dueAt: now }
}

/** Call after the hub's response; undefined: delete the subscription. */
export function afterHubRequest(
  push: HubSubscription,
  failure: Failure | undefined,
  now: Instant,
  chance: number,
): HubSubscription | undefined {
  if (push.askedAt === undefined) return push // verified or denied meanwhile
  if (push.state === 'ending' && push.failures >= MAX_UNSUBSCRIBE_ATTEMPTS - 1) return undefined
  const dueAt = retryAt(push, failure, now, chance)
  if (!failure) return { ...push, dueAt }
  const { askedAt: _, ...rest } = addPushCounts(push, { failures: 1 })
  return { ...rest, dueAt, failures: push.failures + 1, trouble: failure }
}

/** Our answer to a hub's verification of intent. */
export type HubAnswer =
  | { kind: 'unknown' }
  /** Without a push: delete the subscription. */
  | { kind: 'echo'; challenge: string; push?: HubSubscription }
  | { kind: 'denied'; push?: HubSubscription }

/** `query`: the hub's parameters: `hub.mode`, `hub.topic` and so on. */
export function answerHub(
  push: HubSubscription,
  query: Readonly<Record<string, string>>,
  now: Instant,
  chance: number,
): HubAnswer {
  const { 'hub.mode': mode, 'hub.challenge': challenge = '', 'hub.reason': reason } = query
  if (query['hub.topic'] !== push.topic) return { kind: 'unknown' }
  if (mode === 'denied')
    return push.state === 'ending' ? { kind: mode } : { kind: mode, push: denied(push, reason, now, chance) }

  const isPending = push.askedAt !== undefined
  const expectedMode = push.state === 'ending' ? 'unsubscribe' : 'subscribe'
  if (!isPending || mode !== expectedMode || !challenge || challenge.length > MAX_CHALLENGE_LENGTH)
    return { kind: 'unknown' }
  if (push.state === 'ending') return { kind: 'echo', challenge }
  const { askedAt: _, trouble: __, ...rest } = push.state === 'active' ? addPushCounts(push, { renewals: 1 }) : push
  const leaseMs = leaseMsOf(query['hub.lease_seconds'])
  const renewAt = now + Math.max(MIN_RENEWAL_MS, Math.floor(leaseMs * (0.7 + 0.15 * chance)))
  const confirmed: HubSubscription = {
    ...rest,
    state: 'active',
    failures: 0,
    leaseUntil: now + leaseMs,
    dueAt: renewAt,
  }
  return { kind: 'echo', challenge, push: confirmed }
}

/** Verifies the signature of a notification that arrives in chunks. */
export interface HubSignature {
  update(piece: Uint8Array): void
  /** Whether the signature matches everything received; call once, at the end. */
  isValid(): boolean
}

/** `X-Hub-Signature: sha256=…`. Unsigned notifications are not authentic: we always give the hub a secret. */
export function hubSignatureOf(header: string | undefined, secret: string): HubSignature | undefined {
  const [, method = '', hexDigest = ''] =
    /^(sha1|sha256|sha384|sha512)=([0-9a-f]{1,128})$/i.exec(header?.trim() ?? '') ?? []
  const claimedDigest = Buffer.from(hexDigest, 'hex')
  if (claimedDigest.length !== DIGEST_BYTES[method.toLowerCase()]) return undefined
  const hmac = createHmac(method.toLowerCase(), secret)
  return {
    update: (piece) => hmac.update(piece),
    isValid: () => timingSafeEqual(claimedDigest, hmac.digest()),
  }
}

const DIGEST_BYTES: Record<string, number> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** After a signed push with these new entries; undefined: it contained no feed. */
export function afterPush(
  push: HubSubscription,
  fresh: readonly { publishedAt?: Instant; dateOnly?: true }[] | undefined,
  at: Instant,
): HubSubscription {
  const counted = fresh ? addDelays(push, fresh, at) : addPushCounts(push, { empty: 1 })
  return { ...counted, pushes: push.pushes + 1, pushedAt: at, ...(fresh && fresh.length > 0 && { provenAt: at }) }
}

/**
 * After a poll at `at` that found these new entries. Those published since the previous poll, but not too recently, should have been
 * pushed. If any, the subscription is requested again at once, because the hub may have lost it.
 */
export function afterPoll(
  push: HubSubscription,
  fresh: readonly { publishedAt?: Instant }[],
  { at, lastAt }: { at: Instant; lastAt: Instant },
): HubSubscription {
  if (push.state !== 'active') return push
  const isMissed = ({ publishedAt }: { publishedAt?: Instant }) =>
    publishedAt === undefined || (publishedAt > lastAt && publishedAt < at - PUSH_GRACE_MS)
  const missed = fresh.filter(isMissed).length
  if (missed === 0) return push
  const counted = addPushCounts(push, { missedPolls: 1, missed })
  return { ...counted, missedAt: at, ...(isReliable(push, at) && { dueAt: at }) }
}

/** Whether pushes arrive reliably, so that polls can be rare. */
export function isReliable(push: HubSubscription, now: Instant): boolean {
  return hubSubscriptionStatus(push, now) === 'trusted'
}

function denied(push: HubSubscription, reason: string | undefined, now: Instant, chance: number): HubSubscription {
  const { askedAt: _, leaseUntil: __, ...rest } = addPushCounts(push, { failures: 1 })
  const detail = reason?.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, MAX_REASON_LENGTH)
  const waitMs = Math.min(MAX_DENIED_MS, FIRST_DENIED_MS * 2 ** Math.min(16, push.failures)) * (1 + chance / 4)
  return {
    ...rest,
    state: 'waiting',
    failures: push.failures + 1,
    dueAt: Math.ceil(now + waitMs),
    trouble: { kind: 'hub-refused', ...(detail && { detail }) },
  }
}

function retryAt({ failures }: HubSubscription, failure: Failure | undefined, now: Instant, chance: number): Instant {
  const retryAfterMs = failure?.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const backoffMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(16, failures)) * (1 + chance / 4)
  return Math.ceil(now + Math.max(retryAfterMs, backoffMs))
}

function leaseMsOf(seconds: string | undefined): Millis {
  if (!/^\d{1,12}$/.test(seconds ?? '')) return REQUESTED_LEASE_MS // old hubs do not state it
  return Math.min(MAX_LEASE_MS, Number(seconds) * SECOND)
}
