/** A search index in memory, for tests and the lab. Stores on disk have their own. */
export { createMemorySearch } from './memory-search.ts'
