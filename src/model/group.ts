/** Entries that say the same, and what it is that they have in common. */
import type { Failure } from './failure.ts'
import type { EntryId, FeedId } from './feed.ts'
import type { Instant, Millis } from './time.ts'

export type GroupId = number & { readonly of: 'group' }

/** copy: the same text, edited, cut or under another headline. story: the same event, told by others. Never mixed. */
export type GroupLevel = 'copy' | 'story'

export const GROUP_LEVELS: readonly GroupLevel[] = ['copy', 'story']

/** Of a group of copies so many elect the primary, the earliest: every pair is compared. A larger one keeps its primary while it is there. */
export const MOST_VOTERS = 32

/** At least two entries. */
export interface Group {
  /** It stays when another entry becomes primary. Of two groups that become one, the larger keeps its id; thousands go over one after the other. */
  readonly id: GroupId
  level: GroupLevel
  /** Speaks for the others. Of copies, the entry with the least sum of distances to them; of a story, the earliest. */
  primaryId: EntryId
  size: number
  /** Of the earliest MOST_VOTERS members to the primary; in most groups that is all of them. */
  distanceSum: number
  firstAt: Instant
  lastAt: Instant
}

/** Which of its texts an entry was compared by: what the feed shows of it, or the article once it has been fetched. */
export type ComparedBy = 'entry' | 'article'

export interface Member {
  entryId: EntryId
  /** When it was said: published, or else seen. */
  at: Instant
  /** Bits in which its SimHash and the primary's differ. */
  distance: number
  comparedBy: ComparedBy
  /** The member it was found to be like when it came; absent for the one that was there first. */
  likeId?: EntryId
  /** Between 0 and 1. */
  likeness?: number
  /** For people: a sentence without a full stop. */
  reason?: string
}

/** An entry says something else now, or its article has come, and it belongs elsewhere. Without a group it was, or is, alone. */
export interface GroupMove {
  entryId: EntryId
  level: GroupLevel
  at: Instant
  from?: GroupId
  to?: GroupId
  comparedBy: ComparedBy
}

/** What was said in some span of time, and how much of it had been said before. */
export interface Statistics {
  entries: number
  /** Entries that are a copy of another, which is the primary of their group. */
  copies: number
  stories: number
  /** Feeds with entries, those with most first. */
  byFeed: { feedId: FeedId; entries: number; copies: number }[]
  /** 24 of them: hours of the day, UTC, by when entries were said. */
  byHour: { entries: number; copies: number }[]
  polls: { count: number; failed: number; tookMs: Millis; bytes: number }
  /** Of the polls that failed, how many for what; the most frequent first. */
  failures: FailureCount[]
}

export interface FailureCount {
  kind: Failure['kind']
  /** Of the server's answer, for the kind "http". */
  status?: number
  count: number
}

export function mostFrequentFirst(a: FailureCount, b: FailureCount): number {
  return b.count - a.count || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : (a.status ?? 0) - (b.status ?? 0))
}
