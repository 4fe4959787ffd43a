/**
 * What a developer gets who imports `freshet-crawler`: a crawl to open, its settings, its server, and the errors that these throw.
 * These names are promised; whatever else the hall has is for our own command line, and may change any day.
 *
 * - crawl:      an opened store with its crawler; to be closed
 * - looking:    a store on which another may crawl; to be read, never written
 * - subscription: what became of an address that was given: a feed, a source whose feed is looked for, or refused
 * - event:      what has just happened, as a value; `logEvent` says it in words
 *
 *
 *   const crawl = await openCrawl({ ...defaultConfig(), store: 'news.db' })
 *   await crawl.crawler.subscribe([{ url: 'https://example.org', kind: 'any' }])
 *   await crawl.crawler.runOnce(AbortSignal.timeout(60_000))
 *   for await (const entry of crawl.store.everyEntry({})) console.log(entry.title)
 *   await crawl.close()
 */
export {
  type Config,
  ConfigError,
  type Configured,
  type Crawl,
  createLog,
  defaultConfig,
  InputError,
  type Log,
  type Looking,
  loadLanguageOf,
  logEvent,
  type Overrides,
  openCrawl,
  openForReading,
  parseList,
  readConfig,
  startServer,
  VERSION,
} from '../app/index.ts'
export type { LanguageOf } from '../articles/index.ts'
export type { Address, CrawlEvent, Subscription } from '../crawl/index.ts'
export { StoreError } from '../ports/store-error.ts'
export { ServerError } from '../server/server-error.ts'
