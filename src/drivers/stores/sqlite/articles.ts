/** Articles: what came of their fetches, how they are found, and how they are forgotten. */

import { afterFetch } from '../../../articles/life/after-fetch.ts'
import { FORGOTTEN } from '../../../articles/life/let-go.ts'
import type { ArticleId, EntryId, FeedId, Instant, StoredArticle } from '../../../model/index.ts'
import type { ArticleRecord } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, ARTICLES, type ArticleRow, articleOfRow, contentOf } from '../sql/article-rows.ts'
import { isKept } from '../sql/conditions.ts'
import type { Patterns } from '../sql/page-packing.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash } from '../sql/rows.ts'
import type { CountTally } from '../sql/tally.ts'
import type { ArticleContents, PackedArticle } from './article-contents.ts'
import type { ArticleLines } from './article-lines.ts'
import type { ArticleWriter } from './article-writer.ts'
import type { ArticlesEnlisted } from './articles-enlisted.ts'
import type { Pages } from './pages.ts'
import { bounded, inChunks, type SqliteSession, withinText } from './session.ts'

/** What the store's articles are made of. */
export interface ArticleParts {
  lines: ArticleLines
  pages: Pages
  contents: ArticleContents
  writer: ArticleWriter
  enlisted: ArticlesEnlisted
}

const EVER: Instant = -Number.MAX_SAFE_INTEGER

export function articleQueries(session: SqliteSession, parts: ArticleParts): Omit<ArticleMethods, 'diskUsage'> {
  const { db, counters } = session
  const { lines, pages, contents, writer, enlisted } = parts
  const byId = db.prepare<[ArticleId], ArticleRow>(`SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES} WHERE a.id = ?`)
  const ofEntry = db.prepare<[EntryId], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM article_entries e JOIN ${ARTICLES} WHERE a.id = e.article_id AND e.entry_id = ?`,
  )
  const atPage = db.prepare<[bigint], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES} WHERE a.page_hash = ? AND a.state = 'read' ORDER BY a.id`,
  )
  const entriesOf = db.prepare<[ArticleId], EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM article_entries l JOIN entries e ON e.id = l.entry_id
     WHERE l.article_id = ? AND ${isKept('e')} ORDER BY e.id`,
  )
  const feedsOf = db
    .prepare<[ArticleId], FeedId>(
      `SELECT e.feed_id FROM article_entries l JOIN entries e ON e.id = l.entry_id
       WHERE l.article_id = ? AND ${isKept('e')} GROUP BY e.feed_id ORDER BY min(e.id)`,
    )
    .pluck()
  const texts = db.prepare<[ArticleId], Pick<ArticleRow, 'codec' | 'packed'>>(
    'SELECT codec, packed FROM article_texts WHERE article_id = ?',
  )
  const after = db.prepare<[number, Instant, number], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles a JOIN article_texts t ON t.article_id = a.id
     WHERE a.id > ? AND a.fetched_at >= ? ORDER BY a.id LIMIT ?`,
  )

  const oldTexts = db
    .prepare<[Instant, number], ArticleId>(
      'SELECT article_id FROM article_texts WHERE fetched_at < ? ORDER BY fetched_at, article_id LIMIT ?',
    )
    .pluck()

  const estimate = db.prepare<[{ id: ArticleId; at: Instant; by: string }]>(
    `UPDATE entries SET estimated_at = $at, estimated_by = $by, sort_at = min($at, seen_at)
     WHERE id IN (SELECT entry_id FROM article_entries WHERE article_id = $id) AND published_at IS NULL AND updated_at IS NULL`,
  )

  function write(record: ArticleRecord, packed: PackedArticle | undefined, tally: CountTally): boolean {
    const { id, at, lease, lineDueAt, result } = record
    const article = writer.get(id)
    if (!article || !lines.isUnder(article.root, lease)) return false
    const other = result.kind === 'same' ? writer.get(result.sameAs) : undefined
    const after = afterFetch({ article, other }, result, at)
    if (!after) return false
    writer.change(article, after.article, tally)
    if (other && after.movedTo) {
      writer.change(other, after.movedTo, tally)
      writer.moveEntries(id, other.id)
    }
    if (result.kind === 'read' && result.estimate) estimate.run({ id, ...result.estimate })
    contents.change(id, after, tally, packed && { at, packed })
    contents.announce(after.movedTo?.id ?? id, after)
    lines.release(article.root, lineDueAt)
    if (after.article.root !== article.root) lines.settle(after.article.root)
    return true
  }

  function found(row: ArticleRow | undefined): StoredArticle | undefined {
    return row && articleOfRow(row)
  }

  return {
    ...lines.methods,
    ...enlisted.methods,

    async recordArticles(records) {
      const patterns: Patterns = new Map()
      const packed: (PackedArticle | undefined)[] = []
      for (const record of records) packed.push(await contents.pack(record.result, patterns))
      return session.write((tally) => records.map((record, i) => write(record, packed[i], tally)))
    },

    articlesById: (ids) => session.read(() => ids.map((id) => found(byId.get(id)))),
    articlesOfEntries: (ids) => session.read(() => ids.map((id) => found(ofEntry.get(id)))),
    articlesAt: (pageUrls) => session.read(() => pageUrls.flatMap((url) => atPage.all(keyHash(url)).map(articleOfRow))),
    feedsOfArticles: (ids) => session.read(() => ids.map((id) => feedsOf.all(id))),
    entriesOfArticles: (ids) => session.read(() => ids.map((id) => entriesOf.all(id).map(entryOf))),

    async articleTexts(ids) {
      const rows = await session.read(() => ids.map((id) => texts.get(id)))
      return rows.map((row) => {
        const { text, html } = row ? contentOf(row) : {}
        return text === undefined || html === undefined ? undefined : { text, html }
      })
    },

    rawPage: (id) => session.read(() => pages.get(id)),

    async *everyArticle({ feedId, since = EVER }) {
      const rows = inChunks(
        session,
        (last, limit) =>
          withinText(after.iterate(last, since, limit)).map((row) => ({ row, entries: entriesOf.all(row.id) })),
        ({ row }) => row.id,
      )
      for await (const { row, entries } of rows) {
        if (entries.length === 0) continue // its feed was removed
        if (feedId !== undefined && !entries.some((entry) => entry.feed_id === (feedId as FeedId))) continue
        const { text, html } = contentOf(row)
        yield { article: articleOfRow(row), text, html, entryIds: entries.map(({ id }) => id) }
      }
    },

    forgetPages: (before, limit) => session.write((tally) => pages.dropBefore(before, limit, tally)),

    shrinkPages(bytes, limit) {
      return session.write((tally) => {
        const { pageBytes } = counters.all()
        let dropped = 0
        while (dropped < limit && pageBytes + tally.pageBytes > bytes) {
          if (pages.dropOldest(tally) === 0) break
          dropped++
        }
        return dropped
      })
    },

    forgetArticles(before, limit) {
      return session.write((tally) => {
        const ids = oldTexts.all(before, bounded(limit))
        for (const id of ids) {
          contents.change(id, FORGOTTEN, tally)
          contents.announce(id, FORGOTTEN)
        }
        return ids.length
      })
    },
  }
}
