/**
 * The composition root: settings, the crawl with its drivers, and the commands and queries of the command line. `library` has the public API
 * of the package. smol-toml reads freshet.toml.
 *
 * - option:     an entry of the table in config.ts: flag, environment variable, key of freshet.toml, default and description
 * - config:     the values in force; *configured* also has the source of each value
 * - crawl:      an opened store with crawler, queue and HTTP client; a *read-only store* has no crawler
 * - commands:   changes by the command line, and *queries* for reading: both through the API client of a local store (with a server in this
 *               process), of the crawl that owns it, or of a remote server
 * - profile:    a saved login at a remote server
 * - event:      a value that describes what the crawl did; the log formats it
 * - format:     of exported articles: Markdown or HTML
 * - source:     of an article, the name of its feed or site
 */
export { InputError, parseList, readAddresses } from './addresses.ts'
export { applyListedSources, applyRulesOfFile } from './apply-listed.ts'
export { type ArticleFormat, HTML, MARKDOWN } from './article-formats.ts'
export { type Audit, type AuditVerdict, auditCrawl, hasBrokenRule, readExchanges } from './audit.ts'
export { collectContentGarbage } from './collect-content-garbage.ts'
export { type AddResult, type Commands, openCommands, type PollNowResult } from './commands.ts'
export {
  type Crawl,
  type OpenStore,
  type Overrides,
  openCrawl,
  openForReading,
  type ReadOnlyStore,
} from './composition.ts'
export {
  type Config,
  environmentOf,
  flagOf,
  formatSetting,
  headingOf,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
} from './config.ts'
export { ConfigError } from './config-error.ts'
export { configurationPage } from './configuration-page.ts'
export { formatDocument, writeArticleFolder } from './export-articles.ts'
export { listFleet, openController, openFetcher, openFleetServer, openIndexer } from './fleet/index.ts'
export { limitsOf } from './goals.ts'
export { discoverFeeds, type ExtractedPage, inspectPage, readDocument } from './inspect.ts'
export type { ListedSource } from './listed-sources.ts'
export { loadLanguageOf } from './load-language-of.ts'
export { exportWarc, opmlWithPasswords } from './local-exports.ts'
export { createLog, type Log, logEvent } from './log.ts'
export {
  type MigrationProgress,
  type MigrationResult,
  migrateStore,
  parseContentStoreFlag,
  parseStoreFlag,
} from './migrate-store.ts'
export { openAccounts } from './open-accounts.ts'
export { createOutageLog, type OutageLog } from './outage-log.ts'
export { findProfile, normalizeServerUrl, readProfiles, removeProfile, saveProfile } from './profiles.ts'
export { openQueries, type Queries } from './queries.ts'
export { type ContentQueries, openContentQueries, type SimilarEntry } from './query-content-store.ts'
export { type Configured, defaultConfig, readConfig } from './read-config.ts'
export { type ReadableArticle, readableArticleAt } from './readable-article.ts'
export { type ReadFiles, readReaderFiles } from './reader-files.ts'
export { downloadReaderData, READER_SERVERS, type ReaderServer, readTokenFile } from './reader-servers.ts'
export { type EntryStateChange, openReaderState, type ReaderCommands } from './reader-state.ts'
export { NET_OPTIONS, optionsOf, QUEUE_OPTIONS } from './role-options.ts'
export { startServer } from './serve.ts'
export { runningCrawl } from './server-client.ts'
export { formatStore } from './store-at.ts'
export { PACKAGE_FOLDER, VERSION } from './version.ts'
