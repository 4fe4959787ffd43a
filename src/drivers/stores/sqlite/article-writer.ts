/**
 * The statements that write articles and say which entries point at them, for the several methods that do so; each within a
 * transaction. What is to be written, and who goes, `articles/life` says.
 */

import type { NewArticle } from '../../../articles/life/enlisted.ts'
import { goneWith } from '../../../articles/life/let-go.ts'
import type { ArticleId, ArticleLife, ArticleState, EntryId } from '../../../model/index.ts'
import { CHANGED_COLUMNS, LIFE_COLUMNS, type LifeRow, lifeColumns, lifeOf } from '../sql/article-rows.ts'
import { type CountTally, countArticle } from '../sql/tally.ts'
import type { ArticleContents } from './article-contents.ts'
import type { ArticleLines } from './article-lines.ts'
import type { SqliteSession } from './session.ts'

export interface ArticleWriter {
  get(id: ArticleId): ArticleLife | undefined
  /** By the hash of the address that was asked for, else of where a page that was read is. */
  at(urlHash: bigint): ArticleLife | undefined
  add(article: NewArticle, urlHash: bigint, tally: CountTally): ArticleId
  change(before: ArticleLife, article: ArticleLife, tally: CountTally): void
  /** Its entries, and those that turned out to be it, are the other's. */
  moveEntries(id: ArticleId, to: ArticleId): void
  articleOf(entryId: EntryId): ArticleId | undefined
  link(entryId: EntryId, id: ArticleId): void
  /** The entry is gone, or gets another article. */
  unlink(entryId: EntryId, tally: CountTally): void
}

interface GoneRow {
  state: ArticleState
  root: string
  isDue: 0 | 1
}

export function createArticleWriter(
  { db }: SqliteSession,
  lines: ArticleLines,
  { dropAll }: Pick<ArticleContents, 'dropAll'>,
): ArticleWriter {
  const SELECT = `SELECT ${LIFE_COLUMNS} FROM articles a`
  const byId = db.prepare<[ArticleId], LifeRow>(`${SELECT} WHERE a.id = ?`)
  const asked = db.prepare<[bigint], LifeRow>(
    `${SELECT} WHERE a.id = (SELECT coalesce(same_as, id) FROM articles WHERE url_hash = ?)`,
  )
  const atPage = db.prepare<[bigint], LifeRow>(
    `${SELECT} WHERE a.page_hash = ? AND a.state = 'read' ORDER BY a.id LIMIT 1`,
  )
  const insert = db.prepare(
    `INSERT INTO articles (url_hash, state, wanted_at, news_at, due_at, failures, reads, root, url)
     VALUES ($urlHash, $state, $wantedAt, $newsAt, $dueAt, $failures, $reads, $root, $url)`,
  )
  const update = db.prepare(`UPDATE articles SET ${CHANGED_COLUMNS} WHERE id = ?`)
  const remove = db.prepare<[ArticleId], GoneRow>(
    'DELETE FROM articles WHERE id = ? RETURNING state, root, due_at IS NOT NULL AS isDue',
  )
  const moveLinks = db.prepare('UPDATE article_entries SET article_id = ? WHERE article_id = ?')
  const moveAliases = db.prepare('UPDATE articles SET same_as = ? WHERE same_as = ?')
  const linked = db.prepare<[EntryId], ArticleId>('SELECT article_id FROM article_entries WHERE entry_id = ?').pluck()
  const link = db.prepare('INSERT INTO article_entries (entry_id, article_id) VALUES (?, ?)')
  const unlink = db
    .prepare<[EntryId], ArticleId>('DELETE FROM article_entries WHERE entry_id = ? RETURNING article_id')
    .pluck()
  const isPointedAt = db.prepare<[ArticleId], 1>('SELECT 1 FROM article_entries WHERE article_id = ? LIMIT 1').pluck()
  const aliasesOf = db.prepare<[ArticleId], ArticleId>('SELECT id FROM articles WHERE same_as = ?').pluck()

  function drop(id: ArticleId, tally: CountTally): void {
    const gone = remove.get(id)
    if (!gone) return
    countArticle(tally, -1, gone.state)
    dropAll(id, tally)
    if (gone.isDue) lines.settle(gone.root)
  }

  return {
    get: (id) => found(byId.get(id)),

    at: (urlHash) => found(asked.get(urlHash) ?? atPage.get(urlHash)),

    add(article, urlHash, tally) {
      const { lastInsertRowid } = insert.run({ ...article, urlHash })
      countArticle(tally, 1, article.state)
      return Number(lastInsertRowid) as ArticleId
    },

    change(before, article, tally) {
      update.run(...lifeColumns(article), article.id)
      countArticle(tally, -1, before.state)
      countArticle(tally, 1, article.state)
    },

    moveEntries(id, to) {
      moveLinks.run(to, id)
      moveAliases.run(to, id)
    },

    articleOf: (entryId) => linked.get(entryId),
    link: (entryId, id) => void link.run(entryId, id),

    unlink(entryId, tally) {
      const id = unlink.get(entryId)
      if (id === undefined) return
      const left = { id, isPointedAt: isPointedAt.get(id) === 1, aliases: aliasesOf.all(id) }
      for (const gone of goneWith(left)) drop(gone, tally)
    },
  }
}

function found(row: LifeRow | undefined): ArticleLife | undefined {
  return row && lifeOf(row)
}
