/** Entries that say the same, and what it is that they have in common. */
import type { Failure } from './failure.ts'
import type { EntryId, FeedId, FoundBy, FragmentHabit } from './feed.ts'
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
  /** The same by what exactly was said, where anything was: the `MOST_FAILURE_TEXTS` most frequent. */
  failureTexts: (FailureCount & { detail: string })[]
  /** Hour by hour, from the first in which something was said or polled to the last, the quiet ones between them included. */
  series: HourOfSeries[]
  /** Crawls that were begun since then, and for how long they ran; of one that died, until nobody knows when. */
  runs: { count: number; ms: Millis }
  /** All feeds that there are, by how they were found, where that is known; and what became of fragments in their links. */
  discovery: { foundBy: FoundCounts; fragments: Record<FragmentHabit, number> }
}

export type FoundCounts = { [By in FoundBy]?: number }

/** `at` is its beginning. */
export interface HourOfSeries {
  at: Instant
  entries: number
  copies: number
  polls: number
  failed: number
  bytes: number
}

/** What the feeds of a list said in one hour. `at` is its beginning. */
export type HourOfEntries = Pick<HourOfSeries, 'at' | 'entries' | 'copies'>

export const MOST_FAILURE_TEXTS = 20
const MOST_HOURS = 50_000 // some six years; a longer series has no quiet hours
const HOUR_MS = 3_600_000

/** Counts into hours, and gives the series of them. */
export function createSeries() {
  const hours = new Map<number, HourOfSeries>()
  return {
    /** `hour`: since 1970. */
    at(hour: number): HourOfSeries {
      const one = hours.get(hour) ?? { at: hour * HOUR_MS, entries: 0, copies: 0, polls: 0, failed: 0, bytes: 0 }
      hours.set(hour, one)
      return one
    },
    whole(): HourOfSeries[] {
      const sorted = () => [...hours.keys()].sort((a, b) => a - b)
      const [first = 0, last = -1] = [sorted()[0], sorted().at(-1)]
      if (last - first < MOST_HOURS) for (let hour = first; hour <= last; hour++) this.at(hour)
      return sorted().map((hour) => hours.get(hour)!)
    },
  }
}

export interface FailureCount {
  kind: Failure['kind']
  /** Of the server's answer, for the kind "http". */
  status?: number
  count: number
}

const MOST_KEPT = 5000 // different texts; a server may put what it likes into them

/** Counts failures by what exactly was said. */
export function createFailureTexts() {
  const texts = new Map<string, FailureCount & { detail: string }>()
  return {
    add({ kind, detail, ...rest }: Failure, count: number): void {
      if (!detail) return
      const status = 'status' in rest ? rest.status : undefined
      const key = `${kind} ${status} ${detail}`
      const before = texts.get(key)
      if (before) before.count += count
      else if (texts.size < MOST_KEPT) texts.set(key, { kind, ...(status !== undefined && { status }), detail, count })
    },
    first(): (FailureCount & { detail: string })[] {
      const byDetail = (a: { detail: string }, b: { detail: string }) => (a.detail < b.detail ? -1 : 1)
      return [...texts.values()].sort((a, b) => mostFrequentFirst(a, b) || byDetail(a, b)).slice(0, MOST_FAILURE_TEXTS)
    },
  }
}

export function mostFrequentFirst(a: FailureCount, b: FailureCount): number {
  return b.count - a.count || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : (a.status ?? 0) - (b.status ?? 0))
}
