/** Candidate rows for a user's entry lists, and the filter for a query. */
import {
  type EntryId,
  type FeedId,
  type Instant,
  isInFolder,
  isOfLanguage,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { ArrivalQuery, EntryListQuery, ReaderQuery } from '../../ports/index.ts'

/** Up to this many feeds, their entries are merged; above it, all entries are scanned. */
export const MAX_MERGED_FEEDS = 1000
/** Up to this many unread entries are sorted for every page. Sorting by arrival is cheaper than by date. */
export const MAX_SORTED_UNREAD = { date: 2000, arrival: 20_000 }

export type ListQuery = ReaderQuery | ArrivalQuery

/** Boolean in PostgreSQL, 0 or 1 in SQLite. */
type Flag = boolean | 0 | 1

export interface ReaderListRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  seen_at: Instant
  language: string | null
  category: string | null
  folder: string | null
  followed: Flag
  /** Whether its feed is within reach. */
  within: Flag
  read: Flag | null
  starred: Flag
  muted: Flag
}

export function createQueryFilter({
  feedIds,
  folder,
  read,
  starred,
  label,
  muted,
  reach,
}: ListQuery): (row: ReaderListRow) => boolean {
  const feeds = feedIds && new Set(feedIds)
  const isOwnSelection = starred || label !== undefined || muted
  const isUnrestricted = isOwnSelection && !feeds && folder === undefined && read === undefined && reach === undefined
  return (row) =>
    (isUnrestricted || Boolean(row.within)) &&
    (folder === undefined || Boolean(row.followed)) &&
    (!feeds || feeds.has(row.feed_id)) &&
    (folder === undefined || (folder === '' ? row.folder === null : isInFolder(row.folder ?? undefined, folder))) &&
    (read === undefined || (row.read !== null && Boolean(row.read) === read)) &&
    (starred === undefined || Boolean(row.starred) === starred) &&
    Boolean(row.muted) === Boolean(muted)
}

/** Whether an entry has the language and the category of a query. */
export function hasTopic(
  row: Pick<ReaderListRow, 'language' | 'category'>,
  { language, category }: Pick<EntryListQuery, 'language' | 'category'>,
): boolean {
  return (
    (language === undefined || isOfLanguage(row.language ?? UNKNOWN_LANGUAGE, language)) &&
    (category === undefined || (row.category ?? UNCATEGORIZED) === category)
  )
}
