/**
 * The crawl: a controller that decides and records, terminals that go out, and the life of both. Neither knows how many
 * of the other there are; between them travel tasks and outcomes over a Queue.
 */

export type { Policy } from './apply.ts'
export { newFeed } from './apply.ts'
export { type Budget, createBudget, fixedPrice } from './budget.ts'
export { type Controller, type ControllerParts, createController } from './controller.ts'
export type {
  Activity,
  Address,
  CrawlEvent,
  Crawler,
  FeedEdit,
  PushDoor,
  Subscription,
  WrittenEdit,
} from './crawler.ts'
export { type CrawlerParts, createCrawler, type RunningCrawler } from './create-crawler.ts'
export { type Asked, type Exploration, explore, type FoundFeed } from './explore.ts'
export { GROUPING, type Grouping } from './place-index.ts'
export { createPlacer, type Placer, type PlacerParts } from './placing.ts'
export type { PushOptions } from './pushes.ts'
export { createReadingRoom } from './reading-room.ts'
export { HAND_POLL_GAP_MS } from './soonest.ts'
export { createTerminal } from './terminal.ts'
