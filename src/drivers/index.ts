/**
 * The outside world, one folder for each socket, one for the tables that tell languages apart, and one for threads. Only app
 * and lab plug these in. better-sqlite3 is here because it is the fastest way to SQLite from Node and brings FTS5 along.
 */
export type { Exchange } from './archive/exchange.ts'
export { ArchiveError, openWarcFile, openWarcFolder } from './archive/warc-archive.ts'
export { createFastClock, systemClock } from './clocks/real-time.ts'
export { createSteppedClock, type SteppedClock } from './clocks/stepped.ts'
export { readLanguageTables } from './language-tables/read-language-tables.ts'
export { makeFolder } from './make-folder.ts'
export { createHttpNet, type HttpNetOptions } from './net/http-net.ts'
export { createInProcessQueue } from './queues/in-process.ts'
export { createMemorySearch } from './search/memory/index.ts'
export { createMemoryStore } from './stores/memory/index.ts'
export { openSqliteStore } from './stores/sqlite/index.ts'
export { createThread, type Thread, type ThreadOptions } from './threads/thread.ts'
