/**
 * The hall, where everything is put together: a crawl with its drivers, its settings, and what the command line asks of both.
 * What others may count on when they import the package is in `library`. smol-toml is here to read freshet.toml. Its own words,
 * beside those of the model:
 *
 * - option:     one line of the table in config.ts: flag, environment variable, key of the file, default, sentence
 * - config:     the values in force; *configured* says where each came from
 * - crawl:      here, an opened store with everything plugged in; *looking* is the same for who only reads
 * - commands:   what the command line changes, and *queries* what it looks up: both by the API client, of a local store (by a server in this
 *               process), of the crawl that owns it, or of a remote server
 * - profile:    a login at a server elsewhere, as it is kept
 * - event:      what the crawl says has happened; the log makes a line of it, at a *level* as logs have them
 * - format:     in which articles leave: Markdown, HTML
 * - source:     of an article that is shown, the name of its feed or site
 */
export { InputError, parseList, readAddresses } from './addresses.ts'
export { applyListed } from './apply-listed.ts'
export { type ArticleFormat, HTML, MARKDOWN } from './article-formats.ts'
export { askLibrary, type LibraryAnswers, type LikeEntry } from './ask-library.ts'
export { type Audit, type AuditVerdict, auditOf, exchangesOf, isAnyBroken } from './audit.ts'
export { type Added, type Commands, openCommands, type PolledNow } from './commands.ts'
export {
  type Config,
  environmentOf,
  flagOf,
  headingOf,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  shownValue,
} from './config.ts'
export { ConfigError } from './config-error.ts'
export { configurationPage } from './configuration-page.ts'
export { oneDocument, writeFolder } from './export-articles.ts'
export { listFleet, openController, openFront, openKeeper, openTerminal } from './fleet.ts'
export { limitsOf } from './goals.ts'
export { type ExtractedPage, inspectPage, lookForFeeds, readDocument } from './inspect.ts'
export type { ListedSource } from './listed-sources.ts'
export { loadLanguageOf } from './load-language-of.ts'
export { exportWarc, opmlWithPasswords } from './local-exports.ts'
export { createLog, type Log, logEvent } from './log.ts'
export { mendStoreLibrary } from './mend-library.ts'
export { libraryGiven, type MovedStore, type MoveProgress, moveBetween, storeGiven } from './move-store.ts'
export { openAccounts } from './open-accounts.ts'
export { createOutageLog, type OutageLog } from './outage-log.ts'
export { forgetProfile, profileMeant, readProfiles, saveProfile, serverAddress } from './profiles.ts'
export { openQueries, type Queries } from './queries.ts'
export { type Configured, defaultConfig, readConfig } from './read-config.ts'
export { type ReadableArticle, readableArticleAt } from './readable-article.ts'
export { type EntryMark, openReaderState, type ReaderState } from './reader-state.ts'
export { NET_OPTIONS, optionsOf, QUEUE_OPTIONS } from './role-options.ts'
export { startServer } from './serve.ts'
export { runningCrawl } from './server-client.ts'
export { shownStore } from './store-at.ts'
export { PACKAGE_FOLDER, VERSION } from './version.ts'
export { type Crawl, type Looking, type OpenStore, type Overrides, openCrawl, openForReading } from './wire.ts'
