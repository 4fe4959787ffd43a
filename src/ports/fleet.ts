/**
 * How the processes of a fleet hear of each other: who lives and how busy it is, who is to wake up, what has happened. Nothing of
 * it is kept, and all of it may be lost: what matters is in the store and in the queue, and what is said here is said again.
 */
import type { Bucket, FeedId, Instant, Millis } from '../model/index.ts'

export type FleetRole = 'controller' | 'fetcher' | 'indexer' | 'server'

/** What a process says of itself. */
export interface FleetMember {
  role: FleetRole
  /** Nobody else has it. */
  name: string
  version: string
  region?: string
  startedAt: Instant
  /** Of a terminal: how many tasks it may perform at once, how many it does, and how many it has. */
  hands?: number
  load?: number
  performed?: number
  /** Of a controller: how many buckets it owns, and which terminals it has set aside, and why. */
  buckets?: number
  aside?: { name: string; why: string; until: Instant }[]
  /** Of a keeper: what it does at the moment, for all. */
  duties?: string[]
  /** What else it has to tell, for who knows what to make of it. */
  more?: unknown
}

export interface SeenMember extends FleetMember {
  /** When we last heard of it, by our clock. */
  seenAt: Instant
  /** By how much its clock is ahead of ours, as far as messages travel at once. */
  aheadMs: Millis
}

export interface Fleet {
  /** Says so now; whoever does not for ten seconds is gone, as far as the others know. */
  beat(member: FleetMember): void
  /** Who lives, in the order of their names; without ourselves unless we have said something. */
  members(): SeenMember[]
  /** Tells the owner of a bucket, or all, that there may be something to do; `asked`: a person wants this feed polled. */
  wake(bucket?: Bucket, asked?: FeedId): void
  onWake(listener: (bucket: Bucket | undefined, asked: FeedId | undefined) => void): void
  /** Tells everybody else something; plain JSON. */
  tell(what: unknown): void
  onTold(listener: (what: unknown) => void): void
  /** Asks whoever has the bucket; rejects when nobody answers in time. */
  ask(bucket: Bucket, question: unknown): Promise<unknown>
  /** Undefined: it is not for us to answer. */
  answer(answerer: (bucket: Bucket, question: unknown) => Promise<unknown> | undefined): void
  close(): Promise<void>
}

/**
 * Which terminals take nothing for now, by what all controllers say of them. Two of those may each set aside another one at the same
 * moment: so it is half of the living at most, those of whom it was said first, and whoever asks comes to the same.
 */
export function terminalsAside(
  members: readonly Pick<FleetMember, 'role' | 'name' | 'aside'>[],
): Map<string, { why: string; until: Instant }> {
  const living = new Set(members.filter(({ role }) => role === 'fetcher').map(({ name }) => name))
  const said = new Map<string, { why: string; until: Instant }>()
  for (const { name, why, until } of members.flatMap(({ aside = [] }) => aside))
    if (living.has(name) && until < (said.get(name)?.until ?? Number.POSITIVE_INFINITY)) said.set(name, { why, until })
  const inOrder = [...said].sort(([a, one], [b, other]) => one.until - other.until || (a < b ? -1 : 1))
  return new Map(inOrder.slice(0, Math.floor(living.size / 2)))
}

/** After so long without a word a process is gone, as far as others know. */
export const GONE_MS: Millis = 10_000
