/**
 * The HTTP server: the API, the protocols of feed readers, and the files of the page. It reads the store and the search, and asks the
 * running crawl to make changes. Built on hono, whose app also answers requests without a socket, which most tests use. Terms beside those
 * of the model:
 *
 * - route:      the operations of one resource; one file each in routes/
 * - page:       the user interface, with the files of `web/`
 * - problem:    an error response (problem+json)
 * - caller:     who sent a request: a user with a credential, or nobody
 * - feed out:   an outgoing feed, for other feed readers
 * - listener:   a client of the event stream; the *tail* has the newest entries as JSON, shared by all listeners
 * - cursor:     the sort keys of the last row of a page, from which the next page continues
 */
export { type Accounts, createAccounts } from './accounts.ts'
export type { LoggedChange } from './change-log.ts'
export { type ClientFor, createClientForUser } from './client-for-user.ts'
export type { DashboardServices } from './dashboard.ts'
export { createServer, type Server } from './server.ts'
export { ServerError } from './server-error.ts'
export type { ServerParts } from './server-parts.ts'
export type { GroupRole } from './sign-in/group-roles.ts'
export type { SignInSettings } from './sign-in/settings.ts'
export type { ServerWarning } from './warnings.ts'
