/**
 * The HTTP API and the page's way to people. It reads the store and the search, and asks the running crawl for whatever
 * changes something; it decides nothing itself. hono carries it, because its app answers requests without a socket too,
 * which is how most of the tests ask. Its own words, beside those of the model:
 *
 * - route:      the requests of one resource; one file each in routes/
 * - page:       our own, the files of `web/`; articles' pages are only passed on
 * - problem:    what is wrong with a request, said to whoever sent it
 * - guard:      refuses requests that a browser carries for strangers
 * - feed out:   a feed that we give to other readers
 * - listener:   who is told by a stream what happens; the newest entries, written once for all of them, are the *tail*
 * - cursor:     the sort keys of the last row of an answer, from which the next goes on
 */
export { type Accounts, createAccounts } from './accounts.ts'
export type { LoggedChange } from './change-log.ts'
export type { DashboardServices } from './dashboard.ts'
export { createServer, type Server } from './server.ts'
export { ServerError } from './server-error.ts'
export type { ServerParts } from './server-parts.ts'
export type { ServerWarning } from './warnings.ts'
