/**
 * Everything that is remembered, by role: who dispatches asks the agenda, who records writes to the ledger, who only reads looks
 * into the catalogue. Each is a port of its own, with the few methods that its users need; a driver gives all of them.
 *
 * Each method is one transaction and is named for what its caller wants, not for a table; nothing here knows SQL, and nothing
 * above knows that there is any. What a resolved promise has acknowledged survives the death of the process.
 */

import type { ArticleCatalogue } from './article-catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import type { Agenda } from './due-queue.ts'
import type { Subscriptions } from './feed-registry.ts'
import type { GroupCatalogue } from './group-catalogue.ts'
import type { Leadership } from './leadership.ts'
import type { Ownership } from './ownership.ts'
import type { Lines } from './pending-work.ts'
import type { MarketBook } from './poll-market.ts'
import type { Ledger } from './poll-results.ts'
import type { Readership } from './reader-state.ts'
import type { Retention } from './retention.ts'
import type { Handouts } from './sharing.ts'
import type { People } from './users.ts'

/** All roles: what a driver makes and the hall hands out. Nobody else is given all of it. */
export interface Store
  extends Ownership,
    Leadership,
    Agenda,
    Ledger,
    Subscriptions,
    Lines,
    MarketBook,
    Retention,
    Catalogue,
    ArticleCatalogue,
    GroupCatalogue,
    People,
    Readership,
    Handouts {
  close(): Promise<void>
}

/** The roles by the names under which factories ask for them. */
export interface Roles {
  ownership: Ownership
  leadership: Leadership
  agenda: Agenda
  ledger: Ledger
  subscriptions: Subscriptions
  lines: Lines
  marketBook: MarketBook
  retention: Retention
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  groupCatalogue: GroupCatalogue
  people: People
  readership: Readership
  handouts: Handouts
}

export function rolesOf(store: Store): Roles {
  return {
    ownership: store,
    leadership: store,
    agenda: store,
    ledger: store,
    subscriptions: store,
    lines: store,
    marketBook: store,
    retention: store,
    catalogue: store,
    articleCatalogue: store,
    groupCatalogue: store,
    people: store,
    readership: store,
    handouts: store,
  }
}
