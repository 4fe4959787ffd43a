/**
 * Deletes or compresses old data in batches. Each method handles at most `limit` items, or fewer if that would take long, and returns
 * their number; 0 means that nothing is left. A store partitioned by month may drop a whole month at once if that is no more work.
 */
import type { EntryId, Instant, Poll } from '../model/index.ts'

export interface Retention {
  /** Deletes at most `limit` entries seen before `before`, oldest first, except starred ones. Keeps their keys. They leave their groups. */
  forgetEntries(before: Instant, limit: number): Promise<number>
  /** Deletes these entries in the same way, regardless of age; a few hundred at most. */
  forgetEntriesById(ids: EntryId[]): Promise<number>
  /** Compresses the texts of at most `limit` entries seen before `before`, oldest first. Reading them does not change. Does nothing in stores that compress by themselves. */
  compressEntries(before: Instant, limit: number): Promise<number>
  /**
   * Deletes at most `limit` lines of the poll log older than `before`. A run of unchanged polls (`poll-runs`) is one line, and is deleted
   * as a whole once its newest poll is older.
   */
  forgetPolls(before: Instant, limit: number): Promise<number>
  /** All polls that `forgetPolls` would delete now, without a limit, in no particular order. A poll that moves meanwhile may occur twice. */
  pollsToForget(before: Instant): AsyncIterable<Poll>
  /** Deletes text, metadata and page of at most `limit` articles fetched before `before`, oldest first. They are not fetched again. */
  forgetArticles(before: Instant, limit: number): Promise<number>
  /** Deletes at most `limit` stored pages of articles fetched before `before`, oldest first. Keeps the texts. */
  forgetPages(before: Instant, limit: number): Promise<number>
  /** Deletes at most `limit` stored pages, oldest first, until the rest takes no more than `bytes`. */
  trimPages(bytes: number, limit: number): Promise<number>
  /** Deletes at most `limit` signatures of entries grouped before `before`. Groups do not change. */
  forgetSignatures(before: Instant, limit: number): Promise<number>
  /** Deletes at most `limit` robots.txt files that were last fetched before `before`. */
  forgetRobots(before: Instant, limit: number): Promise<number>
  /** Deletes at most `limit` robots.txt files, least recently fetched first, until the rest takes no more than `bytes`. */
  trimRobots(bytes: number, limit: number): Promise<number>
  /** Deletes at most `limit` rows that removed feeds, removed users and ended subscriptions have left behind. */
  sweepRemoved(limit: number): Promise<number>
}
