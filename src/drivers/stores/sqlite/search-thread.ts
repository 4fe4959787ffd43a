/**
 * Finding, and weighing what takes how much room, in a thread of its own (drivers/threads): through a connection that can only read, beside
 * the one that writes.
 */
import Database from 'better-sqlite3'
import type { SearchHit, SearchOrder, SearchQuery } from '../../../ports/index.ts'
import { bytesOf } from './bytes-of.ts'
import { createFinder, type Finder } from './search-find.ts'
import { createSession } from './session.ts'

export interface SearchQuestion {
  file: string
  query: SearchQuery
  limit: number
  order: SearchOrder
}

/** How many bytes a table or an index takes. */
export interface RoomQuestion {
  file: string
  tree: string
}

/** The thread is the state: it begins with a search and ends when none has come for a while. */
const finders = new Map<string, Finder>()

export function answerSearch(question: SearchQuestion | RoomQuestion): SearchHit[] | number {
  const { file } = question
  if ('tree' in question) return roomOf(question)
  const { query, limit, order } = question
  const find = finders.get(file) ?? openFinder(file)
  finders.set(file, find)
  return find(query, limit, order)
}

function roomOf({ file, tree }: RoomQuestion): number {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
  try {
    return bytesOf(db, tree)
  } finally {
    db.close()
  }
}

const BUSY_MS = 5000
const CACHE_KIB = 8 * 1024

/** In one transaction, or statements of one search might see different states. */
function openFinder(file: string): Finder {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
  db.pragma(`cache_size = -${CACHE_KIB}`)
  const find = createFinder(createSession(db, file))
  return (...asked) => db.transaction(() => find(...asked)).deferred()
}
