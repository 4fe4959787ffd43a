/**
 * Stores: SQLite, PostgreSQL and memory, the content store on Cassandra, and wrappers around a store (encryption, external content).
 * `app` imports each by file, so that a store is loaded only where it is used.
 *
 * - owner:         of a SQLite file: the process that holds its lock; only the owner writes
 * - session:       an open database; each read and each write is one transaction
 * - count changes: rows a transaction adds and removes, by counter; added to the stored counters when it commits
 * - pattern:       a page of a site, used as the compression dictionary for other pages of that site
 */
export { openCassandraContentStore } from './cassandra/index.ts'
export type { SecretCipher } from './encrypted/cipher.ts'
export type { GarbageCollection } from './external-content/collect-garbage.ts'
export { withContentStore } from './external-content/index.ts'
export type { MigratedContentRecords } from './external-content/migrate-content-records.ts'
export { createMemoryStore } from './memory/index.ts'
export { openPostgres } from './open-postgres.ts'
export { openSqliteStore } from './sqlite/index.ts'
export { openThreadedSqliteStore } from './sqlite/threaded.ts'
