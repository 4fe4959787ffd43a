/**
 * The outside world, one folder for each socket, one for the tables that tell languages apart, and one for threads. Only app
 * and lab plug these in; app by file, so that a store, queue or library is loaded where it is used. better-sqlite3 is here because it is the fastest way to SQLite from Node and brings FTS5 along. Their own words,
 * beside those of the model and of the ports:
 *
 * - owner:      of a file: the process that holds its lock and alone writes
 * - session:    an open database; each read and each write of it is one transaction
 * - tally:      what a transaction makes more or less of; added to the counters at its end, so that nobody has to count
 * - pattern:    a page of a site, against which others of that site are packed
 * - guard:      says of an address, never of a name, whether it may be visited
 * - lifetime:   of one request; a single thing ends it, and every stage hears of it
 * - trouble:    what goes wrong inside a driver, as an exception, until it leaves as a failure or a StoreError
 * - exchange:   one request and what came of it, for the archive; a *revisit* refers to an earlier one
 * - jump:       the machine's clock was set
 */
export type { Exchange } from './archive/exchange.ts'
export type { ArchivedExchange } from './archive/read-archive.ts'
export { createSteppedClock, type SteppedClock } from './clocks/stepped-clock.ts'
export { createFastClock, systemClock } from './clocks/system-clock.ts'
export { createInProcessFleet } from './fleets/in-process.ts'
export { readLanguageTables } from './language-tables/read-language-tables.ts'
export { createHttpNet, type HttpNetOptions } from './net/http-net.ts'
export { createInProcessQueue } from './queues/in-process.ts'
export { type NatsQueue, type NatsQueueOptions, openNatsQueue } from './queues/nats/index.ts'
export { createMemorySearch } from './search/memory/index.ts'
export { openCassandraLibrary } from './stores/cassandra/index.ts'
export type { SecretCipher } from './stores/encrypted/cipher.ts'
export { createMemoryStore } from './stores/memory/index.ts'
export { openPostgres } from './stores/open-postgres.ts'
export type { CarriedStacks } from './stores/split/carry-stacks.ts'
export { withLibrary } from './stores/split/index.ts'
export type { Mended } from './stores/split/mend.ts'
export { openSqliteStore } from './stores/sqlite/index.ts'
export { openThreadedSqliteStore } from './stores/sqlite/threaded.ts'
export { createThread, type Thread, type ThreadOptions } from './threads/thread.ts'
