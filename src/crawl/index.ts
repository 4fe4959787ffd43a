/**
 * The crawl: a controller that decides and records, terminals that go out, and the life of both. Neither knows how many
 * of the other there are; between them travel tasks and outcomes over a Queue.
 */

export type {
  Activity,
  Address,
  AddressTaken,
  CrawlEvent,
  Crawler,
  FeedEdit,
  PushDoor,
  Subscription,
  WrittenEdit,
} from './crawler.ts'
export { type Budget, createBudget, fixedPrice } from './dispatch/budget.ts'
export { type Controller, type ControllerParts, createController } from './dispatch/controller.ts'
export { HAND_POLL_GAP_MS } from './dispatch/earliest-poll.ts'
export { type CrawlerParts, createCrawler, type RunningCrawler } from './life/create-crawler.ts'
export { GROUPING, type Grouping } from './place/place-index.ts'
export { createPlacer, type Placer, type PlacerParts } from './place/placing.ts'
export type { PushOptions } from './push/pushes.ts'
export type { Policy } from './record/policy.ts'
export { newFeed } from './record/record-discovery.ts'
export { type Asked, type Discovery, discover, type FoundFeed } from './terminal/discover.ts'
export { READING_MODULE } from './terminal/read-document.ts'
export { createReadingRoom } from './terminal/reading-room.ts'
export { createTerminal } from './terminal/terminal.ts'
