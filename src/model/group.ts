/** Groups of similar entries, and statistics over entries and polls. */
import type { Failure } from './failure.ts'
import type { EntryId, FeedId, FoundBy, FragmentHabit } from './feed.ts'
import type { Instant, Millis } from './time.ts'

export type GroupId = number & { readonly of: 'group' }

/** copy: the same text, edited, shortened or under another headline. story: the same event, covered independently. */
export type GroupLevel = 'copy' | 'story'

export const GROUP_LEVELS: readonly GroupLevel[] = ['copy', 'story']

/** In a group of copies up to this size, all pairs are compared to elect the primary. Larger groups keep theirs while it exists. */
export const MAX_VOTERS = 32

/** At least two entries. */
export interface Group {
  /** Stays the same when the primary changes. When two groups merge, the larger keeps its id; huge groups are merged in chunks. */
  readonly id: GroupId
  level: GroupLevel
  /** Represents the group. Copies: the entry with the least sum of distances. Story: the earliest. */
  primaryId: EntryId
  size: number
  /** From the earliest MAX_VOTERS members to the primary; in most groups that is all of them. */
  distanceSum: number
  firstAt: Instant
  lastAt: Instant
}

/** Which text of an entry was compared: the feed's, or the article's once it has been fetched. */
export type ComparedBy = 'entry' | 'article'

export interface Member {
  entryId: EntryId
  /** Published, or else seen. */
  at: Instant
  /** Hamming distance of its SimHash to the primary's. */
  distance: number
  comparedBy: ComparedBy
  /** The member it matched when it was added; absent for the first. */
  likeId?: EntryId
  /** Between 0 and 1. */
  likeness?: number
  /** For users: a sentence without a full stop. */
  reason?: string
}

/** An entry moved to another group because its text changed or its article was fetched. Absent `from` or `to`: not in a group. */
export interface GroupMove {
  entryId: EntryId
  level: GroupLevel
  at: Instant
  from?: GroupId
  to?: GroupId
  comparedBy: ComparedBy
}

/** Statistics over a time range. */
export interface Statistics {
  entries: number
  /** Entries that are a copy and not the primary of their group. */
  copies: number
  stories: number
  /** Feeds with entries, most entries first. */
  byFeed: { feedId: FeedId; entries: number; copies: number }[]
  /** 24 items: hours of the day, UTC, by publication date. */
  byHour: { entries: number; copies: number }[]
  polls: { count: number; failed: number; tookMs: Millis; bytes: number }
  /** Failed polls by cause, most frequent first. */
  failures: FailureCount[]
  /** Failed polls by exact message: the `MAX_FAILURE_TEXTS` most frequent. */
  failureTexts: (FailureCount & { detail: string })[]
  /** One item per hour from the first with any activity to the last, empty hours included. */
  series: HourlyStatistics[]
  /** Crawls started in the range, and their running time; a crashed one counts until its last sign of life. */
  runs: { count: number; ms: Millis }
  /** All feeds, by how they were found and how their links use fragments. */
  discovery: { foundBy: DiscoveryCounts; fragments: Record<FragmentHabit, number> }
}

export type DiscoveryCounts = { [By in FoundBy]?: number }

/** `at`: start of the hour. */
export interface HourlyStatistics {
  at: Instant
  entries: number
  copies: number
  polls: number
  failed: number
  bytes: number
}

/** Entries of a selection of feeds in one hour. `at`: start of the hour. */
export type HourOfEntries = Pick<HourlyStatistics, 'at' | 'entries' | 'copies'>

export const MAX_FAILURE_TEXTS = 20
const MAX_HOURS = 50_000 // some six years; a longer series omits empty hours
const HOUR_MS = 3_600_000

/** Collects counts per hour. */
export function createHourlySeries() {
  const hours = new Map<number, HourlyStatistics>()
  return {
    /** `hour`: hours since 1970. */
    at(hour: number): HourlyStatistics {
      const item = hours.get(hour) ?? { at: hour * HOUR_MS, entries: 0, copies: 0, polls: 0, failed: 0, bytes: 0 }
      hours.set(hour, item)
      return item
    },
    whole(): HourlyStatistics[] {
      const sorted = () => [...hours.keys()].sort((a, b) => a - b)
      const [first = 0, last = -1] = [sorted()[0], sorted().at(-1)]
      if (last - first < MAX_HOURS) for (let hour = first; hour <= last; hour++) this.at(hour)
      return sorted().map((hour) => hours.get(hour)!)
    },
  }
}

export interface FailureCount {
  kind: Failure['kind']
  /** HTTP status, for the kind "http". */
  status?: number
  count: number
}

const MAX_TEXTS = 5000 // distinct texts; servers control their content

/** Counts failures by exact message. */
export function createFailureTexts() {
  const texts = new Map<string, FailureCount & { detail: string }>()
  return {
    add({ kind, detail, ...rest }: Failure, count: number): void {
      if (!detail) return
      const status = 'status' in rest ? rest.status : undefined
      const key = `${kind} ${status} ${detail}`
      const before = texts.get(key)
      if (before) before.count += count
      else if (texts.size < MAX_TEXTS) texts.set(key, { kind, ...(status !== undefined && { status }), detail, count })
    },
    first(): (FailureCount & { detail: string })[] {
      const byDetail = (a: { detail: string }, b: { detail: string }) => (a.detail < b.detail ? -1 : 1)
      return [...texts.values()].sort((a, b) => mostFrequentFirst(a, b) || byDetail(a, b)).slice(0, MAX_FAILURE_TEXTS)
    },
  }
}

export function mostFrequentFirst(a: FailureCount, b: FailureCount): number {
  return b.count - a.count || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : (a.status ?? 0) - (b.status ?? 0))
}
