/** What people keep so as to pass it on: saved searches, feeds of their own at secret addresses, and whom a search's finds are told. */
import type {
  EntryId,
  FeedOut,
  FeedOutId,
  Instant,
  PersonId,
  SavedSearch,
  SavedSearchId,
  Webhook,
  WebhookDelivery,
  WebhookId,
  WebhookState,
} from '../model/index.ts'

type Change<Thing, Names extends keyof Thing> = {
  [Name in Names]?: Thing[Name] | (undefined extends Thing[Name] ? null : never)
}

/** What is absent stays as it is; null takes it away. */
export type SavedSearchChange = Change<SavedSearch, 'name' | 'query' | 'order' | 'unique'>
export type FeedOutChange = Change<FeedOut, 'name' | 'of' | 'text' | 'unique' | 'key'>
export type WebhookChange = Change<Webhook, 'name' | 'url' | 'secret' | 'searchId' | 'state' | 'dueAt' | 'failures'>

/** How far a webhook was told, and what came of it. */
export interface WebhookProgress {
  state: WebhookState
  dueAt: Instant
  cursor: EntryId
  failures: number
  last?: WebhookDelivery
}

/** Lists are in the order in which things were added. A person's number is asked for everywhere: nobody reaches another's things. */
/** One of a user's things. */
export type Handout = { searchId: SavedSearchId } | { feedOutId: FeedOutId } | { webhookId: WebhookId }

export interface Handouts {
  /** False if there is none. A search goes with the feeds and webhooks that are made of it. */
  removeHandout(personId: PersonId, what: Handout): Promise<boolean>
  savedSearches(personId: PersonId): Promise<SavedSearch[]>
  /** Undefined if the person has one of that name. */
  addSavedSearch(search: Omit<SavedSearch, 'id'>): Promise<SavedSearchId | undefined>
  /** False, and nothing is changed, if there is none, or if another has its new name. */
  changeSavedSearch(personId: PersonId, id: SavedSearchId, change: SavedSearchChange): Promise<boolean>

  feedsOut(personId: PersonId): Promise<FeedOut[]>
  addFeedOut(feedOut: Omit<FeedOut, 'id' | 'usedAt'>): Promise<FeedOutId>
  /** A new `key` makes the old address nobody's. False if there is none. */
  changeFeedOut(personId: PersonId, id: FeedOutId, change: FeedOutChange): Promise<boolean>
  /** Whoever asks; it is noted as used then, to the minute. */
  feedOutWith(key: string, now: Instant): Promise<FeedOut | undefined>

  webhooks(personId: PersonId): Promise<Webhook[]>
  addWebhook(webhook: Omit<Webhook, 'id' | 'failures' | 'last'>): Promise<WebhookId>
  changeWebhook(personId: PersonId, id: WebhookId, change: WebhookChange): Promise<boolean>
  /** Active ones that are due at `now`, longest due first, whosever they are; the same again until their date is another. */
  dueWebhooks(now: Instant, limit: number): Promise<Webhook[]>
  nextWebhookAt(): Promise<Instant | undefined>
  /** False if it is gone. One that its person paused meanwhile stays so. */
  recordDelivery(id: WebhookId, progress: WebhookProgress): Promise<boolean>
}
