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
  type Instant,
  MINUTE,
  type Millis,
  type Push,
  pushStanding,
  SECOND,
} from '../model/index.ts'
import { addDelays, withMore } from './push-statistics.ts'

/** Ours: polling interval while pushes are reliable, and so the maximum delay after a lost push. */
export const SAFETY_POLL_MS: Millis = 6 * HOUR
/** Ours; most hubs grant it. */
export const ASKED_LEASE_MS: Millis = 10 * DAY

const SENT_FOR_MS: Millis = 10 * MINUTE // longer than a request can take
const FIRST_MS: Millis = 10 * MINUTE // ours
const LAST_MS: Millis = 7 * DAY // ours
const REFUSED_MS: Millis = DAY // ours: a refusal is deliberate
const LAST_REFUSED_MS: Millis = 30 * DAY
const SHORTEST_RENEWAL_MS: Millis = 10 * MINUTE // ours: leases of seconds must not cause a flood of requests
const LONGEST_LEASE_MS: Millis = 366 * DAY
const MOST_FAREWELLS = 3 // a hub that does not receive them gets 410 on its next notification
const ON_ITS_WAY_MS: Millis = 30 * MINUTE // ours: younger entries may still be pushed
const LONGEST_CHALLENGE = 4096
const LONGEST_REASON = 200

export function newPush(
  asked: Pick<Push, 'feedId' | 'hub' | 'bucket' | 'topic' | 'named' | 'token' | 'secret'>,
  at: Instant,
): Push {
  return { ...asked, state: 'waiting', dueAt: at, failures: 0, pushes: 0 }
}

/** Starts unsubscribing: the feed is gone, or names another hub. */
export function ending(push: Push, at: Instant): Push {
  const { askedAt: _, ...rest } = push
  return { ...rest, state: 'ending', dueAt: at, failures: 0 }
}

/** Call before the request to the hub: it may send its verification before it responds. */
export function asking(push: Push, now: Instant): Push {
  const wasSilent = push.askedAt !== undefined
  const failures = push.failures + (wasSilent ? 1 : 0)
  return {
    ...(wasSilent ? withMore(push, { failures: 1 }) : push),
    askedAt: now,
    dueAt: now + SENT_FOR_MS,
    failures,
    ...(wasSilent && { trouble: { kind: 'hub-silent' } }),
  }
}

/** The request was not sent after all. */
export function notAsked(push: Push, now: Instant): Push {
  const { askedAt: _, ...rest } = push
  return { ...rest, dueAt: now }
}

/** Call after the hub's response; undefined: delete the subscription. */
export function askedAfter(push: Push, failure: Failure | undefined, now: Instant, chance: number): Push | undefined {
  if (push.askedAt === undefined) return push // verified or denied meanwhile
  if (push.state === 'ending' && push.failures >= MOST_FAREWELLS - 1) return undefined
  const dueAt = againAt(push, failure, now, chance)
  if (!failure) return { ...push, dueAt }
  const { askedAt: _, ...rest } = withMore(push, { failures: 1 })
  return { ...rest, dueAt, failures: push.failures + 1, trouble: failure }
}

/** Our answer to a hub's verification of intent. */
export type HubAnswer =
  | { kind: 'unknown' }
  /** Without a push: delete the subscription. */
  | { kind: 'echo'; challenge: string; push?: Push }
  | { kind: 'denied'; push?: Push }

/** `query`: the hub's parameters: `hub.mode`, `hub.topic` and so on. */
export function answerToHub(
  push: Push,
  query: Readonly<Record<string, string>>,
  now: Instant,
  chance: number,
): HubAnswer {
  const { 'hub.mode': mode, 'hub.challenge': challenge = '', 'hub.reason': reason } = query
  if (query['hub.topic'] !== push.topic) return { kind: 'unknown' }
  if (mode === 'denied')
    return push.state === 'ending' ? { kind: mode } : { kind: mode, push: denied(push, reason, now, chance) }

  const isPending = push.askedAt !== undefined
  const wanted = push.state === 'ending' ? 'unsubscribe' : 'subscribe'
  if (!isPending || mode !== wanted || !challenge || challenge.length > LONGEST_CHALLENGE) return { kind: 'unknown' }
  if (push.state === 'ending') return { kind: 'echo', challenge }
  const { askedAt: _, trouble: __, ...rest } = push.state === 'active' ? withMore(push, { renewals: 1 }) : push
  const leaseMs = leaseOf(query['hub.lease_seconds'])
  const renewAt = now + Math.max(SHORTEST_RENEWAL_MS, Math.floor(leaseMs * (0.7 + 0.15 * chance)))
  const confirmed: Push = { ...rest, state: 'active', failures: 0, leaseUntil: now + leaseMs, dueAt: renewAt }
  return { kind: 'echo', challenge, push: confirmed }
}

