/** Saved searches, outgoing feeds at secret addresses, and webhooks that receive search results. */
import type {
  EntryId,
  FeedOut,
  FeedOutId,
  Instant,
  SavedSearch,
  SavedSearchId,
  UserId,
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

/** What a webhook has received, and the result of the last delivery. */
export interface WebhookProgress {
  state: WebhookState
  dueAt: Instant
  cursor: EntryId
  failures: number
  last?: WebhookDelivery
}

/** Identifies an item of a user. */
export type SharedItem = { searchId: SavedSearchId } | { feedOutId: FeedOutId } | { webhookId: WebhookId }

/** Lists are in the order of addition. All methods require a user id, so that no user can reach items of another. */
export interface Sharing {
  /** Returns false if it does not exist. Removing a search also removes its outgoing feeds and webhooks. */
  removeSharedItem(userId: UserId, item: SharedItem): Promise<boolean>
  savedSearches(userId: UserId): Promise<SavedSearch[]>
  /** Returns undefined if the user has one of that name. */
  addSavedSearch(search: Omit<SavedSearch, 'id'>): Promise<SavedSearchId | undefined>
  /** Returns false and changes nothing if it does not exist, or if another one has its new name. */
  changeSavedSearch(userId: UserId, id: SavedSearchId, change: SavedSearchChange): Promise<boolean>

  feedsOut(userId: UserId): Promise<FeedOut[]>
  addFeedOut(feedOut: Omit<FeedOut, 'id' | 'usedAt'>): Promise<FeedOutId>
  /** With a new `key`, the old address stops working. Returns false if it does not exist. */
  changeFeedOut(userId: UserId, id: FeedOutId, change: FeedOutChange): Promise<boolean>
  /** Of any user. Records the time of use, rounded to the minute. */
  feedOutByKey(key: string, now: Instant): Promise<FeedOut | undefined>

  webhooks(userId: UserId): Promise<Webhook[]>
  addWebhook(webhook: Omit<Webhook, 'id' | 'failures' | 'last'>): Promise<WebhookId>
  changeWebhook(userId: UserId, id: WebhookId, change: WebhookChange): Promise<boolean>
  /** Active webhooks of all users that are due at `now`, longest due first. Returned again until their due date changes. */
  dueWebhooks(now: Instant, limit: number): Promise<Webhook[]>
  nextWebhookAt(): Promise<Instant | undefined>
  /** Returns false if it is gone. If its user paused it meanwhile, it stays paused. */
  recordDelivery(id: WebhookId, progress: WebhookProgress): Promise<boolean>
}
