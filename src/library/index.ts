/**
 * The public API of the package `freshet-crawler`: opens a crawl, reads settings, starts a server, and exports their errors. Everything else
 * in app is internal to the command line and may change at any time.
 *
 * - crawl:           an opened store with its crawler; must be closed
 * - read-only store: a store that can be read while a crawl is running
 * - subscription:    the result for an added address: a feed, a source whose feed is being discovered, or refused
 * - event:           a value that describes what happened; `logEvent` logs it
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
  loadLanguageOf,
  logEvent,
  type Overrides,
  openCrawl,
  openForReading,
  parseList,
  type ReadOnlyStore,
  readConfig,
  startServer,
  VERSION,
} from '../app/index.ts'
export type { LanguageDetector } from '../articles/index.ts'
export type { Address, CrawlEvent, SubscribeResult } from '../crawl/index.ts'
export { StoreError } from '../ports/store-error.ts'
export { ServerError } from '../server/server-error.ts'
