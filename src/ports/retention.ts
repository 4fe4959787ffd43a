/**
 * What is forgotten, or put away in less room, in bites: each method drops so much at most, less where that would take long, and says how much that was, 0 if
 * nothing is left to drop. A store that keeps months apart may drop a whole
 * one, where that is not more work.
 */
import type { EntryId, Instant, Poll } from '../model/index.ts'

export interface Retention {
  /** Forgets what at most `limit` entries seen before `before` said, oldest first; not of those that somebody starred. Their keys stay known; groups go on without them. */
  forgetEntries(before: Instant, limit: number): Promise<number>
  /** The same of these entries, whenever they were seen; some hundreds at most. */
  forgetThese(ids: EntryId[]): Promise<number>
  /** Puts what at most `limit` entries seen before `before` said into less room, oldest first; it is read as before. A store may see to that by itself, and do nothing. */
  packEntries(before: Instant, limit: number): Promise<number>
  /**
   * Drops at most `limit` lines of the poll log that are older than `before`. A run of unchanged polls (`poll-runs`) is one line: it goes
   * as a whole once its newest poll is older.
   */
  forgetPolls(before: Instant, limit: number): Promise<number>
  /** Every poll that `forgetPolls` would drop now, without a limit, in no order; one that moves meanwhile may come twice. */
  pollsToForget(before: Instant): AsyncIterable<Poll>
  /** Forgets text, facts and page of at most `limit` articles fetched before `before`, oldest first. They are not fetched again. */
  forgetArticles(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` pages, of articles that were fetched before `before`, oldest first. Texts stay. */
  forgetPages(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` pages, oldest first, until what is left takes no more than `bytes`. */
  shrinkPages(bytes: number, limit: number): Promise<number>
  /** Drops at most `limit` signatures of entries placed before `before`. Groups stay as they are. */
  forgetSignatures(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` robots.txt that were last fetched before `before`. */
  forgetRobots(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` robots.txt, those first that were fetched first, until all together take no more than `bytes`. */
  shrinkRobots(bytes: number, limit: number): Promise<number>
  /** Takes out at most `limit` of what is left of removed feeds and people, and of feeds that are followed no more; how many, 0 if nothing is left. */
  sweepRemoved(limit: number): Promise<number>
}
