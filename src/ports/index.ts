/**
 * The sockets in the wall. The crawl knows the outside world by these interfaces and by nothing else: the two ends of a queue, Net, Search,
 * Clock, and a store by its roles. Beside each stands its contract, `*.contract.ts`: a driver is finished when it passes.
 */
export type { Agenda, HandedBack, Lease, Leased, Taken } from './agenda.ts'
export type {
  ArticleCounts,
  Catalogue,
  Counts,
  DiskUsage,
  EntryQuery,
  FeedQuery,
  PollQuery,
} from './catalogue.ts'
export type { Clock } from './clock.ts'
export type { GroupCatalogue, GroupQuery } from './group-catalogue.ts'
export type {
  ArticleRecord,
  ArticleResult,
  Ledger,
  News,
  NewsRecord,
  PollRecord,
  PollRecordDraft,
  Recorded,
} from './ledger.ts'
export type { Join, Lines, Mark, PlacedEntry, StoredSignature, Unplaced } from './lines.ts'
export type { MarketBook } from './market-book.ts'
export type { Net, NetAnswer, NetRedirect, NetRequest } from './net.ts'
export type { Claim, Ownership } from './ownership.ts'
export type { Dispatch, Queue, Work } from './queue.ts'
export type { Retention } from './retention.ts'
export type { Search, SearchDocument, SearchFilter, SearchHit } from './search.ts'
export { type Roles, rolesOf, type Store } from './store.ts'
export { KEPT_MOVES, KEPT_VERSIONS, MOST_MISSES } from './store-bounds.ts'
export { StoreError, type StoreTrouble } from './store-error.ts'
export type { ArticleToFetch, FeedChange, NewFeed, NewSource, PageToFetch, Subscriptions } from './subscriptions.ts'
