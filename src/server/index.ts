/**
 * The HTTP API and the page's way to people. It reads the store and the search, and asks the running crawl for whatever
 * changes something; it decides nothing itself. hono carries it, because its app answers requests without a socket too,
 * which is how most of the tests ask.
 */
export { takenInWords } from './address-taken.ts'
export { type ArticleShape, articleShape } from './article-shape.ts'
export { type Client, ClientError, createClient } from './client.ts'
export { articleOfEntry, type EntryArticleShape } from './entry-article.ts'
export { findEntries, namedEntries } from './find-entries.ts'
export { copiesOf, namedGroup, namedGroups, namedStatistics } from './find-groups.ts'
export * from './group-shapes.ts'
export { createServer, type Server } from './server.ts'
export { ServerError } from './server-error.ts'
export type { ServerParts } from './server-parts.ts'
export * from './shapes.ts'
export * from './trouble-shape.ts'
