/**
 * Messages between the processes of a fleet: heartbeats, wake-ups, events and queries. Nothing is persisted and any message may be lost:
 * all state that matters is in the store and the queue, and messages are repeated.
 */
import type { Bucket, FeedId, Instant, Millis } from '../model/index.ts'

export type FleetRole = 'controller' | 'fetcher' | 'indexer' | 'server'

/** The heartbeat of a process. */
export interface FleetMember {
  role: FleetRole
  /** Unique in the fleet. */
  name: string
  version: string
  region?: string
  startedAt: Instant
  /** Fetchers: the maximum of concurrent tasks, the tasks being performed, and the tasks completed since the start. */
  slots?: number
  activeTasks?: number
  completedTasks?: number
  /** Controllers: the number of owned buckets, and the fetchers it has quarantined. */
  buckets?: number
  quarantined?: { name: string; reason: string; until: Instant }[]
  /** Indexers: the tasks it performs as leader. */
  leaderTasks?: string[]
  /** Role-specific status, such as the activity of a controller. */
  details?: unknown
}

export interface SeenMember extends FleetMember {
  /** When its last heartbeat was received, by our clock. */
  seenAt: Instant
  /** How far its clock is ahead of ours, ignoring the latency of messages. */
  aheadMs: Millis
}

export interface Fleet {
  /** Sends a heartbeat. Members without one for `MEMBER_TIMEOUT_MS` are considered gone. */
  heartbeat(member: FleetMember): void
  /** All live members, ordered by name. Includes this process once it has sent a heartbeat. */
  members(): SeenMember[]
  /** Tells the owner of a bucket, or all controllers, that work may be due. `requested`: a user requested a poll of this feed. */
  wake(bucket?: Bucket, requested?: FeedId): void
  onWake(listener: (bucket: Bucket | undefined, requested: FeedId | undefined) => void): void
  /** Sends a message of plain JSON to all other processes. */
  broadcast(message: unknown): void
  onBroadcast(listener: (message: unknown) => void): void
  /** Asks the owner of the bucket. Rejects if no answer arrives in time. */
  ask(bucket: Bucket, question: unknown): Promise<unknown>
  /** Registers the handler for questions. It returns undefined if this process does not own the bucket. */
  answer(answerer: (bucket: Bucket, question: unknown) => Promise<unknown> | undefined): void
  close(): Promise<void>
}

/**
 * The fetchers that receive no tasks for now, computed from the reports of all controllers. Two controllers may quarantine different
 * fetchers at the same moment: so at most half of the live fetchers are quarantined, the earliest reported first, and every process
 * computes the same result.
 */
export function quarantinedFetchers(
  members: readonly Pick<FleetMember, 'role' | 'name' | 'quarantined'>[],
): Map<string, { reason: string; until: Instant }> {
  const alive = new Set(members.filter(({ role }) => role === 'fetcher').map(({ name }) => name))
  const reported = new Map<string, { reason: string; until: Instant }>()
  for (const { name, reason, until } of members.flatMap(({ quarantined = [] }) => quarantined))
    if (alive.has(name) && until < (reported.get(name)?.until ?? Number.POSITIVE_INFINITY))
      reported.set(name, { reason, until })
  const sorted = [...reported].sort(([nameA, a], [nameB, b]) => a.until - b.until || (nameA < nameB ? -1 : 1))
  return new Map(sorted.slice(0, Math.floor(alive.size / 2)))
}

/** A process without a heartbeat for this long is considered gone. */
export const MEMBER_TIMEOUT_MS: Millis = 10_000
