/** Entries as they are looked through for a person's lists, and which of them he asked for. */
import { type EntryId, type FeedId, type Instant, isInFolder } from '../../model/index.ts'
import type { ArrivalQuery, ReaderQuery } from '../../ports/index.ts'

/** Feeds whose entries are merged. */
export const SOME_FEEDS = 1000
/** Of what is unread, as much as is put in order for every page: by arrival that costs less than by date. */
export const SOME_UNREAD = { date: 2000, arrival: 20_000 }

export const EVER: Instant = -Number.MAX_SAFE_INTEGER
export const EVER_AFTER: Instant = Number.MAX_SAFE_INTEGER

export type ListQuery = ReaderQuery | ArrivalQuery

/** A truth, as this database or that writes it. */
type Flag = boolean | 0 | 1

export interface ListedRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  seen_at: Instant
  language: string | null
  category: string | null
  folder: string | null
  followed: Flag
  /** Its feed is within reach. */
  within: Flag
  read: Flag | null
  starred: Flag
}

/** Where a page begins or goes on. */
export interface ListCursor {
  at: Instant
  id: number
}

export function createMine({ feedIds, folder, read, starred, reach }: ListQuery): (row: ListedRow) => boolean {
  const feeds = feedIds && new Set(feedIds)
  const isAnywhere = starred && !feeds && folder === undefined && read === undefined && reach === undefined
  return (row) =>
    (isAnywhere || Boolean(row.within)) &&
    (folder === undefined || Boolean(row.followed)) &&
    (!feeds || feeds.has(row.feed_id)) &&
    (folder === undefined || (folder === '' ? row.folder === null : isInFolder(row.folder ?? undefined, folder))) &&
    (read === undefined || (row.read !== null && Boolean(row.read) === read)) &&
    (!starred || Boolean(row.starred))
}
