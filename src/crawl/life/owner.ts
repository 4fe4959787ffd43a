/**
 * Which buckets are ours, where several controllers share one store. Every few seconds we say that we live, and hear what we own.
 * What comes to us is begun with what the store knows of it, and with the flights of whoever had it before; what others should
 * have is given up as soon as nothing of ours is under way there, and no sooner. Whoever could not say for too long that he lives
 * owns nothing as far as he knows: others may have it by now.
 */
import { type Bucket, type Instant, type Millis, type Owned, SECOND } from '../../model/index.ts'
import type { Clock, Ownership } from '../../ports/index.ts'
import type { Handover } from '../dispatch/handover.ts'

export interface OwnerParts {
  ownership: Ownership
  clock: Clock
  /** Nobody else has this name. */
  name: string
  handover: Handover
  /** Told of which buckets outcomes are to come to us. */
  collectFrom?: ((buckets: ReadonlySet<Bucket>) => Promise<void>) | undefined
}

export interface Owner {
  /** What is ours, and not on its way to others. */
  owned(): Owned
  /** Claims anew, if it is time. */
  renew(): Promise<void>
  renewAt(): Instant
  /** Whether what we have cannot be another's by now, nor in so long. */
  isSure(forMs?: Millis): boolean
  retire(): Promise<void>
}

/** With the time until another one looks, whoever dies is replaced within fifteen seconds. */
const LIVES_MS: Millis = 10 * SECOND
const RENEWED_EVERY_MS: Millis = 3 * SECOND
/** While something is to be given up, we look more often whether it can be. */
const LETTING_GO_MS: Millis = SECOND

const NOTHING: Owned = new Map()

export function createOwner({ ownership, clock, name, handover, collectFrom = async () => {} }: OwnerParts): Owner {
  let held: Owned = NOTHING
  let surplus: ReadonlySet<Bucket> = new Set()
  let working: Owned = NOTHING
  let livesUntil: Instant = 0
  let nextAt: Instant = 0

  async function claim(now: Instant): Promise<void> {
    const claimed = await ownership.claim(name, now, now + LIVES_MS)
    const before = held
    held = claimed.owned
    surplus = new Set(claimed.surplus)
    livesUntil = now + LIVES_MS
    const isNew = (bucket: Bucket, epoch: number) => before.get(bucket) !== epoch
    const gained = new Map([...held].filter(([bucket, epoch]) => isNew(bucket, epoch)))
    const lost = [...before.keys()].filter((bucket) => before.get(bucket) !== held.get(bucket))
    if (lost.length > 0) handover.lose(new Set(lost))
    if (gained.size > 0) await handover.gain(gained)
    if (gained.size + lost.length > 0) await collectFrom(new Set(held.keys())) // behind the flights that they land from
  }

  async function letGo(): Promise<void> {
    const busy = handover.bucketsUnderWay()
    const free = new Set([...surplus].filter((bucket) => !busy.has(bucket)))
    if (free.size === 0) return
    handover.lose(free)
    held = new Map([...held].filter(([bucket]) => !free.has(bucket)))
    surplus = new Set([...surplus].filter((bucket) => !free.has(bucket)))
    await collectFrom(new Set(held.keys()))
    await ownership.letGo(name, [...free])
  }

  return {
    owned: () => (clock.now() < livesUntil ? working : NOTHING),
    renewAt: () => nextAt,
    isSure: (forMs = 0) => clock.now() + forMs < livesUntil,
    async renew() {
      const now = clock.now()
      if (now < nextAt) return
      await claim(now)
      working = new Map([...held].filter(([bucket]) => !surplus.has(bucket)))
      await letGo()
      nextAt = now + (surplus.size > 0 ? LETTING_GO_MS : RENEWED_EVERY_MS)
    },
    async retire() {
      handover.lose(new Set(held.keys()))
      held = NOTHING
      working = NOTHING
      livesUntil = 0
      await ownership.retire(name)
    },
  }
}
