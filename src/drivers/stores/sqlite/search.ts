/**
 * Full text in the store's own file, by SQLite's FTS5. It keeps no text, only where each word stands. What people type
 * becomes an expression of quoted strings, in which FTS5 has no operators left to trip over.
 */
import type { EntryId } from '../../../model/index.ts'
import type { Search } from '../../../ports/index.ts'
import { parseQuery, type QueryTerm, searchable } from '../../search/query.ts'
import { bounded, type Session } from './session.ts'

const TITLE_WEIGHT = 4

/** Of a word that half of all entries hold, only the newest are weighed: weighing costs far more than finding. */
const MOST_WEIGHED = 10_000

export function searchQueries(session: Session): Search {
  const { db } = session
  const put = db.prepare('INSERT OR REPLACE INTO entry_words (rowid, title, text) VALUES (?, ?, ?)')
  const drop = db.prepare<[EntryId]>('DELETE FROM entry_words WHERE rowid = ?')
  const find = db.prepare<[string, number], { id: EntryId; score: number }>(
    `SELECT id, score FROM (
       SELECT rowid AS id, -bm25(entry_words, ${TITLE_WEIGHT}, 1) AS score FROM entry_words
       WHERE entry_words MATCH ? ORDER BY rowid DESC LIMIT ${MOST_WEIGHED}
     ) ORDER BY score DESC, id DESC LIMIT ?`,
  )

  return {
    put(documents) {
      return session.writeBite(() => {
        for (const { id, title, text } of documents) put.run(id, searchable(title), searchable(text))
      })
    },

    drop(ids) {
      return session.writeBite(() => {
        for (const id of ids) drop.run(id)
      })
    },

    find(text, limit) {
      const { wanted, unwanted } = parseQuery(text)
      if (wanted.length === 0) return Promise.resolve([])
      const all = wanted.map(quoted).join(' AND ')
      const none = unwanted.map(quoted).join(' OR ')
      return session.read(() => find.all(none ? `(${all}) NOT (${none})` : all, bounded(limit)))
    },
  }
}

/** A quoted string is a phrase of the words that the index sees in it; the parser has left no quotes inside. */
function quoted({ text, prefix }: QueryTerm): string {
  return `"${searchable(text)}"${prefix ? '*' : ''}`
}
