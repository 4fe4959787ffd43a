/**
 * Stores: SQLite, PostgreSQL and memory, the content store on Cassandra, and what wraps a store (encryption, external content).
 * `app` imports them by file, so that each is loaded where it is used.
 *
 * - owner:   of a file: the process that holds its lock; it alone writes
 * - session: an open database; each read and each write is one transaction
 * - tally:   what a transaction adds and removes, added to the stored counters at its end
 * - pattern: a page of a site against which others of that site are compressed
 */
export { openCassandraLibrary } from './cassandra/index.ts'
export type { SecretCipher } from './encrypted/cipher.ts'
export { createMemoryStore } from './memory/index.ts'
export { openPostgres } from './open-postgres.ts'
export type { CarriedStacks } from './split/carry-stacks.ts'
export { withLibrary } from './split/index.ts'
export type { Mended } from './split/mend.ts'
export { openSqliteStore } from './sqlite/index.ts'
export { openThreadedSqliteStore } from './sqlite/threaded.ts'
