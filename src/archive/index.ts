/** WARC files: what was fetched, written and read. An *exchange* is one request with its response; a *revisit* refers to an earlier one. */
export type { Exchange } from './exchange.ts'
export type { ArchivedExchange } from './read-archive.ts'
