/** Article methods: lookups, and the parts implemented in other files. */
import { type ArticleId, type FetchSettings, type Instant, pageSettingsOf } from '../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import type { ArticleParts } from './article-parts.ts'
import { articleQueueMethods } from './article-queues.ts'
import { articleResultMethods } from './article-records.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow, readContent } from './article-rows.ts'
import { rowsInChunks } from './chunks.ts'
import { parseJsonColumn, requiredAddress } from './columns.ts'
import { isNotRemovedSql } from './conditions.ts'
import { articleTextJoin, type TypedColumn } from './dialect.ts'
import { createLeaseTokens } from './lease-tokens.ts'
import { readRawPage } from './raw-pages.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash } from './rows.ts'
import type { SqlSession } from './session.ts'
import { wantedArticleMethods } from './wanted-articles.ts'

const MIN_INSTANT: Instant = -Number.MAX_SAFE_INTEGER
const ID: TypedColumn[] = ['id bigint']
/** Articles whose texts are read at once. */
const ARTICLES_PER_QUERY = 50

const ENTRIES = `SELECT l.article_id, ${ENTRY_COLUMNS} FROM given g, article_entries l, entries e
  WHERE l.article_id = g.id AND e.id = l.entry_id AND ${isNotRemovedSql('e')} ORDER BY g.n, e.id`
const LINKING_FEEDS = `SELECT l.article_id, f.url, f.fetching FROM given g, article_entries l, entries e, feeds f
  WHERE l.article_id = g.id AND e.id = l.entry_id AND ${isNotRemovedSql('e')} AND f.id = e.feed_id GROUP BY 1, 2, 3 ORDER BY min(e.id)`

type Methods = Omit<ArticleMethods, 'diskUsage' | 'forgetPages' | 'trimPages' | 'forgetArticles'>

export function articleMethods(session: SqlSession, parts: ArticleParts): Methods {
  const { dialect } = session
  const text = articleTextJoin(dialect.contents)

  async function ofEach<Row>(sql: string, ids: readonly ArticleId[]): Promise<Map<ArticleId, Row[]>> {
    const rows = await session.each<Row & { article_id: ArticleId }>(
      sql,
      ID,
      ids.map((id) => [id]),
    )
    return Map.groupBy(rows, ({ article_id }) => article_id)
  }

  async function findArticles(sql: `SELECT ${string}`, ids: readonly number[]) {
    const rows = await session.rowOfEach<ArticleRow>(
      sql,
      ID,
      ids.map((id) => [id]),
    )
    return rows.map((row) => row && articleOfRow(row))
  }

  return {
    ...articleQueueMethods(session, parts.queues, createLeaseTokens()),
    ...wantedArticleMethods(session, parts),
    ...articleResultMethods(session, parts),

    articlesById: (ids) =>
      findArticles(`SELECT ${ARTICLE_COLUMNS} FROM given g, articles a LEFT JOIN ${text} WHERE a.id = g.id`, ids),

    articlesOfEntries: (ids) =>
      findArticles(
        `SELECT ${ARTICLE_COLUMNS} FROM given g, article_entries l, articles a LEFT JOIN ${text}
         WHERE l.entry_id = g.id AND a.id = l.article_id`,
        ids,
      ),

    async articlesAt(pageUrls) {
      const rows = await session.each<ArticleRow>(
        `SELECT ${ARTICLE_COLUMNS} FROM given g, articles a LEFT JOIN ${text}
         WHERE a.page_hash = g.hash AND a.state = 'read' ORDER BY g.n, a.id`,
        ['hash bigint'],
        pageUrls.map((url) => [keyHash(url)]),
      )
      return rows.map(articleOfRow)
    },

    async entriesOfArticles(ids) {
      const entries = await ofEach<EntryRow>(ENTRIES, ids)
      return ids.map((id) => (entries.get(id) ?? []).map(entryOf))
    },

    async feedsOfArticles(ids) {
      const feeds = await ofEach<{ url: string; fetching: string | null }>(LINKING_FEEDS, ids)
      return ids.map((id) =>
        (feeds.get(id) ?? []).map(({ url, fetching }) => ({
          url: requiredAddress(url),
          ...pageSettingsOf(parseJsonColumn<FetchSettings>(fetching)),
        })),
      )
    },

    async articleTexts(ids) {
      const rows = await session.rowOfEach<Pick<ArticleRow, 'codec' | 'packed'>>(
        `SELECT t.codec, t.packed FROM given g, articles a JOIN ${text} WHERE a.id = g.id`,
        ID,
        ids.map((id) => [id]),
      )
      return rows.map((row) => {
        if (!row) return undefined
        const { text, html } = readContent(row)
        return { text, html }
      })
    },

    rawPage: (id) => readRawPage(session, id),

    async *everyArticle({ feedId, since = MIN_INSTANT }) {
      const rows = rowsInChunks(
        async (after, limit) => {
          const articles = await session.rows<ArticleRow>(
            `SELECT ${ARTICLE_COLUMNS} FROM articles a JOIN ${text} WHERE a.id > $1 AND a.fetched_at >= $2 ORDER BY a.id LIMIT $3`,
            [after, since, Math.min(limit, ARTICLES_PER_QUERY)],
          )
          const entries = await ofEach<EntryRow>(
            ENTRIES,
            articles.map(({ id }) => id),
          )
          return articles.map((row) => ({ row, entries: entries.get(row.id) ?? [] }))
        },
        ({ row }) => row.id,
      )
      for await (const { row, entries } of rows) {
        if (entries.length === 0) continue // its feed was removed
        if (feedId !== undefined && !entries.some((entry) => entry.feed_id === feedId)) continue
        const { text, html } = readContent(row)
        yield { article: articleOfRow(row), text, html, entryIds: entries.map(({ id }) => id) }
      }
    },
  }
}
