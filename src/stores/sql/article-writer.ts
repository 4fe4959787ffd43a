/**
 * Articles as a transaction has them in hand: loaded and locked at once, changed one after the other as `articles/lifecycle` says,
 * and written at once in the end. Articles are locked before lines, and each in the order of their ids: so nobody waits for who
 * waits for them, or hardly ever.
 */
import { goneWith } from '../../articles/lifecycle/remove-article.ts'
import type { ArticleId, ArticleLife, ArticleState, EntryId } from '../../model/index.ts'
import type { LineChanges } from './article-lines.ts'
import { LIFE_COLUMNS, type LifeRow, lifeColumns, lifeOf } from './article-rows.ts'
import { type Dialect, setGiven, type TypedColumn } from './dialect.ts'
import type { Pages } from './pages.ts'
import type { SqlTransaction, SqlWork } from './session.ts'
import { countArticle } from './tally.ts'

/** An article, and where its text and its page stand. */
export interface ArticleInHand {
  life: ArticleLife
  textPlace: number | null
  pagePlace: number | null
}

/** Each within a transaction. */
export interface ArticleWriter {
  /** As they are now. */
  byId(tx: SqlTransaction, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, ArticleInHand>>
  /** The same, and nobody else changes them until the transaction ends. */
  locked(tx: SqlTransaction, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, ArticleInHand>>
  /** What they are from now on; how they are counted is told apart, see `recount`. */
  write(tx: SqlTransaction, articles: readonly ArticleInHand[]): SqlWork<void>
  dropTexts(tx: SqlTransaction, places: readonly number[]): SqlWork<void>
  /** These entries are gone, or get other articles: what nobody points at any more goes with them. */
  unlinkEntries(tx: SqlTransaction, entryIds: readonly EntryId[], lines: LineChanges): SqlWork<void>
  /** Of these articles, and those that turned out to be them, drops whom no entry points at, with all that is kept of them. */
  letGo(tx: SqlTransaction, ids: ReadonlySet<ArticleId>, lines: LineChanges): SqlWork<void>
}

interface InHandRow extends LifeRow {
  text_place: number | null
  page_place: number | null
}

interface LetGoRow {
  id: ArticleId
  same_as: ArticleId | null
  is_pointed_at: boolean | 0 | 1
}

interface GoneRow {
  state: ArticleState
  root: string
  is_due: boolean | 0 | 1
  text_place: number | null
  page_place: number | null
}

const ID: TypedColumn[] = ['id bigint']

/** In the order of `lifeColumns`. */
const CHANGED: TypedColumn[] = [
  'state text',
  'news_at bigint',
  'due_at bigint',
  'failures integer',
  'trouble text',
  'tried_at bigint',
  'reads integer',
  'fetched_at bigint',
  'same_as bigint',
  'no_archive smallint',
  'root text',
  'led_to text',
  'hops integer',
  'page_url text',
  'page_hash bigint',
]

const POINTED_AT = 'EXISTS (SELECT 1 FROM article_entries l WHERE l.article_id = a.id) AS is_pointed_at'
const UNLINK = 'DELETE FROM article_entries USING given g WHERE article_entries.entry_id = g.id RETURNING article_id'

export function createArticleWriter(dialect: Dialect, pages: Pages): ArticleWriter {
  const { key, text, page, placed } = dialect.contents
  const inHand = `SELECT ${LIFE_COLUMNS}, a.${text} AS text_place, a.${page} AS page_place FROM given g, articles a WHERE a.id = g.id`
  const lockedInHand = dialect.forUpdate ? `${inHand} ORDER BY a.id ${dialect.locked('UPDATE OF a')}` : inHand
  const written: TypedColumn[] = [...CHANGED, ...placed]
  const update = `UPDATE articles SET ${setGiven(written)} FROM given g WHERE articles.id = g.id`
  const dropText = `DELETE FROM article_texts USING given g WHERE article_texts.${key} = g.place RETURNING octet_length(packed) AS bytes`
  const isThem = `${dialect.isOneOf('a.id', '$1', 'bigint')} OR ${dialect.isOneOf('a.same_as', '$1', 'bigint')}`
  const drop = `DELETE FROM articles USING given g WHERE articles.id = g.gone_id
    RETURNING state, root, due_at IS NOT NULL AS is_due, ${text} AS text_place, ${page} AS page_place`

  function* load(tx: SqlTransaction, sql: string, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, ArticleInHand>> {
    const rows = yield* tx.each<InHandRow>(
      sql,
      ID,
      [...new Set(ids)].map((id) => [id]),
    )
    return new Map(
      rows.map((row) => [row.id, { life: lifeOf(row), textPlace: row.text_place, pagePlace: row.page_place }]),
    )
  }

  function* dropTexts(tx: SqlTransaction, places: readonly number[]): SqlWork<void> {
    const rows = places.map((place) => [place])
    const dropped = yield* tx.each<{ bytes: number }>(dropText, ['place bigint'], rows)
    for (const { bytes } of dropped) tx.tally.textBytes -= bytes
  }

  function* dropArticles(tx: SqlTransaction, ids: readonly ArticleId[], lines: LineChanges): SqlWork<void> {
    const rows = ids.map((id) => [id])
    const gone = yield* tx.each<GoneRow>(drop, ['gone_id bigint'], rows)
    for (const { state, root, is_due } of gone) {
      countArticle(tx.tally, -1, state)
      if (is_due && !lines.settled.has(root)) lines.settled.set(root, undefined)
    }
    yield* dropTexts(
      tx,
      gone.flatMap(({ text_place }) => text_place ?? []),
    )
    yield* pages.drop(
      tx,
      gone.flatMap(({ page_place }) => page_place ?? []),
    )
  }

  function* letGo(tx: SqlTransaction, ids: ReadonlySet<ArticleId>, lines: LineChanges): SqlWork<void> {
    if (ids.size === 0) return
    const own = [...ids]
    if (dialect.forUpdate)
      yield* tx.rows(`SELECT 1 FROM articles a WHERE ${isThem} ORDER BY a.id ${dialect.forUpdate}`, [own])
    const rows = yield* tx.rows<LetGoRow>(
      `SELECT a.id, a.same_as, ${POINTED_AT} FROM articles a WHERE ${isThem} ORDER BY a.id`,
      [own],
    )
    const gone = rows
      .filter(({ id }) => ids.has(id))
      .flatMap(({ id, is_pointed_at }) => {
        const aliases = rows.filter(({ same_as }) => same_as === id).map((alias) => alias.id)
        return goneWith({ id, isPointedAt: Boolean(is_pointed_at), aliases })
      })
    yield* dropArticles(tx, gone, lines)
  }

  return {
    byId: (tx, ids) => load(tx, inHand, ids),
    locked: (tx, ids) => load(tx, lockedInHand, ids),

    write(tx, articles) {
      const rows = articles.map(({ life, textPlace, pagePlace }) => [
        ...lifeColumns(life),
        ...(placed.length > 0 ? [textPlace, pagePlace] : []),
        life.id,
      ])
      return tx.runEach(update, [...written, 'id bigint'], rows)
    },

    dropTexts,

    *unlinkEntries(tx, entryIds, lines) {
      const rows = entryIds.map((id) => [id])
      const left = yield* tx.each<{ article_id: ArticleId }>(UNLINK, ID, rows)
      yield* letGo(tx, new Set(left.map(({ article_id }) => article_id)), lines)
    },

    letGo,
  }
}

export function recount(tx: SqlTransaction, before: ArticleState, after: ArticleState): void {
  countArticle(tx.tally, -1, before)
  countArticle(tx.tally, 1, after)
}
