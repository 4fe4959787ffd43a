/** What the memory store keeps of people and of what is theirs. */
import type {
  ChangeId,
  EntryId,
  FeedId,
  FeedOut,
  Instant,
  Pass,
  PassId,
  Person,
  PersonId,
  Reading,
  SavedSearch,
  SourceId,
  WaitingReading,
  Webhook,
} from '../../model/index.ts'

export interface HeldReading extends Reading {
  /** All entries up to this one are read, if no mark says otherwise. */
  upTo: EntryId
  /** By whom `upTo` was moved last, and what it was before. */
  change?: ChangeId
  wasUpTo: EntryId
  /** As it was at `readAt`. */
  reads: number
  readAt: Instant
}

/** Of one entry; without `read` it is as `upTo` says, and it only remembers what a change has changed. */
export interface HeldMark {
  read?: boolean
  was?: boolean
  change: ChangeId
}

export interface Readers {
  people: Map<PersonId, Person & { password: string }>
  passes: Map<PassId, { pass: Pass; hash: string }>
  readings: Map<PersonId, Map<FeedId, HeldReading>>
  waiting: Map<PersonId, Map<SourceId, WaitingReading>>
  marks: Map<PersonId, Map<EntryId, HeldMark>>
  stars: Map<PersonId, Set<EntryId>>
  /** Feeds that somebody has ceased to follow. */
  left: Set<FeedId>
  searches: Map<number, SavedSearch>
  feedsOut: Map<number, FeedOut>
  webhooks: Map<number, Webhook>
  last: { person: number; pass: number; change: number; handout: number }
}

export function createReaders(): Readers {
  return {
    people: new Map(),
    passes: new Map(),
    readings: new Map(),
    waiting: new Map(),
    marks: new Map(),
    stars: new Map(),
    left: new Set(),
    searches: new Map(),
    feedsOut: new Map(),
    webhooks: new Map(),
    last: { person: 0, pass: 0, change: 0, handout: 0 },
  }
}
