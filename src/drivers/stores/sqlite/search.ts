/**
 * Full text in the store's own file, by SQLite's FTS5. It keeps no text, only where each word stands. What people type
 * becomes an expression of quoted strings, in which FTS5 has no operators left to trip over.
 *
 * A filter is part of the query, and decides before anything is weighed. Of few entries (a feed's, a day's) the ids are
 * gathered first, and the walk along the hits begins at the first of them; where many pass, hits are looked up one by one,
 * the newest first, until there are enough.
 *
 * What is put makes a part of the index of its own, and parts have to be merged. Left to itself, FTS5 does so whenever
 * enough has come, in the transaction of whoever brings the last of it, for tens of milliseconds; so it is told not to
 * (migration 17), and does it here, some pages at a time. Pages are large (migration 19): the end of a merge drops their list at once.
 */
import type { EntryId } from '../../../model/index.ts'
import type { Search, SearchFilter } from '../../../ports/index.ts'
import { parseQuery, type QueryTerm, searchable } from '../../search/query.ts'
import { bounded, type SqliteSession } from './session.ts'

const TITLE_WEIGHT = 4

/** Of a word that half of all entries hold, only the newest are weighed: weighing costs far more than finding. */
const MOST_WEIGHED = 10_000

/** Ids that a filter gathers; it takes some ten milliseconds. */
const MOST_GATHERED = 50_000

/** Of the index, 32,000 bytes each, that are merged at once: some milliseconds. */
const MERGED_PAGES = 4

interface Hit {
  id: EntryId
  score: number
}

export function searchQueries(session: SqliteSession): Search {
  const { db } = session
  const put = db.prepare('INSERT OR REPLACE INTO entry_words (rowid, title, text) VALUES (?, ?, ?)')
  const drop = db.prepare<[EntryId]>('DELETE FROM entry_words WHERE rowid = ?')

  const merge = db.prepare("INSERT INTO entry_words (entry_words, rank) VALUES ('merge', ?)")
  const changed = db.prepare<[], number>('SELECT total_changes()').pluck()

  /** Whether an entry passes, as a condition on hits, and its values. */
  function passing(filter: SearchFilter): { sql: string; values: number[] } {
    const { sql, values } = conditionsOf(filter)
    if (values.length === 0) return { sql: '', values }
    const most = `SELECT count(*) AS n FROM (SELECT 1 FROM entries WHERE ${sql} LIMIT ${MOST_GATHERED + 1})`
    if (session.prepared<{ n: number }>(most).get(values)!.n > MOST_GATHERED) {
      return { sql: `AND EXISTS (SELECT 1 FROM entries WHERE id = entry_words.rowid AND ${sql})`, values }
    }
    // The pluses keep SQLite from seeking the least id along the whole table, and from asking FTS5 for each id alone.
    const gathered = `FROM entries WHERE ${sql}`
    return {
      sql: `AND rowid >= (SELECT min(+id) ${gathered}) AND +rowid IN (SELECT id ${gathered})`,
      values: [...values, ...values],
    }
  }

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

    tidy() {
      return session.writeBite(() => {
        const before = changed.get()!
        merge.run(MERGED_PAGES)
        return changed.get()! - before >= 2 // less, says FTS5, where nothing was left to merge
      })
    },

    find(text, limit, filter = {}) {
      const { wanted, unwanted } = parseQuery(text)
      if (wanted.length === 0) return Promise.resolve([])
      const all = wanted.map(quoted).join(' AND ')
      const none = unwanted.map(quoted).join(' OR ')
      const words = none ? `(${all}) NOT (${none})` : all
      return session.read(() => {
        const passes = passing(filter)
        const { after } = filter
        const rest = after === undefined ? '' : 'WHERE (score, id) < (SELECT score, id FROM hits WHERE id = ?)'
        const find = session.prepared<Hit>(
          `WITH hits AS MATERIALIZED (
             SELECT rowid AS id, -bm25(entry_words, ${TITLE_WEIGHT}, 1) AS score FROM entry_words
             WHERE entry_words MATCH ? ${passes.sql} ORDER BY rowid DESC LIMIT ${MOST_WEIGHED}
           ) SELECT id, score FROM hits ${rest} ORDER BY score DESC, id DESC LIMIT ?`,
        )
        return find.all([words, ...passes.values, ...(after === undefined ? [] : [after]), bounded(limit)])
      })
    },
  }
}

function conditionsOf({ feedId, since }: SearchFilter): { sql: string; values: number[] } {
  const conditions: string[] = []
  const values: number[] = []
  if (feedId !== undefined) {
    conditions.push('feed_id = ?')
    values.push(feedId)
  }
  if (since !== undefined) {
    conditions.push('sort_at >= ?')
    values.push(since)
  }
  return { sql: conditions.join(' AND '), values }
}

/** A quoted string is a phrase of the words that the index sees in it; the parser has left no quotes inside. */
function quoted({ text, prefix }: QueryTerm): string {
  return `"${searchable(text)}"${prefix ? '*' : ''}`
}
