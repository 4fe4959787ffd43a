/** User data: subscriptions, read and starred state, labels, rules, saved searches, output feeds, webhooks and destinations. */
import type { Failure } from './failure.ts'
import type { EntryId, Feed, FeedId, Schedule, ScheduledFeed } from './feed.ts'
import type { GroupLevel } from './group.ts'
import type { SourceId } from './source.ts'
import type { Instant, Millis } from './time.ts'
import type { UserId } from './user.ts'

/** A user's subscription to a feed. */
export interface Subscription {
  feedId: FeedId
  /** Replaces the feed's title. */
  title?: string
  /** Nested folders are joined by " / ". */
  folder?: string
  addedAt: Instant
}

/** A subscription with its number of unread entries. */
export interface SubscriptionWithUnread extends Subscription {
  unread: number
}

/** A followed feed, with what lists show of it. Flat, because thousands are copied between threads. */
export interface FollowedFeed
  extends SubscriptionWithUnread,
    Pick<Feed, 'url' | 'state' | 'siteUrl' | 'description' | 'language' | 'articles'>,
    Pick<Feed['validators'], 'etag' | 'lastModified'>,
    Pick<Schedule, 'dueAt' | 'polledAt' | 'succeededAt' | 'failures'> {
  /** The user's title, else the feed's, else its address. */
  shownTitle: string
  feedAddedAt: Instant
  /** Why the last poll failed. */
  failure?: Failure['kind']
}

export interface FollowedFeedWithReaders extends FollowedFeed {
  /** Number of users who follow it. */
  readers: number
}

