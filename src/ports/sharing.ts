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

/** By kind: what is stored, what is given to add one, the id it gets, and what can change. */
export interface SharedKinds {
  search: {
    item: SavedSearch
    added: Omit<SavedSearch, 'id'>
    /** Undefined if the user has one of that name. */
    addedId: SavedSearchId | undefined
    change: SavedSearchChange
  }
  feedOut: {
    item: FeedOut
    added: Omit<FeedOut, 'id' | 'usedAt'>
    addedId: FeedOutId
    /** With a new `key`, the old address stops working. */
    change: FeedOutChange
  }
  webhook: {
    item: Webhook
    added: Omit<Webhook, 'id' | 'failures' | 'last'>
    addedId: WebhookId
    change: WebhookChange
  }
}

export type SharedKind = keyof SharedKinds

/** All methods require a user id, so that no user can reach items of another. */
export interface Sharing {
  /** In the order of addition. */
  sharedItems<Kind extends SharedKind>(kind: Kind, userId: UserId): Promise<SharedKinds[Kind]['item'][]>
  addSharedItem<Kind extends SharedKind>(
    kind: Kind,
    item: SharedKinds[Kind]['added'],
  ): Promise<SharedKinds[Kind]['addedId']>
  /** Returns false and changes nothing if it does not exist, or if another search has its new name. */
  changeSharedItem<Kind extends SharedKind>(
    kind: Kind,
    userId: UserId,
    id: SharedKinds[Kind]['item']['id'],
    change: SharedKinds[Kind]['change'],
  ): Promise<boolean>
  /** Returns false if it does not exist. Removing a search also removes its outgoing feeds and webhooks. */
  removeSharedItem<Kind extends SharedKind>(
    kind: Kind,
    userId: UserId,
    id: SharedKinds[Kind]['item']['id'],
  ): Promise<boolean>
  /** Of any user. Records the time of use, rounded to the minute. */
  feedOutByKey(key: string, now: Instant): Promise<FeedOut | undefined>
  /** Active webhooks of all users that are due at `now`, longest due first. Returned again until their due date changes. */
  dueWebhooks(now: Instant, limit: number): Promise<Webhook[]>
  nextWebhookAt(): Promise<Instant | undefined>
  /** Returns false if it is gone. If its user paused it meanwhile, it stays paused. */
  recordDelivery(id: WebhookId, progress: WebhookProgress): Promise<boolean>
}
