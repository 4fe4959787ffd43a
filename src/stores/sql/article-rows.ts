/** Rows of articles, and what they say in the words of the model. What was read of an article stands in another table. */
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
import { addressIn, jsonInColumn, ownAddress } from './columns.ts'
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

/** Of `articles a`, and of `article_texts t`, if there is a text. */
export const ARTICLE_COLUMNS = `${LIFE_COLUMNS}, t.codec, t.packed`

export interface Content extends ArticleText {
  facts: ArticleFacts
}

export function articleOfRow(row: ArticleRow): StoredArticle {
  const content = contentIfAny(row)
  return { ...lifeOf(row), ...(content && { facts: content.facts }) }
}

export function lifeOf(row: LifeRow): ArticleLife {
  const url = ownAddress(row.url)
  const trouble = jsonInColumn<Failure>(row.trouble)
  const ledTo = addressIn(row.led_to)
  const pageUrl = row.page_url === '' ? url : addressIn(row.page_url)
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

/** What may change of an article, in the order of the columns that article-writer.ts writes. */
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

export function packContent({ facts, text, html }: Content): Promise<Packed> {
  return packText(JSON.stringify({ facts, text, html }))
}

/** Undefined if there is none, or it is damaged. */
export function contentIfAny(row: Pick<ArticleRow, 'codec' | 'packed'>): Content | undefined {
  if (row.packed === null) return undefined
  try {
    return contentOf(row)
  } catch {
    return undefined
  }
}

export function contentOf({ codec, packed }: Pick<ArticleRow, 'codec' | 'packed'>): Content {
  return JSON.parse(unpackPage({ codec: codec!, packed: packed! }).toString('utf8'))
}
