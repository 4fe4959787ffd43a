/**
 * Subscriptions of users, and the read state, stars and labels of their entries. One crawl serves all users.
 *
 * A subscription stores the entry up to which everything is read, and exceptions for single entries, which take precedence. So marking
 * everything as read costs no more than marking one entry, and unread entries are counted without scanning them. Ids of entries increase
 * with their arrival, so later entries are unread. Methods with a `userId` only read and change the data of this user.
 */
import type {
  ChangeId,
  Entry,
  EntryId,
  EntryState,
  FeedId,
  FeedScope,
  FolderCount,
  FollowedFeedWithReaders,
  Instant,
  Millis,
  PendingSubscription,
  Reach,
  SourceId,
  Subscription,
  SubscriptionWithUnread,
  UserId,
} from '../model/index.ts'
import { DAY } from '../model/index.ts'
import type { EntryListQuery } from './catalogue.ts'
import type { EntryLabels } from './entry-labels.ts'

/** A feed, or a source whose feed is still to be found. */
export type FollowTarget = { feedId: FeedId } | { sourceId: SourceId }

export type NewSubscription = FollowTarget & Pick<Subscription, 'title' | 'folder'>

/** Absent fields do not change; null removes a value. */
export interface SubscriptionChange {
  title?: string | null
  folder?: string | null
}

/** Subscriptions to these feeds, or in a folder or below it, ignoring case; '' means without a folder. Absent: all. */
export interface SubscriptionScope {
  feedIds?: readonly FeedId[]
  folder?: string
}

/** `after`: the last feed of the previous result. */
export interface SubscriptionQuery extends Pick<SubscriptionScope, 'folder'> {
  after?: FeedId
  limit: number
}

/** Only read or only unread entries; only starred, labeled or muted entries, including those of feeds that are not followed; only entries without a star. */
export interface ReadStateFilter {
  read?: boolean
  starred?: boolean
  label?: string
  /** Otherwise, muted entries are left out. */
  muted?: true
}

/** Default: followed feeds. Entries of other feeds have no folder, and are neither read nor unread. */
interface ReachFilter {
  reach?: Reach
}

/** Entries for a user, newest or oldest first by the date by which they are sorted. */
export interface ReaderQuery extends EntryListQuery, SubscriptionScope, ReadStateFilter, ReachFilter {}

/** Entries for a user, in the order of arrival. */
export interface ArrivalQuery extends SubscriptionScope, ReadStateFilter, ReachFilter {
  order: 'newest' | 'oldest'
  /** When it arrived, inclusive. */
  seenSince?: Instant
  seenUntil?: Instant
  /** The date by which it is sorted, inclusive. */
  since?: Instant
  until?: Instant
  /** Only entries after this one: `nextAfter` of the previous result, or any other id. */
  after?: EntryId
  limit: number
}

export interface ArrivedEntry {
  id: EntryId
  feedId: FeedId
  seenAt: Instant
  /** The date by which it is sorted. */
  at: Instant
}

/** Entries that arrived up to this entry, arrived before this instant, or are dated before it (by the date shown to users). */
export type ReadUntil = { entryId: EntryId } | { seenBefore: Instant } | { datedBefore: Instant }

/** Entries read this long ago have half the weight. */
export const READ_HALF_LIFE_MS: Millis = 30 * DAY

/** The weight, from 0 to 1, of an entry read this long ago. */
export function readWeight(agoMs: Millis): number {
  return 2 ** (-Math.max(0, agoMs) / READ_HALF_LIFE_MS)
}

export interface FeedReads {
  feedId: FeedId
  /** Number of followers. */
  readers: number
  /** Number of its entries that were recently read one by one, weighted by `readWeight`. */
  reads: number
}

export interface ReaderCounts {
  feeds: number
  unread: number
  starred: number
  folders: FolderCount[]
}

