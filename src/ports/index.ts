/**
 * Interfaces to the outside: the two ends of the task queue, Net, Search, Clock, the fleet, and the store by its roles. The crawl uses
 * nothing else of the outside world. Each interface has a contract suite, `*.contract.ts`, which every driver must pass. Terms beyond
 * those of the model:
 *
 * - role:       the part of a store that one kind of caller needs, such as `DueQueue` (leases due work), `PollResults` (records results),
 *               `Catalogue` (read access), `ReaderState` (subscriptions, read and starred entries), `PendingWork` (indexing and grouping)
 * - token:      identifies a lease; writes under another lease are rejected
 * - revision:   incremented on each change of a feed or its schedule; a record computed from an outdated revision is *stale*
 * - void:       a record whose lease or feed is gone, or that was written before
 * - queue position: identifies a change that waits for indexing or grouping; a change during processing gets a new one
 * - article queue: the articles of one root that wait to be fetched; it is leased as a whole
 * - epoch:      incremented when a bucket changes its owner; callers with an outdated epoch receive nothing
 * - claim:      the heartbeat of a bucket owner, which returns its buckets; *surplus* buckets belong to others and have to be released
 * - store migration: copies all data of a store, as exported rows, to another store
 * - content store: an optional store for large texts and pages, addressed by their content
 * - entry record: an entry with content addresses in place of its long texts, as stored in the content store
 * - known:      an entry key that the feed has shown before, even if the entry was deleted since
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
  MAX_COUNTED_ENTRIES,
  type NewestEntryDates,
  type PollQuery,
} from './catalogue.ts'
export type { Clock } from './clock.ts'
export {
  type ContentRecords,
  type CopyRecord,
  type EntryRecordQuery,
  MAX_HAMMING_DISTANCE,
  type PollRecordQuery,
  type SignatureRecord,
  type SimilarEntryId,
  type SimilarEntryQuery,
} from './content-records.ts'
export type {
  ContentAddress,
  ContentOwner,
  ContentStore,
  ContentStoreHealth,
  ContentText,
  ContentTextInfo,
} from './content-store.ts'
export type {
  DueQueue,
  Lease,
  Leased,
  LeasedArticle,
  LeasedItems,
  LeaseRelease,
  LinkingFeed,
  NextDue,
} from './due-queue.ts'
export {
  type EntryLabels,
  foldedLabel,
  type LabelChange,
  type LabelCount,
  MAX_LABELS,
} from './entry-labels.ts'
export type { ArticleToFetch, FeedChange, FeedRegistry, NewFeed, NewSource, PageRequest } from './feed-registry.ts'
export {
  type Fleet,
  type FleetMember,
  type FleetRole,
  MEMBER_TIMEOUT_MS,
  quarantinedFetchers,
  type SeenMember,
} from './fleet.ts'
export type { GroupCatalogue, GroupQuery } from './group-catalogue.ts'
export type { Leadership } from './leadership.ts'
export type { Mail, Mailer, MailResult } from './mailer.ts'
export type { Net, NetAnswer, NetPost, NetRedirect, NetRequest } from './net.ts'
export type { Claim, Ownership } from './ownership.ts'
export {
  ALL_FEEDS,
  type FeedBoilerplate,
  type GroupedEntry,
  type GroupJoin,
  type PendingChanges,
  type PendingGroups,
  type PendingWork,
  type QueuePosition,
  type StoredSignature,
  type UngroupedEntry,
  type UnindexedEntry,
} from './pending-work.ts'
export { addSpent, NOTHING_SPENT, type PollMarket, type PollsSpent } from './poll-market.ts'
export type {
  ArticleContext,
  ArticleRecord,
  ArticleResult,
  EntriesRecord,
  EntryChanges,
  EntryLink,
  KeyChange,
  PollRecord,
  PollRecordDraft,
  PollResults,
  RecordResult,
  SiteRecords,
} from './poll-results.ts'
export { isRunPoll, isWithinRun, MAX_POLLS_IN_RUN, MAX_RUN_MS } from './poll-runs.ts'
export {
  CONFIRM_AFTER_MS,
  type ControllerQueue,
  type FetcherQueue,
  type PerformTask,
  type Queue,
  type Refusal,
  type StorePushedDocument,
} from './queue.ts'
export { NotOwnerError, QueueError } from './queue-error.ts'
export {
  type ArrivalQuery,
  type ArrivedEntry,
  type FeedReads,
  type FollowTarget,
  type NewSubscription,
  READ_HALF_LIFE_MS,
  type ReaderCounts,
  type ReaderQuery,
  type ReaderState,
  type ReadStateFilter,
  type ReadUntil,
  readWeight,
  type SubscriptionChange,
  type SubscriptionQuery,
  type SubscriptionScope,
} from './reader-state.ts'
export type { Retention } from './retention.ts'
export {
  FORM_WEIGHT,
  RELEVANCE_HALF_LIFE_MS,
  type Search,
  type SearchDocument,
  type SearchHit,
  type SearchOrder,
} from './search.ts'
export { formsByLanguage, formsOf, INFLECTED_LANGUAGES, type LanguageForms } from './search-forms.ts'
export { containsLiteral } from './search-literals.ts'
export {
  compileTerm,
  compileWords,
  type IndexedDocument,
  indexDocument,
  prefixKeyOf,
  type WeighTerm,
  wordsToLookFor,
} from './search-match.ts'
export type { QueryFault } from './search-operators.ts'
export {
  hostOf,
  type ParseOptions,
  type PartTerm,
  type PatternTerm,
  parseQuery,
  parseRuleQuery,
  type Query,
  type SearchQuery,
  type SearchTerm,
  sitesOf,
  type TypedRuleTerm,
  type TypedTerm,
  type UrlTerm,
  type WordsTerm,
} from './search-query.ts'
export {
  foldedWords,
  isAlone,
  searchable,
  searchedPart,
  searchedWords,
  type WordPosition,
  wordPositions,
} from './search-words.ts'
export type {
  FeedOutChange,
  SavedSearchChange,
  SharedKind,
  SharedKinds,
  Sharing,
  WebhookChange,
  WebhookProgress,
} from './sharing.ts'
export { type Roles, rolesOf, type Store } from './store.ts'
export {
  MAX_BODIES,
  MAX_BODY_LENGTH,
  MAX_FAILED_PROBES,
  MAX_MOVES,
  MAX_VERSIONS,
  previousBody,
} from './store-bounds.ts'
export { StoreError, type StoreErrorKind } from './store-error.ts'
export {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  KEY_COLUMN_COUNTS,
  type LastIds,
  ROW_KINDS,
  type RowBatch,
  type RowKind,
  type StoreMigration,
} from './store-migration.ts'
export {
  MAX_USER_VALUE_LENGTH,
  SECRET_USER_VALUE_KINDS,
  USER_VALUE_KINDS,
  type UserValue,
  type UserValueChange,
  type UserValueKind,
  type UserValueQuery,
  type UserValues,
} from './user-values.ts'
export {
  MAX_ONE_TIME_VALUES,
  type OneTimePurpose,
  type OneTimeValue,
  type UserChangeResult,
  type Users,
} from './users.ts'
export { countPhrase } from './word-index.ts'
