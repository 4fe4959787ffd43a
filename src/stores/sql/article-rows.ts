/** Converts article rows to the model and back. The text of an article is in a separate table. */
import type {
  ArticleFacts,
  ArticleId,
  ArticleLife,
  ArticleState,
  ArticleText,
  Failure,
  Instant,
  StoredArticle,
} from '../../model/index.ts'
import { optionalAddress, parseJsonColumn, requiredAddress } from './columns.ts'
import { type Packed, packText, unpackPage } from './packing.ts'
import { jsonOrNull, keyHash } from './rows.ts'

export interface LifeRow {
  id: ArticleId
  state: ArticleState
  wanted_at: Instant
  news_at: Instant
  due_at: Instant | null
  failures: number
  tried_at: Instant | null
  reads: number
  fetched_at: Instant | null
  same_as: ArticleId | null
  no_archive: 1 | null
  root: string
  url: string
  page_url: string | null
  led_to: string | null
  hops: number
  trouble: string | null
}

export interface ArticleRow extends LifeRow {
  codec: number | null
  packed: Buffer | null
}

export const LIFE_COLUMNS = `a.id, a.state, a.wanted_at, a.news_at, a.due_at, a.failures, a.tried_at, a.reads, a.fetched_at,
  a.same_as, a.no_archive, a.root, a.url, a.page_url, a.led_to, a.hops, a.trouble`

/** Columns of `articles a` and, if there is a text, of `article_texts t`. */
export const ARTICLE_COLUMNS = `${LIFE_COLUMNS}, t.codec, t.packed`

export interface ArticleContent extends ArticleText {
  facts: ArticleFacts
}

export function articleOfRow(row: ArticleRow): StoredArticle {
  const content = tryReadContent(row)
  return { ...lifeOf(row), ...(content && { facts: content.facts }) }
}

export function lifeOf(row: LifeRow): ArticleLife {
  const url = requiredAddress(row.url)
  const trouble = parseJsonColumn<Failure>(row.trouble)
  const ledTo = optionalAddress(row.led_to)
  const pageUrl = row.page_url === '' ? url : optionalAddress(row.page_url)
  return {
    id: row.id,
    url,
    root: row.root,
    ...(ledTo && { ledTo: { url: ledTo, hops: row.hops } }),
    state: row.state,
    wantedAt: row.wanted_at,
    newsAt: row.news_at,
    ...(row.due_at !== null && { dueAt: row.due_at }),
    failures: row.failures,
    ...(trouble && { trouble }),
    ...(row.tried_at !== null && { triedAt: row.tried_at }),
    reads: row.reads,
    ...(row.fetched_at !== null && { fetchedAt: row.fetched_at }),
    ...(pageUrl && { pageUrl }),
    ...(row.same_as !== null && { sameAs: row.same_as }),
    ...(row.no_archive !== null && { noArchive: true as const }),
  }
}

/** Values of the mutable columns, in the order in which article-writer.ts writes them. */
export function lifeColumns(article: ArticleLife): (string | number | bigint | null)[] {
  const { state, url, pageUrl, ledTo } = article
  return [
    state,
    article.newsAt,
    article.dueAt ?? null,
    article.failures,
    jsonOrNull(article.trouble),
    article.triedAt ?? null,
    article.reads,
    article.fetchedAt ?? null,
    article.sameAs ?? null,
    article.noArchive ? 1 : null,
    article.root,
    ledTo?.url ?? null,
    ledTo?.hops ?? 0,
    pageUrl === url ? '' : (pageUrl ?? null),
    pageUrl && state === 'read' ? keyHash(pageUrl) : null,
  ]
}

export function packArticleContent({ facts, text, html }: ArticleContent): Promise<Packed> {
  return packText(JSON.stringify({ facts, text, html }))
}

/** Undefined if there is no text, or it is damaged. */
export function tryReadContent(row: Pick<ArticleRow, 'codec' | 'packed'>): ArticleContent | undefined {
  if (row.packed === null) return undefined
  try {
    return readContent(row)
  } catch {
    return undefined
  }
}

export function readContent({ codec, packed }: Pick<ArticleRow, 'codec' | 'packed'>): ArticleContent {
  return JSON.parse(unpackPage({ codec: codec!, packed: packed! }).toString('utf8'))
}
