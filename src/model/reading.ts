/** What belongs to a person: which feeds he reads, what he has read and starred, his searches, and what he passes on. */
import type { EntryId, FeedId } from './feed.ts'
import type { GroupLevel } from './group.ts'
import type { PersonId } from './person.ts'
import type { SourceId } from './source.ts'
import type { Instant } from './time.ts'

/** A feed that a person follows, by his own title and in his own folder. */
export interface Reading {
  feedId: FeedId
  /** In place of the feed's. */
  title?: string
  /** Nested ones are joined by " / ". */
  folder?: string
  addedAt: Instant
}

/** With how many of its entries he has not read. */
export interface CountedReading extends Reading {
  unread: number
}

/** The same of a source whose feed is still to be found. */
export interface WaitingReading extends Omit<Reading, 'feedId'> {
  sourceId: SourceId
}

/** Readings that are together in a folder, or in none. */
export interface FolderCount {
  folder?: string
  feeds: number
  unread: number
}

/** What a person has made of an entry. Without `read` its feed is none that he follows. */
export interface EntryMarks {
  read?: boolean
  starred: boolean
}

/** One change of marks, by which it can be taken back. */
export type ChangeId = number & { readonly of: 'change' }

export type SavedSearchId = number & { readonly of: 'saved-search' }
export type FeedOutId = number & { readonly of: 'feed-out' }
export type WebhookId = number & { readonly of: 'webhook' }

export interface SavedSearch {
  readonly id: SavedSearchId
  personId: PersonId
  /** Of one person, no two have the same, whatever the case. */
  name: string
  /** As it is typed. */
  query: string
  order?: 'relevance' | 'date'
  unique?: GroupLevel
  addedAt: Instant
}

/** What a feed of ours shows: all that its person follows, or a part of it; a category and a search are of the whole crawl. */
export type FeedOutOf =
  | { kind: 'river' }
  | { kind: 'unread' }
  | { kind: 'starred' }
  | { kind: 'feed'; feedId: FeedId }
  | { kind: 'folder'; folder: string }
  | { kind: 'category'; category: string }
  | { kind: 'search'; searchId: SavedSearchId }

/** A feed that a person has made, at an address that nobody guesses. */
export interface FeedOut {
  readonly id: FeedOutId
  personId: PersonId
  name: string
  of: FeedOutOf
  text: 'full' | 'summary'
  /** Of each group at this level only the primary. */
  unique?: GroupLevel
  /** The secret part of its address: who has it reads the feed. */
  key: string
  addedAt: Instant
  /** To the minute. */
  usedAt?: Instant
}

/** active: told of what its search finds. paused: its person said so. failed: it did not answer for so long that it was given up. */
export type WebhookState = 'active' | 'paused' | 'failed'

/** A program elsewhere that is told of what a saved search finds. */
export interface Webhook {
  readonly id: WebhookId
  personId: PersonId
  name: string
  url: string
  /** By which what it is told is signed. */
  secret: string
  searchId: SavedSearchId
  state: WebhookState
  addedAt: Instant
  /** When there may be something to tell; of one that failed, when it is tried again. */
  dueAt: Instant
  /** Up to this entry it was told of all that was found. */
  cursor: EntryId
  /** Deliveries that failed since the last that did not. */
  failures: number
  last?: WebhookDelivery
}

/** What came of the last delivery: an answer's status, or why there was none. */
export interface WebhookDelivery {
  at: Instant
  status?: number
  trouble?: string
}