export interface ReaderState extends EntryLabels {
  /**
   * Adds subscriptions and returns, in their order, which were added. Existing subscriptions do not change; targets that are gone are
   * skipped. Of the existing entries, only the newest `unread` become unread. A subscription to a source becomes one to its feed once that
   * is found, unless the user already follows the feed. The second and each further follower adds to the feed's `subscribers`.
   */
  follow(userId: UserId, subscriptions: NewSubscription[], at: Instant, unread: number): Promise<boolean[]>
  /** Removes subscriptions with their read state; stars stay. Returns, in their order, whether each existed and how many users still follow the target. */
  unfollow(userId: UserId, targets: FollowTarget[]): Promise<{ wasFollowed: boolean; otherFollowers: number }[]>
  /** Returns false if the feed is not followed. */
  changeSubscription(userId: UserId, feedId: FeedId, change: SubscriptionChange): Promise<boolean>
  /** Renames a folder (exact name) and moves the folders below it along. With null, its subscriptions have no folder. Returns the number of subscriptions. */
  renameFolder(userId: UserId, from: string, to: string | null): Promise<number>
  /** Ordered by feed id. */
  subscriptionsOf(userId: UserId, query: SubscriptionQuery): Promise<SubscriptionWithUnread[]>
  /** The same with their feeds. */
  followedFeeds(userId: UserId, query: SubscriptionQuery): Promise<FollowedFeedWithReaders[]>
  /** In the order of `ids`; undefined for feeds that are not followed. */
  subscriptionsTo(userId: UserId, ids: FeedId[]): Promise<(SubscriptionWithUnread | undefined)[]>
  /** Subscriptions to sources whose feed is still to be found, ordered by source id. */
  pendingSubscriptions(userId: UserId, query: { after?: SourceId; limit: number }): Promise<PendingSubscription[]>
  /** Totals, and counts per folder (exact name) ordered by name; subscriptions without a folder come first. */
  readerCounts(userId: UserId): Promise<ReaderCounts>
  /** Number of users who follow each feed or wait for the feed of each source, in their order. */
  followerCounts(targets: FollowTarget[]): Promise<number[]>
  /** The feeds in a scope, or with `hidden` those outside of it, oldest first. With `among`: those of the given feeds that are in the scope, in their order. */
  feedsWithin(
    scope: FeedScope,
    query: { hidden?: boolean; after?: FeedId; limit: number } | { among: readonly FeedId[] },
  ): Promise<FeedId[]>
  /** Feeds that were followed once, have no followers left, and are not `listed`; in no particular order. Returned again until they are removed. */
  unfollowedFeeds(limit: number): Promise<FeedId[]>
  /** Reading activity of all followed feeds. */
  everyFeedReads(now: Instant): AsyncIterable<FeedReads>

  /** Returns the entries that changed, in their order. Skips entries of feeds that are not followed. */
  markEntries(
    userId: UserId,
    ids: EntryId[],
    as: 'read' | 'unread',
    at: Instant,
  ): Promise<{ change: ChangeId; changed: EntryId[] }>
  /** Marks all entries as read that exist at the time of the call. Runs in short transactions; after an interruption, call it again. */
  markAllRead(
    userId: UserId,
    scope: SubscriptionScope,
    until?: ReadUntil,
  ): Promise<{ change: ChangeId; marked: number }>
  /** Restores the entries of a change that have not changed again since. Returns their number. */
  undoChange(userId: UserId, change: ChangeId): Promise<number>
  /** Returns the entries that changed, in their order. Retention keeps starred entries; removing their feed deletes them. */
  starEntries(userId: UserId, ids: EntryId[], starred: boolean, at: Instant): Promise<EntryId[]>
  /** In the order of `ids`. */
  entryStates(userId: UserId, ids: EntryId[]): Promise<EntryState[]>
  /** As `Catalogue.listEntries`, restricted to what the user reads: a result may be short and still have a `nextAfter`. */
  entriesFor(
    userId: UserId,
    query: ReaderQuery,
  ): Promise<{ entries: Entry[]; nextAfter?: { at: Instant; id: EntryId } }>
  /** The same in the order of arrival, with ids only. */
  arrivalsFor(userId: UserId, query: ArrivalQuery): Promise<{ arrivals: ArrivedEntry[]; nextAfter?: EntryId }>
}
