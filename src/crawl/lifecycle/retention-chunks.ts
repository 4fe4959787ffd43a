/** What a store is to forget, in chunks. */
import { DAY, type Millis } from '../../model/index.ts'
import type { Clock, Readership, Retention, Subscriptions } from '../../ports/index.ts'
import { WINDOWS_KEPT } from '../grouping/similarity-indexes.ts'

export interface RetentionLimits {
  /** For how long entries keep what they say; 0: for ever. */
  keepEntriesMs: Millis
  /** For how long the log of polls is kept; 0: for ever. */
  keepPollsMs: Millis
  /** For how long the texts of articles are kept, and the pages as they came; 0 or absent: for ever. */
  keepArticlesMs?: Millis
  keepPagesMs?: Millis
  /** So much room pages may take, packed; 0 or absent: any. */
  maxPageBytes?: number
  /** What entries are recognised by is kept as long as they may be compared. */
  groupWindowMs: Millis
}

const KEEP_ROBOTS_MS = 60 * DAY // longer than a site may be unreachable before we take it that it has none
/** What came lately is read most, and to unpack it takes longer than to read it. */
const PACKED_AFTER_MS = 30 * DAY
const MOST_ROBOTS_BYTES = 100_000_000 // of all sites together; half a million of the usual kind

/** Takes out what is left of feeds that were removed. True if there may be more. */
export async function sweepChunk({ retention }: { retention: Retention }, size: number): Promise<boolean> {
  return (await retention.sweepRemoved(size)) > 0
}

/** Takes feeds out of the crawl that nobody follows any more, as after a person went. True if there may be more. */
export async function removeUnwantedChunk(
  { readership, subscriptions }: { readership: Readership; subscriptions: Subscriptions },
  size: number,
): Promise<boolean> {
  const unwanted = await readership.unwanted(Math.min(size, MOST_AT_ONCE))
  for (const id of unwanted) await subscriptions.removeFeed(id)
  return unwanted.length > 0
}

const MOST_AT_ONCE = 10

/** Forgets what is older than it need be, and pages that take too much room; puts away what is read seldom. True if there may be more. */
export async function forgetChunk(
  { retention, clock }: { retention: Retention; clock: Clock },
  { keepEntriesMs, keepPollsMs, keepArticlesMs = 0, keepPagesMs = 0, maxPageBytes = 0, groupWindowMs }: RetentionLimits,
  size: number,
): Promise<boolean> {
  const now = clock.now()
  const forgotten = [
    keepEntriesMs > 0 ? await retention.forgetEntries(now - keepEntriesMs, size) : 0,
    await retention.packEntries(now - PACKED_AFTER_MS, size),
    keepPollsMs > 0 ? await retention.forgetPolls(now - keepPollsMs, size) : 0,
    keepArticlesMs > 0 ? await retention.forgetArticles(now - keepArticlesMs, size) : 0,
    keepPagesMs > 0 ? await retention.forgetPages(now - keepPagesMs, size) : 0,
    await retention.forgetSignatures(now - WINDOWS_KEPT * groupWindowMs, size),
    await retention.forgetRobots(now - KEEP_ROBOTS_MS, size),
    await retention.shrinkRobots(MOST_ROBOTS_BYTES, size),
    maxPageBytes > 0 ? await retention.shrinkPages(maxPageBytes, size) : 0,
  ]
  return forgotten.some((count) => count > 0)
}
