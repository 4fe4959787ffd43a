/** Articles: how they are found, and how they are forgotten. */
import { FORGOTTEN } from '../../../articles/life/let-go.ts'
import type { ArticleId, EntryId, FeedId, Instant } from '../../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow, contentOf } from '../sql/article-rows.ts'
import { isKept } from '../sql/conditions.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { ARTICLES_WITH_TEXT, articleLineMethods } from './article-lines.ts'
import { articleRecords, entriesPointingAt } from './article-records.ts'
import { dropTexts } from './article-writer.ts'
import { articleWants } from './articles-enlisted.ts'
import { diskUsageOf } from './disk-usage.ts'
import { dropPages, keptPage, settlePages } from './pages.ts'
import { dropEmptyMonths, dropMonths } from './partitions.ts'
import { type PostgresSession, pieceByPiece } from './session.ts'
import { toLine } from './waiting-lines.ts'

const EVER: Instant = -Number.MAX_SAFE_INTEGER

export function articleMethods(session: PostgresSession): ArticleMethods {
  const SELECT = `SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES_WITH_TEXT}`

  async function entriesByArticle(ids: readonly ArticleId[]): Promise<Map<ArticleId, EntryRow[]>> {
    const rows = await session.rows<EntryRow & { article_id: ArticleId }>(
      `SELECT l.article_id, ${ENTRY_COLUMNS} FROM article_entries l JOIN entries e ON e.id = l.entry_id
       WHERE l.article_id = ANY ($1::bigint[]) AND ${isKept('e')} ORDER BY e.id`,
      [ids],
    )
    return Map.groupBy(rows, ({ article_id }) => article_id)
  }

  return {
    ...articleLineMethods(session),
    ...articleWants(session),
    ...articleRecords(session),

    async articlesById(ids) {
      const rows = await session.rows<ArticleRow>(`${SELECT} WHERE a.id = ANY ($1::bigint[])`, [ids])
      return inOrder(ids, rows, ({ id }) => id, articleOfRow)
    },

    async articlesOfEntries(ids) {
      const rows = await session.rows<ArticleRow & { entry_id: EntryId }>(
        `SELECT l.entry_id, ${ARTICLE_COLUMNS} FROM article_entries l JOIN articles a ON a.id = l.article_id
         LEFT JOIN article_texts t ON t.place = a.text_place WHERE l.entry_id = ANY ($1::bigint[])`,
        [ids],
      )
      return inOrder(ids, rows, ({ entry_id }) => entry_id, articleOfRow)
    },

    async articlesAt(pageUrls) {
      const rows = await session.rows<ArticleRow>(
        `SELECT ${ARTICLE_COLUMNS} FROM unnest($1::bigint[]) WITH ORDINALITY AS p (hash, n)
         JOIN articles a ON a.page_hash = p.hash AND a.state = 'read' LEFT JOIN article_texts t ON t.place = a.text_place
         ORDER BY p.n, a.id`,
        [pageUrls.map(keyHash)],
      )
      return rows.map(articleOfRow)
    },

    async entriesOfArticles(ids) {
      const entries = await entriesByArticle(ids)
      return ids.map((id) => (entries.get(id) ?? []).map(entryOf))
    },

    async feedsOfArticles(ids) {
      const rows = await session.rows<{ article_id: ArticleId; feed_id: FeedId }>(
        `SELECT l.article_id, e.feed_id FROM article_entries l JOIN entries e ON e.id = l.entry_id
         WHERE l.article_id = ANY ($1::bigint[]) AND ${isKept('e')} GROUP BY 1, 2 ORDER BY min(e.id)`,
        [ids],
      )
      const feeds = Map.groupBy(rows, ({ article_id }) => article_id)
      return ids.map((id) => (feeds.get(id) ?? []).map(({ feed_id }) => feed_id))
    },

    async articleTexts(ids) {
      const rows = await session.rows<ArticleRow>(
        `SELECT a.id, t.codec, t.packed FROM articles a JOIN article_texts t ON t.place = a.text_place
         WHERE a.id = ANY ($1::bigint[])`,
        [ids],
      )
      return inOrder(
        ids,
        rows,
        ({ id }) => id,
        (row) => {
          const { text, html } = contentOf(row)
          return { text, html }
        },
      )
    },

    rawPage: (id) => keptPage(session, id),

    async *everyArticle({ feedId, since = EVER }) {
      const rows = pieceByPiece(
        async (after, limit) => {
          const articles = await session.rows<ArticleRow>(
            `SELECT ${ARTICLE_COLUMNS} FROM articles a JOIN article_texts t ON t.place = a.text_place
             WHERE a.id > $1 AND a.fetched_at >= $2 ORDER BY a.id LIMIT $3`,
            [after, since, limit],
          )
          const entries = await entriesByArticle(articles.map(({ id }) => id))
          return articles.map((row) => ({ row, entries: entries.get(row.id) ?? [] }))
        },
        ({ row }) => row.id,
      )
      for await (const { row, entries } of rows) {
        if (entries.length === 0) continue // its feed was removed
        if (feedId !== undefined && !entries.some((entry) => entry.feed_id === feedId)) continue
        const { text, html } = contentOf(row)
        yield { article: articleOfRow(row), text, html, entryIds: entries.map(({ id }) => id) }
      }
    },

    async forgetPages(before, limit) {
      const whole = await dropMonths(session, 'pages', before, settlePages)
      if (whole >= limit) return limit
      const rest = await session.write(async (tx) => {
        const rows = await tx.rows<{ place: number }>(
          'SELECT place FROM pages WHERE at < $1 ORDER BY at, article_id LIMIT $2 FOR UPDATE SKIP LOCKED',
          [before, atMost(limit - whole)],
        )
        await dropPages(
          tx,
          rows.map(({ place }) => place),
        )
        return rows.length
      })
      return whole + rest
    },

    shrinkPages(bytes, limit) {
      return session.write(async (tx) => {
        const [counted] = await tx.rows<{ bytes: number }>(
          "SELECT coalesce(sum(value), 0)::bigint AS bytes FROM counters WHERE name = 'pageBytes'",
        )
        let dropped = 0
        while (dropped < limit && counted!.bytes + tx.tally.pageBytes > bytes) {
          const rows = await tx.rows<{ place: number; bytes: number }>(
            `SELECT place, octet_length(packed) AS bytes FROM pages ORDER BY at, article_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
            [Math.min(limit - dropped, SHRUNK_AT_ONCE)],
          )
          const excess = counted!.bytes + tx.tally.pageBytes - bytes
          const going = whileExceeding(rows, excess)
          if (going.length === 0) break
          await dropPages(tx, going)
          dropped += going.length
        }
        return dropped
      })
    },

    async forgetArticles(before, limit) {
      const forgotten = await session.write(async (tx) => {
        const rows = await tx.rows<{ place: number; article_id: ArticleId; page_place: number | null }>(
          `SELECT t.place, t.article_id, a.page_place FROM article_texts t LEFT JOIN articles a ON a.id = t.article_id
           WHERE t.fetched_at < $1 ORDER BY t.fetched_at, t.article_id LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
          [before, atMost(limit)],
        )
        await dropTexts(
          tx,
          rows.map(({ place }) => place),
        )
        await dropPages(
          tx,
          rows.flatMap(({ page_place }) => page_place ?? []),
        )
        const ids = rows.map(({ article_id }) => article_id)
        if (FORGOTTEN.reindex) await toLine(tx, 'unindexed', await entriesPointingAt(tx, ids))
        if (FORGOTTEN.placeAgain) await toLine(tx, 'unplaced', await entriesPointingAt(tx, ids))
        return rows.length
      })
      if (forgotten > 0 && forgotten < limit) await dropEmptyMonths(session, 'article_texts')
      return forgotten
    },

    diskUsage: () => diskUsageOf(session),
  }
}

const SHRUNK_AT_ONCE = 100

/** The first of these, until together they have so many bytes. A pattern may go with them, and that is seen only then: so one by one at last. */
function whileExceeding(rows: { place: number; bytes: number }[], excess: number): number[] {
  const going: number[] = []
  let sum = 0
  for (const { place, bytes } of rows) {
    if (sum >= excess) break
    going.push(place)
    sum += bytes
  }
  return going
}
