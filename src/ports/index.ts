/**
 * The sockets in the wall. The crawl knows the outside world by these five interfaces and by nothing else. Beside each
 * stands its contract, `*.contract.ts`: a driver is finished when it passes.
 */
export type {
  ArticleCounts,
  ArticleRecord,
  ArticleResult,
  ArticleStore,
  ArticleWant,
  PageWant,
  Room,
} from './article-store.ts'
export type { Clock } from './clock.ts'
export type { GroupQuery, GroupStore, Join, PlacedEntry, StoredSignature, Unplaced } from './group-store.ts'
export type { Net, NetAnswer, NetRedirect, NetRequest } from './net.ts'
export type { PushStore } from './push-store.ts'
export type { Queue } from './queue.ts'
export type { Search, SearchDocument, SearchFilter, SearchHit } from './search.ts'
export type {
  Counts,
  EntryQuery,
  FeedChange,
  FeedQuery,
  HandedBack,
  Lease,
  NewFeed,
  NewSource,
  PollQuery,
  PollRecord,
  Store,
  Taken,
} from './store.ts'
export { KEPT_MOVES, KEPT_VERSIONS, MOST_MISSES } from './store-bounds.ts'
export { StoreError, type StoreTrouble } from './store-error.ts'
