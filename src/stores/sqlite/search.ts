/**
 * Full text in the store's own file, by SQLite's FTS5. It keeps no text, only where each word stands, in the order of time
 * (search-places.ts); how it is asked stands in search-expression.ts and search-find.ts.
 *
 * What is put makes a part of the index of its own, and parts have to be merged. Left to itself, FTS5 does so whenever
 * enough has come, in the transaction of whoever brings the last of it, for tens of milliseconds; so it is told not to
 * (migration 17), and does it here, some pages at a time. Still, all places of one word are merged in one go, half a second among millions of
 * entries, and the end of a merge drops the list of all its pages at once.
 */
import type { EntryId } from '../../model/index.ts'
import { type Search, type SearchDocument, searchable } from '../../ports/index.ts'
import { facetsOf } from '../sql/search-facets.ts'
import { createBeginnings } from './search-beginnings.ts'
import { createFinder } from './search-find.ts'
import { createPlaces } from './search-places.ts'
import type { SqliteSession } from './session.ts'

/** Of the index, 4,050 bytes each, that are merged in one transaction: some milliseconds. */
const MERGED_PAGES = 32

export function searchQueries(session: SqliteSession): Search {
  const { db } = session
  const places = createPlaces(session)
  const find = createFinder(session)
  const beginnings = createBeginnings(session)
  const put = db.prepare(
    'INSERT OR REPLACE INTO entry_words (rowid, text, title, names) VALUES (CAST(? AS INTEGER), ?, ?, ?)',
  )
  const drop = db.prepare<[number]>('DELETE FROM entry_words WHERE rowid = CAST(? AS INTEGER)')
  const merge = db.prepare<[number]>("INSERT INTO entry_words (entry_words, rank) VALUES ('merge', ?)")
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()

  function putOne(document: SearchDocument): void {
    const { id, feedId, at } = document
    const { place, left } = places.take(id, feedId, at)
    if (left !== undefined) drop.run(left)
    const [title, text, names] = [document.title, document.text, document.names.join('\n')].map(typeable) as Texts
    const untyped = [...facetsOf(document), ...beginnings.listsOf({ title, text, names })].join(' ')
    put.run(place, `${untyped} ${text}`, title, names)
  }

  function dropOne(id: EntryId): void {
    const place = places.leave(id)
    if (place !== undefined) drop.run(place)
  }

  async function each<One>(all: readonly One[], work: (one: One) => void): Promise<void> {
    await session.write(() => {
      beginnings.begin()
      for (const one of all) work(one)
    })
    beginnings.keep()
  }

  /** As many pages as are said, or all of a single word that has more: FTS5 stops between two words only. */
  function mergeSome(): boolean {
    const before = changes.get()!
    merge.run(MERGED_PAGES)
    return changes.get()! - before >= 2 // less, says FTS5, where nothing was left to merge
  }

  return {
    put: (documents) => each(documents, putOne),
    drop: (ids) => each(ids, dropOne),
    tidy: () => session.write(mergeSome),
    find: (query, limit, order = {}) => session.read(() => find(query, limit, order)),
  }
}

type Texts = [title: string, text: string, names: string]

/** Without what only we may write. */
function typeable(text: string): string {
  const searched = searchable(text)
  return MAY_BE_PRIVATE.test(searched) ? searched.replace(/\p{Co}/gu, ' ') : searched
}

const MAY_BE_PRIVATE = /[\ue000-\uf8ff\udb80-\udbff]/
