/** Rows of articles, and what they say in the words of the model. */
import type {
  ArticleFacts,
  ArticleId,
  ArticleState,
  ArticleText,
  Failure,
  Instant,
  StoredArticle,
} from '../../../model/index.ts'
import { addressIn, jsonIn, ownAddress } from './columns.ts'
import { type Packed, packText, unpack } from './packing.ts'

export interface ArticleRow {
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
  trouble: string | null
  codec: number | null
  packed: Buffer | null
}

/** Of `articles a LEFT JOIN article_texts t ON t.article_id = a.id`. */
export const ARTICLE_COLUMNS = `a.id, a.state, a.wanted_at, a.news_at, a.due_at, a.failures, a.tried_at, a.reads, a.fetched_at,
  a.same_as, a.no_archive, a.root, a.url, a.page_url, a.trouble, t.codec, t.packed`

export const ARTICLES = 'articles a LEFT JOIN article_texts t ON t.article_id = a.id'

export interface Content extends ArticleText {
  facts: ArticleFacts
}

export function articleOf(row: ArticleRow): StoredArticle {
  const url = ownAddress(row.url)
  const trouble = jsonIn<Failure>(row.trouble)
  const pageUrl = row.page_url === '' ? url : addressIn(row.page_url)
  return {
    id: row.id,
    url,
    root: row.root,
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
    ...(row.packed !== null && { facts: contentOf(row).facts }),
  }
}

export function packContent({ facts, text, html }: Content): Packed {
  return packText(JSON.stringify({ facts, text, html }))
}

export function contentOf({ codec, packed }: Pick<ArticleRow, 'codec' | 'packed'>): Content {
  return JSON.parse(unpack({ codec: codec!, packed: packed! }).toString('utf8'))
}
