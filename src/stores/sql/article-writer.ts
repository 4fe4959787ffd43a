/**
 * Loads, changes and writes articles in a transaction: all are loaded and locked at once, changed one after the other by
 * `articles/lifecycle`, and written at once. Articles are locked before queues, each in the order of their ids, so deadlocks are rare.
 */
import { articlesToDelete } from '../../articles/lifecycle/remove-article.ts'
import type { ArticleId, ArticleLife, ArticleState, EntryId } from '../../model/index.ts'
import type { ArticleQueueChanges } from './article-queues.ts'
import { LIFE_COLUMNS, type LifeRow, lifeColumns, lifeOf } from './article-rows.ts'
import { countArticle } from './count-changes.ts'
import { assignmentsSql, type Dialect, type TypedColumn } from './dialect.ts'
import type { RawPageWriter } from './raw-pages.ts'
import type { SqlTransaction, SqlWork } from './session.ts'

/** An article, and the positions of its text and page. */
export interface LoadedArticle {
  life: ArticleLife
  textPosition: number | null
  pagePosition: number | null
}

/** All methods run within a transaction. */
export interface ArticleWriter {
  load(tx: SqlTransaction, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, LoadedArticle>>
  /** Also locks them until the transaction ends. */
  loadLocked(tx: SqlTransaction, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, LoadedArticle>>
  /** Does not update the counters: see `countStateChange`. */
  write(tx: SqlTransaction, articles: readonly LoadedArticle[]): SqlWork<void>
  dropTexts(tx: SqlTransaction, positions: readonly number[]): SqlWork<void>
  /** Removes the links of entries that are deleted or get other articles, and the articles that no entry points at any more. */
  unlinkEntries(tx: SqlTransaction, entryIds: readonly EntryId[], queueChanges: ArticleQueueChanges): SqlWork<void>
  /** Of these articles and their aliases, deletes those that no entry points at, with their texts and pages. */
  removeUnreferenced(tx: SqlTransaction, ids: ReadonlySet<ArticleId>, queueChanges: ArticleQueueChanges): SqlWork<void>
}

interface LoadedRow extends LifeRow {
  text_place: number | null
  page_place: number | null
}

interface CandidateRow {
  id: ArticleId
  same_as: ArticleId | null
  is_pointed_at: boolean | 0 | 1
}

interface RemovedRow {
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

export function createArticleWriter(dialect: Dialect, pages: RawPageWriter): ArticleWriter {
  const { key, text, page, positionColumns } = dialect.contents
  const select = `SELECT ${LIFE_COLUMNS}, a.${text} AS text_place, a.${page} AS page_place FROM given g, articles a WHERE a.id = g.id`
  const selectLocked = dialect.forUpdate ? `${select} ORDER BY a.id ${dialect.lockFor('UPDATE OF a')}` : select
  const updatedColumns: TypedColumn[] = [...CHANGED, ...positionColumns]
  const update = `UPDATE articles SET ${assignmentsSql(updatedColumns)} FROM given g WHERE articles.id = g.id`
  const dropText = `DELETE FROM article_texts USING given g WHERE article_texts.${key} = g.place RETURNING octet_length(packed) AS bytes`
  const matches = `${dialect.isOneOf('a.id', '$1', 'bigint')} OR ${dialect.isOneOf('a.same_as', '$1', 'bigint')}`
  const drop = `DELETE FROM articles USING given g WHERE articles.id = g.gone_id
    RETURNING state, root, due_at IS NOT NULL AS is_due, ${text} AS text_place, ${page} AS page_place`

  function* load(tx: SqlTransaction, sql: string, ids: Iterable<ArticleId>): SqlWork<Map<ArticleId, LoadedArticle>> {
    const rows = yield* tx.each<LoadedRow>(
      sql,
      ID,
      [...new Set(ids)].map((id) => [id]),
    )
    return new Map(
      rows.map((row) => [row.id, { life: lifeOf(row), textPosition: row.text_place, pagePosition: row.page_place }]),
    )
  }

  function* dropTexts(tx: SqlTransaction, positions: readonly number[]): SqlWork<void> {
    const rows = positions.map((position) => [position])
    const dropped = yield* tx.each<{ bytes: number }>(dropText, ['place bigint'], rows)
    for (const { bytes } of dropped) tx.countChanges.textBytes -= bytes
  }

  function* dropArticles(
    tx: SqlTransaction,
    ids: readonly ArticleId[],
    queueChanges: ArticleQueueChanges,
  ): SqlWork<void> {
    const rows = ids.map((id) => [id])
    const removed = yield* tx.each<RemovedRow>(drop, ['gone_id bigint'], rows)
    for (const { state, root, is_due } of removed) {
      countArticle(tx.countChanges, -1, state)
      if (is_due && !queueChanges.refreshed.has(root)) queueChanges.refreshed.set(root, undefined)
    }
    yield* dropTexts(
      tx,
      removed.flatMap(({ text_place }) => text_place ?? []),
    )
    yield* pages.drop(
      tx,
      removed.flatMap(({ page_place }) => page_place ?? []),
    )
  }

  function* removeUnreferenced(
    tx: SqlTransaction,
    ids: ReadonlySet<ArticleId>,
    queueChanges: ArticleQueueChanges,
  ): SqlWork<void> {
    if (ids.size === 0) return
    const idList = [...ids]
    if (dialect.forUpdate)
      yield* tx.rows(`SELECT 1 FROM articles a WHERE ${matches} ORDER BY a.id ${dialect.forUpdate}`, [idList])
    const rows = yield* tx.rows<CandidateRow>(
      `SELECT a.id, a.same_as, ${POINTED_AT} FROM articles a WHERE ${matches} ORDER BY a.id`,
      [idList],
    )
    const removed = rows
      .filter(({ id }) => ids.has(id))
      .flatMap(({ id, is_pointed_at }) => {
        const aliases = rows.filter(({ same_as }) => same_as === id).map((alias) => alias.id)
        return articlesToDelete({ id, isLinked: Boolean(is_pointed_at), aliases })
      })
    yield* dropArticles(tx, removed, queueChanges)
  }

  return {
    load: (tx, ids) => load(tx, select, ids),
    loadLocked: (tx, ids) => load(tx, selectLocked, ids),

    write(tx, articles) {
      const rows = articles.map(({ life, textPosition, pagePosition }) => [
        ...lifeColumns(life),
        ...(positionColumns.length > 0 ? [textPosition, pagePosition] : []),
        life.id,
      ])
      return tx.runEach(update, [...updatedColumns, 'id bigint'], rows)
    },

    dropTexts,

    *unlinkEntries(tx, entryIds, queueChanges) {
      const rows = entryIds.map((id) => [id])
      const unlinked = yield* tx.each<{ article_id: ArticleId }>(UNLINK, ID, rows)
      yield* removeUnreferenced(tx, new Set(unlinked.map(({ article_id }) => article_id)), queueChanges)
    },

    removeUnreferenced,
  }
}

export function countStateChange(tx: SqlTransaction, before: ArticleState, after: ArticleState): void {
  countArticle(tx.countChanges, -1, before)
  countArticle(tx.countChanges, 1, after)
}
