/**
 * The store, divided into roles: the scheduler uses the due queue, the recorder the poll results, and readers the catalogues. Each
 * role is a port with only the methods its callers need. A driver implements all of them.
 *
 * Each method is one transaction and is named for its purpose, not for a table. The ports do not mention SQL, and callers do not
 * know whether there is any. Once a promise resolves, its changes survive a crash of the process.
 */

import type { ArticleCatalogue } from './article-catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import type { DueQueue } from './due-queue.ts'
import type { FeedRegistry } from './feed-registry.ts'
import type { GroupCatalogue } from './group-catalogue.ts'
import type { Leadership } from './leadership.ts'
import type { Ownership } from './ownership.ts'
import type { PendingWork } from './pending-work.ts'
import type { PollMarket } from './poll-market.ts'
import type { PollResults } from './poll-results.ts'
import type { ReaderState } from './reader-state.ts'
import type { Retention } from './retention.ts'
import type { Sharing } from './sharing.ts'
import type { UserValues } from './user-values.ts'
import type { Users } from './users.ts'

/** All roles. Created by a driver and divided by the composition root; other modules receive single roles. */
export interface Store
  extends Ownership,
    Leadership,
    DueQueue,
    PollResults,
    FeedRegistry,
    PendingWork,
    PollMarket,
    Retention,
    Catalogue,
    ArticleCatalogue,
    GroupCatalogue,
    Users,
    ReaderState,
    Sharing,
    UserValues {
  close(): Promise<void>
}

/** The roles, by the names under which factories receive them. */
export interface Roles {
  ownership: Ownership
  leadership: Leadership
  dueQueue: DueQueue
  pollResults: PollResults
  feedRegistry: FeedRegistry
  pendingWork: PendingWork
  pollMarket: PollMarket
  retention: Retention
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  groupCatalogue: GroupCatalogue
  users: Users
  readerState: ReaderState
  sharing: Sharing
  userValues: UserValues
}

export function rolesOf(store: Store): Roles {
  return {
    ownership: store,
    leadership: store,
    dueQueue: store,
    pollResults: store,
    feedRegistry: store,
    pendingWork: store,
    pollMarket: store,
    retention: store,
    catalogue: store,
    articleCatalogue: store,
    groupCatalogue: store,
    users: store,
    readerState: store,
    sharing: store,
    userValues: store,
  }
}
