/**
 * Which buckets are ours, where several controllers share one store. Every few seconds we say that we live, and hear what we own.
 * A bucket that comes to us is taken up: its flights are adopted, and its outcomes collected. Until both have succeeded we do not
 * work on it, and try again every second; how many those are, and since when, is for `/healthz` and the metrics. What others should
 * have is given up as soon as nothing of ours is under way there, and no sooner. A controller that could not say for too long that it
 * lives owns nothing as far as it knows: others may have it by now.
 */
import { type Bucket, type Instant, type Millis, type Owned, SECOND } from '../../model/index.ts'
import type { Clock, Ownership } from '../../ports/index.ts'
import type { BucketsHeld } from '../crawler.ts'
import { isOfStore } from '../error-boundary.ts'
import type { Handover } from '../scheduler/bucket-handoff.ts'

export interface OwnerParts {
  ownership: Ownership
  clock: Clock
  /** Nobody else has this name. */
  name: string
  handover: Handover
  /** Told of which buckets outcomes are to come to us. */
  collectFrom?: ((buckets: ReadonlySet<Bucket>) => Promise<void>) | undefined
  /** Told what goes wrong and is not of the store: it is tried again. */
  trouble: (error: unknown, doing: string) => void
}

export interface Owner {
  /** What is ours, and not on its way to others. */
  owned(): Owned
  /** Claims anew, if it is time. */
  renew(): Promise<void>
  /** How many buckets are ours, and of how many of them we have not taken up the work. */
  buckets(): BucketsHeld
  renewAt(): Instant
  /** Whether what we have cannot be another's by now, nor in so long. */
  isSure(forMs?: Millis): boolean
  retire(): Promise<void>
}

/** With the time until another one looks, whoever dies is replaced within fifteen seconds. */
const LIVES_MS: Millis = 10 * SECOND
const RENEWED_EVERY_MS: Millis = 3 * SECOND
/** While something is to be given up or taken up, we look more often whether it can be. */
const SOON_MS: Millis = SECOND

const NOTHING: Owned = new Map()

export function createOwner(parts: OwnerParts): Owner {
  const { ownership, clock, name, handover, collectFrom = async () => {}, trouble } = parts
  /** As the store says. */
  let claimed: Owned = NOTHING
  /** Of those, what we have taken up. */
  let held: Owned = NOTHING
  /** Of those, what others should have. */
  let surplus: ReadonlySet<Bucket> = new Set()
  /** Outcomes come to us from these. */
  let collected: ReadonlySet<Bucket> = new Set()
  /** What we work on: what we have taken up, and others should not have. */
  let working: Owned = NOTHING
  let notTakenUpSince: Instant | undefined
  let isTroubleTold = false
  let livesUntil: Instant = 0
  let nextAt: Instant = 0

  const without = (owned: Owned, buckets: ReadonlySet<Bucket>): Owned =>
    new Map([...owned].filter(([bucket]) => !buckets.has(bucket)))

  async function claim(now: Instant): Promise<void> {
    const answer = await ownership.claim(name, now, now + LIVES_MS)
    claimed = answer.owned
    surplus = new Set(answer.surplus)
    livesUntil = now + LIVES_MS
    const lost = new Set([...held.keys()].filter((bucket) => held.get(bucket) !== claimed.get(bucket)))
    if (lost.size > 0) handover.lose(lost)
    held = without(held, lost)
    working = without(held, surplus)
  }

  function notTakenUp(): Owned {
    return new Map([...claimed].filter(([bucket, epoch]) => held.get(bucket) !== epoch))
  }

  /** Each step counts once it has succeeded; what has not is done by the next renewal. */
  async function takeUp(): Promise<void> {
    const gained = notTakenUp()
    if (gained.size > 0) await handover.gain(gained)
    const all = new Set(claimed.keys())
    if (gained.size > 0 || !isSame(all, collected)) await collectFrom(all) // behind the flights that they land from
    collected = all
    held = claimed
    working = without(held, surplus)
    notTakenUpSince = undefined
    isTroubleTold = false
  }

  async function letGo(): Promise<void> {
    const busy = handover.bucketsUnderWay()
    const free = new Set([...surplus].filter((bucket) => held.has(bucket) && !busy.has(bucket)))
    if (free.size === 0) return
    const kept = without(held, free)
    await collectFrom(new Set(kept.keys()))
    handover.lose(free)
    held = kept
    collected = new Set(kept.keys())
    claimed = without(claimed, free)
    await ownership.letGo(name, [...free])
    surplus = new Set([...surplus].filter((bucket) => !free.has(bucket)))
  }

  return {
    owned: () => (clock.now() < livesUntil ? working : NOTHING),
    renewAt: () => nextAt,
    isSure: (forMs = 0) => clock.now() + forMs < livesUntil,
    buckets: () => ({
      owned: claimed.size,
      notTakenUp: notTakenUp().size,
      ...(notTakenUpSince !== undefined && { sinceAt: notTakenUpSince }),
    }),
    async renew() {
      const now = clock.now()
      if (now < nextAt) return
      await claim(now)
      if (notTakenUp().size > 0) notTakenUpSince ??= now
      try {
        await takeUp()
        await letGo()
        nextAt = now + (surplus.size > 0 ? SOON_MS : RENEWED_EVERY_MS)
      } catch (error) {
        if (isOfStore(error)) throw error
        nextAt = now + SOON_MS
        if (!isTroubleTold) trouble(error, 'taking up buckets')
        isTroubleTold = true
      }
    },
    async retire() {
      handover.lose(new Set(held.keys()))
      claimed = NOTHING
      held = NOTHING
      working = NOTHING
      livesUntil = 0
      await ownership.retire(name)
    },
  }
}

function isSame(a: ReadonlySet<Bucket>, b: ReadonlySet<Bucket>): boolean {
  return a.size === b.size && [...a].every((bucket) => b.has(bucket))
}
