/** Articles: how they are found, and how they are forgotten. */
import { FORGOTTEN } from '../../../articles/life/let-go.ts'
import type { ArticleId, FeedId, Instant } from '../../../model/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type ArticleLines, articleLineMethods, createArticleLines } from './article-lines.ts'
import { articleRecords, entriesPointingAt } from './article-records.ts'
import { ARTICLE_COLUMNS, type ArticleRow, articleOfRow, contentOf } from './article-rows.ts'
import { type ArticleWriter, createArticleWriter } from './article-writer.ts'
import { articleWants, createEnlist, type Enlist } from './articles-enlisted.ts'
import { inChunks } from './chunks.ts'
import { isKept } from './conditions.ts'
import { type Dialect, type TypedColumn, textOf } from './dialect.ts'
import { createLeaseTokens } from './lease-tokens.ts'
import type { Months } from './months.ts'
import { createPages, keptPage, type Pages } from './pages.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, keyHash } from './rows.ts'
import type { SqlSession } from './session.ts'
import { atMost } from './values.ts'
import { toLine } from './waiting-lines.ts'

/** What the store's articles are made of. */
export interface ArticleParts {
  lines: ArticleLines
  pages: Pages
  writer: ArticleWriter
  enlist: Enlist
}

export function createArticleParts(dialect: Dialect): ArticleParts {
  const lines = createArticleLines(dialect)
  const pages = createPages(dialect)
  const writer = createArticleWriter(dialect, pages)
  return { lines, pages, writer, enlist: createEnlist(dialect, lines, writer) }
}

const EVER: Instant = -Number.MAX_SAFE_INTEGER
const ID: TypedColumn[] = ['id bigint']
/** Articles whose texts are read at once. */
const WITH_TEXT = 50
const SHRUNK_AT_ONCE = 100

const ENTRIES = `SELECT l.article_id, ${ENTRY_COLUMNS} FROM given g, article_entries l, entries e
  WHERE l.article_id = g.id AND e.id = l.entry_id AND ${isKept('e')} ORDER BY g.n, e.id`
const FEEDS = `SELECT l.article_id, e.feed_id FROM given g, article_entries l, entries e
  WHERE l.article_id = g.id AND e.id = l.entry_id AND ${isKept('e')} GROUP BY 1, 2 ORDER BY min(e.id)`

export function articleMethods(
  session: SqlSession,
  parts: ArticleParts,
  months: Months,
): Omit<ArticleMethods, 'diskUsage'> {
  const { dialect } = session
  const { pages, writer } = parts
  const { key, page } = dialect.contents
  const text = textOf(dialect.contents)

  async function ofEach<Row>(sql: string, ids: readonly ArticleId[]): Promise<Map<ArticleId, Row[]>> {
    const rows = await session.each<Row & { article_id: ArticleId }>(
      sql,
      ID,
      ids.map((id) => [id]),
    )
    return Map.groupBy(rows, ({ article_id }) => article_id)
  }

  async function found(sql: `SELECT ${string}`, ids: readonly number[]) {
    const rows = await session.rowOfEach<ArticleRow>(
      sql,
      ID,
      ids.map((id) => [id]),
    )
    return rows.map((row) => row && articleOfRow(row))
  }

  return {
    ...articleLineMethods(session, parts.lines, createLeaseTokens()),
    ...articleWants(session, parts),
    ...articleRecords(session, parts),

    articlesById: (ids) =>
      found(`SELECT ${ARTICLE_COLUMNS} FROM given g, articles a LEFT JOIN ${text} WHERE a.id = g.id`, ids),

    articlesOfEntries: (ids) =>
      found(
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
      const feeds = await ofEach<{ feed_id: FeedId }>(FEEDS, ids)
      return ids.map((id) => (feeds.get(id) ?? []).map(({ feed_id }) => feed_id))
    },

    async articleTexts(ids) {
      const rows = await session.rowOfEach<Pick<ArticleRow, 'codec' | 'packed'>>(
        `SELECT t.codec, t.packed FROM given g, articles a JOIN ${text} WHERE a.id = g.id`,
        ID,
        ids.map((id) => [id]),
      )
      return rows.map((row) => {
        if (!row) return undefined
        const { text, html } = contentOf(row)
        return { text, html }
      })
    },

    rawPage: (id) => keptPage(session, id),

    async *everyArticle({ feedId, since = EVER }) {
      const rows = inChunks(
        async (after, limit) => {
          const articles = await session.rows<ArticleRow>(
            `SELECT ${ARTICLE_COLUMNS} FROM articles a JOIN ${text} WHERE a.id > $1 AND a.fetched_at >= $2 ORDER BY a.id LIMIT $3`,
            [after, since, Math.min(limit, WITH_TEXT)],
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
        const { text, html } = contentOf(row)
        yield { article: articleOfRow(row), text, html, entryIds: entries.map(({ id }) => id) }
      }
    },

    async forgetPages(before, limit) {
      const whole = await months.drop('pages', before)
      if (whole >= limit) return limit
      const rest = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number }>(
          `SELECT ${key} AS place FROM pages WHERE at < $1 ORDER BY at, article_id LIMIT $2 ${dialect.locked('UPDATE SKIP LOCKED')}`,
          [before, atMost(limit - whole)],
        )
        yield* pages.drop(
          tx,
          rows.map(({ place }) => place),
        )
        return rows.length
      })
      return whole + rest
    },

    shrinkPages(bytes, limit) {
      return session.write(function* (tx) {
        const counted = yield* tx.row<{ bytes: number }>(
          "SELECT CAST(coalesce(sum(value), 0) AS bigint) AS bytes FROM counters WHERE name = 'pageBytes'",
        )
        let dropped = 0
        for (;;) {
          const excess = counted!.bytes + tx.tally.pageBytes - bytes
          if (excess <= 0 || dropped >= limit) return dropped
          const rows = yield* tx.rows<{ place: number; bytes: number }>(
            `SELECT ${key} AS place, octet_length(packed) AS bytes FROM pages ORDER BY at, article_id LIMIT $1
             ${dialect.locked('UPDATE SKIP LOCKED')}`,
            [Math.min(limit - dropped, SHRUNK_AT_ONCE)],
          )
          const going = whileExceeding(rows, excess)
          if (going.length === 0) return dropped
          yield* pages.drop(tx, going)
          dropped += going.length
        }
      })
    },

    async forgetArticles(before, limit) {
      const forgotten = await session.write(function* (tx) {
        const rows = yield* tx.rows<{ place: number; article_id: ArticleId; page_place: number | null }>(
          `SELECT t.${key} AS place, t.article_id, a.${page} AS page_place FROM article_texts t
           LEFT JOIN articles a ON a.id = t.article_id WHERE t.fetched_at < $1 ORDER BY t.fetched_at, t.article_id LIMIT $2
           ${dialect.locked('UPDATE OF t SKIP LOCKED')}`,
          [before, atMost(limit)],
        )
        yield* writer.dropTexts(
          tx,
          rows.map(({ place }) => place),
        )
        yield* pages.drop(
          tx,
          rows.flatMap(({ page_place }) => page_place ?? []),
        )
        const entries = yield* entriesPointingAt(
          tx,
          rows.map(({ article_id }) => article_id),
        )
        if (FORGOTTEN.reindex) yield* toLine(tx, dialect, 'unindexed', entries)
        if (FORGOTTEN.placeAgain) yield* toLine(tx, dialect, 'unplaced', entries)
        return rows.length
      })
      if (forgotten > 0 && forgotten < limit) await months.dropEmpty('article_texts')
      return forgotten
    },
  }
}

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