export function followedFeedOf({ feed, schedule }: ScheduledFeed, subscription: SubscriptionWithUnread): FollowedFeed {
  const { url, state, siteUrl, description, language, articles, validators, addedAt: feedAddedAt } = feed
  const { dueAt, polledAt, succeededAt, failures, trouble } = schedule
  return {
    ...subscription,
    shownTitle: subscription.title || feed.title || url,
    url,
    state,
    ...(siteUrl && { siteUrl }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(articles !== undefined && { articles }),
    ...validators,
    feedAddedAt,
    dueAt,
    ...(polledAt !== undefined && { polledAt }),
    ...(succeededAt !== undefined && { succeededAt }),
    failures,
    ...(trouble && { failure: trouble.kind }),
  }
}

/** A subscription to a source whose feed is still to be found. */
export interface PendingSubscription extends Omit<Subscription, 'feedId'> {
  sourceId: SourceId
}

/** Subscriptions in one folder, or in none. */
export interface FolderCount {
  folder?: string
  feeds: number
  unread: number
}

/** Characters of a label that a user gives to entries. */
export const MAX_ENTRY_LABEL_LENGTH = 100

/** A user's state of an entry. `read` is absent where they do not follow its feed. */
export interface EntryState {
  read?: boolean
  starred: boolean
  /** Ordered by name. Absent if there are none. */
  labels?: string[]
  muted?: true
}

/** Identifies one change of read or starred state, for undo. */
export type ChangeId = number & { readonly of: 'change' }

export type SavedSearchId = number & { readonly of: 'saved-search' }
export type FeedOutId = number & { readonly of: 'feed-out' }
export type WebhookId = number & { readonly of: 'webhook' }

export interface SavedSearch {
  readonly id: SavedSearchId
  userId: UserId
  /** Unique per user, ignoring case. */
  name: string
  /** As typed. */
  query: string
  order?: 'relevance' | 'date'
  unique?: GroupLevel
  addedAt: Instant
}

/** What an output feed contains: everything its user follows, or part of it, or their digests; categories and searches cover the whole crawl. */
export type FeedOutOf =
  | { kind: 'all' }
  | { kind: 'unread' }
  | { kind: 'starred' }
  | { kind: 'for-you' }
  | { kind: 'digest' }
  | { kind: 'feed'; feedId: FeedId }
  | { kind: 'folder'; folder: string }
  | { kind: 'category'; category: string }
  | { kind: 'search'; searchId: SavedSearchId }

/** A feed that we publish for a user, at an unguessable address. */
export interface FeedOut {
  readonly id: FeedOutId
  userId: UserId
  name: string
  of: FeedOutOf
  text: 'full' | 'summary'
  /** Only the primary of each group at this level. */
  unique?: GroupLevel
  /** The secret part of its address, which grants access. */
  key: string
  addedAt: Instant
  /** Rounded to the minute. */
  usedAt?: Instant
}

/** active: receives new search results. paused: by its user. failed: disabled after failing for too long. */
export type WebhookState = 'active' | 'paused' | 'failed'

/** An external endpoint that receives new results of a saved search. */
export interface Webhook {
  readonly id: WebhookId
  userId: UserId
  name: string
  url: string
  /** Key of the signature of its requests. */
  secret: string
  searchId: SavedSearchId
  state: WebhookState
  addedAt: Instant
  /** When to deliver next; if failed, when to retry. */
  dueAt: Instant
  /** Everything found up to this entry has been delivered. */
  cursor: EntryId
  /** Consecutive failed deliveries. */
  failures: number
  last?: WebhookDelivery
}

/** Result of the last delivery: the response status, or why there was none. */
export interface WebhookDelivery {
  at: Instant
  status?: number
  trouble?: string
  /** What was not accepted, to send the same again: the entries found from one cursor to the next. */
  unaccepted?: { from: EntryId; cursor: EntryId; ids: EntryId[]; firstAt: Instant }
}

/** A service of a user: a preset and the values of its fields. */
export interface Destination {
  readonly id: string
  name: string
  /** Id of the preset. */
  preset: string
  /** Values of fields that are not secret. */
  fields: Record<string, string>
  /** Values of secret fields, encrypted in the store. Undefined if they cannot be decrypted. */
  secrets: Record<string, string> | undefined
  addedAt: Instant
}

/** Result of one try: the status of the response, or why there was none. */
export interface SendAttempt {
  at: Instant
  status?: number
  trouble?: string
  /** Trying again is useless until somebody changes something. */
  isFinal?: true
  /** The service asked to wait this long. */
  retryAfterMs?: Millis
}

/** An entry on its way to a destination. One per entry and destination. */
export interface SendJob {
  /** Sent along where a service ignores what it has received before. */
  readonly id: string
  destinationId: string
  entryId: EntryId
  /** waiting: for its next try. failed: given up. */
  state: 'waiting' | 'sent' | 'failed'
  queuedAt: Instant
  /** When to try next. */
  dueAt: Instant
  failures: number
  last?: SendAttempt
}

/**
 * What a rule does with an entry that matches:
 *
 * - read, star:   mark the entry
 * - label:        add a label
 * - mute:         hide it from all lists and searches
 * - keep-only:    mute everything in the scope that does not match
 * - notify:       notify the user of it, unless it did not just arrive
 * - stop:         skip later rules
 *
 * and the effects below.
 */
export type RuleAction =
  | { kind: 'read' }
  | { kind: 'star' }
  | { kind: 'label'; label: string }
  | { kind: 'mute' }
  | { kind: 'keep-only' }
  | { kind: 'notify' }
  | { kind: 'stop' }
  | RuleEffect

/**
 * Actions that do more than change the user's state of the entry. They are done once, and only for new entries:
 *
 * - send:           send the entry to a destination of the user, by its name
 * - fetch-article:  fetch the page of the entry before others, also if its feed has full texts
 */
export type RuleEffect = { kind: 'send'; destination: string } | { kind: 'fetch-article' }

/** All followed feeds, those in a folder or below it, or one feed. */
export type RuleScope = { kind: 'all' } | { kind: 'folder'; folder: string } | { kind: 'feed'; feedId: FeedId }

export interface Rule {
  readonly id: string
  name: string
  enabled: boolean
  scope: RuleScope
  /** As typed. Empty: every entry in the scope. */
  query: string
  actions: RuleAction[]
  /** It is in freshet.toml, and can only be changed there. */
  fromFile?: true
}

/** How often a rule matched, by day (such as 2026-03-01), and its last match. */
export interface RuleMatches {
  days: Record<string, number>
  lastAt?: Instant
  lastEntryId?: EntryId
}

/** Rules per user. */
export const MAX_RULES = 500
/** Actions per rule. */
export const MAX_RULE_ACTIONS = 10
