/**
 * The sockets in the wall. The crawl knows the outside world by these interfaces and by nothing else: the two ends of a queue, Net, Search,
 * Clock, and a store by its roles. Beside each stands its contract, `*.contract.ts`: a driver is finished when it passes.
 * Their own words, beside those of the model:
 *
 * - role:       of a store: the methods that one kind of user needs. Agenda: what is due. Ledger: what came of it. Catalogue:
 *               for who only reads. Readership: who follows, has read and starred what. Lines: what waits for index and place. A driver gives all of them (`Store`)
 * - token:      proves whose lease it is; under another nothing is written
 * - revision:   another after each change of a feed or its schedule; a record worked out from an old one is *stale*
 * - void:       a record whose lease or feed is gone, or that was written before
 * - line:       entries that wait to be indexed or placed, and the pages of one root that wait to be fetched
 * - mark:       the place at which something waits in a line; what changes meanwhile gets another
 * - epoch:      how often a bucket has changed hands; who comes with an older one is given nothing
 * - claim:      how an owner says that it lives, and hears which buckets are its own; *surplus* are those that others should have
 * - cargo:      what a store keeps, as plain rows; a *ferry* carries it over into another store
 * - library:    a large store beside a store, for what is said: texts and pages, under names made of what they say
 * - card:       an entry with names in the place of its long texts, as a library's *stacks* keep it
 * - known:      of a key, that its feed has shown it before, be it *forgotten* since
 */

export type { ArticleCatalogue } from './article-catalogue.ts'
export {
  type ArticleCounts,
  type Catalogue,
  type Counts,
  type DiskUsage,
  type EntryListQuery,
  type EntryQuery,
  type FeedQuery,
  MOST_COUNTED,
  type PollQuery,
} from './catalogue.ts'
export type { Clock } from './clock.ts'
export {
  type CardQuery,
  type FiledCopy,
  type FiledPollQuery,
  type FiledSignature,
  type LibraryStacks,
  MOST_BITS_APART,
  type NearEntry,
  type NearQuery,
} from './content-records.ts'
export type { Library, LibraryHealth, LibraryText, ShelvedText, TextName, TextOwner } from './content-store.ts'
export type { Agenda, HandedBack, Lease, Leased, NextDue, PageLease, Taken } from './due-queue.ts'
export type { ArticleToFetch, FeedChange, NewFeed, NewSource, PageToFetch, Subscriptions } from './feed-registry.ts'
export { type Fleet, type FleetMember, type FleetRole, GONE_MS, type SeenMember, terminalsAside } from './fleet.ts'
export type { GroupCatalogue, GroupQuery } from './group-catalogue.ts'
export type { Leadership } from './leadership.ts'
export type { Net, NetAnswer, NetPost, NetRedirect, NetRequest } from './net.ts'
export type { Claim, Ownership } from './ownership.ts'
export {
  ALL_FEEDS,
  type Join,
  type KeptHabits,
  type Lines,
  type Mark,
  type PlacedEntry,
  type StoredSignature,
  type Unindexed,
  type Unplaced,
} from './pending-work.ts'
export { type MarketBook, NOTHING_SPENT, type PollsSpent, spentTogether } from './poll-market.ts'
export type {
  ArticleRecord,
  ArticleResult,
  Ledger,
  News,
  NewsRecord,
  PollRecord,
  PollRecordDraft,
  Recorded,
  Rekeyed,
} from './poll-results.ts'
export { isInReach, isRunPoll, LONGEST_RUN_MS, MOST_POLLS_IN_RUN } from './poll-runs.ts'
export {
  type Dispatch,
  type KeepPushed,
  type Perform,
  type Queue,
  type Refusal,
  UNASKED_MS,
  type Work,
} from './queue.ts'
export { NotOursNow, QueueError } from './queue-error.ts'
export {
  type ArrivalQuery,
  type ArrivedEntry,
  type FeedReads,
  type Followed,
  type MarkedAs,
  type MarkedUntil,
  type NewReading,
  READING_HALVES_MS,
  type ReaderQuery,
  type ReaderStanding,
  type Readership,
  type ReadingChange,
  type ReadingScope,
  readingWeight,
} from './reader-state.ts'
export type { Retention } from './retention.ts'
export { type Search, type SearchDocument, type SearchHit, type SearchOrder, WORTH_HALVES_MS } from './search.ts'
export {
  hostOf,
  parseQuery,
  type Query,
  type QueryFault,
  type SearchQuery,
  type SearchTerm,
  sitesOf,
  type TypedTerm,
  type WordsTerm,
} from './search-query.ts'
export {
  foldedWords,
  isAlone,
  type PlacedWord,
  placedWords,
  searchable,
  searchedPart,
  searchedWords,
} from './search-words.ts'
export type { FeedOutChange, Handout, Handouts, SavedSearchChange, WebhookChange, WebhookProgress } from './sharing.ts'
export { type Roles, rolesOf, type Store } from './store.ts'
export { bodyBefore, KEPT_BODIES, KEPT_MOVES, KEPT_VERSIONS, LONGEST_BODY, MOST_MISSES } from './store-bounds.ts'
export { StoreError, type StoreTrouble } from './store-error.ts'
export {
  CARGO,
  CARGO_KEYS,
  CARGO_KINDS,
  type CargoBite,
  type CargoKind,
  type CargoRow,
  type CargoValue,
  type Ferry,
  type LastIds,
} from './store-migration.ts'
export type { People, PersonChanged } from './users.ts'
