/**
 * The HTTP API and the page's way to people. It reads the store and the search, and asks the running crawl for whatever
 * changes something; it decides nothing itself. hono carries it, because its app answers requests without a socket too,
 * which is how most of the tests ask.
 */
export { type Client, createClient } from './client.ts'
export { createServer, type Server } from './server.ts'
export { ServerError } from './server-error.ts'
export type { ServerParts } from './server-parts.ts'