/** Verifies the signature of a notification that arrives in chunks. */
export interface HubSignature {
  hear(piece: Uint8Array): void
  /** Whether the signature matches everything received; call once, at the end. */
  isRight(): boolean
}

/** `X-Hub-Signature: sha256=…`. Unsigned notifications are not authentic: we always give the hub a secret. */
export function hubSignatureOf(header: string | undefined, secret: string): HubSignature | undefined {
  const [, method = '', given = ''] =
    /^(sha1|sha256|sha384|sha512)=([0-9a-f]{1,128})$/i.exec(header?.trim() ?? '') ?? []
  const claimed = Buffer.from(given, 'hex')
  if (claimed.length !== DIGEST_BYTES[method.toLowerCase()]) return undefined
  const heard = createHmac(method.toLowerCase(), secret)
  return {
    hear: (piece) => heard.update(piece),
    isRight: () => timingSafeEqual(claimed, heard.digest()),
  }
}

const DIGEST_BYTES: Record<string, number> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** After a signed push with these new entries; undefined: it contained no feed. */
export function pushedAfter(
  push: Push,
  fresh: readonly { publishedAt?: Instant; dateOnly?: true }[] | undefined,
  at: Instant,
): Push {
  const counted = fresh ? addDelays(push, fresh, at) : withMore(push, { empty: 1 })
  return { ...counted, pushes: push.pushes + 1, pushedAt: at, ...(fresh && fresh.length > 0 && { provenAt: at }) }
}

/**
 * After a poll at `at` that found these new entries. Those published since the previous poll, but not too recently, should have been
 * pushed. If any, the subscription is requested again at once, because the hub may have lost it.
 */
export function polledAfter(
  push: Push,
  fresh: readonly { publishedAt?: Instant }[],
  { at, lastAt }: { at: Instant; lastAt: Instant },
): Push {
  if (push.state !== 'active') return push
  const isMissed = ({ publishedAt }: { publishedAt?: Instant }) =>
    publishedAt === undefined || (publishedAt > lastAt && publishedAt < at - ON_ITS_WAY_MS)
  const missed = fresh.filter(isMissed).length
  if (missed === 0) return push
  const counted = withMore(push, { missedPolls: 1, missed })
  return { ...counted, missedAt: at, ...(isRelied(push, at) && { dueAt: at }) }
}

/** Whether pushes arrive reliably, so that polls can be rare. */
export function isRelied(push: Push, now: Instant): boolean {
  return pushStanding(push, now) === 'relied'
}

function denied(push: Push, reason: string | undefined, now: Instant, chance: number): Push {
  const { askedAt: _, leaseUntil: __, ...rest } = withMore(push, { failures: 1 })
  const detail = reason?.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, LONGEST_REASON)
  const waitMs = Math.min(LAST_REFUSED_MS, REFUSED_MS * 2 ** Math.min(16, push.failures)) * (1 + chance / 4)
  return {
    ...rest,
    state: 'waiting',
    failures: push.failures + 1,
    dueAt: Math.ceil(now + waitMs),
    trouble: { kind: 'hub-refused', ...(detail && { detail }) },
  }
}

function againAt({ failures }: Push, failure: Failure | undefined, now: Instant, chance: number): Instant {
  const askedMs = failure?.kind === 'http' ? (failure.retryAfterMs ?? 0) : 0
  const oursMs = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(16, failures)) * (1 + chance / 4)
  return Math.ceil(now + Math.max(askedMs, oursMs))
}

function leaseOf(seconds: string | undefined): Millis {
  if (!/^\d{1,12}$/.test(seconds ?? '')) return ASKED_LEASE_MS // old hubs do not state it
  return Math.min(LONGEST_LEASE_MS, Number(seconds) * SECOND)
}
