/**
 * The crawl: a controller that decides and records, fetchers that make requests, and the lifecycle of both. Tasks and outcomes travel between
 * them over a queue. Terms, beside those of the model:
 *
 * - tick:       one round of the controller: due items are leased, admitted, and sent or released
 * - admission:  decides which due tasks are sent now
 * - slot:       lets one task be in flight; there are as many as `concurrency`
 * - host slot:  lets one task visit a host; a task holds those of its own host and of its redirect targets
 * - in flight:  a task that was sent; it completes once, or expires when its lease ends
 * - record:     what is written to the store about one poll
 * - quarantine: what happens to a task on which an internal error occurred: a failure, and retried later
 * - error boundary: contains internal errors, so that one costs one feed and no other
 * - group:      the copies and stories an entry belongs to
 * - older document: of a feed, before its window (RFC 5005); a *page* is HTML at an entry's address
 */

export type {
  Activity,
  Address,
  AddressTaken,
  BucketStatus,
  CrawlEvent,
  Crawler,
  EntryToImport,
  FeedEdit,
  FeedEditInput,
  ImportedEntries,
  PushReceiver,
  SubscribeResult,
} from './crawler.ts'
export { createErrorBoundary } from './error-boundary.ts'
export { type Discovery, discover, type FoundFeed } from './fetcher/discover.ts'
export type { DiscoveryRequest } from './fetcher/discovery-requests.ts'
export { createFetcher } from './fetcher/fetcher.ts'
export { createDocumentReader } from './fetcher/large-documents.ts'
export { READER_MODULE } from './fetcher/read-document.ts'
export { isFleetMessage } from './fleet/event-messages.ts'
export { sendHeartbeats } from './fleet/heartbeat.ts'
export { createLeaderTasks } from './fleet/leader-tasks.ts'
export { type AnalysisThread, createAnalysisThread } from './grouping/analysis-thread.ts'
export { createGrouper, type Grouper, type GrouperParts } from './grouping/group-entries.ts'
export { DEFAULT_GROUPING, type Grouping } from './grouping/similarity-indexes.ts'
export { type CrawlerParts, createCrawler, type RunningCrawler } from './lifecycle/create-crawler.ts'
export { createFleetClient, type FleetClient } from './lifecycle/create-fleet-client.ts'
export { createIndexer, type Indexer } from './lifecycle/create-indexer.ts'
export { createIdleCrawler } from './lifecycle/idle-crawler.ts'
export type { Policy } from './recorder/policy.ts'
export { feedToAdd } from './recorder/record-discovery.ts'
export { createRecorder } from './recorder/record-outcomes.ts'
export { type Budget, createBudget, fixedPrice } from './scheduler/budget.ts'
export { type Controller, type ControllerParts, createController } from './scheduler/controller.ts'
export { USER_POLL_GAP_MS } from './scheduler/earliest-poll.ts'
export type { PushOptions } from './websub/hub-subscriptions.ts'
