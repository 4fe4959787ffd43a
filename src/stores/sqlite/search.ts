/**
 * Full-text search in the store's file, by SQLite's FTS5. The index holds no text, only the positions of words, ordered by time
 * (search-positions.ts). Queries are in search-expression.ts and search-find.ts.
 *
 * Each write creates a segment of the index, and segments have to be merged. By default FTS5 merges within the transaction that completes a
 * segment, for tens of milliseconds. That is turned off (migration 17), and `tidy` merges some pages at a time. Still, all positions of
 * one word are merged at once, which takes half a second for millions of entries, and the end of a merge frees all its pages at once.
 */
import type { EntryId } from '../../model/index.ts'
import { type Search, type SearchDocument, searchable } from '../../ports/index.ts'
import { facetsOf } from '../sql/search-facets.ts'
import { createFinder } from './search-find.ts'
import { createSearchPositions } from './search-positions.ts'
import { createPrefixIndex } from './search-prefixes.ts'
import type { SqliteSession } from './session.ts'

/** Index pages (4,050 bytes) that are merged in one transaction: some milliseconds. */
const MERGE_PAGES = 32

export function searchQueries(session: SqliteSession): Search {
  const { db } = session
  const positions = createSearchPositions(session)
  const find = createFinder(session)
  const beginnings = createPrefixIndex(session)
  const put = db.prepare(
    'INSERT OR REPLACE INTO entry_words (rowid, text, title, names) VALUES (CAST(? AS INTEGER), ?, ?, ?)',
  )
  const drop = db.prepare<[number]>('DELETE FROM entry_words WHERE rowid = CAST(? AS INTEGER)')
  const merge = db.prepare<[number]>("INSERT INTO entry_words (entry_words, rank) VALUES ('merge', ?)")
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()

  function putOne(document: SearchDocument): void {
    const { id, feedId, at } = document
    const { place, former } = positions.assign(id, feedId, at)
    if (former !== undefined) drop.run(former)
    const [title, text, names] = [document.title, document.text, document.names.join('\n')].map(
      withoutPrivateCharacters,
    ) as Texts
    const untyped = [...facetsOf(document), ...beginnings.listsOf({ title, text, names })].join(' ')
    put.run(place, `${untyped} ${text}`, title, names)
  }

  function dropOne(id: EntryId): void {
    const place = positions.remove(id)
    if (place !== undefined) drop.run(place)
  }

  async function inTransaction<One>(all: readonly One[], work: (one: One) => void): Promise<void> {
    await session.write(() => {
      beginnings.begin()
      for (const one of all) work(one)
    })
    beginnings.commit()
  }

  /** Merges a bounded number of pages, or all pages of one word if it has more: FTS5 only stops between two words. */
  function mergePages(): boolean {
    const before = changes.get()!
    merge.run(MERGE_PAGES)
    return changes.get()! - before >= 2 // fewer than 2 means that nothing was left to merge (FTS5 documentation)
  }

  return {
    put: (documents) => inTransaction(documents, putOne),
    drop: (ids) => inTransaction(ids, dropOne),
    tidy: () => session.write(mergePages),
    find: (query, limit, order = {}) => session.read(() => find(query, limit, order)),
  }
}

type Texts = [title: string, text: string, names: string]

/** Removes private-use characters, which only the program itself may index. */
function withoutPrivateCharacters(text: string): string {
  const searched = searchable(text)
  return PRIVATE_CHARACTERS.test(searched) ? searched.replace(/\p{Co}/gu, ' ') : searched
}

const PRIVATE_CHARACTERS = /[\ue000-\uf8ff\udb80-\udbff]/
