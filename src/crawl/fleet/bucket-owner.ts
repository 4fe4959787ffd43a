/**
 * Bucket ownership, for controllers that share a store. Every few seconds a controller renews its claim and learns which buckets it owns.
 * A new bucket is taken over: its in-flight tasks are adopted and its outcomes collected. Until both have succeeded the controller does
 * not work on it and tries again every second; `/healthz` and the metrics show how many such buckets there are, and since when. A
 * surplus bucket is released as soon as none of its tasks is in flight. A controller that could not renew in time owns nothing, because
 * others may have taken over.
 */
import { type Bucket, type Instant, type Millis, type Owned, SECOND } from '../../model/index.ts'
import type { Clock, Ownership } from '../../ports/index.ts'
import type { BucketStatus } from '../crawler.ts'
import { isStoreError } from '../error-boundary.ts'
import type { BucketHandoff } from '../scheduler/bucket-handoff.ts'

export interface BucketOwnerParts {
  ownership: Ownership
  clock: Clock
  /** Unique. */
  name: string
  bucketHandoff: BucketHandoff
  /** Sets the buckets whose outcomes are delivered to this controller. */
  collectFrom?: ((buckets: ReadonlySet<Bucket>) => Promise<void>) | undefined
  /** Called with errors that are not store errors; the step is retried. */
  reportError: (error: unknown, doing: string) => void
}

export interface BucketOwner {
  /** The buckets this controller works on. */
  owned(): Owned
  /** Renews the claim if it is due. */
  renew(): Promise<void>
  /** How many buckets this controller owns, and how many of them it has not taken over yet. */
  status(): BucketStatus
  renewAt(): Instant
  /** Whether no other controller can own these buckets now, nor within `forMs`. */
  isClaimValid(forMs?: Millis): boolean
  retire(): Promise<void>
}

/** With the renewal interval of the others, a controller that dies is replaced within fifteen seconds. */
const CLAIM_MS: Millis = 10 * SECOND
const RENEW_INTERVAL_MS: Millis = 3 * SECOND
/** The renewal interval while buckets are to be released or taken over. */
const RETRY_INTERVAL_MS: Millis = SECOND

const NO_BUCKETS: Owned = new Map()

export function createBucketOwner(parts: BucketOwnerParts): BucketOwner {
  const { ownership, clock, name, bucketHandoff, collectFrom = async () => {}, reportError } = parts
  /** All buckets this controller owns, according to the store. */
  let claimed: Owned = NO_BUCKETS
  /** The owned buckets it has taken over. */
  let takenOver: Owned = NO_BUCKETS
  /** The owned buckets it has to release. */
  let surplus: ReadonlySet<Bucket> = new Set()
  /** Buckets whose outcomes are delivered here. */
  let collected: ReadonlySet<Bucket> = new Set()
  /** Taken over and not surplus. */
  let working: Owned = NO_BUCKETS
  let notTakenUpSince: Instant | undefined
  let isErrorReported = false
  let claimedUntil: Instant = 0
  let nextAt: Instant = 0

  const without = (owned: Owned, buckets: ReadonlySet<Bucket>): Owned =>
    new Map([...owned].filter(([bucket]) => !buckets.has(bucket)))

  async function claim(now: Instant): Promise<void> {
    const answer = await ownership.claim(name, now, now + CLAIM_MS)
    claimed = answer.owned
    surplus = new Set(answer.surplus)
    claimedUntil = now + CLAIM_MS
    const lost = new Set([...takenOver.keys()].filter((bucket) => takenOver.get(bucket) !== claimed.get(bucket)))
    if (lost.size > 0) bucketHandoff.forget(lost)
    takenOver = without(takenOver, lost)
    working = without(takenOver, surplus)
  }

  function pendingTakeovers(): Owned {
    return new Map([...claimed].filter(([bucket, epoch]) => takenOver.get(bucket) !== epoch))
  }

  /** A step that fails is repeated at the next renewal. */
  async function takeOver(): Promise<void> {
    const gained = pendingTakeovers()
    if (gained.size > 0) await bucketHandoff.takeOver(gained)
    const all = new Set(claimed.keys())
    if (gained.size > 0 || !isSame(all, collected)) await collectFrom(all) // after their in-flight tasks are adopted
    collected = all
    takenOver = claimed
    working = without(takenOver, surplus)
    notTakenUpSince = undefined
    isErrorReported = false
  }

  async function releaseSurplus(): Promise<void> {
    const busy = bucketHandoff.busyBuckets()
    const free = new Set([...surplus].filter((bucket) => takenOver.has(bucket) && !busy.has(bucket)))
    if (free.size === 0) return
    const remaining = without(takenOver, free)
    await collectFrom(new Set(remaining.keys()))
    bucketHandoff.forget(free)
    takenOver = remaining
    collected = new Set(remaining.keys())
    claimed = without(claimed, free)
    await ownership.releaseBuckets(name, [...free])
    surplus = new Set([...surplus].filter((bucket) => !free.has(bucket)))
  }

  return {
    owned: () => (clock.now() < claimedUntil ? working : NO_BUCKETS),
    renewAt: () => nextAt,
    isClaimValid: (forMs = 0) => clock.now() + forMs < claimedUntil,
    status: () => ({
      owned: claimed.size,
      notTakenUp: pendingTakeovers().size,
      ...(notTakenUpSince !== undefined && { sinceAt: notTakenUpSince }),
    }),
    async renew() {
      const now = clock.now()
      if (now < nextAt) return
      await claim(now)
      if (pendingTakeovers().size > 0) notTakenUpSince ??= now
      try {
        await takeOver()
        await releaseSurplus()
        nextAt = now + (surplus.size > 0 ? RETRY_INTERVAL_MS : RENEW_INTERVAL_MS)
      } catch (error) {
        if (isStoreError(error)) throw error
        nextAt = now + RETRY_INTERVAL_MS
        if (!isErrorReported) reportError(error, 'taking over buckets')
        isErrorReported = true
      }
    },
    async retire() {
      bucketHandoff.forget(new Set(takenOver.keys()))
      claimed = NO_BUCKETS
      takenOver = NO_BUCKETS
      working = NO_BUCKETS
      claimedUntil = 0
      await ownership.releaseBuckets(name)
    },
  }
}

function isSame(a: ReadonlySet<Bucket>, b: ReadonlySet<Bucket>): boolean {
  return a.size === b.size && [...a].every((bucket) => b.has(bucket))
}
