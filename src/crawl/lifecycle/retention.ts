/** Retention: deletes old data from the store in chunks. */
import { DAY, type Millis } from '../../model/index.ts'
import type { Clock, FeedRegistry, ReaderState, Retention } from '../../ports/index.ts'
import { MAX_WINDOWS } from '../grouping/similarity-indexes.ts'

export interface RetentionLimits {
  /** How long the texts of entries are kept; 0: forever. */
  keepEntriesMs: Millis
  /** How long the poll log is kept; 0: forever. */
  keepPollsMs: Millis
  /** How long article texts and original pages are kept; 0 or absent: forever. */
  keepArticlesMs?: Millis
  keepPagesMs?: Millis
  /** Maximum size of original pages, compressed; 0 or absent: unlimited. */
  maxPageBytes?: number
  /** Signatures of entries are kept as long as entries may be compared. */
  groupWindowMs: Millis
}

const KEEP_ROBOTS_MS = 60 * DAY // longer than a site may be unreachable before it counts as having no robots.txt
/** Recent entries are read most, and decompressing takes longer than reading. */
const PACKED_AFTER_MS = 30 * DAY
const MAX_ROBOTS_BYTES = 100_000_000 // of all sites together: half a million usual files

/** Deletes what removed feeds left behind. Returns whether there may be more. */
export async function sweepChunk({ retention }: { retention: Retention }, size: number): Promise<boolean> {
  return (await retention.sweepRemoved(size)) > 0
}

/** Removes feeds that nobody follows any more, as after a user was deleted. Returns whether there may be more. */
export async function removeUnwantedChunk(
  { readerState, feedRegistry }: { readerState: ReaderState; feedRegistry: FeedRegistry },
  size: number,
): Promise<boolean> {
  const unwanted = await readerState.unfollowedFeeds(Math.min(size, MAX_FEEDS_AT_ONCE))
  for (const id of unwanted) await feedRegistry.removeFeed(id)
  return unwanted.length > 0
}

const MAX_FEEDS_AT_ONCE = 10

/** Deletes data beyond its retention period, and pages beyond the size limit; compresses old entries. Returns whether there may be more. */
export async function applyRetentionChunk(
  { retention, clock }: { retention: Retention; clock: Clock },
  { keepEntriesMs, keepPollsMs, keepArticlesMs = 0, keepPagesMs = 0, maxPageBytes = 0, groupWindowMs }: RetentionLimits,
  size: number,
): Promise<boolean> {
  const now = clock.now()
  const counts = [
    keepEntriesMs > 0 ? await retention.forget('entries', now - keepEntriesMs, size) : 0,
    await retention.compressEntries(now - PACKED_AFTER_MS, size),
    keepPollsMs > 0 ? await retention.forget('polls', now - keepPollsMs, size) : 0,
    keepArticlesMs > 0 ? await retention.forget('articles', now - keepArticlesMs, size) : 0,
    keepPagesMs > 0 ? await retention.forget('pages', now - keepPagesMs, size) : 0,
    await retention.forget('signatures', now - MAX_WINDOWS * groupWindowMs, size),
    await retention.forget('robots', now - KEEP_ROBOTS_MS, size),
    await retention.trim('robots', MAX_ROBOTS_BYTES, size),
    maxPageBytes > 0 ? await retention.trim('pages', maxPageBytes, size) : 0,
  ]
  return counts.some((count) => count > 0)
}
