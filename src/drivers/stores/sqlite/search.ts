/**
 * Full text in the store's own file, by SQLite's FTS5. It keeps no text, only where each word stands, in the order of time
 * (search-places.ts); how it is asked stands in search-expression.ts and search-find.ts.
 *
 * Finding may take long where much is stored, so whoever has other things to do lets a thread do it, which reads the same file
 * (search-thread.ts). Where little is stored the thread would take longer than the answer.
 *
 * What is put makes a part of the index of its own, and parts have to be merged. Left to itself, FTS5 does so whenever
 * enough has come, in the transaction of whoever brings the last of it, for tens of milliseconds; so it is told not to
 * (migration 17), and does it here, some pages at a time. Still, all places of one word are merged in one go, half a second among millions of
 * entries, and the end of a merge drops the list of all its pages at once: so a thread does it (writing-thread.ts).
 */
import type { EntryId } from '../../../model/index.ts'
import { type Search, type SearchDocument, type SearchHit, StoreError, searchable } from '../../../ports/index.ts'
import type { Thread } from '../../threads/thread.ts'
import { facetsOf } from '../sql/search-facets.ts'
import { createBeginnings } from './search-beginnings.ts'
import { createFinder } from './search-find.ts'
import { createPlaces } from './search-places.ts'
import type { SearchQuestion } from './search-thread.ts'
import { type SqliteSession, withinStretch } from './session.ts'
import { mergeSome, type WritingQuestion } from './writing-thread.ts'

/** Of the index, 4,050 bytes each, that are merged at once: some milliseconds. */
const MERGED_PAGES = 32

/** Entries among which anything is found in some milliseconds. */
const FEW = 5000

/** Without threads all of it is done here. */
export function searchQueries(session: SqliteSession, thread?: Thread, writingThread?: Thread): Search {
  const { db, file } = session
  const places = createPlaces(session)
  const find = createFinder(session)
  const beginnings = createBeginnings(session)
  const put = db.prepare(
    'INSERT OR REPLACE INTO entry_words (rowid, text, title, names) VALUES (CAST(? AS INTEGER), ?, ?, ?)',
  )
  const drop = db.prepare<[number]>('DELETE FROM entry_words WHERE rowid = CAST(? AS INTEGER)')
  const few = db.prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM entry_places LIMIT ${FEW})`).pluck()

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

  /** Each a transaction that ends when its time is over: hundreds of short texts take as long as a few long ones. Who is interrupted puts all again. */
  async function inBites<One>(all: readonly One[], work: (one: One) => void): Promise<void> {
    for (let done = 0; done < all.length; ) {
      done += await session.writeBite(() => {
        beginnings.begin()
        return withinStretch(all.slice(done), work).length
      })
      beginnings.keep()
    }
  }

  return {
    put: (documents) => inBites(documents, putOne),
    drop: (ids) => inBites(ids, dropOne),

    async tidy() {
      if (!writingThread) return session.writeBite(() => mergeSome(db, MERGED_PAGES))
      const told = await writingThread.ask({ file, merge: MERGED_PAGES } satisfies WritingQuestion)
      return 'answer' in told && told.answer === true // what it gave up is tried again when there is news
    },

    async find(query, limit, order = {}) {
      if (thread === undefined || few.get()! < FEW) return session.read(() => find(query, limit, order))
      const told = await thread.ask({ file, query, limit, order } satisfies SearchQuestion)
      if ('answer' in told) return told.answer as SearchHit[]
      throw new StoreError('no-access', `could not search ${file}: ${told.gaveUp}`, 'Ask for rarer words, or again.', {
        isPassing: true,
      })
    },
  }
}

type Texts = [title: string, text: string, names: string]

/** Without what only we may write. */
function typeable(text: string): string {
  const searched = searchable(text)
  return MAY_BE_PRIVATE.test(searched) ? searched.replace(/\p{Co}/gu, ' ') : searched
}

const MAY_BE_PRIVATE = /[\ue000-\uf8ff\udb80-\udbff]/
