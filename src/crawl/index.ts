/**
 * The crawl: a controller that decides and records, terminals that go out, and the life of both. Neither knows how many
 * of the other there are; between them travel tasks and outcomes over a Queue. Its own words, beside those of the model:
 *
 * - tick:       one round of the controller: what is due and may go is sent; *admission* says who may
 * - hand:       a task that may be out; there are as many as `concurrency`
 * - flight:     a task that is out: it *lands* once, or is *lost* when its lease ends
 * - end:        a host to which redirects lead, and at whose door a task has to be let in as well
 * - reading:    a feed's document or an article's page, read by a terminal
 * - known:      what the store knew of a window before it came
 * - record:     what the store is told of one poll; it is *applied* outcome, reconciled and learnt from
 * - set aside:  what becomes of a task on which we made a mistake: a failure, and tried again later
 * - wall:       where a mistake of ours ends, so that it costs one feed and no other
 * - place:      where an entry belongs among copies and stories; a *placer* finds it
 * - older document: of a feed, behind its window (RFC 5005); every other *page* is HTML at an entry's address
 */

export type {
  Activity,
  Address,
  AddressTaken,
  BucketsHeld,
  CrawlEvent,
  Crawler,
  FeedEdit,
  PushReceiver,
  Subscription,
  WrittenEdit,
} from './crawler.ts'
export { createWall } from './error-boundary.ts'
export { type Asked, type Discovery, discover, type FoundFeed } from './fetcher/discover.ts'
export { createTerminal } from './fetcher/fetcher.ts'
export { createDocumentReader } from './fetcher/large-documents.ts'
export { READING_MODULE } from './fetcher/read-document.ts'
export { isFleetNews } from './fleet/event-messages.ts'
export { beatUntil } from './fleet/heartbeat.ts'
export { createDuties } from './fleet/leader-tasks.ts'
export { type AnalysisThread, createAnalysisThread } from './grouping/analysis-thread.ts'
export { createPlacer, type Placer, type PlacerParts } from './grouping/group-entries.ts'
export { GROUPING, type Grouping } from './grouping/similarity-indexes.ts'
export { type CrawlerParts, createCrawler, type RunningCrawler } from './lifecycle/create-crawler.ts'
export { createFront, type Front } from './lifecycle/create-fleet-client.ts'
export { createKeeping, type Keeping } from './lifecycle/create-indexer.ts'
export { createIdleCrawler } from './lifecycle/idle-crawler.ts'
export type { Policy } from './recorder/policy.ts'
export { feedToAdd } from './recorder/record-discovery.ts'
export { createRecorder } from './recorder/record-outcomes.ts'
export { type Budget, createBudget, fixedPrice } from './scheduler/budget.ts'
export { type Controller, type ControllerParts, createController } from './scheduler/controller.ts'
export { HAND_POLL_GAP_MS } from './scheduler/earliest-poll.ts'
export type { PushOptions } from './websub/hub-subscriptions.ts'
