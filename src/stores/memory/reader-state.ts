/** Users and their data as the memory store holds them. */
import type {
  ChangeId,
  Credential,
  CredentialId,
  EntryId,
  FeedId,
  FeedOut,
  Instant,
  PendingSubscription,
  SavedSearch,
  SourceId,
  Subscription,
  User,
  UserId,
  Webhook,
} from '../../model/index.ts'
import type { OneTimeValue, UserValue, UserValueKind } from '../../ports/index.ts'

export interface MemorySubscription extends Subscription {
  /** All entries up to this one are read, unless their own read state says otherwise. */
  readUpTo: EntryId
  /** The change that last moved `readUpTo`, and its value before. */
  change?: ChangeId
  previousReadUpTo: EntryId
  /** Decaying number of reads, as of `readAt`. */
  reads: number
  readAt: Instant
}

/** Read state of one entry. Without `read`, `readUpTo` of the subscription applies and this only records what a change replaced. */
export interface MemoryReadState {
  read?: boolean
  previous?: boolean
  change: ChangeId
}

export interface MemoryUserValue extends UserValue {
  userId: UserId
  kind: UserValueKind
}

export interface MemoryLabel {
  name: string
  entries: Set<EntryId>
}

export interface ReadersState {
  users: Map<UserId, User & { password: string }>
  /** Id of the user without an account, reserved for the first account. */
  unnamedUser?: UserId | undefined
  credentials: Map<CredentialId, { credential: Credential; hash: string }>
  /** By purpose and hash. */
  oneTimeValues: Map<string, OneTimeValue>
  subscriptions: Map<UserId, Map<FeedId, MemorySubscription>>
  pendingSubscriptions: Map<UserId, Map<SourceId, PendingSubscription>>
  readStates: Map<UserId, Map<EntryId, MemoryReadState>>
  stars: Map<UserId, Set<EntryId>>
  /** By folded name. */
  labels: Map<UserId, Map<string, MemoryLabel>>
  muted: Map<UserId, Set<EntryId>>
  /** Feeds that a user has unfollowed. */
  unfollowedFeeds: Set<FeedId>
  searches: Map<number, SavedSearch>
  feedsOut: Map<number, FeedOut>
  webhooks: Map<number, Webhook>
  /** By user, kind and key. */
  values: Map<string, MemoryUserValue>
  lastIds: { user: number; credential: number; change: number; shared: number }
}

export function createReaders(): ReadersState {
  return {
    users: new Map(),
    credentials: new Map(),
    oneTimeValues: new Map(),
    subscriptions: new Map(),
    pendingSubscriptions: new Map(),
    readStates: new Map(),
    stars: new Map(),
    labels: new Map(),
    muted: new Map(),
    unfollowedFeeds: new Set(),
    searches: new Map(),
    feedsOut: new Map(),
    webhooks: new Map(),
    values: new Map(),
    lastIds: { user: 0, credential: 0, change: 0, shared: 0 },
  }
}

export function isUser({ users, unnamedUser }: ReadersState, id: UserId): boolean {
  return users.has(id) || (users.size === 0 && id === unnamedUser)
}
