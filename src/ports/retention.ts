/**
 * Deletes or compresses old data in batches. Each method handles at most `limit` items, or fewer if that would take long, and returns
 * their number; 0 means that nothing is left. A store partitioned by month may drop a whole month at once if that is no more work.
 */
import type { EntryId, Instant, Poll } from '../model/index.ts'

/**
 * - `entries`: seen before, except starred and labeled ones. Their keys are kept. They leave their groups.
 * - `polls`: lines of the poll log. A run of unchanged polls (`poll-runs`) is one line, and is deleted as a whole once its newest poll is
 *   older.
 * - `articles`: text, metadata and page of articles fetched before. They are not fetched again.
 * - `pages`: stored pages of articles fetched before. The texts are kept.
 * - `signatures`: of entries grouped before. Groups do not change.
 * - `robots`: robots.txt files that were last fetched before.
 */
export type AgedKind = 'entries' | 'polls' | 'articles' | 'pages' | 'signatures' | 'robots'

/** Stored pages, or robots.txt files. */
export type SizedKind = 'pages' | 'robots'

export interface Retention {
  /** Deletes at most `limit` items older than `before`, oldest first. */
  forget(kind: AgedKind, before: Instant, limit: number): Promise<number>
  /** Deletes at most `limit` items, oldest (or least recently fetched) first, until the rest takes no more than `bytes`. */
  trim(kind: SizedKind, bytes: number, limit: number): Promise<number>
  /** Deletes these entries as `forget` does, regardless of age; a few hundred at most. */
  forgetEntriesById(ids: EntryId[]): Promise<number>
  /** Compresses the texts of at most `limit` entries seen before `before`, oldest first. Reading them does not change. Does nothing in stores that compress by themselves. */
  compressEntries(before: Instant, limit: number): Promise<number>
  /** All polls that `forget` would delete now, without a limit, in no particular order. A poll that moves meanwhile may occur twice. */
  pollsToForget(before: Instant): AsyncIterable<Poll>
  /** Deletes at most `limit` rows that removed feeds, removed users and ended subscriptions have left behind. */
  sweepRemoved(limit: number): Promise<number>
}
